// A name and a number agree until the name has a value. The executor finds out
// before it runs, in helpers too, at the op and in the words of its verifier;
// it used to read behind the smaller tile.
// RUN: not fly-run %s --kernel=mask --device=reference M=8 2>&1 | FileCheck %s --check-prefix=MASK
// MASK: extents-under-sizes.mlir:[[#@LINE+29]]:5: error: 'fly.store' op mask: expected a tile of 6400, got 32
// RUN: not fly-run %s --kernel=atomic --device=reference M=8 2>&1 | FileCheck %s --check-prefix=ATOMIC
// ATOMIC: error: 'fly.atomic' op mask: expected a tile of 6400, got 32
// RUN: not fly-run %s --kernel=map --device=reference M=8 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: error: 'fly.map' op
// RUN: not fly-run %s --kernel=helper --device=reference M=8 2>&1 | FileCheck %s --check-prefix=HELPER
// HELPER: error: 'fly.reduce' op along 1 cannot turn 32x32 of 'f32' into 6400 of 'f32'
// RUN: not fly-run %s --kernel=mask --size=BM=-1 --device=reference M=8 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: {{.*}}BM
// RUN: fly-run %s --kernel=mask --size=BM=6400 --device=reference M=8 | FileCheck %s --check-prefix=AGREE
// AGREE: mask  reference  ran

!V = !fly.view<?xf32>
!T = tensor<6400xf32>
!M = tensor<?xi1, #fly.tile<BM>>
!I = tensor<?xi32, #fly.tile<BM>>
!Q = tensor<?x?xf32, #fly.tile<BM, BM>>
#sched = #fly.schedule<sizes = {BM = 32}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @sum(%t: !Q) -> !T {
    %r = fly.reduce add %t along 1 : !Q -> !T
    return %r : !T
  }
  gpu.func @mask(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M] : !V
    %y = fly.view %Y[%M] : !V
    %i = fly.iota along 0 : !I
    %m = arith.cmpi slt, %i, %i : !I
    %t = fly.load %x[0] : !V -> !T
    fly.store %t, %y[0] mask %m : !T, !V, !M
    gpu.return
  }
  gpu.func @atomic(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M] : !V
    %y = fly.view %Y[%M] : !V
    %i = fly.iota along 0 : !I
    %m = arith.cmpi slt, %i, %i : !I
    %t = fly.load %x[0] : !V -> !T
    fly.atomic add %t, %y[0] mask %m relaxed agent : !T, !V, !M
    gpu.return
  }
  gpu.func @map(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M] : !V
    %y = fly.view %Y[%M] : !V
    %t = fly.load %x[0] : !V -> tensor<?xf32, #fly.tile<BM>>
    %r = fly.map "x + 1" (x = %t) : (tensor<?xf32, #fly.tile<BM>>) -> !T
    fly.store %r, %y[0] : !T, !V
    gpu.return
  }
  gpu.func @helper(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %M] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M] : !V
    %t = fly.load %x[0, 0] : !fly.view<?x?xf32> -> !Q
    %r = func.call @sum(%t) : (!Q) -> !T
    fly.store %r, %y[0] : !T, !V
    gpu.return
  }
}
