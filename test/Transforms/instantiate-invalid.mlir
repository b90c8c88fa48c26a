// RUN: fly-opt %s --fly-instantiate -split-input-file -verify-diagnostics

// A name without a value: the known ones are listed.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{give it in the schedule of this kernel: sizes = {BLOCK_N = ...}}}
  gpu.func @unknown_name(%K: i32) kernel attributes {fly.schedule = #fly.schedule<sizes = {BLOCK_M = 64, BK = 32}>} {
    // expected-error @+1 {{uses the size 'BLOCK_N', which has no value (did you mean 'BLOCK_M'?); known sizes: BK = 32, BLOCK_M = 64}}
    %q = fly.size BLOCK_N
    gpu.return
  }
}

// -----

// The same in a type, in a kernel without a schedule.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{give it in the schedule of this kernel}}
  gpu.func @no_sizes() kernel {
    // expected-error @+1 {{uses the size 'BM', which has no value; known sizes: none}}
    %z = fly.constant 0.0 : tensor<?xf32, #fly.tile<BM>>
    gpu.return
  }
}

// -----

// A name that only a helper uses is found before anything is inlined.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @helper(%x: i32) -> i32 {
    // expected-error @+1 {{uses the size 'BX', which has no value; known sizes: TILE = 64}}
    %s = fly.size BX
    %y = arith.addi %x, %s : i32
    return %y : i32
  }
  // expected-note @+1 {{give it in the schedule of this kernel}}
  gpu.func @name_in_helper(%x: i32) kernel attributes {fly.schedule = #fly.schedule<sizes = {TILE = 64}>} {
    %y = func.call @helper(%x) : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{size 'BM' must be a positive number, got 0}}
  gpu.func @zero_size() kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 0}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{size 'BM' must be a positive number}}
  gpu.func @word_size() kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = big}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'sizes' must be names with numbers in braces, as in sizes = {BM = 128}}}
  gpu.func @sizes_list() kernel attributes {fly.schedule = #fly.schedule<sizes = [1, 2]>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @nameless_extent(%x: f32) kernel {
    // expected-error @+1 {{has the tile 'tensor<?xf32>', whose extents are neither numbers nor names: name them, as in #fly.tile<BM, BN>}}
    %z = fly.splat %x : f32 -> tensor<?xf32>
    gpu.return
  }
}

// -----

// The closed world of the tile level.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @foreign_dialect(%x: f32) kernel {
    %z = fly.splat %x : f32 -> tensor<64xf32>
    // expected-error @+1 {{'vector.broadcast' op is of dialect 'vector', which the tile level does not know; it knows: arith, fly, func, gpu, math, scf, and the shapes of tensor}}
    %v = vector.broadcast %x : f32 to vector<4xf32>
    gpu.return
  }
}

// -----

