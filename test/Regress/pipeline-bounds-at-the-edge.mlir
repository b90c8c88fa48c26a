// The bounds of a pipeline may be any numbers of 32 bits: the steady loop must
// end where the last iteration stands, also where upper - step is none.
// RUN: fly-run %s lo=0 hi=320 | FileCheck %s
// RUN: fly-run %s lo=5 hi=5 | FileCheck %s
// RUN: fly-run %s lo=2147483000 hi=2147483647 | FileCheck %s
// RUN: fly-run %s lo=-2147483648 hi=-2147483600 | FileCheck %s
// RUN: fly-run %s lo=-2147483648 hi=-2147483400 | FileCheck %s
// RUN: fly-run %s lo=-2147483648 hi=-2147483600 --schedule=a.stages=2,b.stages=2 | FileCheck %s
// RUN: fly-run %s lo=-2147483648 hi=-2147483400 --schedule=a.stages=2,b.stages=2 | FileCheck %s
// CHECK: edges  gfx942  right (256 of 256 equal)
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @edges(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %lo: i32, %hi: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1], a = lds(stages = 1), b = lds(stages = 1), kloop = {mfma = 16x16}>} {
    %a = fly.view %A[16, 64] : !fly.view<16x64xbf16>
    %b = fly.view %B[16, 64] : !fly.view<16x64xbf16>
    %c = fly.view %C[16, 16] : !fly.view<16x16xf32>
    %m = fly.grid to (16) step (16)
    %z = fly.constant 0.0 : tensor<16x16xf32>
    %r = fly.pipeline @kloop %k = %lo to %hi step 64 iter_args(%s = %z) : tensor<16x16xf32>
      prefetch {
        %t = fly.load %a[0, 0] label "a" : !fly.view<16x64xbf16> -> tensor<16x64xbf16>
        %u = fly.load %b[0, 0] label "b" : !fly.view<16x64xbf16> -> tensor<16x64xbf16>
        fly.yield %t, %u : tensor<16x64xbf16>, tensor<16x64xbf16>
      } compute(%t: tensor<16x64xbf16>, %u: tensor<16x64xbf16>) {
        %n = fly.dot %t, %u, %s : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
        fly.yield %n : tensor<16x16xf32>
      }
    fly.store %r, %c[0, 0] : tensor<16x16xf32>, !fly.view<16x16xf32>
    gpu.return
  }
}
