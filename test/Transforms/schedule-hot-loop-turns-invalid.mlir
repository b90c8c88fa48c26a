// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @four_waves(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': two waves on each of 4 SIMDs take turns, that is waves = 8; the workgroup has 4}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_memory(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': the loop has no memory operations}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_matrix(%v: !fly.view<64x16xbf16>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': the loop has no matrix instructions}}
    scf.for %k = %c0 to %n step %c1 {
      %x = fly.read %v[%k, %c0] in_bounds [true, true] : !fly.view<64x16xbf16> -> vector<4xbf16>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @global_order(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': a barrier of the loop orders global memory ('fly.barrier all')}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      fly.barrier all
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @waits_of_the_author(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': the loop has 'fly.wait', which cannot be told to be of one of the two kinds}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.wait lgkm(0)
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @branch(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index, %is: i1) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{cannot have 'hot_loop = pingpong': control flow in the loop (scf.if) with more than accesses of memory in it}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.if %is {
        fly.barrier lds
      }
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

// The mark is for bare barriers.
func.func @not_bare() {
  // expected-error @+1 {{expects 'fly.staggered' on a bare barrier and without a value, got unit}}
  fly.barrier lds {fly.staggered}
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{expects 'fly.staggered' without a value, got 1 : i32}}
  gpu.func @staggered_by_a_number() kernel attributes {fly.staggered = 1 : i32} {
    gpu.return
  }
}

// -----

// A real order is for chips that there is code for.
// expected-error @+1 {{targets the unknown chip 'gfx90a'; known chips: gfx942, gfx950}}
gpu.module @m [#rocdl.target<chip = "gfx90a">] {
  gpu.func @unknown_chip(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

// expected-error @+1 {{targets gfx1250, which Fly describes but does not compile for; it compiles for: gfx942, gfx950}}
gpu.module @m [#rocdl.target<chip = "gfx1250">] {
  gpu.func @described_chip(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
