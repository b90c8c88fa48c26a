// What the ops of packed elements and their layouts refuse.
// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func private @rank(%t: tensor<64x48xi8>) {
  // C1
  // expected-error @+1 {{'fly.bitcast' op expects a result of the source's extents but the last, got 32x96 of 64x48}}
  %0 = fly.bitcast %t : tensor<64x48xi8> -> tensor<32x96xi4>
  return
}

// -----

func.func private @scalar(%t: tensor<i8>) {
  // C1
  // expected-error @+1 {{expects a result of the source's extents but the last}}
  %0 = fly.bitcast %t : tensor<i8> -> tensor<f8E4M3FN>
  return
}

// -----

func.func private @bits(%t: tensor<64x48xi8>) {
  // C2
  // expected-error @+1 {{expects rows of as many bits, got 64x48 of 'i8' and 64x48 of 'i4'}}
  %0 = fly.bitcast %t : tensor<64x48xi8> -> tensor<64x48xi4>
  return
}

// -----

func.func private @bits_beyond_64(%t: tensor<2x4611686018427387904xi8>) {
  // C2
  // expected-error @+1 {{expects rows of as many bits}}
  %0 = fly.bitcast %t : tensor<2x4611686018427387904xi8> -> tensor<2x4611686018427387904xi16>
  return
}

// -----

func.func private @elements(%t: tensor<64x48xindex>) {
  // C3
  // expected-error @+1 {{expects elements that are integers or floats, got 'index'}}
  %0 = fly.bitcast %t : tensor<64x48xindex> -> tensor<64x48xi64>
  return
}

// -----

func.func private @repeat_dimension(%t: tensor<64x4xf16>) {
  // C1
  // expected-error @+1 {{'fly.repeat' op repeats along 2, but its source has 2 dimensions}}
  %0 = fly.repeat %t by 2 along 2 : tensor<64x4xf16> -> tensor<64x8xf16>
  return
}

// -----

func.func private @repeat_never(%t: tensor<64x4xf16>) {
  // C1
  // expected-error @+1 {{repeats 0 times: expected at least 1}}
  %0 = fly.repeat %t by 0 along 1 : tensor<64x4xf16> -> tensor<64x8xf16>
  return
}

// -----

func.func private @repeat_shape(%t: tensor<64x4xf16>) {
  // C2
  // expected-error @+1 {{by 3 along 1 cannot turn 64x4 of 'f16' into 64x8 of 'f16'}}
  %0 = fly.repeat %t by 3 along 1 : tensor<64x4xf16> -> tensor<64x8xf16>
  return
}

// -----

func.func private @repeat_type(%t: tensor<64x4xf16>) {
  // C2
  // expected-error @+1 {{by 2 along 1 cannot turn 64x4 of 'f16' into 64x8 of 'f32'}}
  %0 = fly.repeat %t by 2 along 1 : tensor<64x4xf16> -> tensor<64x8xf32>
  return
}

// -----

func.func private @xf32(%a: tensor<64x32xf16>, %c: tensor<64x64xf32>) {
  // Dot C3
  // expected-error @+1 {{cuts f32 to xf32, but its operands are 'f16'}}
  %0 = fly.dot %a, %a, %c xf32 : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func private @dot_of_f64(%a: tensor<64x32xf64>, %c: tensor<64x64xf32>) {
  // Dot C2
  // expected-error @+1 {{expects an accumulator of 'f64' for operands of 'f64', got 'f32'}}
  %0 = fly.dot %a, %a, %c : tensor<64x32xf64>, tensor<64x32xf64> -> tensor<64x64xf32>
  return
}

// -----

// expected-error @+1 {{blocked layout needs 1 to 128 rows a thread, 1 but for rank 2, got 2}}
func.func private @rows_of_a_row(tensor<64xf32, #fly.blocked<threads = [64], vector = 1, rows = 2>>)

// -----

// expected-error @+1 {{tile extent 62 is not a multiple of 4 (rows of a thread)}}
func.func private @rows_of_a_thread(tensor<62x32xbf16, #fly.blocked<threads = [16, 4], vector = 8, rows = 4>>)

// -----

// expected-error @+1 {{mma layout of f64 needs blocks of 16x16}}
func.func private @block_of_f64(tensor<64x64xf64, #fly.mma<shape = [32, 32], waves = [2, 2], f64 = true>>)

// -----

// expected-error @+1 {{would hold another one of 6 neighbours in each lane}}
func.func private @repeated_across(tensor<64x8xf16, #fly.repeated<1, 6, #fly.blocked<threads = [16, 4], vector = 4>>>)

// -----

// expected-error @+1 {{repeated layout cannot repeat 2 times along dimension 2 of rank 2}}
func.func private @repeated_dimension(tensor<64x2xf16, #fly.repeated<2, 2, #fly.blocked<threads = [64, 1], vector = 4>>>)

// -----

// expected-error @+1 {{repeated layout needs a distributed parent, got 1}}
func.func private @repeated_parent(tensor<64x2xf16, #fly.repeated<1, 2, 1>>)
