// RUN: fly-opt %s -verify-diagnostics -split-input-file

// The error was one of the arith.truncf that the expansion made.
func.func @wider_than_its_arithmetic(%x: tensor<64xf32>) {
  // expected-error @+1 {{computes in f32, so it gives tiles of floats of at most 32 bits, got 'f64'}}
  %o = fly.map "x + 1" (x = %x) : (tensor<64xf32>) -> tensor<64xf64>
  return
}
