// Where the order of turns made the barriers of a kernel, a race in LDS is an
// error, and what could not be proved a warning. Where the author made them, the
// first is a warning and the second silence.

// RUN: not fly-compile %s --kernel=race -o %t.o 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: order of LDS in the code of kernel 'race': {{.*}} reads bytes of LDS that another wave writes {{.*}}; 'hot_loop = pingpong' made barriers of the kernel, 'hot_loop = off' leaves those of its author

// RUN: fly-compile %s --kernel=unknown_rounds -o %t.o 2>&1 | FileCheck %s --check-prefix=UNPROVED
// RUN: not fly-compile %s --kernel=unknown_rounds --werror -o %t.werror.o
// RUN: fly-report verify %t.o | FileCheck %s --check-prefix=REPORT
// UNPROVED-NOT: error
// UNPROVED: warning: 'hot_loop = pingpong' made barriers of kernel 'unknown_rounds', whose barriers are not proved: {{.*}} 's_barrier' {{.*}} is behind a branch on which waves may differ
// REPORT: not proved: barriers, LDS order

// RUN: sed s/pingpong/off/ %s >%t.off.mlir
// RUN: fly-compile %t.off.mlir --kernel=race -o %t.off.o
// RUN: fly-compile %t.off.mlir --kernel=unknown_rounds --werror -o %t.off.o 2>&1 | count 0

!G = !fly.view<64x16xbf16>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @race(%p: !fly.ptr<bf16>, %q: !fly.ptr<f32>, %N: i32) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %N : i32 to index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %other = arith.xori %l, %c32 : index
    %g = fly.view %p[64, 16] : !G
    %v = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    fly.write %v, %b[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
    %y = fly.read %b[%other, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
    fly.barrier lds
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %y + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %y + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.barrier lds
      fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      fly.barrier lds
      scf.yield %d1 : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    %o = fly.view %q[64, 4] : !fly.view<64x4xf32>
    fly.write %r, %o[%l, %c0] in_bounds [true, true] : vector<4xf32>, !fly.view<64x4xf32>
    gpu.return
  }

  // Nobody knows how often a wave goes round: its author's barrier says alike.
  gpu.func @unknown_rounds(%p: !fly.ptr<bf16>, %q: !fly.ptr<f32>, %rounds: !fly.ptr<i32>) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %w = fly.wave
    %g = fly.view %p[64, 16] : !G
    %each = fly.view %rounds[8] : !fly.view<8xi32>
    %own = fly.read %each[%w] in_bounds [true] : !fly.view<8xi32> -> i32
    %n = arith.index_cast %own : i32 to index
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %v = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
      fly.barrier lds
      fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      fly.barrier lds
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    %o = fly.view %q[64, 4] : !fly.view<64x4xf32>
    fly.write %r, %o[%l, %c0] in_bounds [true, true] : vector<4xf32>, !fly.view<64x4xf32>
    gpu.return
  }
}
