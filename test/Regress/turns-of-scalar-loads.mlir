// A write to global memory stays behind the scalar load of what it overwrites.
// RUN: fly-opt %s --fly-schedule-hot-loop | FileCheck %s
// CHECK: fly.load_scalar
// CHECK: fly.write %{{.*}} : i32
// CHECK-NOT: fly.load_scalar

!I = !fly.view<64xi32>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @k(%q: !fly.ptr<i32>, %N: i32, %v: vector<4xbf16>) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %N : i32 to index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %i = fly.view %q[64] : !I
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %sum = %one) -> (vector<4xf32>, i32) {
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %old = fly.load_scalar %i[0] : !I -> i32
      %t = arith.addi %sum, %old : i32
      fly.barrier lds
      fly.write %sum, %i[%l] in_bounds [true] : i32, !I
      fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      fly.barrier lds
      scf.yield %d1, %t : vector<4xf32>, i32
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}
