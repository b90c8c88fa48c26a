// RUN: fly-opt %s -split-input-file -verify-diagnostics

// C1
func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<?x?xbf16>, %m: i32) {
  // expected-error @+1 {{copies from global memory to LDS, got}}
  fly.copy %a[%m, 0] to %l : !fly.view<?x?xbf16>, !fly.view<?x?xbf16>
  return
}

// -----

func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xf16, lds>, %m: i32) {
  // expected-error @+1 {{copies between views of one element, got 'bf16' and 'f16'}}
  fly.copy %a[%m, 0] to %l : !fly.view<?x?xbf16>, !fly.view<64x64xf16, lds>
  return
}

// -----

func.func private @f(%a: !fly.view<?x?xi1>, %l: !fly.view<64x64xi1, lds>, %m: i32) {
  // expected-error @+1 {{copies whole bytes, got elements of 'i1'}}
  fly.copy %a[%m, 0] to %l : !fly.view<?x?xi1>, !fly.view<64x64xi1, lds>
  return
}

// -----

func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{expects 2 coordinates, got 1}}
  fly.copy %a[%m] to %l : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds>
  return
}

// -----

// C2
func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<?x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{fills a view of static extents, got}}
  fly.copy %a[%m, 0] to %l : !fly.view<?x?xbf16>, !fly.view<?x64xbf16, lds>
  return
}

// -----

func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds, #fly.strided<[72, 1]>>, %m: i32) {
  // expected-error @+1 {{fills rows one after the other, as they are or through a swizzle, got}}
  fly.copy %a[%m, 0] to %l : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds, #fly.strided<[72, 1]>>
  return
}

// -----

func.func private @f(%a: !fly.view<?xbf16>, %l: !fly.view<64x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{copies a tile of rank 2 from a view of rank 1}}
  fly.copy %a[%m] to %l : !fly.view<?xbf16>, !fly.view<64x64xbf16, lds>
  return
}

// -----

// C3
func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{expects 2 in_bounds flags, got 1}}
  fly.copy %a[%m, 0] to %l in_bounds [true] : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds>
  return
}

// -----

func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{expects an align of at least 1, got 0}}
  fly.copy %a[%m, 0] to %l align 0 : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds>
  return
}

// -----

// In generic form.
func.func private @f(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds>, %m: i32) {
  // expected-error @+1 {{attribute 'static_coordinates'}}
  "fly.copy"(%a, %m, %l) : (!fly.view<?x?xbf16>, i32, !fly.view<64x64xbf16, lds>) -> ()
  return
}
