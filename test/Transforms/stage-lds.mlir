// RUN: fly-opt %s --fly-stage-lds -split-input-file | FileCheck %s

// Two slots: one barrier a tile is enough. It orders this tile's write before
// its read, and the last tile's read before the next write.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
!S1 = tensor<64x32xf32, #fly.staged<"a", 1>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK: fly.lds.struct @two_slots_lds { a_0 : !fly.view<64x32xf32, lds>, a_1 : !fly.view<64x32xf32, lds> }
  // CHECK-LABEL: gpu.func @two_slots
  gpu.func @two_slots(%A: !fly.ptr<f32>, %K: i32) kernel {
    // CHECK: %[[LDS:.*]] = fly.lds.alloc : !fly.lds<@two_slots_lds>
    // CHECK: %[[A0:.*]] = fly.lds.field %[[LDS]][a_0]
    // CHECK: %[[A1:.*]] = fly.lds.field %[[LDS]][a_1]
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %z = fly.constant 0.0 : !G
    // CHECK: fly.store %{{.*}}, %[[A0]][0, 0]
    %t = fly.load %a[0, 0] : !fly.view<64x?xf32> -> !G
    %s = fly.convert_layout %t : !G -> !S0
    // CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor
    %r:2 = scf.for %k = %c0 to %K step %c64 iter_args(%i = %s, %x = %z) -> (!S0, !G) : i32 {
      // CHECK: fly.barrier lds
      // CHECK-NEXT: fly.load %[[A0]][0, 0]
      %v0 = fly.convert_layout %i : !S0 -> !G
      %x0 = arith.addf %x, %v0 : !G
      // CHECK: fly.store %{{.*}}, %[[A1]][0, 0]
      %s1 = fly.convert_layout %x0 : !G -> !S1
      // CHECK: fly.barrier lds
      // CHECK-NEXT: fly.load %[[A1]][0, 0]
      %v1 = fly.convert_layout %s1 : !S1 -> !G
      %x1 = arith.addf %x0, %v1 : !G
      // CHECK-NOT: fly.barrier
      // CHECK: fly.store %{{.*}}, %[[A0]][0, 0]
      %s0 = fly.convert_layout %x1 : !G -> !S0
      // CHECK: scf.yield %{{[a-z0-9]+}} : tensor
      scf.yield %s0, %x1 : !S0, !G
    }
    // CHECK: fly.barrier lds
    // CHECK-NEXT: fly.load %[[A0]][0, 0]
    %v = fly.convert_layout %r#0 : !S0 -> !G
    %y = arith.addf %r#1, %v : !G
    fly.store %y, %a[0, 0] : !G, !fly.view<64x?xf32>
    gpu.return
  }
}

// -----

// One slot: a barrier before the read, and one before the slot is overwritten.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @one_slot
  gpu.func @one_slot(%A: !fly.ptr<f32>, %K: i32) kernel {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %t = fly.load %a[0, 0] : !fly.view<64x?xf32> -> !G
    %s = fly.convert_layout %t : !G -> !S0
    // CHECK: scf.for
    %r:2 = scf.for %k = %c0 to %K step %c64 iter_args(%i = %s, %x = %t) -> (!S0, !G) : i32 {
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.load %{{.*}}[0, 0]
      %v0 = fly.convert_layout %i : !S0 -> !G
      %x0 = arith.addf %x, %v0 : !G
      // CHECK: fly.barrier lds
      // CHECK-NEXT: fly.store
      %s0 = fly.convert_layout %x0 : !G -> !S0
      scf.yield %s0, %x0 : !S0, !G
    }
    fly.store %r#1, %a[0, 0] : !G, !fly.view<64x?xf32>
    gpu.return
  }
}

// -----

