// What each constraint of the explicit-level ops refuses: LDS structs, lane
// accesses, hints, waits.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

// C1
// expected-error @+1 {{field "a" must be a view in LDS, got '!fly.view<64xi8>'}}
fly.lds.struct @S { a : !fly.view<64xi8> }

// -----

// C1
// expected-error @+1 {{field "a" must be a view in LDS, got 'i32'}}
fly.lds.struct @S { a : i32 }

// -----

// C1
// expected-error @+1 {{field "a" must have static extents (only the last may be dynamic), got '!fly.view<?x64xi8, lds>'}}
fly.lds.struct @S { a : !fly.view<?x64xi8, lds>, b : !fly.view<64xi8, lds> }

// -----

// C1
// expected-error @+1 {{field "b" of a union must have static extents, got '!fly.view<?x64xi8, lds>'}}
fly.lds.struct @U union { a : !fly.view<64xi8, lds>, b : !fly.view<?x64xi8, lds> }

// -----

gpu.module @union_budget [#rocdl.target<chip = "gfx942">] {
  // C2
  // expected-error @+2 {{LDS struct 'U' needs 65552 bytes on gfx942, the limit is 65536}}
  // expected-note @+1 {{members: largest of a 65536, b 65537}}
  fly.lds.struct @U union { a : !fly.view<65536xi8, lds>, b : !fly.view<65537xi8, lds> }
}

// -----

// C1
// expected-error @+1 {{has two fields "a"}}
fly.lds.struct @S { a : !fly.view<64xi8, lds>, a : !fly.view<64xi8, lds> }

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // C2
  // expected-error @+2 {{LDS struct 'S' needs 65552 bytes on gfx942, the limit is 65536}}
  // expected-note @+1 {{members: a 65536 + b 1}}
  fly.lds.struct @S { a : !fly.view<256x256xi8, lds>, b : !fly.view<1xi8, lds> }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // C1: sizes beyond 64 bits are refused, not wrapped.
  // expected-error @+1 {{field "a" has more bytes than 64 bits count, got}}
  fly.lds.struct @S { a : !fly.view<4611686018427387904x4xi8, lds> }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // C2: sums are of 64 bits.
  // expected-error @+2 {{LDS struct 'S' needs 1729382256910270464 bytes on gfx942, the limit is 65536}}
  // expected-note @+1 {{members: a 576460752303423488 + b 576460752303423488 + c 576460752303423488}}
  fly.lds.struct @S { a : !fly.view<576460752303423488xi8, lds>, b : !fly.view<576460752303423488xi8, lds>,
                      c : !fly.view<576460752303423488xi8, lds> }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_struct() kernel {
    // expected-error @+1 {{refers to @S, which is not a fly.lds.struct of this module}}
    %lds = fly.lds.alloc : !fly.lds<@S>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{its fields: a 64}}
  fly.lds.struct @S { a : !fly.view<64xi8, lds> }
  gpu.func @no_field() kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // C1
    // expected-error @+1 {{names the field 'b', which '!fly.lds<@S>' does not have}}
    %b = fly.lds.field %lds[b] : !fly.lds<@S> -> !fly.view<64xi8, lds>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{declared here; add {fly.unchecked} to reinterpret it on purpose}}
  fly.lds.struct @S { a : !fly.view<64xi8, lds> }
  gpu.func @other_type() kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // C2
    // expected-error @+1 {{views the field 'a' as '!fly.view<32xi16, lds>', but it is declared as '!fly.view<64xi8, lds>'}}
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<32xi16, lds>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{declared here}}
  fly.lds.struct @S { a : !fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>> }
  gpu.func @two_swizzles() kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // C2: two different permutations are as wrong as one.
    // expected-error @+1 {{views the field 'a' as}}
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<32x64xbf16, lds, #fly.swizzle<2, 4, 3>>
    gpu.return
  }
}

// -----

func.func @read_coordinates(%v: !fly.view<?x?xbf16>, %i: index) {
  // C1
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  %0 = fly.read %v[%i] : !fly.view<?x?xbf16> -> vector<8xbf16>
  return
}

// -----

func.func @read_type(%v: !fly.view<?xbf16>, %i: index) {
  // C2
  // expected-error @+1 {{moves 'f16' through a view of 'bf16'}}
  %0 = fly.read %v[%i] : !fly.view<?xbf16> -> vector<8xf16>
  return
}

// -----

func.func @read_width(%v: !fly.view<?xbf16>, %i: index) {
  // C2
  // expected-error @+1 {{moves at most 16 whole bytes at once, got 16 elements of 16 bits}}
  %0 = fly.read %v[%i] : !fly.view<?xbf16> -> vector<16xbf16>
  return
}

// -----

func.func @read_rank(%v: !fly.view<?xbf16>, %i: index) {
  // C2
  // expected-error @+1 {{expects a vector of rank 1, got 'vector<2x4xbf16>'}}
  %0 = fly.read %v[%i] : !fly.view<?xbf16> -> vector<2x4xbf16>
  return
}

// -----

func.func @read_not_contiguous(%v: !fly.view<?x?xbf16, #fly.strided<[?, 2]>>, %i: index) {
  // C2
  // expected-error @+1 {{needs a view with a contiguous dimension to move a vector}}
  %0 = fly.read %v[%i, %i] : !fly.view<?x?xbf16, #fly.strided<[?, 2]>> -> vector<8xbf16>
  return
}

