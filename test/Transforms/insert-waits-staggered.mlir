// RUN: fly-opt %s --fly-insert-waits | FileCheck %s

!L = !fly.view<64x16xi8, lds>
!V = !fly.view<?x16xi8>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }

  // A copy is read two barriers on. Where waves may be a barrier ahead, it is
  // waited for in front of the first one; where they are in step, of the second.
  // CHECK-LABEL: gpu.func @next_but_one
  gpu.func @next_but_one(%v: !V) kernel attributes {fly.waves = 8 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare {fly.staggered}
    fly.barrier bare {fly.staggered}
    // CHECK-NEXT: fly.barrier bare {fly.staggered}
    fly.barrier bare {fly.staggered}
    %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    // CHECK: fly.wait lgkm(0){{$}}
    // CHECK-NEXT: fly.barrier bare{{$}}
    fly.barrier bare
    fly.dma %v[%l, %c0] to %b[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.dma
    // CHECK-NEXT: fly.barrier bare{{$}}
    fly.barrier bare
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare{{$}}
    fly.barrier bare
    %y = fly.read %b[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }

  // The barrier that only some waves pass is one of those ahead; before it all
  // wait for what the others read behind none.
  // CHECK-LABEL: gpu.func @parting
  gpu.func @parting(%v: !V, %late: i1) kernel attributes {fly.waves = 8 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    // CHECK: fly.wait vm(0){{$}}
    // CHECK-NEXT: fly.barrier bare{{$}}
    fly.barrier bare
    // CHECK-NEXT: scf.if
    scf.if %late {
      // CHECK-NEXT: fly.barrier bare {fly.staggered}
      fly.barrier bare {fly.staggered}
    }
    %x = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    gpu.return
  }
}
