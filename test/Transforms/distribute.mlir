// RUN: fly-opt %s --fly-distribute -split-input-file | FileCheck %s

// A dot reads its LDS operands micro-step by micro-step: here two steps of 32
// elements of K, each with one fragment of A and two of B; on gfx942 a 16-byte
// fragment feeds two instructions of K = 16.
#sched = #fly.schedule<waves = [1, 2], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 2]>
!A = tensor<16x64xbf16, #fly.operand<a, #mma, pack = 8>>
!B = tensor<64x64xbf16, #fly.operand<b, #mma, pack = 8>>
!C = tensor<16x64xf32, #mma>
!LA = !fly.view<16x64xbf16, lds>
!LB = !fly.view<64x64xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a_0 : !LA, b_0 : !LB }
  // CHECK-LABEL: gpu.func @dot
  // CHECK-SAME: attributes {fly.waves = 2 : i32, fly.waves_per_eu = 1 : i32}
  gpu.func @dot(%P: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    // CHECK: %[[LANE:.*]] = fly.lane
    // CHECK: %[[ROW:.*]] = arith.remui %[[LANE]], %{{.*}} : index
    // CHECK: %[[GROUP:.*]] = arith.divui %[[LANE]], %{{.*}} : index
    // CHECK: %[[KOFF:.*]] = arith.muli %[[GROUP]], %{{.*}} : index
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a_0] : !fly.lds<@S> -> !LA
    %b = fly.lds.field %lds[b_0] : !fly.lds<@S> -> !LB
    // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<1x2x4xf32>
    %z = fly.constant 0.0 : !C
    %ta = fly.load %a[0, 0] : !LA -> !A
    %tb = fly.load %b[0, 0] : !LB -> !B
    // CHECK: %[[A0:.*]] = fly.read %{{.*}}[%[[ROW]], %[[KOFF]]] in_bounds [false, false] align 8 : {{.*}} -> vector<8xbf16>
    // What the first instruction takes is read last: its wait is for all.
    // CHECK: fly.read
    // CHECK: %[[B0:.*]] = fly.read
    // CHECK: %[[ALO:.*]] = vector.extract_strided_slice %[[A0]] {offsets = [0], sizes = [4], strides = [1]}
    // CHECK: %[[BLO:.*]] = vector.extract_strided_slice %[[B0]] {offsets = [0], sizes = [4], strides = [1]}
    // CHECK: %[[C0:.*]] = vector.extract %[[ZERO]][0, 0] : vector<4xf32> from vector<1x2x4xf32>
    // CHECK: amdgpu.mfma 16x16x16 %[[ALO]] * %[[BLO]] + %[[C0]]
    // CHECK-COUNT-3: amdgpu.mfma 16x16x16
    // CHECK-NOT: amdgpu.mfma
    // CHECK-COUNT-3: fly.read
    // CHECK-COUNT-4: amdgpu.mfma 16x16x16
    // CHECK-NOT: amdgpu.mfma
    %d = fly.dot %ta, %tb, %z label "dot0" : !A, !B -> !C
    // Plain accumulators hold four rows of one column: single elements.
    // CHECK-COUNT-8: fly.write {{.*}} : vector<1xf32>, !fly.view<?x64xf32>
    // CHECK-NOT: fly.write
    %c = fly.view %P[%M, 64] : !fly.view<?x64xf32>
    fly.store %d, %c[0, 0] : !C, !fly.view<?x64xf32>
    gpu.return
  }
}

// -----