// Scalars of the tile level are uniform.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @thread_of_a_tile(%x: f32) kernel {
    %z = fly.splat %x : f32 -> tensor<64xf32>
    // expected-error @+1 {{'gpu.thread_id' op is about single lanes or waves; the scalars of a kernel with tiles are the same in the whole workgroup}}
    %t = gpu.thread_id x
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @lane_of_a_tile(%x: f32) kernel {
    %z = fly.splat %x : f32 -> tensor<64xf32>
    // expected-error @+1 {{'fly.lane' op is about single lanes or waves}}
    %t = fly.lane
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{defined here}}
  func.func private @loop(%x: i32) -> i32 {
    // expected-error @+1 {{cannot inline 'loop': it calls itself}}
    %y = func.call @loop(%x) : (i32) -> i32
    return %y : i32
  }
  gpu.func @recursion(%x: i32) kernel {
    %y = func.call @loop(%x) : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{defined here}}
  func.func private @declared(%x: i32) -> i32
  gpu.func @no_body(%x: i32) kernel {
    // expected-error @+1 {{cannot inline 'declared': it has no body}}
    %y = func.call @declared(%x) : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{defined here}}
  func.func private @branches(%c: i1) -> i32 {
    %0 = arith.constant 0 : i32
    cf.cond_br %c, ^bb1, ^bb1
  ^bb1:
    return %0 : i32
  }
  gpu.func @helper_with_branches(%c: i1) kernel {
    // expected-error @+1 {{cannot inline 'branches': it branches between blocks}}
    %y = func.call @branches(%c) : (i1) -> i32
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts' must be arguments with numbers in braces, as in consts = {K = 8320}}}
  gpu.func @consts_list(%A: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %x: f32) kernel attributes {fly.schedule = #fly.schedule<consts = [1]>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts': 'counts' is no argument of this kernel (did you mean 'count'?); arguments: arg0, count, arg2}}
  gpu.func @consts_unknown(%0: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %1: f32) kernel attributes {fly.schedule = #fly.schedule<consts = {counts = 1}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts': argument 'arg0' has type '!fly.ptr<f32>', only integers can be fixed}}
  gpu.func @consts_pointer(%0: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %1: f32) kernel attributes {fly.schedule = #fly.schedule<consts = {arg0 = 1}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts': argument 'arg2' has type 'f32', only integers can be fixed}}
  gpu.func @consts_float(%0: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %1: f32) kernel attributes {fly.schedule = #fly.schedule<consts = {arg2 = 1}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts': argument 'count' needs a number that fits 'i16'}}
  gpu.func @consts_word(%A: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %x: f32) kernel attributes {fly.schedule = #fly.schedule<consts = {count = many}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts': argument 'count' needs a number that fits 'i16', got 40000}}
  gpu.func @consts_too_large(%A: !fly.ptr<f32>, %count: i16 {fly.name = "count"}, %x: f32) kernel attributes {fly.schedule = #fly.schedule<consts = {count = 40000}>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_elements() kernel {
    // expected-error @+1 {{has the tile 'tensor<16x0xf32>', which has no elements: extents must be at least 1}}
    %x = fly.constant 0.0 : tensor<16x0xf32>
    gpu.return
  }
}

// -----

// A size that nothing uses may be a slip of the pen.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-warning @+1 {{schedule entry 'sizes': no tile, bound, step or fly.size of this kernel uses 'BLOCK_X' (did you mean 'BLOCK_M'?); it uses: BLOCK_M}}
  gpu.func @unused_size(%K: i32) kernel attributes {fly.schedule = #fly.schedule<sizes = {BLOCK_M = 64, BLOCK_X = 3}>} {
    %q = fly.size BLOCK_M
    gpu.return
  }
}

// -----

// Of a schedule of several kernels each takes what it knows.
#shared = #fly.schedule<sizes = {BM = 64, BN = 32}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows() kernel attributes {fly.schedule = #shared} {
    %q = fly.size BM
    gpu.return
  }
}
gpu.module @n [#rocdl.target<chip = "gfx942">] {
  gpu.func @columns() kernel attributes {fly.schedule = #shared} {
    %q = fly.size BN
    gpu.return
  }
}

// -----

// What the verifier takes for equal, because one extent is a name.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @short_bias(%x: tensor<?x?xf32, #fly.tile<BM, BN>>, %b: tensor<32xf32>) kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BN = 128}>} {
    // expected-error @+1 {{'fly.map' op input "b" (cols) must be a tile of 128, got 32; sizes: BM = 64, BN = 128}}
    %y = fly.map "x + b" (x = %x, b = cols %b) : (tensor<?x?xf32, #fly.tile<BM, BN>>, tensor<32xf32>) -> tensor<?x?xf32, #fly.tile<BM, BN>>
    gpu.return
  }
}

// -----

// A misspelt name is reported as such, not as an extent that disagrees.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @misspelt(%x: tensor<?xf32, #fly.tile<BMM>>) kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64}>} {
    // expected-error @+1 {{'fly.cast' op uses the size 'BMM', which has no value (did you mean 'BM'?); known sizes: BM}}
    %y = fly.cast %x : tensor<?xf32, #fly.tile<BMM>> -> tensor<?xbf16, #fly.tile<BM>>
    gpu.return
  }
}

// -----

