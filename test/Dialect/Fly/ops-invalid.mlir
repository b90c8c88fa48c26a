// What each constraint of the tile ops refuses. The labels name the constraint.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

func.func @multiple(%K: i32) {
  // C1
  // expected-error @+1 {{expects a multiple from 1 to 2147483647, got 0}}
  fly.require_multiple %K of 0
  return
}

// -----

func.func @grid_without_dimension() {
  // C1
  // expected-error @+1 {{expects 1 to 3 dimensions, got 0}}
  "fly.grid"() <{operandSegmentSizes = array<i32: 0, 0>, static_bounds = [], static_steps = []}> : () -> ()
  return
}

// -----

func.func @grid_steps(%M: i32) {
  // C1
  // expected-error @+1 {{expects 2 steps, got 1}}
  %m, %n = fly.grid to (%M, 64) step (16)
  return
}

// -----

func.func @grid_step(%M: i32) {
  // C2
  // expected-error @+1 {{expects positive steps, dimension 1 has -16}}
  %m, %n = fly.grid to (%M, 64) step (16, -16)
  return
}

// -----

func.func @grid_in_a_branch(%M: i32, %c: i1) {
  scf.if %c {
    // C3
    // expected-error @+1 {{must stand at the top level of a function, since it is the launch of all workgroups}}
    %m = fly.grid to (%M) step (16)
  }
  return
}

// -----

func.func @two_grids(%M: i32) {
  // expected-note @+1 {{the first is here}}
  %m = fly.grid to (%M) step (16)
  // C3
  // expected-error @+1 {{is the second grid of this function}}
  %n = fly.grid to (%M) step (16)
  return
}

// -----

func.func @grid_bound(%M: i32) {
  // expected-error @+1 {{bounds must fit 32 bits, got 4294967296}}
  %m = fly.grid to (4294967296) step (16)
  return
}

// -----

func.func @grid_syntax(%M: i32) {
  // expected-error @+1 {{expected a value, a number, or the name of a size}}
  %m = fly.grid to (1.5) step (16)
  return
}

// -----

func.func @view_rank(%p: !fly.ptr<bf16>, %M: i32) {
  // C1
  // expected-error @+1 {{expects 2 extents, got 1}}
  %v = fly.view %p[%M] : !fly.view<?x?xbf16>
  return
}

// -----

func.func @view_strides(%p: !fly.ptr<bf16>, %M: i32) {
  // C1
  // expected-error @+1 {{expects 2 strides, got 1}}
  %v = fly.view %p[%M, %M] strides [1] : !fly.view<?x?xbf16>
  return
}

// -----

func.func @view_extent(%p: !fly.ptr<bf16>, %M: i32) {
  // C2
  // expected-error @+1 {{extent 1 is 32, but the type says 64}}
  %v = fly.view %p[%M, 32] : !fly.view<?x64xbf16>
  return
}

// -----

func.func @view_extent_as_value(%p: !fly.ptr<bf16>, %M: i32) {
  // C2
  // expected-error @+1 {{extent 1 is a value, but the type says 64: write the number}}
  %v = fly.view %p[%M, %M] : !fly.view<?x64xbf16>
  return
}

// -----

func.func @view_stride(%p: !fly.ptr<bf16>, %M: i32) {
  // C2
  // expected-error @+1 {{stride 0 is 256, but the type says 128}}
  %v = fly.view %p[%M, %M] strides [256, 1] : !fly.view<?x?xbf16, #fly.strided<[128, 1]>>
  return
}

// -----

func.func @view_last_stride(%p: !fly.ptr<bf16>, %M: i32) {
  // C2
  // expected-error @+1 {{has a last stride that is not 1: say which dimension is contiguous in the type, as in #fly.strided<[1, ?]>}}
  %v = fly.view %p[%M, %M] strides [1, %M] : !fly.view<?x?xbf16>
  return
}

// -----

func.func @view_without_strides(%p: !fly.ptr<bf16>, %M: i32) {
  // C2
  // expected-error @+1 {{needs 'strides': its type says #fly.strided<[1, ?]>, which is not row-major}}
  %v = fly.view %p[%M, %M] : !fly.view<?x?xbf16, #fly.strided<[1, ?]>>
  return
}

