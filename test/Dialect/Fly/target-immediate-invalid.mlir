// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func @no_number(%a: !fly.view<?x?xi8>, %l: !fly.view<64x128xi8, lds>, %r: index, %z: index) {
  // expected-error @+1 {{expects 'fly.target_immediate' to be a positive i64, got "far"}}
  fly.dma %a[%r, %z] to %l[%z, %z] whole {fly.target_immediate = "far"} : vector<4xi8>, !fly.view<?x?xi8>, !fly.view<64x128xi8, lds>
  return
}

// -----

func.func @negative(%a: !fly.view<?x?xi8>, %l: !fly.view<64x128xi8, lds>, %r: index, %z: index) {
  // expected-error @+1 {{expects 'fly.target_immediate' to be a positive i64, got -4}}
  fly.dma %a[%r, %z] to %l[%z, %z] whole {fly.target_immediate = -4} : vector<4xi8>, !fly.view<?x?xi8>, !fly.view<64x128xi8, lds>
  return
}

// -----

func.func @of_another_op(%v: !fly.view<64x128xi8, lds>, %z: index) {
  // expected-error @+1 {{has the unknown attribute 'fly.target_immediate' on an op}}
  %r = fly.read %v[%z, %z] {fly.target_immediate = 4} : !fly.view<64x128xi8, lds> -> vector<4xi8>
  return
}