// -----

func.func @read_flags(%v: !fly.view<?x?xbf16>, %i: index) {
  // expected-error @+1 {{expects 2 in_bounds flags, got 3}}
  %0 = fly.read %v[%i, %i] in_bounds [true, true, true] : !fly.view<?x?xbf16> -> vector<8xbf16>
  return
}

// -----

func.func @write_coordinates(%v: !fly.view<?x?xbf16>, %i: index, %x: vector<8xbf16>) {
  // C1
  // expected-error @+1 {{expects 2 coordinates, got 3}}
  fly.write %x, %v[%i, %i, %i] : vector<8xbf16>, !fly.view<?x?xbf16>
  return
}

// -----

func.func @write_type(%v: !fly.view<?xbf16>, %i: index, %x: f32) {
  // C2
  // expected-error @+1 {{moves 'f32' through a view of 'bf16'}}
  fly.write %x, %v[%i] : f32, !fly.view<?xbf16>
  return
}

// -----

func.func @write_align(%v: !fly.view<?xbf16>, %i: index, %x: bf16) {
  // expected-error @+1 {{expects an align of at least 1, got -1}}
  fly.write %x, %v[%i] align -1 : bf16, !fly.view<?xbf16>
  return
}

// -----

func.func @hints() {
  // C1 of each hint.
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.mfma 0
  return
}

// -----

func.func @hint_dsrd() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.dsrd 0
  return
}

// -----

func.func @hint_dswr() {
  // expected-error @+1 {{expects a count of at least 1, got -1}}
  fly.sched.dswr -1
  return
}

// -----

func.func @hint_vmem() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.vmem 0
  return
}

// -----

func.func @hint_vmem_write() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.vmem_write 0
  return
}

// -----

func.func @hint_valu() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.valu 0
  return
}

// -----

func.func @hint_salu() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.salu 0
  return
}

// -----

func.func @hint_trans() {
  // expected-error @+1 {{expects a count of at least 1, got 0}}
  fly.sched.trans 0
  return
}

// -----

func.func @priority() {
  // C1
  // expected-error @+1 {{expects a priority of 0 to 3, got 4}}
  fly.setprio 4
  return
}

// -----

func.func @barrier_word() {
  // expected-error @+1 {{unknown word 'global', expected one of: lds, all, bare}}
  fly.barrier global
  return
}

// -----

func.func @wait_for_nothing() {
  // C1
  // expected-error @+1 {{expects a counter, as in 'fly.wait lgkm(0)'}}
  fly.wait
  return
}

// -----

func.func @wait_vm() {
  // C1
  // expected-error @+1 {{expects vm of 0 to 63, got 64}}
  fly.wait vm(64)
  return
}

// -----

func.func @wait_lgkm() {
  // C1
  // expected-error @+1 {{expects lgkm of 0 to 15, got 16}}
  fly.wait lgkm(16)
  return
}

// -----

// The product of elements and bits would wrap to a small number.
func.func @read_overflow(%v: !fly.view<?xi8>, %i: index) {
  // expected-error @+1 {{moves at most 16 whole bytes at once, got 9223372036854775807 elements of 8 bits}}
  %0 = fly.read %v[%i] : !fly.view<?xi8> -> vector<9223372036854775807xi8>
  return
}

// -----

gpu.module @nameless [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{needs a name}}
  "fly.lds.struct"() <{sym_name = "", names = ["a"], types = [!fly.view<64xf32, lds>]}> : () -> ()
}

// -----

// expected-error @+1 {{field "b" must be at a multiple of 16 bytes from 0, got 8}}
fly.lds.struct @S { a : !fly.view<64xi8, lds> at 0, b : !fly.view<64xi8, lds> at 8 }

// -----

// expected-error @+1 {{field "a" must be at a multiple of 16 bytes from 0, got -16}}
fly.lds.struct @S { a : !fly.view<64xi8, lds> at -16 }

// -----

// expected-error @+1 {{field "b" of a union lies at its beginning and at no other byte, got 16}}
fly.lds.struct @U union { a : !fly.view<64xi8, lds>, b : !fly.view<64xi8, lds> at 16 }

// -----

// expected-error @+1 {{field "b" is dynamic, so it lies behind all others and at no byte of its own, got 64}}
fly.lds.struct @S { a : !fly.view<64xi8, lds> at 0, b : !fly.view<?xi8, lds> at 64 }

// -----

// expected-error @+1 {{expects one offset a name, -1 for an object of its own}}
"fly.lds.struct"() <{sym_name = "S", names = ["a"], types = [!fly.view<64xf32, lds>], offsets = array<i64: 0, 16>}> : () -> ()

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+2 {{LDS struct 'S' needs 65552 bytes on gfx942, the limit is 65536}}
  // expected-note @+1 {{members: own 16 + shared 65536 of (a 64 at 0, b 65472 at 64)}}
  fly.lds.struct @S { a : !fly.view<64xi8, lds> at 0, b : !fly.view<65472xi8, lds> at 64, own : !fly.view<16xi8, lds> }
}