// -----

func.func @view_negative_extent(%p: !fly.ptr<bf16>) {
  // expected-error @+1 {{expects extents of at least 0, dimension 0 has -1}}
  %v = fly.view %p[-1] : !fly.view<?xbf16>
  return
}

// -----

func.func @view_of_lds(%p: !fly.ptr<bf16>) {
  // C3
  // expected-error @+1 {{makes views of global memory; a view of LDS is taken by fly.lds.field}}
  %v = fly.view %p[64] : !fly.view<64xbf16, lds>
  return
}

// -----

func.func @view_of_another_type(%p: !fly.ptr<bf16>) {
  // C3
  // expected-error @+1 {{expects a pointer to 'f32', got '!fly.ptr<bf16>'}}
  %v = "fly.view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_extents = [64]}> : (!fly.ptr<bf16>) -> !fly.view<64xf32>
  return
}

// -----

func.func @view_type(%p: !fly.ptr<bf16>) {
  // expected-error @+1 {{expected a view type, got 'tensor<64xbf16>'}}
  %v = fly.view %p[64] : tensor<64xbf16>
  return
}

// -----

func.func @load_coordinates(%v: !fly.view<?x?xf32>, %i: i32) {
  // C1
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  %t = fly.load %v[%i] : !fly.view<?x?xf32> -> tensor<64xf32>
  return
}

// -----