// So is one in a helper, which has no schedule: a kernel beside it has.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @helper(%x: tensor<?xf32, #fly.tile<BMM>>) {
    // expected-error @+1 {{'fly.cast' op uses the size 'BMM', which has no value (did you mean 'BM'?); known sizes: BM}}
    %h = fly.cast %x : tensor<?xf32, #fly.tile<BMM>> -> tensor<?xf16, #fly.tile<BM>>
    return
  }
  gpu.func @misspelt_in_a_helper() kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64}>} {
    gpu.return
  }
}

// -----

// Nobody waits for what has more ops than passes can work through.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{in this kernel}}
  gpu.func @unrolls_too_much() kernel attributes {fly.waves = 1 : i32} {
    // expected-error @+1 {{'fly.static_for' op makes a kernel of 21001002 ops, at most 100000 are unrolled and inlined: use scf.for for the outer loops}}
    fly.static_for %i = 0 to 1000 {
      fly.static_for %j = 0 to 1000 {
        fly.static_for %k = 0 to 10 {
          fly.sched.barrier
        }
      }
    }
    gpu.return
  }
}

// -----

// The number does not fit 64 bits.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{in this kernel}}
  gpu.func @unrolls_for_ever() kernel attributes {fly.waves = 1 : i32} {
    // expected-error @+1 {{'fly.static_for' op makes a kernel of more than 2^64 ops, at most 100000 are unrolled and inlined}}
    fly.static_for %i = -9223372036854775808 to 9223372036854775807 {
      fly.sched.barrier
      fly.sched.barrier
    }
    gpu.return
  }
}

// -----

