// What each constraint of FlyTypes.td refuses.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{pointer elements must be integers or floats, got 'index'}}
func.func private @pointer_to_index(!fly.ptr<index>)

// -----

// expected-error @+1 {{view elements must be integers or floats, got 'vector<2xf32>'}}
func.func private @view_of_vectors(!fly.view<4xvector<2xf32>>)

// -----

// C1
// expected-error @+1 {{view must have 1 to 4 dimensions, got 5}}
func.func private @five_dimensions(!fly.view<1x2x3x4x5xf32>)

// -----

// C1
// expected-error @+1 {{view must have 1 to 4 dimensions, got 0}}
func.func private @no_dimension(!fly.view<f32>)

// -----

// C2
// expected-error @+1 {{LDS view must have static extents after the first, dimension 1 is '?'}}
func.func private @open_lds_view(!fly.view<64x?xi8, lds>)

// -----

// C3
// expected-error @+1 {{swizzle is a layout of LDS views: write 'lds' before it}}
func.func private @global_swizzle(!fly.view<64x128xi8, #fly.swizzle<3, 4, 3>>)

// -----

// C3
// expected-error @+1 {{swizzle needs elements of whole bytes, got 'i4'}}
func.func private @swizzle_of_nibbles(!fly.view<64x128xi4, lds, #fly.swizzle<3, 4, 3>>)

// -----

// C4
// expected-error @+1 {{strided layout must give 2 strides, got 1}}
func.func private @missing_stride(!fly.view<?x?xf16, #fly.strided<[1]>>)

// -----

// expected-error @+1 {{view layout must be #fly.strided, #fly.swizzle, #fly.preshuffle or #fly.layout, got #fly.tile<BM>}}
func.func private @tile_as_layout(!fly.view<?xf16, #fly.tile<BM>>)

// -----

// expected-error @+1 {{expected '>' after the view's layout}}
func.func private @two_layouts(!fly.view<?xf16, #fly.strided<[1]>, #fly.strided<[1]>>)

// -----

// C4
// expected-error @+1 {{LDS view must have static strides, got #fly.strided<[?, 1]>}}
func.func private @open_lds_stride(!fly.view<4x4xf32, lds, #fly.strided<[?, 1]>>)

// -----

// C5: 30 bytes; byte 16 of row 1 would land at byte 34.
// expected-error @+1 {{swizzle permutes blocks of 128 bytes, which the view does not fill: its bytes leave a rest of 30}}
func.func private @swizzle_leaves_the_view(!fly.view<3x5xbf16, lds, #fly.swizzle<3, 4, 3>>)

// -----

// C5: any number of rows, so each must be whole blocks.
// expected-error @+1 {{swizzle permutes blocks of 128 bytes, which the view does not fill: its bytes leave a rest of 64}}
func.func private @swizzle_of_open_rows(!fly.view<?x32xbf16, lds, #fly.swizzle<3, 4, 3>>)

// -----

// C6
// expected-error @+1 {{preshuffle is a layout of global views, got an LDS view}}
func.func private @preshuffle_in_lds(!fly.view<16x64xi8, lds, #fly.preshuffle<16, 64>>)

// -----

// C6
// expected-error @+1 {{preshuffle needs a view of 2 dimensions at least, got 1}}
func.func private @preshuffle_of_a_line(!fly.view<?xi8, #fly.preshuffle<16, 64>>)

// -----

// C6
// expected-error @+1 {{preshuffle needs elements of 4 bits, or of 1, 2, 4, 8 or 16 bytes, got 'f6E2M3FN'}}
func.func private @preshuffle_of_six_bits(!fly.view<?x?xf6E2M3FN, #fly.preshuffle<16, 64>>)

// -----

// C6
// expected-error @+1 {{extent 40 of dimension 1 must be a multiple of 16: preshuffled elements lie in blocks of 16 x 64}}
func.func private @preshuffle_of_part_rows(!fly.view<?x40x64xi8, #fly.preshuffle<16, 64>>)

// -----

// C6: 64 bytes are 32 elements of two.
// expected-error @+1 {{extent 48 of dimension 1 must be a multiple of 32: preshuffled elements lie in blocks of 16 x 32}}
func.func private @preshuffle_of_part_columns(!fly.view<?x48xbf16, #fly.preshuffle<16, 64>>)

// -----

// expected-error @+1 {{view layout must be #fly.strided, #fly.swizzle, #fly.preshuffle or #fly.layout, got 3 : i64}}
func.func private @layout_number(!fly.view<?x48xbf16, 3>)
