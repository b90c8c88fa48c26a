// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func private @scalar_rank(%v: !fly.view<?x?xi32>) {
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  %q = fly.load_scalar %v[0] : !fly.view<?x?xi32> -> i32
  return
}

// -----

func.func private @scalar_type(%v: !fly.view<?xi32>) {
  // expected-error @+1 {{gives a 'i32' of its view, got 'f32'}}
  %q = fly.load_scalar %v[0] : !fly.view<?xi32> -> f32
  return
}

// -----

func.func private @scalar_view(%v: f32) {
  // expected-error @+1 {{must be memory with extents, strides and a byte layout, but got 'f32'}}
  %q = fly.load_scalar %v[0] : f32 -> f32
  return
}

// -----

func.func private @rows_type(%x: !fly.view<?x?xf16>, %r: tensor<64xi64>) {
  // expected-error @+1 {{expects row numbers as a tile of i32 of rank 1, got 'tensor<64xi64>'}}
  %t = fly.gather %x rows(%r) at [0] : !fly.view<?x?xf16>, tensor<64xi64> -> tensor<64x32xf16>
  return
}

// -----

func.func private @rows_count(%x: !fly.view<?x?xf16>, %r: tensor<32xi32>) {
  // expected-error @+1 {{has 32 row numbers for a tile of 64x32}}
  %t = fly.gather %x rows(%r) at [0] : !fly.view<?x?xf16>, tensor<32xi32> -> tensor<64x32xf16>
  return
}

// -----

func.func private @rows_rank(%x: !fly.view<?x?x?xf16>, %r: tensor<64xi32>) {
  // expected-error @+1 {{has a tile of rank 2 in a view of rank 3}}
  %t = fly.gather %x rows(%r) at [0, 0] : !fly.view<?x?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  return
}

// -----

func.func private @rows_coordinates(%x: !fly.view<?x?xf16>, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects 1 coordinates behind the rows, got 2}}
  %t = fly.gather %x rows(%r) at [0, 0] : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  return
}

// -----

func.func private @rows_pad(%x: !fly.view<?x?xi32>, %r: tensor<64xi32>) {
  // expected-error @+1 {{pads with neg_inf, but 'i32' has no infinity: use lowest}}
  %t = fly.gather %x rows(%r) at [0] pad neg_inf : !fly.view<?x?xi32>, tensor<64xi32> -> tensor<64x32xi32>
  return
}

// -----

func.func private @rows_pad_word(%x: !fly.view<?x?xi32>, %r: tensor<64xi32>) {
  // expected-error @+1 {{unknown pad 'two', expected one of: zero, one, neg_inf, pos_inf, lowest}}
  %t = fly.gather %x rows(%r) at [0] pad two : !fly.view<?x?xi32>, tensor<64xi32> -> tensor<64x32xi32>
  return
}

// -----

func.func private @scatter_type(%t: tensor<64x32xf32>, %y: !fly.view<?x?xf16>, %r: tensor<64xi32>) {
  // expected-error @+1 {{has a tile of 'f32' in a view of 'f16': convert with fly.cast}}
  fly.scatter %t, %y rows(%r) at [0] : tensor<64x32xf32>, !fly.view<?x?xf16>, tensor<64xi32>
  return
}

// -----

func.func private @scatter_mask(%t: tensor<64x32xf16>, %y: !fly.view<?x?xf16>, %r: tensor<64xi32>, %m: tensor<64x32xi8>) {
  // expected-error @+1 {{expects a mask of i1, got 'i8'}}
  fly.scatter %t, %y rows(%r) at [0] mask %m : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>, tensor<64x32xi8>
  return
}

// -----

func.func private @atomic_kind(%t: tensor<64xf32>, %c: !fly.view<?xf32>) {
  // expected-error @+1 {{has no atomic xor on 'f32': expected integers of 32 or 64 bits}}
  fly.atomic xor %t, %c[0] relaxed agent : tensor<64xf32>, !fly.view<?xf32>
  return
}

// -----

func.func private @atomic_narrow(%t: tensor<64xi8>, %c: !fly.view<?xi8>) {
  // expected-error @+1 {{has no atomic add on 'i8': expected integers or floats of 32 or 64 bits, f16 or bf16}}
  fly.atomic add %t, %c[0] relaxed agent : tensor<64xi8>, !fly.view<?xi8>
  return
}

// -----

func.func private @atomic_xchg(%t: tensor<64xf32>, %c: !fly.view<?xf32>) {
  // expected-error @+1 {{xchg gives the old value: use fly.atomic_rmw}}
  fly.atomic xchg %t, %c[0] relaxed agent : tensor<64xf32>, !fly.view<?xf32>
  return
}

// -----

func.func private @atomic_order(%t: tensor<64xf32>, %c: !fly.view<?xf32>) {
  // expected-error @+1 {{unknown word 'weak', expected one of: relaxed, acquire, release, acq_rel, seq_cst}}
  fly.atomic add %t, %c[0] weak agent : tensor<64xf32>, !fly.view<?xf32>
  return
}

// -----

func.func private @rmw_type(%v: f16, %c: !fly.view<?xf16>) {
  // expected-error @+1 {{gives old values of 32 or 64 bits, got 'f16'}}
  %o = fly.atomic_rmw add %v, %c[0] relaxed agent : !fly.view<?xf16>
  return
}

// -----

func.func private @fence_relaxed() {
  // expected-error @+1 {{relaxed orders nothing: expected acquire, release, acq_rel or seq_cst}}
  fly.fence relaxed agent
  return
}

// -----

func.func private @assert_type(%c: i32) {
  // expected-error @+1 {{expects a condition of i1 or a tile of it, got 'i32'}}
  fly.assert %c, "text" : i32
  return
}

