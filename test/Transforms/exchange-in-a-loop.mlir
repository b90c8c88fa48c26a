// A reduction across waves in a loop: the next trip must not write the parts
// that a slow wave still reads. With two buffers the barrier of the one serves
// the other.
// RUN: fly-opt %s --fly-assign-layouts --fly-stage-lds -split-input-file | FileCheck %s

#sched = #fly.schedule<waves = [1, 4], waves_per_eu = 1, grid = {order = n_fastest}, x = regs(depth = 1)>
!X = tensor<4x1024xf32>
!R = tensor<4xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @one_buffer
  gpu.func @one_buffer(%X: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[4, %N] : !fly.view<4x?xf32>
    // CHECK: %[[PARTS:.*]] = fly.lds.field %{{.*}}[reduce0_0]
    %c0 = arith.constant 0 : i32
    %c1024 = arith.constant 1024 : i32
    %z = fly.constant 0.0 : !R
    // CHECK: scf.for
    %r = scf.for %k = %c0 to %N step %c1024 iter_args(%a = %z) -> (!R) : i32 {
      %t = fly.load %x[0, %k] label "x" : !fly.view<4x?xf32> -> !X
      // CHECK: %[[PART:.*]] = fly.reduce add {{.*}} parts 4
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.store %[[PART]], %[[PARTS]][0, 0]
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.load %[[PARTS]][0, 0]
      %s = fly.reduce add %t along 1 : !X -> !R
      %b = arith.addf %a, %s : !R
      // CHECK: scf.yield
      scf.yield %b : !R
    }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 4], waves_per_eu = 1, grid = {order = n_fastest}, x = regs(depth = 1)>
!X = tensor<4x1024xf32>
!R = tensor<4xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @two_buffers
  gpu.func @two_buffers(%X: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[4, %N] : !fly.view<4x?xf32>
    // CHECK: %[[P0:.*]] = fly.lds.field %{{.*}}[reduce0_0]
    // CHECK: %[[P1:.*]] = fly.lds.field %{{.*}}[reduce1_0]
    %c0 = arith.constant 0 : i32
    %c1024 = arith.constant 1024 : i32
    %z = fly.constant 0.0 : !R
    // CHECK: scf.for
    %r:2 = scf.for %k = %c0 to %N step %c1024 iter_args(%a = %z, %m = %z) -> (!R, !R) : i32 {
      %t = fly.load %x[0, %k] label "x" : !fly.view<4x?xf32> -> !X
      // CHECK: fly.reduce add {{.*}} parts 4
      // CHECK-NEXT: fly.store {{.*}}, %[[P0]][0, 0]
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.load %[[P0]][0, 0]
      %s = fly.reduce add %t along 1 : !X -> !R
      // CHECK: fly.reduce max {{.*}} parts 4
      // CHECK-NEXT: fly.store {{.*}}, %[[P1]][0, 0]
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.load %[[P1]][0, 0]
      %h = fly.reduce max %t along 1 : !X -> !R
      // CHECK-NOT: fly.barrier
      // CHECK: scf.yield
      %b = arith.addf %a, %s : !R
      %n = arith.maxnumf %m, %h : !R
      scf.yield %b, %n : !R, !R
    }
    gpu.return
  }
}
