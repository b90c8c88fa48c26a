// Constants, splats and what is computed from loaded tiles can be operands of
// dots, on both sides at once, with and without other uses.
// RUN: fly-run %s s=f32:2.0 K=100 | FileCheck %s
// CHECK: computed  gfx942  right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @computed(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %s: f32, %K: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %zero = fly.constant 0.0 : tensor<64x64xf32>
    %two = fly.constant 2.0 : tensor<64x64xbf16>
    %h = arith.truncf %s : f32 to bf16
    %t = fly.splat %h : bf16 -> tensor<64x64xbf16>
    %sum = arith.addf %two, %two : tensor<64x64xbf16>
    %acc = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s0 = %zero) : tensor<64x64xf32>
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
        fly.yield %ta : tensor<64x64xbf16>
      } compute(%ta: tensor<64x64xbf16>) {
        %s1 = fly.dot %ta, %two, %s0 : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
        %s2 = fly.dot %two, %t, %s1 : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
        %s3 = fly.dot %t, %ta, %s2 : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
        fly.yield %s3 : tensor<64x64xf32>
      }
    %last = fly.dot %t, %sum, %acc : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    fly.store %last, %c[0, 0] : tensor<64x64xf32>, !fly.view<64x64xf32>
    gpu.return
  }
}
