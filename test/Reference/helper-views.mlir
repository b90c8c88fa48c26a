// The size of memory is known where its view is made in a helper, in a branch
// or in a loop; what a branch would make of numbers it does not get to is no
// error.
// RUN: fly-run %s --kernel=in_a_helper M=5 --device=reference --expect Y=fill:2 | FileCheck %s --check-prefix=HELPER
// RUN: fly-run %s --kernel=in_a_helper M=5 | FileCheck %s --check-prefix=SIM
// RUN: fly-run %s --kernel=in_a_branch M=70 --device=reference --expect Y=fill:2 | FileCheck %s --check-prefix=BRANCH
// RUN: fly-run %s --kernel=in_a_branch M=5 --device=reference --expect Y=bytes:0xff | FileCheck %s --check-prefix=NOT
// HELPER: in_a_helper  reference  right (320 of 320 equal)
// SIM: in_a_helper  gfx942  right (320 of 320 equal)
// BRANCH: in_a_branch  reference  right (140 of 140 equal)
// NOT: in_a_branch  reference  right (10 of 10 equal)

#sched = #fly.schedule<waves = [4, 1]>
!V = !fly.view<?x64xf32>
!T = tensor<4x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @rows(%p: !fly.ptr<f32>, %rows: i32) -> !V {
    %v = fly.view %p[%rows, 64] : !V
    return %v : !V
  }
  func.func private @write(%p: !fly.ptr<f32>, %rows: i32, %m: i32) {
    %v = func.call @rows(%p, %rows) : (!fly.ptr<f32>, i32) -> !V
    %t = fly.constant 2.0 : !T
    fly.store %t, %v[%m, 0] : !T, !V
    return
  }
  gpu.func @in_a_helper(%Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %m = fly.grid to (%M) step (4)
    func.call @write(%Y, %M, %m) : (!fly.ptr<f32>, i32, i32) -> ()
    gpu.return
  }
  gpu.func @in_a_branch(%Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c64 = arith.constant 64 : i32
    %large = arith.cmpi sge, %M, %c64 : i32
    scf.if %large {
      %above = arith.subi %M, %c5 : i32
      %unused = arith.divsi %c64, %above : i32
      %y = fly.view %Y[%M, 2] : !fly.view<?x2xf32>
      %t = fly.constant 2.0 : tensor<128x2xf32>
      scf.for %i = %c0 to %c1 step %c1 : i32 {
        fly.store %t, %y[0, 0] : tensor<128x2xf32>, !fly.view<?x2xf32>
      }
    }
    gpu.return
  }
}
