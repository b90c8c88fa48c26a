// RUN: fly-opt %s --fly-insert-waits --split-input-file | FileCheck %s

!L = !fly.view<64x16xi8, lds>
!V = !fly.view<?x16xi8>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L, c : !L }
  fly.lds.struct @U union { a : !L, b : !L }

  // Waited for is what is read behind the barrier; what was copied behind an
  // earlier barrier goes on.
  // CHECK-LABEL: gpu.func @younger_copies_go_on
  gpu.func @younger_copies_go_on(%v: !V) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // Nothing is read yet.
    // CHECK: fly.dma
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(2){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    // CHECK: fly.wait vm(0) lgkm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %y = fly.read %b[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }

  // Between two barriers LLVM may exchange copies: their order counts nothing.
  // CHECK-LABEL: gpu.func @order_between_barriers
  gpu.func @order_between_barriers(%v: !V) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }

  // Over a full fence it does not.
  // CHECK-LABEL: gpu.func @order_over_a_fence
  gpu.func @order_over_a_fence(%v: !V) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    fly.sched.barrier
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(1){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }

  // Copies to a place that is overwritten, or copied to again, must be there.
  // CHECK-LABEL: gpu.func @written_again
  gpu.func @written_again(%v: !V, %x: i8) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    fly.write %x, %a[%l, %c0] : i8, !L
    gpu.return
  }

  // Members of a union are one place.
  // CHECK-LABEL: gpu.func @members_of_a_union
  gpu.func @members_of_a_union(%v: !V) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@U>
    %a = fly.lds.field %s[a] : !fly.lds<@U> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@U> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %x = fly.read %b[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }

  // Round a loop of three buffers: the oldest must be there, one goes on. On
  // the way in from before the loop as many are younger.
  // CHECK-LABEL: gpu.func @three_buffers
  gpu.func @three_buffers(%v: !V, %n: index) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %c = fly.lds.field %s[c] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    fly.barrier bare
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: scf.for
    // CHECK-NEXT: fly.sched.barrier
    // CHECK-NEXT: fly.wait vm(1) lgkm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    scf.for %i = %c0 to %n step %c1 {
      fly.barrier bare
      fly.dma %v[%l, %c0] to %c[%c0, %c0] : vector<16xi8>, !V, !L
      %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
      // CHECK: fly.wait vm(1) lgkm(0){{$}}
      // CHECK-NEXT: fly.barrier bare
      fly.barrier bare
      fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
      %y = fly.read %b[%l, %c0] : !L -> vector<16xi8>
      // CHECK: fly.wait vm(1) lgkm(0){{$}}
      // CHECK-NEXT: fly.barrier bare
      fly.barrier bare
      fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
      %z = fly.read %c[%l, %c0] : !L -> vector<16xi8>
    }
    gpu.return
  }

  // The way with the fewest younger copies decides.
  // CHECK-LABEL: gpu.func @one_way_has_fewer
  gpu.func @one_way_has_fewer(%v: !V, %p: i1) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    fly.barrier bare
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    scf.if %p {
      fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    }
    // CHECK: scf.if
    // CHECK-NEXT: fly.dma
    // CHECK-NEXT: }
    // What covers the copies stays before the wait.
    // CHECK-NEXT: fly.sched.barrier
    // CHECK-NEXT: fly.wait vm(1){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    scf.if %p {
      %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    }
    gpu.return
  }
}
