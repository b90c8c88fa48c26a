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
