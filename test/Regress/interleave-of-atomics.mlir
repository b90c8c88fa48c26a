// Atomics, stores of other dialects and two kinds of writes to one place have an
// order that matters: `interleave` put them in front of reads of what they write.
// RUN: not fly-opt %s --fly-schedule-hot-loop 2>&1 | FileCheck %s
// CHECK: 'scf.for' op cannot have 'hot_loop = interleave': the loop has 'fly.update', whose place among the others is not known to be free

!G = !fly.view<64x16xbf16>
!I = !fly.view<64xi32>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @k(%p: !fly.ptr<bf16>, %q: !fly.ptr<i32>, %N: i32, %o: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %N : i32 to index
    %ov = fly.view %o[64] : !I
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %i = fly.view %q[64] : !I
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %sum = %z) -> (vector<4xf32>, i32) {
      %before = fly.read %i[%l] in_bounds [true] : !I -> i32
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.update add %one, %i[%l] relaxed agent : i32, !I
      %t = arith.addi %sum, %before : i32
      scf.yield %d0, %t : vector<4xf32>, i32
    } {fly.hot_loop = "interleave"}
    fly.write %r#1, %ov[%l] in_bounds [true] : i32, !I
    gpu.return
  }
}
