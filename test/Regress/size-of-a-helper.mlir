// A helper has no sizes of its own: --size is for the kernel that calls it.
// RUN: fly-run %s M=20 --size=BM=32 | FileCheck %s
// CHECK: right (1280 of 1280 equal)
#sched = #fly.schedule<sizes = {BM = 16}>
!X = tensor<?x64xf32, #fly.tile<BM, 64>>
!V = !fly.view<?x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @twice(%x: !X) -> !X {
    %d = arith.addf %x, %x : !X
    return %d : !X
  }
  gpu.func @k(%P: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %v = fly.view %P[%M, 64] : !V
    %y = fly.view %Y[%M, 64] : !V
    %m = fly.grid to (%M) step (BM)
    %t = fly.load %v[%m, 0] : !V -> !X
    %d = func.call @twice(%t) : (!X) -> !X
    fly.store %d, %y[%m, 0] : !X, !V
    gpu.return
  }
}
