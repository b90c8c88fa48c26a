// RUN: fly-opt %s --fly-prove-access --fly-plan-grid --split-input-file | FileCheck %s

// Sums that coordinates are made of do not wrap, because ranges say so, because
// the grid is inside its bounds, or because the launch sees to it. Each such sum
// says so to the passes below.

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // By range: 1000 rows at most.
  // CHECK-LABEL: gpu.func @by_range
  // CHECK-NOT: a coordinate of a tile
  // CHECK: %[[ORIGIN:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
  // CHECK: arith.addi %[[ORIGIN]], %{{.*}} overflow<nsw> : i32
  gpu.func @by_range(%P: !fly.ptr<f32>, %M: i32 {fly.name = "M"}) kernel attributes {fly.schedule = #sched} {
    %c1000 = arith.constant 1000 : i32
    %few = arith.cmpi sle, %M, %c1000 : i32
    fly.require %few, "at most 1000 rows"
    %p = fly.view %P[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (16)
    %c64 = arith.constant 64 : i32
    %row = arith.addi %m, %c64 : i32
    %t = fly.load %p[%row, 0] : !fly.view<?x64xf32> -> tensor<16x64xf32>
    fly.store %t, %p[%m, 0] : tensor<16x64xf32>, !fly.view<?x64xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // By the launch: the last row of the grid, and what is added.
  // CHECK-LABEL: gpu.func @by_launch
  // CHECK-SAME: {expr = "M - 1 + 64 < 2147483648", message = "a coordinate of a tile, up to M - 1 + 64, must stay below 2^31"}
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  gpu.func @by_launch(%P: !fly.ptr<f32>, %M: i32 {fly.name = "M"}) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (16)
    %c64 = arith.constant 64 : i32
    %row = arith.addi %m, %c64 : i32
    %t = fly.load %p[%row, 0] : !fly.view<?x64xf32> -> tensor<16x64xf32>
    fly.store %t, %p[%m, 0] : tensor<16x64xf32>, !fly.view<?x64xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // A while loop adds to what its condition keeps below K.
  // CHECK-LABEL: gpu.func @in_a_loop
  // CHECK-SAME: {expr = "K - 1 + 64 < 2147483648", message = "a coordinate of a tile, up to K - 1 + 64, must stay below 2^31"}
  // CHECK: scf.while
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  gpu.func @in_a_loop(%P: !fly.ptr<f32>, %K: i32 {fly.name = "K"}) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%K, 64] : !fly.view<?x64xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %last = scf.while (%k = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %k, %K : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %t = fly.load %p[%k, 0] : !fly.view<?x64xf32> -> tensor<64x64xf32>
      fly.store %t, %p[%k, 0] : tensor<64x64xf32>, !fly.view<?x64xf32>
      %next = arith.addi %k, %c64 : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // A difference of unknown sign is left alone. An extent is not negative, which
  // the launch requires where a coordinate rests on it.
  // CHECK-LABEL: gpu.func @unknown
  // CHECK-SAME: %arg1: i32 {{.*}}fly.non_negative
  // CHECK-SAME: M must not be negative
  // CHECK-SAME: up to M * M, must stay below 2^31
  // CHECK: arith.subi %{{.*}}, %{{.*}} : i32
  // CHECK: arith.muli %arg1, %arg1 overflow<nsw> : i32
  gpu.func @unknown(%P: !fly.ptr<f32>, %M: i32 {fly.name = "M"}) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (16)
    %row = arith.subi %m, %M : i32
    %square = arith.muli %M, %M : i32
    %t = fly.load %p[%row, 0] : !fly.view<?x64xf32> -> tensor<16x64xf32>
    fly.store %t, %p[%square, 0] : tensor<16x64xf32>, !fly.view<?x64xf32>
    gpu.return
  }
}
