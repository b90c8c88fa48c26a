// RUN: fly-opt %s --fly-pipeline-loops -split-input-file | FileCheck %s

// Three slots: the load runs two iterations ahead, the loop holds three steps
// with static slots. Of the trip count's rest one or two steps run before it,
// in a nest of branches in which each stands once.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 3, swizzle = none, copy = sync)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @three_slots
  gpu.func @three_slots(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // Fewer iterations than the depth run alone.
    // CHECK: arith.cmpi uge, %[[STEPS:.*]], %{{.*}} : i32
    // CHECK: arith.subi %[[STEPS]],
    // CHECK: %[[LOOP:.*]] = arith.maxsi
    // CHECK: %[[REST:.*]] = arith.remui %[[LOOP]],
    // CHECK: scf.if
    // Two steps: the tiles of steps -2 and -1, then step -2.
    // CHECK: scf.if
    // CHECK: fly.load
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: fly.load
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 2>>
    // CHECK: fly.load
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 1>> ->
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 2>>, tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: } else {
    // One step: the tiles of steps -1 and 0.
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 2>>
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: scf.yield
    // CHECK: }
    // Step -1 is common to both.
    // CHECK: fly.load
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 2>> ->
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 0>>, tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: } else {
    // No step.
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: scf.for %[[IV:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
    // CHECK: %[[NEXT:.*]] = arith.addi %[[IV]],
    // CHECK: %[[AHEAD:.*]] = arith.addi %[[NEXT]],
    // CHECK: fly.load %{{.*}}[0, %[[AHEAD]]]
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 0>> ->
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 2>>
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 1>> ->
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 2>> ->
    // CHECK: -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: scf.yield
    // The drain starts in slot 0.
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 0>> ->
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 1>> ->
    // CHECK: scf.yield
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

// A copy past the registers enters its slot where it is issued, before compute
// reads the other one.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 2, swizzle = none, copy = async)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @copies
  gpu.func @copies(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: scf.for
    // CHECK: %[[T1:.*]] = fly.load
    // CHECK-NEXT: fly.convert_layout %[[T1]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 0>> ->
    // CHECK: arith.addf
    // CHECK: %[[T2:.*]] = fly.load
    // CHECK-NEXT: fly.convert_layout %[[T2]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xf32, #fly.staged<"a", 1>> ->
    // CHECK: arith.addf
    // CHECK: scf.yield
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

// Each value runs as far ahead as its own entry says: `a` two iterations, in
// LDS, `b` three, in registers, `c` one. What `b` is made of moves with it, and
// what is taken sooner is loaded first, since memory answers in order.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 3, swizzle = none, copy = async), b = regs(depth = 3), c = regs(depth = 1)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @each_its_distance
  gpu.func @each_its_distance(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: scf.for %[[IV:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}#0, %[[B0:.*]] = %{{.*}}#1, %[[C0:.*]] = %{{.*}}#2, %{{.*}} = %{{.*}}#3, %[[B1:.*]] = %{{.*}}#4, %[[B2:.*]] = %{{.*}}#5, %{{.*}} = %{{.*}}#6)
    // CHECK: %[[K1:.*]] = arith.addi %[[IV]], %[[STEP:.*]] overflow<nsw>
    // CHECK: fly.load %{{.*}}[0, %[[K1]]] label "c"
    // CHECK: %[[K2:.*]] = arith.addi %[[K1]], %[[STEP]] overflow<nsw>
    // CHECK: fly.load %{{.*}}[0, %[[K2]]] label "a"
    // CHECK: arith.addi %[[K1]], %[[STEP]] overflow<nsw>
    // CHECK-NEXT: %[[K3:.*]] = arith.addi
    // CHECK: %[[B:.*]] = fly.load %{{.*}}[0, %[[K3]]] label "b"
    // CHECK: math.exp2 %[[B]]
    // CHECK: arith.addf %{{.*}}, %[[B0]]
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        %u = fly.load %a[0, %k] label "b" : !fly.view<64x?xf32> -> !T
        %e = math.exp2 %u : !T
        %v = fly.load %a[0, %k] label "c" : !fly.view<64x?xf32> -> !T
        fly.yield %t, %e, %v : !T, !T, !T
      } compute(%t: !T, %e: !T, %v: !T) {
        %m = arith.addf %t, %e : !T
        %n = arith.addf %m, %v : !T
        %o = arith.addf %s, %n : !T
        fly.yield %o : !T
      }
    fly.store %r, %a[0, 0] : !T, !fly.view<64x?xf32>
    gpu.return
  }
}