// The same on gfx950: one instruction of K = 32 a fragment. Transposed, the
// operands swap and a lane holds four columns of one row: one 16-byte write.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 1], transposed = true>
!A = tensor<16x32xbf16, #fly.operand<a, #mma, pack = 8>>
!B = tensor<16x32xbf16, #fly.operand<b, #mma, pack = 8>>
!C = tensor<16x16xf32, #mma>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @transposed
  gpu.func @transposed(%P: !fly.ptr<f32>, %Q: !fly.ptr<bf16>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %q = fly.view %Q[%M, 32] : !fly.view<?x32xbf16>
    // CHECK: %[[A:.*]] = fly.read
    %ta = fly.load %q[0, 0] in_bounds [false, true] align 8 : !fly.view<?x32xbf16> -> !A
    // CHECK: %[[B:.*]] = fly.read
    %tb = fly.load %q[0, 0] in_bounds [false, true] align 8 : !fly.view<?x32xbf16> -> !B
    %z = fly.constant 0.0 : !C
    // CHECK: %[[X:.*]] = vector.extract %{{.*}}[0, 0] : vector<8xbf16>
    // CHECK: %[[Y:.*]] = vector.extract %{{.*}}[0, 0] : vector<8xbf16>
    // CHECK: amdgpu.mfma 16x16x32 %[[Y]] * %[[X]] +
    // CHECK-NOT: amdgpu.mfma
    %d = fly.dot %ta, %tb, %z label "dot0" : !A, !B -> !C
    %c = fly.view %P[%M, 16] : !fly.view<?x16xf32>
    // CHECK: fly.write {{.*}} in_bounds [false, true] align 4 : vector<4xf32>, !fly.view<?x16xf32>
    fly.store %d, %c[0, 0] in_bounds [false, true] align 4 : !C, !fly.view<?x16xf32>
    gpu.return
  }
}

// -----

// The tile's origin moves into the base of the view in 64 bits; the contiguous
// coordinate stays. The last round of a copy whose tile has too few rows is
// guarded where it writes, and unproved where it reads.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
!G = tensor<12x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!L = !fly.view<12x32xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a_0 : !L }
  // CHECK-LABEL: gpu.func @guarded_copy
  // CHECK-SAME: %[[P:[a-z0-9]+]]: !fly.ptr<f32>{{.*}}, %[[M:[a-z0-9]+]]: i32{{.*}}, %[[K:[a-z0-9]+]]: i32
  gpu.func @guarded_copy(%P: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a_0] : !fly.lds<@S> -> !L
    %p = fly.view %P[%M, %K] : !fly.view<?x?xf32>
    %id = gpu.block_id x
    %i = arith.index_cast %id : index to i32
    %c12 = arith.constant 12 : i32
    // CHECK: %[[ORIGIN:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
    %m = arith.muli %i, %c12 : i32
    // CHECK: %[[O64:.*]] = arith.extsi %[[ORIGIN]] : i32 to i64
    // CHECK: %[[K64:.*]] = arith.extsi %[[K]] : i32 to i64
    // CHECK: %[[OFFSET:.*]] = arith.muli %[[O64]], %[[K64]] : i64
    // CHECK: %[[LEFT:.*]] = arith.subi %[[M]], %[[ORIGIN]] : i32
    // CHECK: %[[VIEW:.*]] = fly.view %[[P]][%[[LEFT]], %[[K]]] strides [%[[K]], 1] at %[[OFFSET]]
    // CHECK: fly.read %[[VIEW]]{{.*}} in_bounds [true, true]
    // CHECK: fly.read %[[VIEW]]{{.*}} in_bounds [false, true]
    %t = fly.load %p[%m, 0] in_bounds [true, true] align 4 : !fly.view<?x?xf32> -> !G
    // CHECK: %[[EXISTS:.*]] = arith.cmpi ult
    // CHECK: scf.if %[[EXISTS]]
    // CHECK-NEXT: fly.write
    // CHECK: fly.write
    fly.store %t, %l[0, 0] : !G, !L
    gpu.return
  }
}

// -----