func.func @load_rank(%v: !fly.view<?xf32>, %i: i32) {
  // C1
  // expected-error @+1 {{has a tile of rank 2 in a view of rank 1}}
  %t = fly.load %v[%i] : !fly.view<?xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @load_type(%v: !fly.view<?xf32>, %i: i32) {
  // C2
  // expected-error @+1 {{has a tile of 'f16' in a view of 'f32': convert with fly.cast}}
  %t = fly.load %v[%i] : !fly.view<?xf32> -> tensor<64xf16>
  return
}

// -----

func.func @load_mask_type(%v: !fly.view<?xf32>, %i: i32, %m: tensor<64xi8>) {
  // C3
  // expected-error @+1 {{expects a mask of i1, got 'i8'}}
  %t = fly.load %v[%i] mask %m : !fly.view<?xf32>, tensor<64xi8> -> tensor<64xf32>
  return
}

// -----

func.func @load_mask_shape(%v: !fly.view<?xf32>, %i: i32, %m: tensor<32xi1>) {
  // C3
  // expected-error @+1 {{mask: expected a tile of 64, got 32}}
  %t = fly.load %v[%i] mask %m : !fly.view<?xf32>, tensor<32xi1> -> tensor<64xf32>
  return
}

// -----

func.func @load_pad_without_infinity(%v: !fly.view<?xf8E4M3FN>, %i: i32) {
  // expected-error @+1 {{pads with neg_inf, but 'f8E4M3FN' has no infinity: use lowest}}
  %t = fly.load %v[%i] pad neg_inf : !fly.view<?xf8E4M3FN> -> tensor<64xf8E4M3FN>
  return
}

// -----

func.func @load_pad_word(%v: !fly.view<?xf32>, %i: i32) {
  // expected-error @+1 {{unknown pad 'nought', expected one of: zero, one, neg_inf, pos_inf, lowest}}
  %t = fly.load %v[%i] pad nought : !fly.view<?xf32> -> tensor<64xf32>
  return
}

// -----

func.func @load_cache_word(%v: !fly.view<?xf32>, %i: i32) {
  // expected-error @+1 {{unknown cache policy 'never', expected one of: default, stream}}
  %t = fly.load %v[%i] cache never : !fly.view<?xf32> -> tensor<64xf32>
  return
}

// -----

func.func @load_flags(%v: !fly.view<?x?xf32>, %i: i32) {
  // expected-error @+1 {{expects 2 in_bounds flags, got 1}}
  %t = fly.load %v[%i, %i] in_bounds [true] : !fly.view<?x?xf32> -> tensor<64xf32>
  return
}

// -----

func.func @load_align(%v: !fly.view<?xf32>, %i: i32) {
  // expected-error @+1 {{expects an align of at least 1, got 0}}
  %t = fly.load %v[%i] align 0 : !fly.view<?xf32> -> tensor<64xf32>
  return
}

// -----

func.func @store_coordinates(%v: !fly.view<?x?xf32>, %t: tensor<64xf32>, %i: i32) {
  // C1
  // expected-error @+1 {{expects 2 coordinates, got 3}}
  fly.store %t, %v[%i, %i, %i] : tensor<64xf32>, !fly.view<?x?xf32>
  return
}

// -----

func.func @store_type(%v: !fly.view<?xf32>, %t: tensor<64xbf16>, %i: i32) {
  // C2
  // expected-error @+1 {{has a tile of 'bf16' in a view of 'f32': convert with fly.cast}}
  fly.store %t, %v[%i] : tensor<64xbf16>, !fly.view<?xf32>
  return
}

// -----

func.func @store_mask(%v: !fly.view<?xf32>, %t: tensor<64xf32>, %i: i32, %m: tensor<64x1xi1>) {
  // C3
  // expected-error @+1 {{mask: expected a tile of 64, got 64x1}}
  fly.store %t, %v[%i] mask %m : tensor<64xf32>, !fly.view<?xf32>, tensor<64x1xi1>
  return
}

// -----

func.func @constant_too_large() {
  // C1
  // expected-error @+1 {{value 256 : i64 does not exist in 'i8'}}
  %c = fly.constant 256 : tensor<64xi8>
  return
}

// -----

func.func @constant_infinity() {
  // C1
  // expected-error @+1 {{value "neg_inf" does not exist in 'f8E4M3FN'}}
  %c = fly.constant neg_inf : tensor<64xf8E4M3FN>
  return
}

// -----

func.func @constant_float_of_integers() {
  // C1
  // expected-error @+1 {{value 5.000000e-01 : f64 does not exist in 'i32'}}
  %c = fly.constant 0.5 : tensor<64xi32>
  return
}

// -----

func.func @constant_lowest_of_unsigned() {
  // C1: exponents have no sign.
  // expected-error @+1 {{value "lowest" does not exist in 'f8E8M0FNU'}}
  %c = fly.constant lowest : tensor<64xf8E8M0FNU>
  return
}

// -----

func.func @constant_word() {
  // expected-error @+1 {{unknown constant 'infinity', expected a number, neg_inf, pos_inf, lowest or nan}}
  %c = fly.constant infinity : tensor<64xf32>
  return
}

// -----

func.func @constant_word_in_generic_form() {
  // C1
  // expected-error @+1 {{value "infinity" does not exist in 'f32'}}
  %c = "fly.constant"() <{value = "infinity"}> : () -> tensor<64xf32>
  return
}

// -----

func.func @splat_type(%s: f16) {
  // C1
  // expected-error @+1 {{expects a scalar of 'f32', got 'f16'}}
  %t = fly.splat %s : f16 -> tensor<64xf32>
  return
}

// -----

func.func @broadcast_shape(%r: tensor<64xf32>) {
  // C1
  // expected-error @+1 {{along 1 cannot turn 64 of 'f32' into 32x64 of 'f32'}}
  %t = fly.broadcast %r along 1 : tensor<64xf32> -> tensor<32x64xf32>
  return
}

// -----

func.func @broadcast_dimension(%r: tensor<64xf32>) {
  // C1
  // expected-error @+1 {{along 2 cannot turn 64 of 'f32' into 64x32 of 'f32'}}
  %t = fly.broadcast %r along 2 : tensor<64xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_type(%r: tensor<64xf32>) {
  // C1
  // expected-error @+1 {{along 1 cannot turn 64 of 'f32' into 64x32 of 'f16'}}
  %t = fly.broadcast %r along 1 : tensor<64xf32> -> tensor<64x32xf16>
  return
}

// -----

func.func @dot_k(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>, %c: tensor<64x64xf32>) {
  // C1: B is N x K, not K x N.
  // expected-error @+1 {{expects A of M x K, B of N x K and an accumulator of M x N, got 64x32, 32x64 and 64x64}}
  %d = fly.dot %a, %b, %c : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  return
}

// -----

!A = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B = tensor<?x?xbf16, #fly.tile<BN, BJ>>
!C = tensor<?x?xf32, #fly.tile<BM, BN>>
func.func @dot_names(%a: !A, %b: !B, %c: !C) {
  // C1: two names are two sizes.
  // expected-error @+1 {{got BMxBK, BNxBJ and BMxBN}}
  %d = fly.dot %a, %b, %c : !A, !B -> !C
  return
}

// -----

func.func @dot_mixed(%a: tensor<64x32xbf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) {
  // C2
  // expected-error @+1 {{expects A and B of one type, got 'bf16' and 'f16'}}
  %d = fly.dot %a, %b, %c : tensor<64x32xbf16>, tensor<64x32xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func private @dot_of_mx(%a: tensor<64x128xf4E2M1FN>, %acc: tensor<64x64xf32>) {
  // expected-error @+1 {{expects operands of f16, bf16, f32, f64, i8 or fp8, got 'f4E2M1FN'; formats of MX take fly.dot_scaled}}
  %d = fly.dot %a, %a, %acc : tensor<64x128xf4E2M1FN>, tensor<64x128xf4E2M1FN> -> tensor<64x64xf32>
  return
}

// -----

func.func @dot_operands(%a: tensor<64x32xi16>, %c: tensor<64x64xf32>) {
  // C2
  // expected-error @+1 {{expects operands of f16, bf16, f32, f64, i8 or fp8, got 'i16'}}
  %d = fly.dot %a, %a, %c : tensor<64x32xi16>, tensor<64x32xi16> -> tensor<64x64xf32>
  return
}

// -----

func.func @dot_accumulator(%a: tensor<64x32xi8>, %c: tensor<64x64xf32>) {
  // C2
  // expected-error @+1 {{expects an accumulator of 'i32' for operands of 'i8', got 'f32'}}
  %d = fly.dot %a, %a, %c : tensor<64x32xi8>, tensor<64x32xi8> -> tensor<64x64xf32>
  return
}

// -----

func.func @activate_double(%t: tensor<64x32xf64>) {
  // C1
  // expected-error @+1 {{operand #0 must be f32, f16 or bf16, but got 'tensor<64x32xf64>'}}
  %h = fly.activate silu %t : tensor<64x32xf64>
  return
}

// -----

func.func @activate_types(%t: tensor<64x32xf32>) {
  // C1
  // expected-error @+1 {{requires the same type for all operands and results}}
  %h = "fly.activate"(%t) {kind = #fly.activation<silu>} : (tensor<64x32xf32>) -> tensor<64x32xf16>
  return
}

// -----

func.func @activate_kind(%t: tensor<64x32xf32>) {
  // expected-error @+1 {{unknown word 'gelu', expected one of: sigmoid, silu, gelu_tanh, gelu_erf}}
  %h = fly.activate gelu %t : tensor<64x32xf32>
  return
}

// -----

func.func @activate_no_kind(%t: tensor<64x32xf32>) {
  // expected-error @+1 {{requires attribute 'kind'}}
  %h = "fly.activate"(%t) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @cast_shape(%t: tensor<64x32xf32>) {
  // C1
  // expected-error @+1 {{result: expected a tile of 64x32, got 32x64}}
  %h = fly.cast %t : tensor<64x32xf32> -> tensor<32x64xf16>
  return
}

// -----

func.func @cast_layout(%t: tensor<64x32xf32>) {
  // C1
  // expected-error @+1 {{must keep the layout; change it with fly.convert_layout}}
  %h = fly.cast %t : tensor<64x32xf32> -> tensor<64x32xf16, #fly.staged<"a", 0>>
  return
}

// -----

func.func @cast_to_itself(%t: tensor<64x32xf32>) {
  // expected-error @+1 {{converts 'f32' to itself: drop it}}
  %h = fly.cast %t : tensor<64x32xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @cast_of_flags(%t: tensor<64x32xindex>) {
  // C1
  // expected-error @+1 {{expects numeric elements, got 'index'}}
  %h = fly.cast %t : tensor<64x32xindex> -> tensor<64x32xf16>
  return
}

// -----

func.func @cast_word(%t: tensor<64x32xf32>) {
  // expected-error @+1 {{unknown word 'wrap', expected one of: ieee, saturate}}
  %h = fly.cast %t overflow wrap : tensor<64x32xf32> -> tensor<64x32xf16>
  return
}

// -----

func.func @convert_type(%t: tensor<64x32xf32>) {
  // C1
  // expected-error @+1 {{changes the layout alone, got 'tensor<64x32xf32>' and 'tensor<64x32xf16, #fly.staged<"a", 0>>'}}
  %s = fly.convert_layout %t : tensor<64x32xf32> -> tensor<64x32xf16, #fly.staged<"a", 0>>
  return
}

// -----

func.func @map_syntax(%x: tensor<64x32xf32>) {
  // C1
  // expected-error @+2 {{expression: expected a number, a name or '(', got ')'}}
  // expected-note @+1 {{in "max(x, )" at column 8: max(x,  <-- here --> )}}
  %o = fly.map "max(x, )" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_function(%x: tensor<64x32xf32>) {
  // C1
  // expected-error @+2 {{expression: unknown function 'tah' (did you mean 'tanh'?), known are: min, max, abs,}}
  // expected-note @+1 {{at column 1}}
  %o = fly.map "tah(x)" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_arguments(%x: tensor<64x32xf32>) {
  // C1
  // expected-error @+2 {{expression: 'max' takes 2 arguments, got 1}}
  // expected-note @+1 {{at column 5}}
  %o = fly.map "x + max(x)" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_comparison(%x: tensor<64x32xf32>) {
  // C1
  // expected-error @+2 {{expression: a comparison is not a value: use it as 'condition ? a : b'}}
  // expected-note @+1 {{at column 3}}
  %o = fly.map "x < 1" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_unbound(%x: tensor<64x32xf32>) {
  // C1
  // expected-error @+2 {{name 'y' is not bound, bound are: x}}
  // expected-note @+1 {{in "x + y" at column 5: x +  <-- here --> y}}
  %o = fly.map "x + y" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_twice(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{binds "x" twice}}
  %o = fly.map "x" (x = %x, x = %x) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_shape(%x: tensor<32x64xf32>) {
  // C2
  // expected-error @+1 {{input x: expected a tile of 64x32, got 32x64}}
  %o = fly.map "x" (x = %x) : (tensor<32x64xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_rows(%r: tensor<32xf32>) {
  // C2
  // expected-error @+1 {{input "r" (rows) must be a tile of extent 64, got 'tensor<32xf32>'}}
  %o = fly.map "r" (r = rows %r) : (tensor<32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_cols(%r: tensor<64xf32>) {
  // C2
  // expected-error @+1 {{input "r" (cols) must be a tile of extent 32, got 'tensor<64xf32>'}}
  %o = fly.map "r" (r = cols %r) : (tensor<64xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_of_integers(%x: tensor<64x32xi32>) {
  // expected-error @+1 {{input "x" must have floats of at most 32 bits, got 'i32'}}
  %o = fly.map "x" (x = %x) : (tensor<64x32xi32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @map_to_integers(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{computes in f32, so it gives tiles of floats of at most 32 bits, got 'i32'}}
  %o = fly.map "x" (x = %x) : (tensor<64x32xf32>) -> tensor<64x32xi32>
  return
}

// -----

// C1: 65520 is the first number that rounds to the infinity of f16.
func.func @constant_overflow() {
  %ok = fly.constant 65519.0 : tensor<64xf16>
  // expected-error @+1 {{value 6.552000e+04 : f64 does not exist in 'f16'}}
  %c = fly.constant 65520.0 : tensor<64xf16>
  return
}

// -----

func.func @constant_integer_overflow() {
  // expected-error @+1 {{value 65520 : i64 does not exist in 'f16'}}
  %c = fly.constant 65520 : tensor<64xf16>
  return
}

// -----

func.func @constant_beyond_64_bits() {
  // expected-error @+1 {{constant does not fit 64 bits}}
  %c = fly.constant 9223372036854775808 : tensor<64xi64>
  return
}

// -----

func.func @constant_infinity_as_number() {
  // expected-error @+1 {{writes infinities and NaN by name: neg_inf, pos_inf, nan}}
  %c = "fly.constant"() <{value = 0x7FF0000000000000 : f64}> : () -> tensor<64xf32>
  return
}

// -----

// C1
func.func @multiple_beyond_i32(%k: i32) {
  // expected-error @+1 {{expects a multiple from 1 to 2147483647, got 2147483648}}
  fly.require_multiple %k of 2147483648
  return
}

// -----

func.func @extent_of_another_type(%p: !fly.ptr<f32>) {
  // expected-error @+1 {{extents must be values, numbers (i64) or names, got 5 : i32}}
  %v = "fly.view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_extents = [5 : i32]}> : (!fly.ptr<f32>) -> !fly.view<5xf32>
  return
}

// -----

func.func @map_role(%x: tensor<64xf32>) {
  // expected-error @+1 {{expects the role of input "x" to be tile, rows or cols, got "row"}}
  %y = "fly.map"(%x) <{expression = "x", names = ["x"], roles = ["row"]}> : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

// View C4: the layout says where elements lie.
func.func private @strides_of_a_shuffle(%p: !fly.ptr<i8>, %M: i32) {
  // expected-error @+1 {{'fly.view' op has strides, but #fly.preshuffle<16, 64> says where its elements lie: leave them out}}
  %v = fly.view %p[%M, %M] strides [%M, 1] : !fly.view<?x?xi8, #fly.preshuffle<16, 64>>
  return
}

// -----

// View C4: whole blocks.
func.func private @part_of_a_block(%p: !fly.ptr<i8>, %M: i32) {
  // expected-error @+1 {{'fly.view' op extent 96 of dimension 1 must be a multiple of 64: preshuffled elements lie in blocks of 16 x 64}}
  %v = fly.view %p[%M, 96] : !fly.view<?x?xi8, #fly.preshuffle<16, 64>>
  return
}

// -----

func.func @strides_without_list(%p: !fly.ptr<bf16>, %n: i32) {
  // expected-error @+1 {{has 1 strides as values, but no list of strides}}
  %0 = "fly.view"(%p, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>, static_extents = [unit, unit]}> : (!fly.ptr<bf16>, i32, i32, i32) -> !fly.view<?x?xbf16>
  return
}

// -----

// Cast C2.
func.func @seed_without_chance(%t: tensor<64xf32>, %seed: i32) {
  // expected-error @+1 {{'fly.cast' op has a seed, which is for 'rounding sr' alone}}
  %r = fly.cast %t seed %seed : tensor<64xf32> -> tensor<64xbf16>
  return
}

// -----

// Cast C2.
func.func @chance_without_seed(%t: tensor<64xf32>) {
  // expected-error @+1 {{'fly.cast' op rounds at random, so it needs a seed, as in 'rounding sr seed %s'}}
  %r = fly.cast %t rounding sr : tensor<64xf32> -> tensor<64xbf16>
  return
}

// -----

// Cast C2.
func.func @chance_of_integers(%t: tensor<64xf32>, %seed: i32) {
  // expected-error @+1 {{'fly.cast' op rounds at random from f32 to a narrower float with a sign, got 'f32' to 'i8'}}
  %r = fly.cast %t rounding sr seed %seed : tensor<64xf32> -> tensor<64xi8>
  return
}

// -----

func.func @unknown_rounding(%t: tensor<64xf32>) {
  // expected-error @+1 {{unknown word 'up', expected one of: rne, sr}}
  %r = fly.cast %t rounding up : tensor<64xf32> -> tensor<64xbf16>
  return
}

// -----

// Lanes C1.
func.func @lanes_of_no_layout(%t: tensor<16x64xf32>) {
  // expected-error @+1 {{expects a distributed layout, as in #fly.blocked<threads = [64, 4], vector = 8>, got #fly.staged<"a", 0>}}
  %r = fly.lanes in #fly.staged<"a", 0> (%v = %t) : (tensor<16x64xf32>) -> tensor<16x64xf32> {
    fly.yield %v : vector<4xf32>
  }
  return
}

// -----

// Lanes C1.
func.func @lanes_of_names(%t: tensor<?x64xf32, #fly.tile<BM, 64>>) {
  // expected-error @+1 {{expects static tiles of numbers, got 'tensor<?x64xf32, #fly.tile<BM, 64>>'}}
  %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<?x64xf32, #fly.tile<BM, 64>>) -> tensor<16x64xf32> {
    fly.yield %v : vector<4xf32>
  }
  return
}

// -----

// Lanes C1.
func.func @lanes_of_another_layout(%t: tensor<16x64xf32, #fly.blocked<threads = [8, 8], vector = 8>>) {
  // expected-error @+1 {{expects tiles without a layout or in #fly.blocked<threads = [16, 16], vector = 4>, got 'tensor<16x64xf32, #fly.blocked<threads = [8, 8], vector = 8>>'}}
  %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<16x64xf32, #fly.blocked<threads = [8, 8], vector = 8>>) -> tensor<16x64xf32> {
    fly.yield %v : vector<4xf32>
  }
  return
}

// -----

// Lanes C2.
func.func @lanes_of_other_registers(%t: tensor<16x64xf32>) {
  %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<16x64xf32>) -> tensor<32x64xf32> {
    // expected-error @+1 {{yielded value 0: expected 'vector<2x1x4xf32>', got 'vector<1x1x4xf32>'}}
    fly.yield %v : vector<1x1x4xf32>
  }
  return
}

// -----

// Lanes C3.
func.func @lanes_with_effects(%t: tensor<16x64xf32>) {
  %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<16x64xf32>) -> tensor<16x64xf32> {
    // expected-error @+1 {{'fly.print' op has a side effect, in a region of fly.lanes}}
    fly.print "here"
    fly.yield %v : vector<1x1x4xf32>
  }
  return
}

// -----

// Lanes C3.
func.func @lanes_with_a_tile(%t: tensor<16x64xf32>) {
  %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<16x64xf32>) -> tensor<16x64xf32> {
    // expected-error @+1 {{'arith.addf' op has a tile, in a region of fly.lanes: hand it in}}
    %s = arith.addf %t, %t : tensor<16x64xf32>
    fly.yield %v : vector<1x1x4xf32>
  }
  return
}

// -----

// Dot_scaled C1.
func.func @scaled_shapes(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>, %b: tensor<64x128xf8E4M3FN>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects A of M x K, B of N x K and an accumulator of M x N, got 64x64, 64x128 and 64x64}}
  %d = fly.dot_scaled %a scale %s, %b scale %s, %c : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x128xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C2.
func.func @scales_of_floats(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf32>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects scales of f8E8M0FNU for A, got 'f32'}}
  %d = fly.dot_scaled %a scale %s, %a scale %s, %c : tensor<64x64xf8E4M3FN>, tensor<64x2xf32>, tensor<64x64xf8E4M3FN>, tensor<64x2xf32> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C2.
func.func @scales_of_wide_blocks(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>, %t: tensor<64x1xf8E8M0FNU>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects 2 scales a row of B, one for 32 elements, got 1}}
  %d = fly.dot_scaled %a scale %s, %a scale %t, %c : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x1xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C2.
func.func @rows_of_part_blocks(%a: tensor<64x48xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects rows of a multiple of 32 elements, which share a scale, got 48}}
  %d = fly.dot_scaled %a scale %s, %a scale %s, %c : tensor<64x48xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x48xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C2.
func.func @scales_of_fewer_rows(%a: tensor<64x64xf8E4M3FN>, %s: tensor<32x2xf8E8M0FNU>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects a scale for each row of A and each 32 of its elements, got 32x2 for 64x64}}
  %d = fly.dot_scaled %a scale %s, %a scale %s, %c : tensor<64x64xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<32x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C3.
func.func @scaled_halves(%a: tensor<64x64xf16>, %s: tensor<64x2xf8E8M0FNU>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects operands of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN, got 'f16'}}
  %d = fly.dot_scaled %a scale %s, %a scale %s, %c : tensor<64x64xf16>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf16>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

// Dot_scaled C3.
func.func @scaled_into_halves(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>, %c: tensor<64x64xf16>) {
  // expected-error @+1 {{expects an accumulator of f32, got 'f16'}}
  %d = fly.dot_scaled %a scale %s, %a scale %s, %c : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf16>
  return
}
