// RUN: fly-opt %s --fly-pipeline-loops -split-input-file | FileCheck %s

// One slot: the loop holds one iteration; the tile of the next one is loaded
// before compute and written to the slot after it.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 1, swizzle = none, copy = sync)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @one_slot
  // CHECK-SAME: %[[K:[a-z0-9]+]]: i32
  gpu.func @one_slot(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: %[[Z:.*]] = fly.constant
    // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LO:.*]], %[[K]] : i32
    // CHECK: scf.if %[[ANY]]
    // The bound is the last iteration, not upper - step, which may leave i32.
    // CHECK: %[[STEPS:.*]] = arith.divui %{{.*}}, %[[STEP:.*]] : i32
    // CHECK: %[[FIRST:.*]] = fly.load %{{.*}}[0, %[[LO]]] label "a"
    // CHECK: %[[S0:.*]] = fly.convert_layout %[[FIRST]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: %[[AHEAD:.*]] = arith.muli %[[STEPS]], %[[STEP]] overflow<nsw> : i32
    // CHECK: %[[BOUND:.*]] = arith.addi %[[LO]], %[[AHEAD]] overflow<nsw> : i32
    // CHECK: scf.for %[[IV:.*]] = %[[LO]] to %[[BOUND]] step %[[STEP]] iter_args(%[[S:.*]] = %[[S0]], %[[ACC:.*]] = %[[Z]])
    // CHECK: %[[NEXT:.*]] = arith.addi %[[IV]], %[[STEP]]
    // CHECK: %[[FETCHED:.*]] = fly.load %{{.*}}[0, %[[NEXT]]] label "a"
    // CHECK: %[[TILE:.*]] = fly.convert_layout %[[S]]
    // CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[TILE]]
    // CHECK: %[[S1:.*]] = fly.convert_layout %[[FETCHED]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: scf.yield %[[S1]], %[[SUM]]
    // CHECK: {fly.label = "kloop"}
    // The last iteration needs no load.
    // CHECK-NOT: fly.load
    // CHECK: arith.addf
    // CHECK: } else {
    // CHECK-NEXT: scf.yield %[[Z]]
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        %n = arith.addf %s, %t : !T
        fly.yield %n : !T
      }
    fly.store %r, %a[0, 0] : !T, !fly.view<64x?xf32>
    gpu.return
  }
}

// -----

// Two slots: the loop holds two iterations with static slots; an even trip
// count runs its first iteration before the loop, from slot 1.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 2, swizzle = none, copy = sync)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @two_slots
  gpu.func @two_slots(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: %[[REST:.*]] = arith.remui
    // CHECK: %[[FIRST:.*]] = fly.load
    // CHECK: %[[EVEN:.*]] = arith.cmpi ugt, %[[REST]],
    // CHECK: %[[PEEL:.*]]:2 = scf.if %[[EVEN]]
    // CHECK: fly.convert_layout %[[FIRST]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: fly.load
    // CHECK: arith.addf
    // CHECK: fly.convert_layout {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: } else {
    // CHECK: fly.convert_layout %[[FIRST]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[PEEL]]#0, %{{.*}} = %[[PEEL]]#1)
    // CHECK: fly.load
    // CHECK: fly.convert_layout {{.*}} : tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: fly.convert_layout {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: fly.load
    // CHECK: fly.convert_layout {{.*}} : tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: fly.convert_layout {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: scf.yield
    // CHECK-NOT: fly.load
    // CHECK: arith.addf
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        %n = arith.addf %s, %t : !T
        fly.yield %n : !T
      }
    fly.store %r, %a[0, 0] : !T, !fly.view<64x?xf32>
    gpu.return
  }
}

// -----

// A tile that stays in registers is carried by the loop as it is.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, a = regs(depth = 1)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @registers
  gpu.func @registers(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK-NOT: fly.convert_layout
    // CHECK: %[[FIRST:[a-z0-9]+]] = fly.load
    // CHECK: scf.for {{.*}} iter_args(%[[T:[a-z0-9]+]] = %[[FIRST]], %[[ACC:[a-z0-9]+]] =
    // CHECK: %[[FETCHED:[a-z0-9]+]] = fly.load
    // CHECK: %[[SUM:[a-z0-9]+]] = arith.addf %[[ACC]], %[[T]]
    // CHECK: scf.yield %[[FETCHED]], %[[SUM]]
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        %n = arith.addf %s, %t : !T
        fly.yield %n : !T
      }
    fly.store %r, %a[0, 0] : !T, !fly.view<64x?xf32>
    gpu.return
  }
}