// -----

func.func private @print_places(%c: i32) {
  // expected-error @+1 {{has 2 {} for 1 values}}
  fly.print "{} and {}", %c : i32
  return
}

// -----

func.func private @print_type(%c: !fly.view<?xi32>) {
  // expected-error @+1 {{prints numbers and tiles of numbers, got '!fly.view<?xi32>'}}
  fly.print "{}", %c : !fly.view<?xi32>
  return
}

// -----

func.func private @gather_in_bounds(%x: !fly.view<?x?xf16>, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects 2 in_bounds flags, got 1}}
  %t = fly.gather %x rows(%r) at [0] in_bounds [true] : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  return
}

// -----

func.func private @scatter_align(%t: tensor<64x32xf16>, %y: !fly.view<?x?xf16>, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects an align of at least 1, got 0}}
  fly.scatter %t, %y rows(%r) at [0] align 0 : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>
  return
}

// -----

func.func private @atomic_without_order(%t: tensor<64xf32>, %c: !fly.view<?xf32>) {
  // expected-error @+1 {{expected one of: relaxed, acquire, release, acq_rel, seq_cst}}
  fly.atomic add %t, %c[0] : tensor<64xf32>, !fly.view<?xf32>
  return
}

// -----

func.func private @atomic_in_bounds(%t: tensor<64xf32>, %c: !fly.view<?xf32>) {
  // expected-error @+1 {{expects 1 in_bounds flags, got 2}}
  fly.atomic add %t, %c[0] in_bounds [true, true] relaxed agent : tensor<64xf32>, !fly.view<?xf32>
  return
}

// -----

func.func private @update_coordinates(%x: f32, %c: !fly.view<?x?xf32>, %r: index) {
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  fly.update add %x, %c[%r] relaxed agent : f32, !fly.view<?x?xf32>
  return
}

// -----

func.func private @update_lds(%x: f32, %c: !fly.view<64xf32, lds>, %r: index) {
  // expected-error @+1 {{is an atomic of global memory, got a view of LDS}}
  fly.update add %x, %c[%r] relaxed agent : f32, !fly.view<64xf32, lds>
  return
}

// -----

func.func private @update_type(%x: i32, %c: !fly.view<?xf32>, %r: index) {
  // expected-error @+1 {{combines 'i32' with elements of 'f32'}}
  fly.update add %x, %c[%r] relaxed agent : i32, !fly.view<?xf32>
  return
}

// -----

func.func private @update_vector(%x: vector<4xf16>, %c: !fly.view<?xf16>, %r: index) {
  // expected-error @+1 {{combines one element, or adds two of f16 or bf16 along a contiguous dimension, got add of 'vector<4xf16>'}}
  fly.update add %x, %c[%r] relaxed agent : vector<4xf16>, !fly.view<?xf16>
  return
}

// -----

func.func private @update_kind(%x: f32, %c: !fly.view<?xf32>, %r: index) {
  // expected-error @+1 {{has no atomic umax on 'f32': expected integers of 32 or 64 bits}}
  fly.update umax %x, %c[%r] relaxed agent : f32, !fly.view<?xf32>
  return
}

// -----

func.func private @update_old(%x: f32, %c: !fly.view<?xf32>, %r: index) {
  // expected-error @+1 {{gives the old value of one element, a 'f32', got 'i32' for 'f32'}}
  %o = fly.update add %x, %c[%r] relaxed agent : f32, !fly.view<?xf32> -> i32
  return
}

// -----

func.func private @update_in_bounds(%x: f32, %c: !fly.view<?xf32>, %r: index) {
  // expected-error @+1 {{expects 1 in_bounds flags, got 2}}
  fly.update add %x, %c[%r] in_bounds [true, false] relaxed agent : f32, !fly.view<?xf32>
  return
}

// -----

func.func private @record_channel(%c: !fly.view<?x?xi32>) {
  // expected-error @+1 {{writes to a view of rank 1 of i32 in global memory, got '!fly.view<?x?xi32>'}}
  fly.record 0 to %c : !fly.view<?x?xi32> at()
  return
}

// -----

func.func private @record_condition(%c: !fly.view<?xi32>, %x: i32) {
  // expected-error @+1 {{expects a condition of i1 or a tile of it, got 'i32'}}
  fly.record 0 to %c : !fly.view<?xi32> at() unless %x : i32
  return
}

// -----

func.func private @record_shape(%c: !fly.view<?xi32>, %ok: tensor<4xi1>, %x: tensor<8xi32>) {
  // expected-error @+1 {{has a value of 'tensor<8xi32>' beside a condition of 'tensor<4xi1>'}}
  fly.record 0 to %c : !fly.view<?xi32> at() unless %ok : tensor<4xi1> values %x : tensor<8xi32>
  return
}

// -----

func.func private @record_values(%c: !fly.view<?xi32>, %x: vector<4xi32>) {
  // expected-error @+1 {{records numbers of at most 64 bits and tiles of them, got 'vector<4xi32>'}}
  fly.record 0 to %c : !fly.view<?xi32> at() values %x : vector<4xi32>
  return
}

// -----

func.func private @record_site(%c: !fly.view<?xi32>) {
  // expected-error @+1 {{expects a site that is not negative and at most three coordinates of a workgroup, got site -1 and 0 coordinates}}
  fly.record -1 to %c : !fly.view<?xi32> at()
  return
}

// -----

func.func @pad_that_is_a_number(%v: !fly.view<?xf32>, %i: i32) {
  // expected-error @+1 {{expected the word of pad, one of: zero, one, neg_inf, pos_inf, lowest}}
  %t = fly.load %v[%i] pad -1.0 : !fly.view<?xf32> -> tensor<64xf32>
  return
}
