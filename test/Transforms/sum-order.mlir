// A contract says where sums depend on which workgroup comes first: floats that
// atomics add. Integers, and floats of which the largest is kept, do not.
// RUN: fly-opt %s -split-input-file --fly-plan-grid --remarks-filter=fly-plan-grid 2>&1 | FileCheck %s

// CHECK: [Missed] SumOrder {{.*}}Function=tiles | Remark="2 atomic sums of floats, in the order in which workgroups come: sums that round may differ from launch to launch"
// CHECK-LABEL: gpu.func @tiles
// CHECK-SAME: order_dependent = true
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @tiles(%C: !fly.ptr<f32>, %M: i32, %x: f32) kernel attributes {fly.schedule = #sched} {
    %c = fly.view %C[%M] : !fly.view<?xf32>
    %m = fly.grid to (%M) step (64)
    %t = fly.constant 1.0 : tensor<64xf32>
    fly.atomic add %t, %c[%m] relaxed agent : tensor<64xf32>, !fly.view<?xf32>
    %old = fly.atomic_rmw add %x, %c[0] relaxed agent : !fly.view<?xf32>
    gpu.return
  }
}

// -----

// CHECK-NOT: SumOrder
// CHECK-LABEL: gpu.func @others
// CHECK-NOT: order_dependent
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @others(%C: !fly.ptr<f32>, %N: !fly.ptr<i32>, %M: i32, %x: i32) kernel attributes {fly.schedule = #sched} {
    %c = fly.view %C[%M] : !fly.view<?xf32>
    %n = fly.view %N[%M] : !fly.view<?xi32>
    %m = fly.grid to (%M) step (64)
    %t = fly.constant 1.0 : tensor<64xf32>
    fly.atomic max %t, %c[%m] relaxed agent : tensor<64xf32>, !fly.view<?xf32>
    %old = fly.atomic_rmw add %x, %n[0] relaxed agent : !fly.view<?xi32>
    gpu.return
  }
}