// A column tile is spread over the rows of the accumulator's layout.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 1], transposed = true>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @broadcast
  gpu.func @broadcast(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[32] : !fly.view<32xf32>
    // CHECK-COUNT-2: fly.read {{.*}} -> vector<4xf32>
    // CHECK-NOT: fly.read
    %c = fly.load %p[0] in_bounds [true] align 4 : !fly.view<32xf32> -> tensor<32xf32, #fly.slice<0, 16, #mma>>
    // CHECK: vector.shuffle %[[C:.*]], %[[C]] [0, 1, 2, 3] : vector<8xf32>, vector<8xf32>
    // CHECK: vector.shuffle %[[C]], %[[C]] [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
    %b = fly.broadcast %c along 0 : tensor<32xf32, #fly.slice<0, 16, #mma>> -> tensor<16x32xf32, #mma>
    // CHECK: math.absf %{{.*}} : vector<1x2x4xf32>
    %x = math.absf %b : tensor<16x32xf32, #mma>
    gpu.return
  }
}

// -----

// A tile inside an LDS field keeps its origin; its alignment follows from the
// row and the column.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!G = tensor<8x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!L = !fly.view<16x64xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  // CHECK-LABEL: gpu.func @part_of_a_field
  gpu.func @part_of_a_field(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    // CHECK: %[[THREAD:.*]] = gpu.thread_id x
    // CHECK: %[[ROW:.*]] = arith.divui %[[THREAD]]
    // CHECK-NOT: arith.remui %[[ROW]]
    // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[AT:.*]] = arith.index_cast %[[EIGHT]] : i32 to index
    // CHECK: %[[R:.*]] = arith.addi %[[ROW]], %[[AT]]
    // CHECK: fly.read %{{.*}}[%[[R]], %{{.*}}] in_bounds [false, false] align 2
    %t = fly.load %a[8, 2] : !L -> !G
    fly.store %t, %a[0, 0] : !G, !L
    gpu.return
  }

  // A layout of fewer threads than the workgroup repeats its rows.
  // CHECK-LABEL: gpu.func @few_threads
  gpu.func @few_threads(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    // CHECK: %[[ROW:.*]] = arith.divui
    // CHECK: arith.remui %[[ROW]]
    %t = fly.load %a[0, 0] : !L -> tensor<8x32xf32, #fly.blocked<threads = [4, 8], vector = 4>>
    fly.store %t, %a[8, 0] : tensor<8x32xf32, #fly.blocked<threads = [4, 8], vector = 4>>, !L
    gpu.return
  }
}

// -----

// Loops of every kind carry registers, and stay what they are.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!G = tensor<8x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @loops
  gpu.func @loops(%P: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 32] : !fly.view<?x32xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = fly.constant 0.0 : !G
    // CHECK: scf.for unsigned {{.*}} -> (vector<1x1x4xf32>)
    %s = scf.for unsigned %i = %c0 to %M step %c1 iter_args(%x = %z) -> !G : i32 {
      %y = arith.addf %x, %x : !G
      scf.yield %y : !G
    }
    // CHECK: scf.while ({{.*}}) : (i32, vector<1x1x4xf32>) -> (i32, vector<1x1x4xf32>)
    %r:2 = scf.while (%i = %c0, %x = %s) : (i32, !G) -> (i32, !G) {
      %more = arith.cmpi slt, %i, %M : i32
      // CHECK: scf.condition({{.*}}) %{{.*}}, %{{.*}} : i32, vector<1x1x4xf32>
      scf.condition(%more) %i, %x : i32, !G
    } do {
    ^bb0(%i: i32, %x: !G):
      // A row that only grows from 0 is at least 0 by induction, since it does
      // not wrap.
      %t = fly.load %p[%i, 0] : !fly.view<?x32xf32> -> !G
      %n = arith.addf %x, %t : !G
      %j = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %j, %n : i32, !G
    }
    fly.store %r#1, %p[0, 0] : !G, !fly.view<?x32xf32>
    gpu.return
  }
}

// -----

