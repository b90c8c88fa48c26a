// Gathers, scatters and atomics of tiles as a lane makes them.
// RUN: fly-opt %s --fly-distribute -split-input-file | FileCheck %s

// A view of its own for each row that a lane holds: at the row in 64 bits, with
// one row or none. All accesses of a row share it.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#rows = #fly.blocked<threads = [64, 1], vector = 4>
!T = tensor<128x8xf32, #rows>
!R = tensor<128xi32, #fly.slice<1, 8, #rows>>
!V = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-SAME: %[[X:[a-z0-9]*]]: !fly.ptr<f32>{{.*}}, %{{.*}}: !fly.ptr<i32>{{.*}}, %[[M:[a-z0-9]*]]: i32{{.*}}, %[[N:[a-z0-9]*]]: i32
  gpu.func @rows(%X: !fly.ptr<f32>, %R: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %r = fly.view %R[128] : !fly.view<?xi32>
    %n = fly.load %r[0] in_bounds [true] : !fly.view<?xi32> -> !R
    // CHECK: %[[ROW:.*]] = vector.extract %{{.*}} : i32
    // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[ROW]], %[[M]] : i32
    // CHECK: %[[ABOVE:.*]] = arith.cmpi sge, %[[ROW]], %c0_i32
    // CHECK: %[[IN:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
    // CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[ROW]] : i32 to i64
    // CHECK-DAG: %[[LD:.*]] = arith.extsi %[[N]] : i32 to i64
    // CHECK: %[[AT:.*]] = arith.muli %[[WIDE]], %[[LD]] : i64
    // CHECK: %[[COUNT:.*]] = arith.select %[[IN]], %c1_i32{{.*}}, %c0_i32
    // CHECK: %[[VIEW:.*]] = fly.view %[[X]][%[[COUNT]], %[[N]]] strides [%[[N]], 1] at %[[AT]]
    // CHECK: fly.view %[[X]]{{.*}} at
    // CHECK: fly.read %[[VIEW]][%c0{{.*}}, %{{.*}}] pad lowest in_bounds [false, true] align 4 : {{.*}} -> vector<4xf32>
    // CHECK: fly.read %[[VIEW]][%c0{{.*}}, %{{.*}}] pad lowest in_bounds [false, true] align 4 : {{.*}} -> vector<4xf32>
    %t = fly.gather %x rows(%n) at [0] pad lowest in_bounds [false, true] align 4 : !V, !R -> !T
    // CHECK: fly.write %{{.*}} in_bounds [false, true] align 4 : vector<4xf32>
    fly.scatter %t, %x rows(%n) at [0] in_bounds [false, true] align 4 : !T, !V, !R
    gpu.return
  }
}

// -----

// Half of the threads repeat what others hold: they leave memory alone. The
// order is that of fences around.
#sched = #fly.schedule<waves = [2, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#rows = #fly.blocked<threads = [8, 8], vector = 2>
!T = tensor<8x16xf16, #rows>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @repeated(
  gpu.func @repeated(%X: !fly.ptr<f16>) kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 1.0 : !T
    %x = fly.view %X[8, 16] : !fly.view<8x16xf16>
    // CHECK-DAG: %[[LANE:.*]] = fly.lane
    // CHECK-DAG: %[[WAVE:.*]] = fly.wave
    // CHECK: %[[NONE:.*]] = arith.constant 0 : i64
    // CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[WAVE]], %c0
    // CHECK: %[[ALL:.*]] = arith.constant -1 : i64
    // CHECK: %[[BITS:.*]] = arith.select %[[IS0]], %[[ALL]], %[[NONE]] : i64
    // CHECK: %[[SHIFTED:.*]] = arith.shrui %[[BITS]], %{{.*}} : i64
    // CHECK: %[[OWNER:.*]] = arith.trunci %[[SHIFTED]] : i64 to i1
    // CHECK: fly.fence release agent
    // CHECK: scf.if %[[OWNER]] {
    // CHECK: fly.update add %{{.*}} in_bounds [true, true] relaxed agent : vector<2xf16>
    // CHECK: fly.fence acquire agent
    fly.atomic add %t, %x[0, 0] in_bounds [true, true] align 2 acq_rel agent : !T, !fly.view<8x16xf16>
    // Without the alignment no pair is known to lie in a dword.
    // CHECK: scf.if %[[OWNER]] {
    // CHECK: fly.update add %{{.*}} relaxed workgroup : f16
    // CHECK: fly.update add %{{.*}} relaxed workgroup : f16
    fly.atomic add %t, %x[0, 0] in_bounds [true, true] relaxed workgroup : !T, !fly.view<8x16xf16>
    gpu.return
  }
}
