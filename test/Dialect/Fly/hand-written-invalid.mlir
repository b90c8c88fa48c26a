// What each constraint of the ops of hand-written kernels refuses.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

func.func @static_for_of_values(%n: index) {
  // C1
  // expected-error @+1 {{expected a number or the name of a size: the loop is unrolled; scf.for takes values}}
  fly.static_for %i = 0 to %n {
  }
  return
}

// -----

func.func @static_for_step() {
  // C1
  // expected-error @+1 {{expects a positive step, got 0}}
  fly.static_for %i = 0 to 4 step 0 {
  }
  return
}

// -----

func.func @static_for_bounds() {
  // C1
  // expected-error @+1 {{expects a lower bound, an upper bound and a step, got 2 entries}}
  "fly.static_for"() <{static_bounds = [0, 4]}> ({
  ^bb0(%i: index):
    fly.yield
  }) : () -> ()
  return
}

// -----

func.func @static_for_bound_of_another_kind() {
  // C1
  // expected-error @+1 {{expects numbers or names of sizes as bounds and step, got unit}}
  "fly.static_for"() <{static_bounds = [0, unit, 1]}> ({
  ^bb0(%i: index):
    fly.yield
  }) : () -> ()
  return
}

// -----

func.func @static_for_without_index() {
  // C2
  // expected-error @+1 {{expects the body to take an index first}}
  "fly.static_for"() <{static_bounds = [0, 4, 1]}> ({
    fly.yield
  }) : () -> ()
  return
}

// -----

func.func @static_for_yields_nothing(%x: f32) {
  %r = fly.static_for %i = 0 to 4 iter_args(%s = %x) : f32 {
    // C2
    // expected-error @+1 {{carried value: expected 1 values, got 0}}
    fly.yield
  }
  return
}

// -----

func.func @static_for_yields_another_type(%x: f32, %n: i32) {
  %r = fly.static_for %i = 0 to 4 iter_args(%s = %x) : f32 {
    // C2
    // expected-error @+1 {{carried value 0: expected 'f32', got 'i32'}}
    fly.yield %n : i32
  }
  return
}

// -----

func.func @static_for_types(%x: f32) {
  // C2
  // expected-error @+1 {{expected 1 types of iter_args, got 2}}
  %r = fly.static_for %i = 0 to 4 iter_args(%s = %x) : f32, f32 {
    fly.yield %s : f32
  }
  return
}

// -----

func.func @flat_in_lds(%l: !fly.view<64xi8, lds>, %i: index) {
  // C3
  // expected-error @+1 {{is 'flat' in LDS, where nothing is checked}}
  %v = fly.read %l[%i] flat : !fly.view<64xi8, lds> -> i8
  return
}

// -----