// An accumulator in LDS is read as a tile, not with the fragments.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 1]>
!A = tensor<16x32xbf16, #fly.operand<a, #mma, pack = 8>>
!B = tensor<16x32xbf16, #fly.operand<b, #mma, pack = 8>>
!C = tensor<16x16xf32, #mma>
!L = !fly.view<16x16xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { c : !L }
  // CHECK-LABEL: gpu.func @accumulator_in_lds
  gpu.func @accumulator_in_lds(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[c] : !fly.lds<@S> -> !L
    %a = fly.constant 1.0 : !A
    %b = fly.constant 1.0 : !B
    // CHECK-COUNT-4: fly.read
    // CHECK: vector.extract %{{.*}}[0, 0] : vector<4xf32> from vector<1x1x4xf32>
    // CHECK: amdgpu.mfma
    %c = fly.load %l[0, 0] : !L -> !C
    %d = fly.dot %a, %b, %c label "dot0" : !A, !B -> !C
    fly.store %d, %l[0, 0] : !C, !L
    gpu.return
  }
}

// -----

// A reduction combines a lane's elements in a tree, then lanes by the bits of
// the lane number that choose a column, here 3 of them.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#rows = #fly.blocked<threads = [8, 8], vector = 2>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @reduce
  gpu.func @reduce(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[8] : !fly.view<8xf32>
    %x = fly.constant 2.0 : tensor<8x16xf32, #rows>
    // CHECK: %[[A:.*]] = vector.extract %{{.*}}[0, 0, 0]
    // CHECK: %[[B:.*]] = vector.extract %{{.*}}[0, 0, 1]
    // CHECK: %[[S0:.*]] = arith.addf %[[A]], %[[B]] : f32
    // CHECK: %[[O1:.*]], %{{.*}} = gpu.shuffle xor %[[S0]], %c1
    // CHECK: %[[S1:.*]] = arith.addf %[[S0]], %[[O1]] : f32
    // CHECK: %[[O2:.*]], %{{.*}} = gpu.shuffle xor %[[S1]], %c2
    // CHECK: %[[S2:.*]] = arith.addf %[[S1]], %[[O2]] : f32
    // CHECK: %[[O4:.*]], %{{.*}} = gpu.shuffle xor %[[S2]], %c4
    // CHECK: %[[S4:.*]] = arith.addf %[[S2]], %[[O4]] : f32
    // CHECK-NOT: gpu.shuffle
    // CHECK: vector.from_elements %[[S4]] : vector<1xf32>
    %s = fly.reduce add %x along 1 : tensor<8x16xf32, #rows> -> tensor<8xf32, #fly.slice<1, 16, #rows>>
    fly.store %s, %y[0] : tensor<8xf32, #fly.slice<1, 16, #rows>>, !fly.view<8xf32>
    gpu.return
  }
}

// -----

// A masked store writes a group at once where all of it is wanted, else element
// by element; the comparison is made again for each group.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#rows = #fly.blocked<threads = [8, 8], vector = 2>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @mask
  gpu.func @mask(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[8, 16] : !fly.view<8x16xf32>
    %x = fly.constant 2.0 : tensor<8x16xf32, #rows>
    %five = fly.constant 5 : tensor<8x16xi32, #rows>
    %i = fly.iota along 1 : tensor<8x16xi32, #rows>
    %m = arith.cmpi slt, %i, %five : tensor<8x16xi32, #rows>
    // CHECK: %[[M:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : vector<2xi32>
    // CHECK: %[[M0:.*]] = vector.extract %[[M]][0]
    // CHECK: %[[M1:.*]] = vector.extract %[[M]][1]
    // CHECK: %[[ALL:.*]] = arith.andi %[[M0]], %[[M1]]
    // CHECK: scf.if %[[ALL]] {
    // CHECK: fly.write {{.*}} : vector<2xf32>
    // CHECK: } else {
    // CHECK: scf.if %{{.*}} {
    // CHECK: fly.write {{.*}} : f32
    // CHECK: scf.if %{{.*}} {
    // CHECK: fly.write {{.*}} : f32
    fly.store %x, %y[0, 0] mask %m : tensor<8x16xf32, #rows>, !fly.view<8x16xf32>, tensor<8x16xi1, #rows>
    gpu.return
  }
}
