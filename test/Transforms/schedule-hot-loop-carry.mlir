// Last products of a stretch stand behind the barrier after it, where they
// cover its reads: here in loops whose accumulators fill a file of registers.
// Those of the last stretch go round the loop with their factors, which are 0
// at first, and are added behind the loop, behind the next barrier there.
// RUN: fly-opt %s --fly-schedule-hot-loop | FileCheck %s
// RUN: fly-opt %s --fly-schedule-hot-loop --remarks-filter='fly-schedule.*' 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Carried{{.*}}4 products stand behind the barrier after them; their factors go round the loop in 2 registers
// REMARK: NotCarried{{.*}}an iteration does not end with matrix instructions behind a barrier
// REMARK: NotCarried{{.*}}the loop uses its sums otherwise, too
// REMARK: NotCarried{{.*}}a sum is used before the next barrier

!L = !fly.view<64x16xbf16, lds>
!P = vector<4xbf16>
!S = vector<4xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L, b : !L }

  // CHECK-LABEL: gpu.func @slices
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xbf16>
  // CHECK: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[LAST:.*]] = %[[ZERO]])
  // CHECK: fly.barrier bare
  // The products of the round before, beside the first read.
  // CHECK: %[[X:.*]] = fly.read
  // CHECK: %[[A0:.*]] = vector.extract %[[ACC]][0]
  // CHECK: %[[D0:.*]] = amdgpu.mfma 16x16x16 %[[LAST]] * %[[LAST]] + %[[A0]]
  // CHECK: %[[A1:.*]] = vector.extract %[[ACC]][1]
  // CHECK: %[[D1:.*]] = amdgpu.mfma 16x16x16 %[[LAST]] * %[[LAST]] + %[[A1]]
  // CHECK: fly.barrier bare
  // CHECK: %[[Y:.*]] = fly.read
  // CHECK: %[[D2:.*]] = amdgpu.mfma 16x16x16 %[[X]] * %[[X]] + %[[D0]]
  // CHECK: %[[D3:.*]] = amdgpu.mfma 16x16x16 %[[X]] * %[[X]] + %[[D1]]
  // CHECK: vector.to_elements %[[D2]]
  // CHECK: vector.to_elements %[[D3]]
  // CHECK: %[[SUM:.*]] = vector.from_elements
  // CHECK: scf.yield %[[SUM]], %{{.*}}, %[[Y]]
  // CHECK: fly.barrier bare
  // CHECK: %[[B0:.*]] = vector.extract %[[R]]#0[0]
  // CHECK: amdgpu.mfma 16x16x16 %[[R]]#2 * %[[R]]#2 + %[[B0]]
  // CHECK: %[[B1:.*]] = vector.extract %[[R]]#0[1]
  // CHECK: amdgpu.mfma 16x16x16 %[[R]]#2 * %[[R]]#2 + %[[B1]]
  // CHECK: %[[ALL:.*]] = vector.from_elements
  // CHECK: vector.extract %[[ALL]][1]
  gpu.func @slices(%n: index, %p: !fly.ptr<f32>) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<2x4xf32>
    %zeros = arith.constant dense<0.0> : vector<248xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %g = fly.view %p[64, 4] : !fly.view<64x4xf32>
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros) -> (vector<2x4xf32>, vector<248xf32>) {
      fly.barrier bare
      %s0 = vector.extract %acc[0] : !S from vector<2x4xf32>
      %s1 = vector.extract %acc[1] : !S from vector<2x4xf32>
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> !P
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %s0 blgp = none : !P, !P, !S
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %s1 blgp = none : !P, !P, !S
      fly.barrier bare
      %y = fly.read %b[%l, %c0] in_bounds [true, true] : !L -> !P
      %d2 = amdgpu.mfma 16x16x16 %y * %y + %d0 blgp = none : !P, !P, !S
      %d3 = amdgpu.mfma 16x16x16 %y * %y + %d1 blgp = none : !P, !P, !S
      %e0:4 = vector.to_elements %d2 : !S
      %e1:4 = vector.to_elements %d3 : !S
      %t = vector.from_elements %e0#0, %e0#1, %e0#2, %e0#3, %e1#0, %e1#1, %e1#2, %e1#3 : vector<2x4xf32>
      scf.yield %t, %more : vector<2x4xf32>, vector<248xf32>
    }
    fly.barrier bare
    %z = vector.extract %r#0[1] : !S from vector<2x4xf32>
    fly.write %z, %g[%l, %c0] in_bounds [true, true] : !S, !fly.view<64x4xf32>
    gpu.return
  }

  // Nothing stands behind the last barrier.
  // CHECK-LABEL: gpu.func @writes_last
  // CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<252xf32>)
  gpu.func @writes_last(%n: index, %w: !P) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : !S
    %zeros = arith.constant dense<0.0> : vector<252xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros) -> (!S, vector<252xf32>) {
      fly.barrier bare
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> !P
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : !P, !P, !S
      fly.barrier bare
      fly.write %w, %a[%l, %c0] in_bounds [true, true] : !P, !L
      scf.yield %d0, %more : !S, vector<252xf32>
    }
    gpu.return
  }

  // A sum that the loop reads otherwise, too, would be without its products.
  // CHECK-LABEL: gpu.func @looks_at_its_sum
  // CHECK: scf.for {{.*}} -> (vector<2x4xf32>, vector<248xf32>)
  gpu.func @looks_at_its_sum(%n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<2x4xf32>
    %zeros = arith.constant dense<0.0> : vector<248xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros) -> (vector<2x4xf32>, vector<248xf32>) {
      fly.barrier bare
      %s0 = vector.extract %acc[0] : !S from vector<2x4xf32>
      %s1 = vector.extract %acc[1] : !S from vector<2x4xf32>
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> !P
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %s0 blgp = none : !P, !P, !S
      %e0:4 = vector.to_elements %d0 : !S
      %e1:4 = vector.to_elements %s1 : !S
      %t = vector.from_elements %e0#0, %e0#1, %e0#2, %e0#3, %e1#0, %e1#1, %e1#2, %e1#3 : vector<2x4xf32>
      scf.yield %t, %more : vector<2x4xf32>, vector<248xf32>
    }
    gpu.return
  }

  // Nor may one that is used in its own stretch wait.
  // CHECK-LABEL: gpu.func @uses_a_sum
  // CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<252xf32>)
  gpu.func @uses_a_sum(%n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : !S
    %zeros = arith.constant dense<0.0> : vector<252xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros) -> (!S, vector<252xf32>) {
      fly.barrier bare
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> !P
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : !P, !P, !S
      %h = arith.truncf %d0 : !S to !P
      fly.write %h, %b[%l, %c0] in_bounds [true, true] : !P, !L
      fly.barrier bare
      %y = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> !P
      %d1 = amdgpu.mfma 16x16x16 %y * %y + %d0 blgp = none : !P, !P, !S
      scf.yield %d1, %more : !S, vector<252xf32>
    }
    gpu.return
  }
}
