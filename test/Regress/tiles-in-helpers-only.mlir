// A kernel whose tiles are all in its helpers is a kernel on tiles: it is
// compared with the reference, and its schedule may be overridden.
// RUN: fly-run %s M=40 | FileCheck %s
// RUN: fly-run %s M=40 --schedule waves=2 | FileCheck %s
// RUN: fly-run %s M=40 --device=reference --expect Y=fill:2 X=fill:1 | FileCheck %s
// CHECK: right
!V = !fly.view<?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @twice(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel {
    %x = fly.view %X[%M] : !V
    %y = fly.view %Y[%M] : !V
    %m = fly.grid to (%M) step (64)
    func.call @outer(%x, %y, %m) : (!V, !V, i32) -> ()
    gpu.return
  }
  func.func private @outer(%x: !V, %y: !V, %m: i32) {
    func.call @inner(%x, %y, %m) : (!V, !V, i32) -> ()
    return
  }
  func.func private @inner(%x: !V, %y: !V, %m: i32) {
    %t = fly.load %x[%m] : !V -> tensor<64xf32>
    %d = arith.addf %t, %t : tensor<64xf32>
    fly.store %d, %y[%m] : tensor<64xf32>, !V
    return
  }
}