// Helpers that call each other twice: 2^30 copies of the last.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @h0(%x: index) -> index {
    return %x : index
  }
  func.func private @h1(%x: index) -> index {
    %a = func.call @h0(%x) : (index) -> index
    %b = func.call @h0(%a) : (index) -> index
    return %b : index
  }
  func.func private @h2(%x: index) -> index {
    %a = func.call @h1(%x) : (index) -> index
    %b = func.call @h1(%a) : (index) -> index
    return %b : index
  }
  func.func private @h3(%x: index) -> index {
    %a = func.call @h2(%x) : (index) -> index
    %b = func.call @h2(%a) : (index) -> index
    return %b : index
  }
  func.func private @h4(%x: index) -> index {
    %a = func.call @h3(%x) : (index) -> index
    %b = func.call @h3(%a) : (index) -> index
    return %b : index
  }
  func.func private @h5(%x: index) -> index {
    %a = func.call @h4(%x) : (index) -> index
    %b = func.call @h4(%a) : (index) -> index
    return %b : index
  }
  func.func private @h6(%x: index) -> index {
    %a = func.call @h5(%x) : (index) -> index
    %b = func.call @h5(%a) : (index) -> index
    return %b : index
  }
  func.func private @h7(%x: index) -> index {
    %a = func.call @h6(%x) : (index) -> index
    %b = func.call @h6(%a) : (index) -> index
    return %b : index
  }
  func.func private @h8(%x: index) -> index {
    %a = func.call @h7(%x) : (index) -> index
    %b = func.call @h7(%a) : (index) -> index
    return %b : index
  }
  func.func private @h9(%x: index) -> index {
    %a = func.call @h8(%x) : (index) -> index
    %b = func.call @h8(%a) : (index) -> index
    return %b : index
  }
  func.func private @h10(%x: index) -> index {
    %a = func.call @h9(%x) : (index) -> index
    %b = func.call @h9(%a) : (index) -> index
    return %b : index
  }
  func.func private @h11(%x: index) -> index {
    %a = func.call @h10(%x) : (index) -> index
    %b = func.call @h10(%a) : (index) -> index
    return %b : index
  }
  func.func private @h12(%x: index) -> index {
    %a = func.call @h11(%x) : (index) -> index
    %b = func.call @h11(%a) : (index) -> index
    return %b : index
  }
  func.func private @h13(%x: index) -> index {
    %a = func.call @h12(%x) : (index) -> index
    %b = func.call @h12(%a) : (index) -> index
    return %b : index
  }
  func.func private @h14(%x: index) -> index {
    %a = func.call @h13(%x) : (index) -> index
    %b = func.call @h13(%a) : (index) -> index
    return %b : index
  }
  func.func private @h15(%x: index) -> index {
    %a = func.call @h14(%x) : (index) -> index
    %b = func.call @h14(%a) : (index) -> index
    return %b : index
  }
  func.func private @h16(%x: index) -> index {
    %a = func.call @h15(%x) : (index) -> index
    %b = func.call @h15(%a) : (index) -> index
    return %b : index
  }
  func.func private @h17(%x: index) -> index {
    %a = func.call @h16(%x) : (index) -> index
    %b = func.call @h16(%a) : (index) -> index
    return %b : index
  }
  func.func private @h18(%x: index) -> index {
    %a = func.call @h17(%x) : (index) -> index
    %b = func.call @h17(%a) : (index) -> index
    return %b : index
  }
  func.func private @h19(%x: index) -> index {
    %a = func.call @h18(%x) : (index) -> index
    %b = func.call @h18(%a) : (index) -> index
    return %b : index
  }
  func.func private @h20(%x: index) -> index {
    %a = func.call @h19(%x) : (index) -> index
    %b = func.call @h19(%a) : (index) -> index
    return %b : index
  }
  func.func private @h21(%x: index) -> index {
    %a = func.call @h20(%x) : (index) -> index
    %b = func.call @h20(%a) : (index) -> index
    return %b : index
  }
  func.func private @h22(%x: index) -> index {
    %a = func.call @h21(%x) : (index) -> index
    %b = func.call @h21(%a) : (index) -> index
    return %b : index
  }
  func.func private @h23(%x: index) -> index {
    %a = func.call @h22(%x) : (index) -> index
    %b = func.call @h22(%a) : (index) -> index
    return %b : index
  }
  func.func private @h24(%x: index) -> index {
    %a = func.call @h23(%x) : (index) -> index
    %b = func.call @h23(%a) : (index) -> index
    return %b : index
  }
  func.func private @h25(%x: index) -> index {
    %a = func.call @h24(%x) : (index) -> index
    %b = func.call @h24(%a) : (index) -> index
    return %b : index
  }
  func.func private @h26(%x: index) -> index {
    %a = func.call @h25(%x) : (index) -> index
    %b = func.call @h25(%a) : (index) -> index
    return %b : index
  }
  func.func private @h27(%x: index) -> index {
    %a = func.call @h26(%x) : (index) -> index
    %b = func.call @h26(%a) : (index) -> index
    return %b : index
  }
  func.func private @h28(%x: index) -> index {
    %a = func.call @h27(%x) : (index) -> index
    %b = func.call @h27(%a) : (index) -> index
    return %b : index
  }
  func.func private @h29(%x: index) -> index {
    %a = func.call @h28(%x) : (index) -> index
    %b = func.call @h28(%a) : (index) -> index
    return %b : index
  }
  func.func private @h30(%x: index) -> index {
    %a = func.call @h29(%x) : (index) -> index
    %b = func.call @h29(%a) : (index) -> index
    return %b : index
  }
  // expected-error @+1 {{at most 100000 are unrolled and inlined}}
  gpu.func @calls_too_much(%x: index) kernel attributes {fly.waves = 1 : i32} {
    %y = func.call @h30(%x) : (index) -> index
    gpu.return
  }
}

// -----

// Bounds may be names; names must be known.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{give it in the schedule of this kernel: sizes = {BN = ...}}}
  gpu.func @unknown_bound() kernel attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<sizes = {BM = 4}>} {
    // expected-error @+1 {{'fly.static_for' op uses the size 'BN', which has no value; known sizes: BM = 4}}
    fly.static_for %i = 0 to BN {
    }
    gpu.return
  }
}

// -----

// Nothing would come of it.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'kloop': the kernel has no tiles that it could apply to; the schedule of an explicit kernel has sizes and consts}}
  gpu.func @explicit_schedule() kernel attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<sizes = {N = 4}, kloop = {hot_loop = off}>} {
    fly.static_for %i = 0 to N {
    }
    gpu.return
  }
}
