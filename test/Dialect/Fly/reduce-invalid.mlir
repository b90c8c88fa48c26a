// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func private @iota_type() {
  // expected-error @+1 {{counts in i32, got a tile of 'f32'}}
  %i = fly.iota along 0 : tensor<4xf32>
  return
}

// -----

func.func private @iota_dim() {
  // expected-error @+1 {{runs along dimension 2 of a tile of rank 2}}
  %i = fly.iota along 2 : tensor<4x4xi32>
  return
}

// -----

func.func private @transpose_twice(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{expects a permutation of the 2 dimensions of its source, got [1, 1]}}
  %u = fly.transpose %t [1, 1] : tensor<4x6xf32> -> tensor<6x6xf32>
  return
}

// -----

func.func private @transpose_short(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{expects a permutation of the 2 dimensions of its source, got [0]}}
  %u = fly.transpose %t [0] : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func private @transpose_shape(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{by [1, 0] cannot turn 4x6 of 'f32' into 4x6 of 'f32'}}
  %u = fly.transpose %t [1, 0] : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func private @unknown_kind(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{unknown kind 'avg', expected one of: add, mul, max, min, max_nan, min_nan, umax, umin, and, or, xor}}
  %u = fly.reduce avg %t along 1 : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func private @kind_of_float(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{has no kind xor on 'f32'}}
  %u = fly.reduce xor %t along 1 : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func private @kind_of_integer(%t: tensor<4x6xi32>) {
  // expected-error @+1 {{has no kind max_nan on 'i32'}}
  %u = fly.reduce max_nan %t along 1 : tensor<4x6xi32> -> tensor<4xi32>
  return
}

// -----

func.func private @no_kind(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{needs a kind or a region}}
  %u = fly.reduce %t along 1 : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func private @both(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{has a kind and a region: give one of them}}
  %u = fly.reduce add %t along 1 : tensor<4x6xf32> -> tensor<4xf32> combine(%a: f32, %b: f32) {
    fly.yield %a : f32
  }
  return
}

// -----

func.func private @kind_of_two(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{by a kind takes one tile, got 2}}
  %u, %v = fly.reduce add %t, %t along 1 : tensor<4x6xf32>, tensor<4x6xf32> -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func private @reduce_dim(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{runs along dimension 2 of a tile of rank 2}}
  %u = fly.reduce add %t along 2 : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func private @reduce_shape(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{along 1 cannot turn 4x6 of 'f32' into 6 of 'f32'}}
  %u = fly.reduce add %t along 1 : tensor<4x6xf32> -> tensor<6xf32>
  return
}

// -----

func.func private @reduce_names(%t: tensor<?x?xf32, #fly.tile<BM, BN>>) {
  // expected-error @+1 {{along 1 cannot turn BMxBN of 'f32' into BN of 'f32'}}
  %u = fly.reduce add %t along 1 : tensor<?x?xf32, #fly.tile<BM, BN>> -> tensor<?xf32, #fly.tile<BN>>
  return
}

// -----

func.func private @shapes_differ(%t: tensor<4x6xf32>, %i: tensor<4x8xi32>) {
  // expected-error @+1 {{tile: expected a tile of 4x6, got 4x8}}
  %u, %v = fly.reduce %t, %i along 1 : tensor<4x6xf32>, tensor<4x8xi32> -> (tensor<4xf32>, tensor<4xi32>)
      combine(%a: f32, %ai: i32, %b: f32, %bi: i32) {
    fly.yield %a, %ai : f32, i32
  }
  return
}

// -----

func.func private @region_arguments(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{combines elements ('f32', 'f32'), but its region takes ('f32')}}
  %u = fly.reduce %t along 1 : tensor<4x6xf32> -> tensor<4xf32> combine(%a: f32) {
    fly.yield %a : f32
  }
  return
}

// -----

func.func private @region_yields(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{combines to ('f32'): end its region with fly.yield of those}}
  %u = fly.reduce %t along 1 : tensor<4x6xf32> -> tensor<4xf32> combine(%a: f32, %b: f32) {
    // expected-note @+1 {{ends with this}}
    fly.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func private @region_effects(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{combines elements with pure scalar ops only}}
  %u = fly.reduce %t along 1 : tensor<4x6xf32> -> tensor<4xf32> combine(%a: f32, %b: f32) {
    // expected-note @+1 {{'fly.print' is none}}
    fly.print "{}", %a : f32
    fly.yield %a : f32
  }
  return
}

// -----

func.func private @region_captures(%t: tensor<4x6xf32>, %x: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %u = fly.reduce %t along 1 : tensor<4x6xf32> -> tensor<4xf32> combine(%a: f32, %b: f32) {
    // expected-error @+1 {{using value defined outside the region}}
    %y = arith.addf %a, %x : f32
    fly.yield %y : f32
  }
  return
}

// -----

func.func private @scan_shape(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{result: expected a tile of 4x6, got 4x8}}
  %u = fly.scan add %t along 1 : tensor<4x6xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func private @scan_type(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{keeps the element type, got 'f32' and 'f16'}}
  %u = fly.scan add %t along 1 : tensor<4x6xf32> -> tensor<4x6xf16>
  return
}

// -----

func.func private @scan_exclusive(%t: tensor<4x6xf32>) {
  // expected-error @+1 {{by a region cannot be exclusive: a region has no neutral element}}
  %u = fly.scan %t along 1 exclusive : tensor<4x6xf32> -> tensor<4x6xf32> combine(%a: f32, %b: f32) {
    fly.yield %a : f32
  }
  return
}

// -----

// True is -1 as a signed number.
func.func private @signed_truth(%t: tensor<4x6xi1>) {
  // expected-error @+1 {{has no kind max on 'i1'}}
  %r = fly.reduce max %t along 1 : tensor<4x6xi1> -> tensor<4xi1>
  return
}

// -----

func.func private @scratch_count(%t: tensor<4x6xf32>, %v: !fly.view<4x4xf32, lds>) {
  // expected-error @+1 {{expects no scratch or a view for each tile, got 2 views and 1 tiles}}
  %u = fly.scan add %t along 1 scratch(%v, %v : !fly.view<4x4xf32, lds>, !fly.view<4x4xf32, lds>) : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func private @scratch_rank(%t: tensor<4x6xf32>, %v: !fly.view<4xf32, lds>) {
  // expected-error @+1 {{expects scratch in LDS of rank 2, got '!fly.view<4xf32, lds>'}}
  %u = fly.scan add %t along 1 scratch(%v : !fly.view<4xf32, lds>) : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func private @scratch_memory(%t: tensor<4x6xf32>, %v: !fly.view<4x4xf32>) {
  // expected-error @+1 {{expects scratch in LDS of rank 2, got '!fly.view<4x4xf32>'}}
  %u = fly.scan add %t along 1 scratch(%v : !fly.view<4x4xf32>) : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}
