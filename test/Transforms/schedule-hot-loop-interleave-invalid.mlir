// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @events(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = interleave': the loop has 'fly.event', whose place among the others is not known to be free}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %e = fly.event
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}

// -----

// A copy over what is read.
!G = !fly.view<64x16xi8>
!L = !fly.view<64x16xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @copy_over_a_read(%p: !fly.ptr<i8>, %x: vector<4xbf16>, %n: index, %v: vector<16xi8>) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    // expected-error @+1 {{cannot have 'hot_loop = interleave': the loop reads and writes one buffer without a barrier in between}}
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %old = %v) -> (vector<4xf32>, vector<16xi8>) {
      %y = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<16xi8>
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.dma %g[%l, %c0] to %a[%c0, %c0] : vector<16xi8>, !G, !L
      scf.yield %d, %y : vector<4xf32>, vector<16xi8>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_matrix(%v: !fly.view<64x16xbf16>, %n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = interleave': the loop has no matrix instructions}}
    scf.for %k = %c0 to %n step %c1 {
      %x = fly.read %v[%k, %c0] in_bounds [true, true] : !fly.view<64x16xbf16> -> vector<4xbf16>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
