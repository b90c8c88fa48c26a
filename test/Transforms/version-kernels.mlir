// A fast and a safe body: what is tested, what is not.
// RUN: fly-opt %s --fly-version-kernels --fly-prove-access -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-version-kernels -split-input-file --remark-format=emitRemark --remarks-filter='fly-version-kernels' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Row lengths and one pointer decide; the other pointer is aligned by contract.
// REMARK: remark: [Passed] Versioned {{.*}}a fast body where %N is a multiple of 4, %X is aligned to 16 bytes: load 'x' from 4 to 16 bytes, store 'y' from 4 to 16 bytes; a safe body for all other launches
// CHECK-LABEL: gpu.func @scale
// CHECK-SAME: versions = off
// CHECK: fly.grid
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %{{.*}} : i32
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]]
// CHECK: %[[ALIGNED:.*]] = fly.is_aligned %{{.*}} to 16
// CHECK: %[[BOTH:.*]] = arith.andi %[[EVEN]], %[[ALIGNED]]
// CHECK: scf.if %[[BOTH]] {
// CHECK: fly.load {{.*}}label "x" {{.*}}align 4
// CHECK: fly.store {{.*}}label "y" {{.*}}align 4
// CHECK: } else {
// CHECK: fly.load {{.*}}label "x" {{.*}}align 1 :
// CHECK: fly.store {{.*}}label "y" {{.*}}align 1 :
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, versions = auto>
!V = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @scale(%X: !fly.ptr<f32> {fly.align = 4, fly.name = "X"}, %Y: !fly.ptr<f32> {fly.name = "Y"}, %M: i32 {fly.name = "M"}, %N: i32 {fly.name = "N"}) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %x[%m, %n] label "x" : !V -> tensor<16x64xf32>
    %d = arith.addf %t, %t : tensor<16x64xf32>
    fly.store %d, %y[%m, %n] label "y" : tensor<16x64xf32>, !V
    gpu.return
  }
}

// -----

// Strides, and a requirement that stands behind the first load.
// REMARK: Versioned {{.*}}a fast body where %ld is a multiple of 8: load 'x' from 2 to 16 bytes; a safe
// CHECK-LABEL: gpu.func @strides
// CHECK: fly.require_multiple
// CHECK: scf.if
// CHECK: scf.for
// CHECK: fly.load {{.*}}align 8
// CHECK: } else {
// CHECK: scf.for
// CHECK: fly.load {{.*}}align 1 :
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, versions = auto>
!V = !fly.view<?x?xf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @strides(%X: !fly.ptr<f16>, %Y: !fly.ptr<f16>, %M: i32, %ld: i32 {fly.name = "ld"}) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %x = fly.view %X[%M, 256] strides [%ld, 1] : !V
    %y = fly.view %Y[%M, 64] : !V
    %m = fly.grid to (%M) step (16)
    %z = fly.constant 0.0 : tensor<16x64xf16>
    fly.require_multiple %M of 2
    %c256 = arith.constant 256 : i32
    %s = scf.for %k = %c0 to %c256 step %c64 iter_args(%a = %z) -> (tensor<16x64xf16>) : i32 {
      %t = fly.load %x[%m, %k] label "x" : !V -> tensor<16x64xf16>
      %b = arith.addf %a, %t : tensor<16x64xf16>
      scf.yield %b : tensor<16x64xf16>
    }
    fly.store %s, %y[%m, 0] label "y" : tensor<16x64xf16>, !V
    gpu.return
  }
}

// -----

// Nothing to test: the coordinate is any number.
// REMARK: remark: [Missed] NotVersioned {{.*}}versions = auto: there is one body, since no test of strides, extents or pointers would make an access wider
// CHECK-LABEL: gpu.func @nothing
// CHECK-NOT: scf.if
// CHECK: fly.load
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, versions = auto>
!V = !fly.view<?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @nothing(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %at: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M] : !V
    %y = fly.view %Y[%M] : !V
    %m = fly.grid to (%M) step (256)
    %t = fly.load %x[%at] label "x" : !V -> tensor<256xf32>
    fly.store %t, %y[%m] label "y" : tensor<256xf32>, !V
    gpu.return
  }
}

// -----

// An author's own condition counts in its region, and nowhere else.
// CHECK-LABEL: gpu.func @by_hand
// CHECK: scf.if
// CHECK: fly.load {{.*}}label "a" {{.*}}align 4
// CHECK: } else {
// CHECK: fly.load {{.*}}label "b" {{.*}}align 1 :
// CHECK: fly.load {{.*}}label "c" {{.*}}align 1 :
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @by_hand(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %rest = arith.remsi %N, %c4 : i32
    %even = arith.cmpi eq, %rest, %c0 : i32
    %m = fly.grid to (%M) step (16)
    scf.if %even {
      %t = fly.load %x[%m, 0] label "a" : !V -> tensor<16x64xf32>
      fly.store %t, %y[%m, 0] : tensor<16x64xf32>, !V
    } else {
      %t = fly.load %x[%m, 0] label "b" : !V -> tensor<16x64xf32>
      fly.store %t, %y[%m, 0] : tensor<16x64xf32>, !V
    }
    %t = fly.load %x[%m, 0] label "c" : !V -> tensor<16x64xf32>
    fly.store %t, %y[%m, 0] : tensor<16x64xf32>, !V
    gpu.return
  }
}
