// A tile goes through global memory to other waves of its workgroup and comes
// back shifted by one row: without a barrier between, waves read rows that are
// not written yet.
// RUN: fly-run %s | FileCheck %s
// CHECK: shift  gfx942  right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @shift(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %D: !fly.ptr<f32>)
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %a = fly.view %A[64, 64] : !fly.view<64x64xf32>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %d = fly.view %D[64, 64] : !fly.view<64x64xf32>
    %m = fly.grid to (64) step (64)
    %one = arith.constant dense<1.0> : tensor<64x64xf32>
    %t = fly.load %a[0, 0] : !fly.view<64x64xf32> -> tensor<64x64xf32>
    %u = arith.addf %t, %one : tensor<64x64xf32>
    fly.store %u, %c[0, 0] : tensor<64x64xf32>, !fly.view<64x64xf32>
    %v = fly.load %c[1, 0] : !fly.view<64x64xf32> -> tensor<64x64xf32>
    fly.store %v, %d[0, 0] : tensor<64x64xf32>, !fly.view<64x64xf32>
    gpu.return
  }
}
