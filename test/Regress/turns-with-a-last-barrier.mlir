// The barrier at the end of a loop may order its last reads of LDS against what
// stands behind it, not only against the next round: it was dropped.
// RUN: fly-compile %s -o %t.hsaco 2>&1 | count 0
// RUN: fly-report verify %t.hsaco | FileCheck %s --check-prefix=PROVED
// RUN: fly-run %s N=3 --interleave=3 | FileCheck %s

// PROVED: proved: waits, hazards, barriers, LDS order
// CHECK-NOT: wrong

!G = !fly.view<64x16xbf16>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @k(%p: !fly.ptr<bf16>, %q: !fly.ptr<f32>, %N: i32) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %N : i32 to index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %v = arith.constant dense<0.0> : vector<4xbf16>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
    fly.barrier lds
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %f = %v) -> (vector<4xf32>, vector<4xbf16>) {
      %next = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %f * %next + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      fly.barrier lds
      scf.yield %d0, %x : vector<4xf32>, vector<4xbf16>
    } {fly.hot_loop = "pingpong"}
    %one = arith.constant dense<1.0> : vector<4xbf16>
    fly.write %one, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
    %o = fly.view %q[64, 4] : !fly.view<64x4xf32>
    %fx = arith.extf %r#1 : vector<4xbf16> to vector<4xf32>
    %t = arith.addf %fx, %r#0 : vector<4xf32>
    fly.write %t, %o[%l, %c0] in_bounds [true, true] : vector<4xf32>, !fly.view<64x4xf32>
    gpu.return
  }
}
