// RUN: fly-opt %s --fly-carry-reads | FileCheck %s
// RUN: fly-opt %s --fly-carry-reads --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!L = !fly.view<64x16xi8, lds>
!V = !fly.view<?x16xi8>
!T = vector<16xi8>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }

  // The barrier goes above the load of global memory, the marked read follows
  // it; at the head of a loop both are made at the end of the iteration before.
  // The other read stays.
  // REMARK-DAG: [Passed] Carried {{.*}}Function=head_of_a_loop | Remark="1 first packs are read at the end of the iteration before and carried in 4 registers"
  // CHECK-LABEL: gpu.func @head_of_a_loop
  gpu.func @head_of_a_loop(%v: !V, %n: index) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0> : !T
    // CHECK: %[[C0:.*]] = arith.constant 0 : index
    // CHECK: %[[ROW:.*]] = arith.addi
    // CHECK: fly.barrier lds
    // CHECK-NEXT: %[[FIRST:.*]] = fly.read %[[A:.*]][%[[ROW]], %[[C0]]]
    // CHECK-NOT: fly.first_pack
    // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[PACK:.*]] = %[[FIRST]])
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!T) {
      // CHECK-NEXT: %[[G:.*]] = fly.read %{{.*}}[%{{.*}}, %[[C0]]] : !fly.view<?x16xi8>
      %g = fly.read %v[%i, %c0] : !V -> !T
      fly.barrier lds
      // CHECK-NEXT: fly.read %[[A]][%[[C0]], %[[C0]]]
      %other = fly.read %a[%c0, %c0] : !L -> !T
      %row = arith.addi %l, %c1 : index
      %x = fly.read %a[%row, %c0] {fly.first_pack} : !L -> !T
      // CHECK: arith.addi %{{.*}}, %[[PACK]]
      %y = arith.addi %other, %x : !T
      %z = arith.addi %sum, %y : !T
      // CHECK: fly.write %[[G]]
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: %[[NEXT:.*]] = fly.read %[[A]][%[[ROW]], %[[C0]]]
      // CHECK-NEXT: scf.yield %{{.*}}, %[[NEXT]]
      fly.write %g, %a[%l, %c0] : !T, !L
      scf.yield %z : !T
    }
    fly.write %r, %v[%l, %c0] : !T, !V
    gpu.return
  }

  // In the middle of a block they move to where the barrier orders something.
  // CHECK-LABEL: gpu.func @middle_of_a_block
  gpu.func @middle_of_a_block(%v: !V, %x: !T) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    // CHECK: fly.write
    // CHECK-NEXT: fly.barrier bare
    // CHECK-NEXT: fly.read %{{.*}} : !fly.view<64x16xi8, lds>
    // CHECK-NEXT: fly.read %{{.*}} : !fly.view<?x16xi8>
    fly.write %x, %a[%l, %c0] : !T, !L
    %g = fly.read %v[%l, %c0] : !V -> !T
    fly.barrier bare
    %y = fly.read %a[%l, %c0] {fly.first_pack} : !L -> !T
    %z = arith.addi %g, %y : !T
    fly.write %z, %v[%l, %c0] : !T, !V
    gpu.return
  }

  // What is written behind the barrier cannot be read earlier; nor can what has
  // no barrier, or an address that is loaded.
  // REMARK-DAG: [Missed] NotCarried {{.*}}Function=stays | {{.*}}its place is written behind the barrier
  // REMARK-DAG: [Missed] NotCarried {{.*}}Function=stays | {{.*}}no barrier comes before it in its block
  // REMARK-DAG: [Missed] NotCarried {{.*}}Function=stays | {{.*}}its address is not known before the barrier
  // CHECK-LABEL: gpu.func @stays
  gpu.func @stays(%v: !V, %x: !T, %w: !fly.view<64xi32, lds>) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    // CHECK: fly.read
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.write
    // CHECK-NEXT: fly.read
    // CHECK: fly.barrier lds
    // CHECK-NEXT: fly.read %{{.*}} : !fly.view<64xi32, lds>
    // CHECK-NEXT: arith.index_cast
    // CHECK-NEXT: fly.read
    %y = fly.read %a[%l, %c0] {fly.first_pack} : !L -> !T
    fly.barrier all
    fly.write %x, %a[%l, %c0] : !T, !L
    %z = fly.read %a[%l, %c0] {fly.first_pack} : !L -> !T
    fly.barrier lds
    %i = fly.read %w[%l] : !fly.view<64xi32, lds> -> i32
    %at = arith.index_cast %i : i32 to index
    %u = fly.read %b[%at, %c0] {fly.first_pack} : !L -> !T
    %p = arith.addi %y, %z : !T
    %q = arith.addi %p, %u : !T
    fly.write %q, %v[%l, %c0] : !T, !V
    gpu.return
  }
}
