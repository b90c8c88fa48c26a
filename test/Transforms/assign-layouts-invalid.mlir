// RUN: fly-opt %s --fly-assign-layouts -split-input-file -verify-diagnostics

#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 1, swizzle = xor, copy = sync), b = lds(stages = 1, swizzle = xor, copy = sync),
    dot0 = {mfma = 32x32, acc = plain}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows_do_not_fit(%a: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %ta = fly.constant 0.0 : tensor<48x64xbf16>
    %tb = fly.constant 0.0 : tensor<64x64xbf16>
    %z = fly.constant 0.0 : tensor<48x64xf32>
    // expected-error @+1 {{cannot distribute 'tensor<48x64xf32>': row extent 48 is not a multiple of 64 (waves times block)}}
    %d = fly.dot %ta, %tb, %z label "dot0" : tensor<48x64xbf16>, tensor<64x64xbf16> -> tensor<48x64xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    dot0 = {mfma = 16x16, acc = plain}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k_does_not_fit(%a: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %ta = fly.constant 0.0 : tensor<16x48xbf16>
    %tb = fly.constant 0.0 : tensor<16x48xbf16>
    %z = fly.constant 0.0 : tensor<16x16xf32>
    // expected-error @+1 {{cannot read operand a ('tensor<16x48xbf16>'): operand K extent 48 is not a multiple of 32 (micro-step of the matrix instruction)}}
    %d = fly.dot %ta, %tb, %z label "dot0" : tensor<16x48xbf16>, tensor<16x48xbf16> -> tensor<16x16xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @scalar_tile(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M] : !fly.view<?xf32>
    // expected-error @+1 {{cannot distribute 'tensor<f32>': layouts hold tiles of rank 1 and 2, got rank 0; reduce a tile of one row instead}}
    %t = fly.load %a[0] : !fly.view<?xf32> -> tensor<f32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @cube(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    // expected-error @+1 {{cannot distribute 'tensor<2x4x8xf32>': layouts hold tiles of rank 1 and 2, got rank 3}}
    %t = fly.constant 0.0 : tensor<2x4x8xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @open_extent(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    // expected-error @+1 {{'fly.constant' op has the size 'BM' in place of a number: run fly-instantiate first}}
    %t = fly.constant 0.0 : tensor<?xf32, #fly.tile<BM>>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @huge(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{tile 'tensor<100000000xf32>' takes at least 390625 vector registers a lane with 256 threads, limit is 512 on gfx942 with 1 wave a SIMD}}
    // expected-note @+1 {{fix: a tile of at most 131072 elements, whose extents the threads can share}}
    %x = fly.constant 0.0 : tensor<100000000xf32>
    gpu.return
  }
}

// -----

// More elements than 64 bits count.
#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @overflow() kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{takes at least 549755813888 vector registers a lane with 256 threads, limit is 512}}
    // expected-note @+1 {{fix: a tile of at most 262144 elements}}
    %x = fly.constant 0.0 : tensor<9223372036854775807x9223372036854775807xbf16>
    gpu.return
  }
}

// -----

// Four waves a SIMD have a fourth of the registers each.
#sched = #fly.schedule<waves = [4, 4], waves_per_eu = 4, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @many_waves() kernel attributes {fly.schedule = #sched} {
    %fits = fly.constant 0.0 : tensor<1024x128xf32>
    // expected-error @+2 {{tile 'tensor<1024x256xf32>' takes at least 256 vector registers a lane with 1024 threads, limit is 128 on gfx950 with 4 waves a SIMD}}
    // expected-note @+1 {{fix: a tile of at most 131072 elements}}
    %x = fly.constant 0.0 : tensor<1024x256xf32>
    gpu.return
  }
}

// -----

// LLVM widens elements of 8 bits, and bf16, to compute on them; f16 is packed.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @narrow() kernel attributes {fly.schedule = #sched} {
    %half = fly.constant 0.0 : tensor<1024x64xf16>
    %byte = arith.constant dense<1> : tensor<512x64xi8>
    // expected-error @+2 {{tile 'tensor<1024x64xbf16>' takes 1024 vector registers a lane with 64 threads, limit is 512}}
    // expected-note @+1 {{fix: a tile of at most 32768 elements}}
    %x = fly.constant 0.0 : tensor<1024x64xbf16>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_columns() kernel attributes {fly.schedule = #sched} {
    // expected-error @+1 {{cannot distribute 'tensor<16x0xf32>': it has no elements, extents must be at least 1}}
    %x = fly.constant 0.0 : tensor<16x0xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{cannot distribute 'tensor<0x16xf32>': it has no elements, extents must be at least 1}}
  gpu.func @no_rows(%x: tensor<0x16xf32>) kernel attributes {fly.schedule = #sched} {
    %r = fly.reduce add %x along 1 : tensor<0x16xf32> -> tensor<0xf32>
    gpu.return
  }
}

// -----

// 2003 columns are a prime number, and a combiner has nothing to put in the place
// of a column beyond: one thread has them all.
#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @prime() kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{tile 'tensor<4x2003xf32>' takes 2003 vector registers a lane with 256 threads, limit is 512}}
    // expected-note @+1 {{fix: extents that threads share are powers of two; choose 4x2048, or a smaller tile}}
    %x = fly.constant 0.0 : tensor<4x2003xf32>
    %r = fly.reduce %x along 1 : tensor<4x2003xf32> -> tensor<4xf32> combine(%p: f32, %q: f32) {
      fly.yield %p : f32
    }
    gpu.return
  }
}

// -----

// What from_acc asks for and lanes do not hold.
#sched = #fly.schedule<waves = [1, 2], waves_per_eu = 1, grid = {order = n_fastest},
    dot0 = {mfma = 16x16, acc = transposed}, dot1 = {mfma = 16x16, acc = plain, a = from_acc}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @waves_share_columns(%A: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 1.0 : tensor<32x32xbf16>
    %z = fly.constant 0.0 : tensor<32x32xf32>
    %s = fly.dot %t, %t, %z label "dot0" : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xf32>
    %p = arith.truncf %s : tensor<32x32xf32> to tensor<32x32xbf16>
    // expected-error @+1 {{schedule asks for 'a = from_acc', but lanes do not hold what the instruction reads: its first operand is in #fly.mma<shape = [16, 16], waves = [1, 2], transposed = true>; what fits is an accumulator with acc = transposed, of the same mfma, in waves = [n, 1]}}
    %d = fly.dot %p, %t, %z label "dot1" : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    a = regs(depth = 1), dot0 = {mfma = 16x16, acc = plain, a = from_acc}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @loaded(%A: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[32, 32] : !fly.view<32x32xbf16>
    %t = fly.load %a[0, 0] label "a" : !fly.view<32x32xbf16> -> tensor<32x32xbf16>
    %u = fly.constant 1.0 : tensor<32x32xbf16>
    %z = fly.constant 0.0 : tensor<32x32xf32>
    // expected-error @+1 {{schedule asks for 'a = from_acc', but lanes do not hold what the instruction reads: its first operand is not computed of an accumulator}}
    %d = fly.dot %t, %u, %z label "dot0" : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xf32>
    gpu.return
  }
}
