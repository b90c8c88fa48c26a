// Loads to registers that stand behind copies go on, like younger copies: the
// wait in front of a barrier counts them.
//
// RUN: fly-opt %s --fly-insert-waits --split-input-file | FileCheck %s
// A second run finds the waits and adds nothing.
// RUN: fly-opt %s --fly-insert-waits --fly-insert-waits --split-input-file | FileCheck %s

!L = !fly.view<64x16xi8, lds>
!V = !fly.view<?x16xi8>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }

  // A round of a loop: the copies of the round before are waited for, the
  // loads behind them are not.
  // CHECK-LABEL: gpu.func @loads_behind_copies
  gpu.func @loads_behind_copies(%v: !V, %w: !V, %n: index) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0> : vector<16xi8>
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: scf.for
    %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%t = %zero, %u = %zero) -> (vector<16xi8>, vector<16xi8>) {
      // CHECK: rocdl.sched.barrier 1935
      // CHECK-NEXT: %[[x:.*]] = fly.read
      // CHECK-NOT: rocdl.sched.barrier
      // CHECK: %[[y:.*]] = fly.read
      %at = arith.addi %l, %i : index
      %x = fly.read %w[%at, %c0] align 16 : !V -> vector<16xi8>
      %at1 = arith.addi %at, %c1 : index
      %y = fly.read %w[%at1, %c0] align 16 : !V -> vector<16xi8>
      // CHECK: fly.wait vm(2) lgkm(0){{$}}
      // CHECK-NEXT: fly.barrier bare
      fly.barrier bare
      fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
      %p = fly.read %a[%l, %c0] : !L -> vector<16xi8>
      // CHECK: rocdl.sched.barrier 1935
      // CHECK-NEXT: fly.read
      %at2 = arith.addi %at, %c2 : index
      %z = fly.read %w[%at2, %c0] align 16 : !V -> vector<16xi8>
      // CHECK: fly.wait vm(1) lgkm(0){{$}}
      // CHECK-NEXT: fly.barrier bare
      fly.barrier bare
      fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
      %q = fly.read %b[%l, %c0] : !L -> vector<16xi8>
      %xy = arith.addi %x, %y : vector<16xi8>
      %zq = arith.addi %z, %q : vector<16xi8>
      %pt = arith.addi %p, %t : vector<16xi8>
      %all = arith.addi %xy, %zq : vector<16xi8>
      scf.yield %all, %pt : vector<16xi8>, vector<16xi8>
    }
    gpu.return
  }

  // Loads in front of copies come back before them: nothing to count, and no
  // fence.
  // CHECK-LABEL: gpu.func @loads_before_copies
  gpu.func @loads_before_copies(%v: !V, %w: !V) -> () kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    // CHECK-NOT: rocdl.sched.barrier
    %x = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %y = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    fly.write %x, %a[%l, %c0] : vector<16xi8>, !L
    gpu.return
  }

  // What LLVM may merge, drop, load once before the loop, or load in a branch
  // that nobody takes, is not counted.
  // CHECK-LABEL: gpu.func @not_counted
  gpu.func @not_counted(%v: !V, %w: !V, %n: index, %base: !fly.ptr<i8>, %m: i32) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // Two halves may become one.
    %h = fly.read %w[%l, %c0] align 8 : !V -> vector<8xi8>
    %g = fly.read %w[%l, %c8] align 8 : !V -> vector<8xi8>
    // Nobody takes it.
    %dead = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
    // Each lane has a view of its own.
    %i64 = arith.index_cast %l : index to i64
    %own = fly.view %base[%m, 16] at %i64 : !V
    %o = fly.read %own[%c0, %c0] : !V -> vector<16xi8>
    // CHECK-NOT: rocdl.sched.barrier
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %y = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> (vector<16xi8>) {
      fly.barrier bare
      fly.dma %v[%i, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
      // The same in each round.
      %x = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
      // CHECK: fly.dma
      // CHECK: fly.wait vm(0){{$}}
      // CHECK-NEXT: fly.barrier bare
      fly.barrier bare
      %z = fly.read %a[%l, %c0] : !L -> vector<16xi8>
      %xt = arith.addi %x, %t : vector<16xi8>
      %all = arith.addi %z, %xt : vector<16xi8>
      scf.yield %all : vector<16xi8>
    }
    %hg = vector.shuffle %h, %g [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi8>, vector<8xi8>
    %ho = arith.addi %hg, %o : vector<16xi8>
    %end = arith.addi %sum, %ho : vector<16xi8>
    fly.write %end, %a[%l, %c0] : vector<16xi8>, !L
    gpu.return
  }
}
