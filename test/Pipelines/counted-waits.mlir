// Waits before bare barriers let younger loads go on, so those must exist: of the
// same load twice LLVM makes one, and what folds is not loaded.

// RUN: fly-run %s --kernel=twice M=64 p=fill:3 r=fill:2 --expect q=fill:7 --check=all
// RUN: fly-run %s --kernel=folded M=64 p=fill:3 r=i8[64x16]=fill:2 --expect q=fill:3 --check=all
// RUN: fly-opt %s --fly-insert-waits | FileCheck %s
// CHECK-LABEL: gpu.func @twice
// CHECK: fly.wait vm(1)
// CHECK-NEXT: fly.barrier bare
// CHECK-LABEL: gpu.func @dropped
// CHECK-SAME: fly.counted_waits

// What only LLVM sees through is found in the code, and refused.
// RUN: not fly-compile %s --kernel=dropped -o %t.o 2>&1 | FileCheck %s --check-prefix=DROPPED
// DROPPED: error: order of LDS in the code of kernel 'dropped': {{.*}} reads bytes of LDS that its wave writes {{.*}}: expected a wait for vmcnt(0) in between, found none that covers it; fly-report verify shows all 1; the wait that the compiler put before a bare barrier lets loads go on that LLVM dropped: use 'fly.barrier lds' there
// RUN: sed "s/barrier bare/barrier lds/" %s >%t.lds.mlir
// RUN: fly-run %t.lds.mlir --kernel=dropped M=64 p=fill:3 r=i32[64x4]=fill:2 --expect q=fill:3 --check=all

!L = !fly.view<64x16xi8, lds>
!V = !fly.view<?x16xi8>
!K = !fly.view<64x4xi32, lds>
!W = !fly.view<?x4xi32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }
  fly.lds.struct @T { a : !K, b : !K }
  gpu.func @twice(%p: !fly.ptr<i8>, %r: !fly.ptr<i8>, %q: !fly.ptr<i8>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %v = fly.view %p[%M, 16] : !V
    %w = fly.view %r[%M, 16] : !V
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    %x = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
    %h = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
    fly.barrier bare
    %y = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    %z = arith.addi %y, %h : vector<16xi8>
    %sum = arith.addi %z, %x : vector<16xi8>
    %o = fly.view %q[64, 16] : !fly.view<64x16xi8>
    fly.write %sum, %o[%l, %c0] : vector<16xi8>, !fly.view<64x16xi8>
    gpu.return
  }
  gpu.func @folded(%p: !fly.ptr<i8>, %r: !fly.ptr<i8>, %q: !fly.ptr<i8>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %v = fly.view %p[%M, 16] : !V
    %w = fly.view %r[%M, 16] : !V
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !V, !L
    %x = fly.read %w[%l, %c0] align 16 : !V -> vector<16xi8>
    %zero = arith.constant dense<0> : vector<16xi8>
    %h = arith.andi %x, %zero : vector<16xi8>
    fly.barrier bare
    %y = fly.read %a[%l, %c0] : !L -> vector<16xi8>
    %z = arith.addi %y, %h : vector<16xi8>
    %o = fly.view %q[64, 16] : !fly.view<64x16xi8>
    fly.write %z, %o[%l, %c0] : vector<16xi8>, !fly.view<64x16xi8>
    gpu.return
  }
  // The lowest bit of an even number.
  gpu.func @dropped(%p: !fly.ptr<i32>, %r: !fly.ptr<i32>, %q: !fly.ptr<i32>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %v = fly.view %p[%M, 4] : !W
    %w = fly.view %r[%M, 4] : !W
    %s = fly.lds.alloc : !fly.lds<@T>
    %a = fly.lds.field %s[a] : !fly.lds<@T> -> !K
    %l = fly.lane
    %c0 = arith.constant 0 : index
    fly.dma %v[%l, %c0] to %a[%c0, %c0] : vector<4xi32>, !W, !K
    %x = fly.read %w[%l, %c0] align 4 : !W -> vector<4xi32>
    %one = arith.constant dense<1> : vector<4xi32>
    %even = arith.shli %x, %one : vector<4xi32>
    %h = arith.andi %even, %one : vector<4xi32>
    fly.barrier bare
    %y = fly.read %a[%l, %c0] : !K -> vector<4xi32>
    %z = arith.addi %y, %h : vector<4xi32>
    %o = fly.view %q[64, 4] : !fly.view<64x4xi32>
    fly.write %z, %o[%l, %c0] : vector<4xi32>, !fly.view<64x4xi32>
    gpu.return
  }
}