// Global memory keeps program order too. The same tile in a layout that gives
// each element to one lane needs no barrier; a transposed place does.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!G = tensor<32x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @global_order
  gpu.func @global_order(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %m: i32, %n: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%m, %n] : !fly.view<?x?xf32>
    %c = fly.view %C[%m, %n] : !fly.view<?x?xf32>
    // CHECK: fly.load
    %t = fly.load %a[%m, %n] : !fly.view<?x?xf32> -> !G
    // CHECK-NEXT: fly.store
    fly.store %t, %a[%m, %n] : !G, !fly.view<?x?xf32>
    // CHECK-NEXT: fly.store
    fly.store %t, %c[%n, %m] : !G, !fly.view<?x?xf32>
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.load
    %u = fly.load %a[%n, %m] : !fly.view<?x?xf32> -> !G
    // The barrier has ordered the store to c as well.
    // CHECK-NEXT: fly.store
    fly.store %u, %c[%m, %n] : !G, !fly.view<?x?xf32>
    // CHECK-NEXT: gpu.return
    gpu.return
  }

  // Threads beyond the layout repeat its elements: even the same place meets.
  // CHECK-LABEL: gpu.func @repeated_elements
  gpu.func @repeated_elements(%A: !fly.ptr<f32>, %m: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%m] : !fly.view<?xf32>
    // CHECK: fly.load
    %t = fly.load %a[%m] : !fly.view<?xf32> -> tensor<32xf32, #fly.blocked<threads = [8], vector = 4>>
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.store
    fly.store %t, %a[%m] : tensor<32xf32, #fly.blocked<threads = [8], vector = 4>>, !fly.view<?xf32>
    gpu.return
  }

  // Round a loop the same coordinate is another place.
  // CHECK-LABEL: gpu.func @round_a_loop
  gpu.func @round_a_loop(%A: !fly.ptr<f32>, %m: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%m, %m] : !fly.view<?x?xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: scf.for
    scf.for %i = %c0 to %m step %c1 : i32 {
      // CHECK-NEXT: fly.barrier all
      // CHECK-NEXT: fly.load
      %t = fly.load %a[%i, 0] : !fly.view<?x?xf32> -> !G
      // CHECK-NEXT: fly.store
      fly.store %t, %a[%i, 0] : !G, !fly.view<?x?xf32>
    }
    // CHECK: scf.for
    scf.for %i = %c0 to %m step %c1 : i32 {
      // CHECK: fly.load %{{.*}}[0, 0]
      %t = fly.load %a[0, 0] : !fly.view<?x?xf32> -> !G
      // CHECK-NEXT: fly.store
      fly.store %t, %a[0, 0] : !G, !fly.view<?x?xf32>
      // CHECK-NEXT: }
    }
    gpu.return
  }
}

// -----

// A while loop brings the read of its last trip round to the write of the next.
// Names of labels that are no identifiers stay apart, and an author's symbol
// keeps its name.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a.b", 0>>
!S1 = tensor<64x32xf32, #fly.staged<"a_b", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @while_loop_lds { mine : !fly.view<4xf32, lds> }
  // CHECK: fly.lds.struct @while_loop_lds_0 { a_b_0 : !fly.view<64x32xf32, lds>, a.b_0 : !fly.view<64x32xf32, lds> }
  // CHECK-LABEL: gpu.func @while_loop
  gpu.func @while_loop(%K: i32) kernel {
    // CHECK: %[[AB:.*]] = fly.lds.field %{{.*}}[a.b_0]
    %c0 = arith.constant 0 : i32
    %z = fly.constant 0.0 : !G
    %t = fly.convert_layout %z : !G -> !S1
    // CHECK: scf.while
    %r:2 = scf.while (%k = %c0, %x = %z) : (i32, !G) -> (i32, !G) {
      %more = arith.cmpi slt, %k, %K : i32
      scf.condition(%more) %k, %x : i32, !G
    } do {
    ^bb0(%k: i32, %x: !G):
      // CHECK: ^bb0
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.store %{{.*}}, %[[AB]][0, 0]
      %s = fly.convert_layout %x : !G -> !S0
      // CHECK-NEXT: fly.barrier lds
      // CHECK-NEXT: fly.load %[[AB]][0, 0]
      %v = fly.convert_layout %s : !S0 -> !G
      scf.yield %k, %v : i32, !G
    }
    %w = fly.convert_layout %t : !S1 -> !G
    gpu.return
  }
}

// -----

// Two views of one field are one place.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!L = !fly.view<64x32xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  // CHECK-LABEL: gpu.func @two_views
  gpu.func @two_views(%K: i32) kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %z = fly.constant 0.0 : !G
    // CHECK: fly.store
    fly.store %z, %a[0, 0] : !G, !L
    // CHECK-NEXT: fly.barrier lds
    // CHECK-NEXT: fly.load
    %t = fly.load %b[0, 0] : !L -> !G
    gpu.return
  }
}

// -----

// Accesses that are no tile loads and stores are ordered by their effects: row
// numbers may name any place of the view. An atomic reads and writes in one
// step, so nothing stands between.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!R = tensor<64xi32, #fly.slice<1, 32, #fly.blocked<threads = [8, 8], vector = 4>>>
!V = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @by_effects
  gpu.func @by_effects(%A: !fly.ptr<f32>, %B: !fly.ptr<f32>, %t: !G, %rows: !R, %M: i32) kernel {
    %a = fly.view %A[%M, 32] : !V
    %b = fly.view %B[%M, 32] : !V
    // CHECK: fly.scatter
    fly.scatter %t, %a rows(%rows) at [0] : !G, !V, !R
    // Another buffer.
    // CHECK-NEXT: fly.gather
    %g = fly.gather %b rows(%rows) at [0] : !V, !R -> !G
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.load_scalar
    %s = fly.load_scalar %a[0, 0] : !V -> f32
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.atomic add
    fly.atomic add %g, %a[0, 0] relaxed agent : !G, !V
    // CHECK-NEXT: fly.barrier all
    // CHECK-NEXT: fly.load
    %u = fly.load %a[0, 0] : !V -> !G
    gpu.return
  }
}
