// A write and a copy to one place of LDS: the write came out last, and stayed.
// RUN: not fly-opt %s --fly-schedule-hot-loop 2>&1 | FileCheck %s
// CHECK: 'scf.for' op cannot have 'hot_loop = interleave': the loop writes and copies to one buffer without a barrier in between

!G = !fly.view<64x16xi8>
!L = !fly.view<64x16xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @k(%p: !fly.ptr<i8>, %x: vector<4xbf16>, %n: index, %v: vector<16xi8>) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<16xi8>, !L
      fly.dma %g[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !G, !L
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.barrier lds
      scf.yield %d1 : vector<4xf32>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
