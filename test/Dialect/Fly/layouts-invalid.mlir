// RUN: fly-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{layout: column 1: stride '16' does not nest like shape '(8,16)'}}
func.func private @nesting() attributes {a = #fly.layout<(8,16):16>}

// -----

// expected-error @+1 {{layout: unknown operation 'divide'; known: logical_divide,}}
func.func private @operation() attributes {a = #fly.layout<divide((8,16):(16,1), <4>)>}

// -----

// expected-error @+1 {{layout: logical_divide takes 2 arguments, got 1}}
func.func private @arguments() attributes {a = #fly.layout<logical_divide((8,16):(16,1))>}

// -----

// expected-error @+1 {{layout: composition of '(8,2):(2,192)' with '(2,6):(6,1)': the modes of the inner layout together leave '8:2': expected a sum below 8, got 11}}
func.func private @refused() attributes {a = #fly.layout<composition((8,2):(2,192), (2,6):(6,1))>}

// -----

// expected-error @+1 {{layout: column 12: expected an integer, '?' or '(', got 'x'}}
func.func private @place() attributes {a = #fly.layout<logical_divide((8,16):(16,x), <4>)>}

// -----

// expected-error @+1 {{expected an integer, '?' or '(', got the end}}
func.func private @quoted() attributes {a = #fly.layout<"(8,16):(16,">}

// -----

// expected-error @+1 {{expected an integer}}
func.func private @empty() attributes {a = #fly.layout<>}

// -----

// expected-error @+1 {{integer value too large}}
func.func private @number() attributes {a = #fly.layout<99999999999999999999:1>}

// -----

// expected-error @+1 {{layout: column 66: expected at most 64 levels of nesting}}
func.func private @deep() attributes {a = #fly.layout<((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))):1>}

// -----

// A division by a tiler that does not cover is right, and worth a warning.
// expected-warning @+1 {{layout: '(2,3,6):(7,14,1)' leaves holes or overlaps in 756: stride 7 of '2:7' is not known to divide by the extent 6 before it}}
func.func private @holes() attributes {a = #fly.layout<logical_divide((14,6,9):(19,69,1), (2,3,6):(7,14,1))>}

// -----

// expected-warning @+1 {{layout: repetitions of '4:1' reach beyond 9, which is not known to divide by 4}}
func.func private @beyond() attributes {a = #fly.layout<zipped_divide((8,9):(1,8), <4,4>)>}

// -----

// View C7.
// expected-error @+1 {{layout 8:1 has 1 modes, expected one for each of the view's 2 dimensions}}
func.func private @modes(!fly.view<8x16xf32, lds, #fly.layout<8:1>>)

// -----

// expected-error @+1 {{dimension 1 of the view has extent 16, but the mode of the layout has size 17}}
func.func private @extent(!fly.view<8x16xf32, lds, #fly.layout<(8,17):(17,1)>>)

// -----

// expected-error @+1 {{dimension 0 of the view is '?', expected the mode of the layout to be an unknown value such as ?M, got (2,?M)}}
func.func private @unknown_part(!fly.view<?x16xf32, #fly.layout<((2,?M),16):((1,32),2)>>)

// -----

// expected-error @+1 {{strides of a view may use its extents alone: '?ld' has no value}}
func.func private @stride(!fly.view<?x?xf32, #fly.layout<(?M,?N):(?ld,1)>>)

// -----

// expected-error @+1 {{view layout needs strides of at least 0, got -1}}
func.func private @backwards(!fly.view<8x16xf32, #fly.layout<(8,16):(-1,8)>>)

// -----

// expected-error @+1 {{view layout may have a swizzle and an offset of at least 0 in front, got (4,2):(1,4) o 0 o (2,4):(4,1)}}
func.func private @chain(!fly.view<2x4xf32, #fly.layout<(4,2):(1,4) o 0 o (2,4):(4,1)>>)

// -----

// expected-error @+1 {{LDS view needs a layout without unknown values, got (?M,16):(16,1)}}
func.func private @lds_unknown(!fly.view<?x16xf32, lds, #fly.layout<(?M,16):(16,1)>>)

// -----

// expected-error @+1 {{LDS view needs a swizzle of a shift above 0 and elements of a power of two of bytes, got S<2,0,-2> of 'f32'}}
func.func private @lds_swizzle(!fly.view<8x16xf32, lds, #fly.layout<S<2,0,-2> o 0 o (8,16):(16,1)>>)

// -----

// expected-error @+1 {{view layout needs elements of whole bytes, got 'i4'}}
func.func private @nibbles(!fly.view<8x16xi4, lds, #fly.layout<(8,16):(16,1)>>)

// -----

// View op C5.
func.func private @strides(%p: !fly.ptr<f32>) {
  // expected-error @+1 {{'fly.view' op has strides, but #fly.layout<(8,16):(1,8)> says where its elements lie: leave them out}}
  %v = fly.view %p[8, 16] strides [1, 8] : !fly.view<8x16xf32, #fly.layout<(8,16):(1,8)>>
  return
}

// -----

// Offset C1.
func.func private @coordinates(%i: index) {
  // expected-error @+1 {{'fly.layout.offset' op has 2 coordinates, expected 3, one for each mode of (2,3,4):(1,2,6), or one for all}}
  %o = fly.layout.offset #fly.layout<(2,3,4):(1,2,6)> [%i, %i]
  return
}

// -----

// Offset C2.
func.func private @unknown(%i: index) {
  // expected-error @+1 {{'fly.layout.offset' op needs a layout without unknown values whose offsets are from 0 to 2^31 - 1, got ?M:1}}
  %o = fly.layout.offset #fly.layout<?M:1> [%i]
  return
}

// -----

func.func private @far(%i: index) {
  // expected-error @+1 {{'fly.layout.offset' op needs a layout without unknown values whose offsets are from 0 to 2^31 - 1, got 2:2147483648}}
  %o = fly.layout.offset #fly.layout<2:2147483648> [%i]
  return
}

// -----

// Coordinates C1.
func.func private @results(%i: index) {
  // expected-error @+1 {{'fly.layout.coordinates' op has 1 results, expected 2, one for each mode of (4,8):(8,1)}}
  %c = fly.layout.coordinates #fly.layout<(4,8):(8,1)> of %i : index
  return
}

// -----

// Coordinates C2.
func.func private @open(%i: index) {
  // expected-error @+1 {{'fly.layout.coordinates' op needs a layout of known extents and at most 2^31 - 1 elements, got (?M,8):(8,1)}}
  %a, %b = fly.layout.coordinates #fly.layout<(?M,8):(8,1)> of %i : index, index
  return
}
