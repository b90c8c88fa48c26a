// RUN: not fly-opt %s --fly-schedule-hot-loop 2>&1 | FileCheck %s
// CHECK: 'scf.for' op cannot have 'hot_loop = interleave': the loop has 'llvm.store', whose place among the others is not known to be free

!G = !fly.view<64x16xbf16>
!I = !fly.view<64xi32>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @k(%p: !fly.ptr<bf16>, %q: !fly.ptr<i32>, %n: index, %lp: !llvm.ptr<1>) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %i = fly.view %q[64] : !I
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %sum = %one) -> (vector<4xf32>, i32) {
      %before = fly.read %i[%l] in_bounds [true] : !I -> i32
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      llvm.store %one, %lp : i32, !llvm.ptr<1>
      %t = arith.addi %sum, %before : i32
      scf.yield %d0, %t : vector<4xf32>, i32
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
