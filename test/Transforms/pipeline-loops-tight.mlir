// RUN: fly-opt %s --fly-pipeline-loops -split-input-file | FileCheck %s

// An even trip count runs its first iteration before the loop. What is carried
// and what is under way take 64 of a lane's 512 registers: the load of the next
// tile stands in front of the sum, which hides it.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 2, swizzle = none, copy = sync)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @roomy
  gpu.func @roomy(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: %[[FIRST:.*]] = fly.load
    // CHECK: scf.if
    // CHECK: fly.convert_layout %[[FIRST]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK-NOT: arith.addf
    // CHECK: fly.load
    // CHECK: arith.addf
    // CHECK: } else {
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

// The same with eight waves a SIMD: 64 are all that a lane has, more than three
// quarters of them. There the sum stands in front of the load, so that no tile
// is beside another one; the steps of the loop keep their order.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 8, grid = {order = n_fastest},
    a = lds(stages = 2, swizzle = none, copy = sync)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @tight
  gpu.func @tight(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: %[[FIRST:.*]] = fly.load
    // CHECK: scf.if
    // CHECK: fly.convert_layout %[[FIRST]] : {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 1>>
    // CHECK-NOT: fly.load
    // CHECK: arith.addf
    // CHECK: fly.load
    // CHECK: fly.convert_layout {{.*}} -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // CHECK: } else {
    // CHECK: scf.for
    // CHECK-NOT: arith.addf
    // CHECK: fly.load
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
