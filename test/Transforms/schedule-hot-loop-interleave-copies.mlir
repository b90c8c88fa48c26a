// RUN: fly-opt %s --fly-schedule-hot-loop | FileCheck %s

// Copies go with global loads: in front, behind the first reads. A scalar that is
// loaded stands in front of all, reads that are transposed are reads of LDS.
// CHECK-LABEL: gpu.func @copies
// CHECK: scf.for
// CHECK: fly.load_scalar
// CHECK: fly.read_transposed
// CHECK-NEXT: fly.sched.barrier
// CHECK: fly.dma
// CHECK-NEXT: fly.sched.barrier
// CHECK: amdgpu.mfma
// CHECK-NOT: fly.dma
// CHECK: amdgpu.mfma
// CHECK: scf.yield
!G = !fly.view<64x16xf16>
!I = !fly.view<?xi32>
!L = !fly.view<64x16xf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @copies(%p: !fly.ptr<f16>, %q: !fly.ptr<i32>, %N: i32, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %i = fly.view %q[%N] : !I
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %sum = %none) -> (vector<4xf32>, i32) {
      %x = fly.read_transposed %a[%l, %c0] : !L -> vector<4xf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %ki = arith.index_cast %k : index to i32
      %v = fly.load_scalar %i[%ki] : !I -> i32
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      fly.dma %g[%l, %c0] to %b[%c0, %c0] : vector<8xf16>, !G, !L
      %t = arith.addi %sum, %v : i32
      fly.barrier lds
      scf.yield %d1, %t : vector<4xf32>, i32
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