func.func @whole_in_lds(%l: !fly.view<64xi8, lds>, %i: index, %v: vector<4xi8>) {
  // C3
  // expected-error @+1 {{is 'whole' in LDS, where nothing is checked}}
  fly.write %v, %l[%i] whole : vector<4xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @flat_with_dimensions(%a: !fly.view<?xi8>, %i: index) {
  // C3
  // expected-error @+1 {{is 'flat', which counts no dimension, and has in_bounds}}
  %v = fly.read %a[%i] flat in_bounds [true] : !fly.view<?xi8> -> i8
  return
}

// -----

func.func @flat_with_pad(%a: !fly.view<?xi8>, %i: index) {
  // C3
  // expected-error @+1 {{is 'flat', so outside reads as zero, and pads with one}}
  %v = fly.read %a[%i] pad one flat : !fly.view<?xi8> -> i8
  return
}

// -----

func.func @block_of_rows(%a: !fly.view<?x?xi8>, %i: index) {
  // C4
  // expected-error @+1 {{reads a block, which needs a preshuffled view, got '!fly.view<?x?xi8>'}}
  %v = fly.read %a[%i, %i] {block} : !fly.view<?x?xi8> -> vector<16xi8>
  return
}

// -----

func.func @block_of_another_size(%a: !fly.view<?x?xi8, #fly.preshuffle<16, 128>>, %i: index) {
  // C4
  // expected-error @+1 {{reads a block with 64 lanes of 16 bytes, got #fly.preshuffle<16, 128>}}
  %v = fly.read %a[%i, %i] {block} : !fly.view<?x?xi8, #fly.preshuffle<16, 128>> -> vector<16xi8>
  return
}

// -----

func.func @half_a_chunk(%a: !fly.view<?x?xi8, #fly.preshuffle<16, 64>>, %i: index) {
  // C4
  // expected-error @+1 {{reads 16 bytes of a block a lane, got 'vector<8xi8>'}}
  %v = fly.read %a[%i, %i] {block} : !fly.view<?x?xi8, #fly.preshuffle<16, 64>> -> vector<8xi8>
  return
}

// -----

func.func @dma_from_lds(%a: !fly.view<?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C1
  // expected-error @+1 {{copies from global memory to LDS, got '!fly.view<64xi8, lds>' to '!fly.view<?xi8>'}}
  fly.dma %l[%i] to %a[%i] : i8, !fly.view<64xi8, lds>, !fly.view<?xi8>
  return
}

// -----

func.func @dma_converts(%a: !fly.view<?xi8>, %l: !fly.view<64xi16, lds>, %i: index) {
  // C1
  // expected-error @+1 {{copies between views of one element, got 'i8' and 'i16'}}
  fly.dma %a[%i] to %l[%i] : i8, !fly.view<?xi8>, !fly.view<64xi16, lds>
  return
}

// -----

func.func @dma_coordinates(%a: !fly.view<?x?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C1
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  fly.dma %a[%i] to %l[%i] : i8, !fly.view<?x?xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @dma_target_coordinates(%a: !fly.view<?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C1
  // expected-error @+1 {{expects 1 coordinates of the target, got 2}}
  fly.dma %a[%i] to %l[%i, %i] : i8, !fly.view<?xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @dma_width(%a: !fly.view<?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C2
  // expected-error @+1 {{copies 1, 2, 4, 12 or 16 bytes a lane, got 'vector<8xi8>'}}
  fly.dma %a[%i] to %l[%i] : vector<8xi8>, !fly.view<?xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @dma_type(%a: !fly.view<?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C2
  // expected-error @+1 {{copies 'i16' through views of 'i8'}}
  fly.dma %a[%i] to %l[%i] : vector<2xi16>, !fly.view<?xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @dma_rank(%a: !fly.view<?xi8>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C2
  // expected-error @+1 {{expects a vector of rank 1, got 'vector<2x2xi8>'}}
  fly.dma %a[%i] to %l[%i] : vector<2x2xi8>, !fly.view<?xi8>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @dma_against_the_grain(%a: !fly.view<?x?xi8, #fly.strided<[?, ?]>>, %l: !fly.view<64xi8, lds>, %i: index) {
  // C2
  // expected-error @+1 {{needs a source with a contiguous dimension to copy a vector}}
  fly.dma %a[%i, %i] to %l[%i] : vector<4xi8>, !fly.view<?x?xi8, #fly.strided<[?, ?]>>, !fly.view<64xi8, lds>
  return
}

// -----

func.func @transposed_from_memory(%a: !fly.view<?x?xbf16>, %i: index) {
  // C1
  // expected-error @+1 {{reads LDS along a contiguous dimension, got '!fly.view<?x?xbf16>'}}
  %v = fly.read_transposed %a[%i, %i] : !fly.view<?x?xbf16> -> vector<4xbf16>
  return
}

// -----

func.func @transposed_count(%l: !fly.view<64x64xbf16, lds>, %i: index) {
  // C2
  // expected-error @+1 {{gives 4 elements of 16 bits, 8 of 8 bits, 16 of 6 or of 4 bits, got 'vector<8xbf16>'}}
  %v = fly.read_transposed %l[%i, %i] : !fly.view<64x64xbf16, lds> -> vector<8xbf16>
  return
}

// -----

func.func @transposed_narrow(%l: !fly.view<64x64xbf16, lds>, %i: index) {
  // C2
  // expected-error @+1 {{reads 'i4' through a view of 'bf16': needs a view of i8}}
  %v = fly.read_transposed %l[%i, %i] : !fly.view<64x64xbf16, lds> -> vector<16xi4>
  return
}
