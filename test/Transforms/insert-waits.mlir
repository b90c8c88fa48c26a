// RUN: fly-opt %s --fly-insert-waits --split-input-file | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64x8xf32, lds>, b : !fly.view<64x8xf32, lds> }

  // A write before, a read after: the write must be done.
  // CHECK-LABEL: gpu.func @after_write
  gpu.func @after_write(%x: f32) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x8xf32, lds>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    // CHECK: fly.write
    // CHECK-NEXT: fly.wait lgkm(0)
    // CHECK-NEXT: fly.barrier bare
    fly.write %x, %a[%l, %c0] : f32, !fly.view<64x8xf32, lds>
    fly.barrier bare
    // Nothing is outstanding at the second one.
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    // CHECK-NEXT: fly.read
    %y = fly.read %a[%l, %c0] : !fly.view<64x8xf32, lds> -> f32
    gpu.return
  }

  // Round a loop: the read of the last iteration comes before the barrier of
  // the next, which lets other waves write.
  // CHECK-LABEL: gpu.func @round_a_loop
  gpu.func @round_a_loop(%x: f32, %n: index) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x8xf32, lds>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: scf.for
    // CHECK-NEXT: fly.wait lgkm(0)
    // CHECK-NEXT: fly.barrier bare
    scf.for %i = %c0 to %n step %c1 {
      fly.barrier bare
      %y = fly.read %a[%l, %c0] : !fly.view<64x8xf32, lds> -> f32
    }
    gpu.return
  }

  // One branch is enough; a wait that is there is enough; a count is not.
  // CHECK-LABEL: gpu.func @branches
  gpu.func @branches(%x: f32, %c: i1) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x8xf32, lds>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    scf.if %c {
      fly.write %x, %a[%l, %c0] : f32, !fly.view<64x8xf32, lds>
    }
    // CHECK: fly.write
    // CHECK-NEXT: }
    // CHECK-NEXT: fly.wait lgkm(0)
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    fly.write %x, %a[%l, %c0] : f32, !fly.view<64x8xf32, lds>
    fly.wait lgkm(0)
    // CHECK: fly.wait lgkm(0)
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    fly.write %x, %a[%l, %c0] : f32, !fly.view<64x8xf32, lds>
    // CHECK: fly.wait lgkm(1)
    // CHECK-NEXT: fly.wait lgkm(0)
    // CHECK-NEXT: fly.barrier bare
    fly.wait lgkm(1)
    fly.barrier bare
    gpu.return
  }

  // Global accesses and the other barriers need nothing from this pass.
  // CHECK-LABEL: gpu.func @nothing_to_do
  gpu.func @nothing_to_do(%p: !fly.ptr<f32>, %x: f32) kernel attributes {fly.waves = 2 : i32} {
    // CHECK-NOT: fly.wait
    %v = fly.view %p[64] : !fly.view<64xf32>
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x8xf32, lds>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %y = fly.read %v[%l] : !fly.view<64xf32> -> f32
    fly.barrier bare
    fly.write %x, %a[%l, %c0] : f32, !fly.view<64x8xf32, lds>
    fly.barrier lds
    fly.barrier bare
    gpu.return
  }
}

// -----

// A copy to LDS is counted by vmcnt; reads that transpose are LDS reads.
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !fly.view<64x16xi8, lds> }
  // CHECK-LABEL: gpu.func @copies
  gpu.func @copies(%v: !fly.view<?x16xi8>) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x16xi8, lds>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !fly.view<?x16xi8>, !fly.view<64x16xi8, lds>
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    %x = fly.read_transposed %a[%l, %c0] : !fly.view<64x16xi8, lds> -> vector<8xi8>
    // CHECK: fly.wait lgkm(0){{$}}
    // CHECK-NEXT: fly.barrier bare
    fly.barrier bare
    gpu.return
  }
}
