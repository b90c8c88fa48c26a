// RUN: fly-opt %s -verify-diagnostics -split-input-file

func.func @no_lowest(%v: !fly.view<?xf8E8M0FNU>, %i: i32) {
  // expected-error @+1 {{pads with lowest, but 'f8E8M0FNU' has no negative numbers: use zero or one}}
  %t = fly.load %v[%i] pad lowest : !fly.view<?xf8E8M0FNU> -> tensor<64xf8E8M0FNU>
  return
}

// -----

func.func @no_infinity_and_no_lowest(%v: !fly.view<?x?xf8E8M0FNU>, %r: tensor<64xi32>) {
  // expected-error @+1 {{pads with neg_inf, but 'f8E8M0FNU' has no infinity: use zero or one}}
  %t = fly.gather %v rows(%r) at [0] pad neg_inf : !fly.view<?x?xf8E8M0FNU>, tensor<64xi32> -> tensor<64x32xf8E8M0FNU>
  return
}
