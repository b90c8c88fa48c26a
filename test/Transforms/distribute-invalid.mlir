// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_layout(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @+1 {{has a tile without a distributed layout, 'tensor<16x32xf32>'}}
    %t = fly.constant 0.0 : tensor<16x32xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
!G = tensor<16x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!M = tensor<16x32xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @exchange(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 0.0 : !G
    // expected-error @+1 {{moves elements between lanes: run fly-stage-lds first, which sends them through LDS}}
    %u = fly.convert_layout %t : !G -> !M
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
!G = tensor<16x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @picked_contiguous(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[4, 16, 32] strides [1, 128, 4] : !fly.view<4x16x32xf32, #fly.strided<[1, ?, ?]>>
    // expected-error @+1 {{picks one index of dimension 0, the contiguous one of its view, which this pass cannot distribute}}
    %t = fly.load %p[0, 0, 0] : !fly.view<4x16x32xf32, #fly.strided<[1, ?, ?]>> -> !G
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_such_instruction(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %a = fly.constant 0.0 : tensor<16x8xf16, #fly.operand<a, #mma, pack = 2>>
    %b = fly.constant 0.0 : tensor<16x8xf16, #fly.operand<b, #mma, pack = 2>>
    %c = fly.constant 0.0 : tensor<16x16xf32, #mma>
    // expected-error @+1 {{has no matrix instruction of 16x16 for 'f16' and 'f16' on gfx942}}
    %d = fly.dot %a, %b, %c label "dot0" : tensor<16x8xf16, #fly.operand<a, #mma, pack = 2>>, tensor<16x8xf16, #fly.operand<b, #mma, pack = 2>> -> tensor<16x16xf32, #mma>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!G = tensor<16x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!L = !fly.view<16x32xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @behind_the_field(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    // expected-error @+1 {{has a tile of extent 16 at 8 in dimension 0 of '!fly.view<16x32xf32, lds>': LDS is not checked, so the tile must lie inside (in_bounds says so)}}
    %t = fly.load %a[8, 0] : !L -> !G
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!G = tensor<16x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @unknown_control_flow(%P: !fly.ptr<f32>, %i: index) kernel attributes {fly.schedule = #sched} {
    // expected-error @+1 {{has tiles in its regions, but is no control flow that fly-distribute knows: scf.for, scf.if, scf.while}}
    scf.index_switch %i
    default {
      %t = fly.constant 0.0 : !G
      scf.yield
    }
    gpu.return
  }
}

// -----

// The other chip's 8-bit floats have no instruction here.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [16, 16], waves = [1, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @wrong_flavour(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %a = fly.constant 0.0 : tensor<16x64xf8E4M3FN, #fly.operand<a, #mma, pack = 16>>
    %b = fly.constant 0.0 : tensor<16x64xf8E4M3FN, #fly.operand<b, #mma, pack = 16>>
    %c = fly.constant 0.0 : tensor<16x16xf32, #mma>
    // expected-error @+1 {{has no matrix instruction of 16x16 for 'f8E4M3FN' and 'f8E4M3FN' on gfx942}}
    %d = fly.dot %a, %b, %c label "dot0" : tensor<16x64xf8E4M3FN, #fly.operand<a, #mma, pack = 16>>, tensor<16x64xf8E4M3FN, #fly.operand<b, #mma, pack = 16>> -> tensor<16x16xf32, #mma>
    gpu.return
  }
}

// -----

// A layout that somebody wrote gives a lane more than it has.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @beyond_registers() kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{takes 1024 vector registers a lane with 64 threads, limit is 512 on gfx942 with 1 wave a SIMD}}
    // expected-note @+1 {{fix: a tile of at most 32768 elements}}
    %x = fly.constant 0.0 : tensor<1024x64xf32, #fly.blocked<threads = [1, 64], vector = 1>>
    gpu.return
  }
}

// -----

// Layouts that somebody wrote: the exchange between waves is missing.
#sched = #fly.schedule<waves = [1, 4], waves_per_eu = 1, grid = {order = n_fastest}>
#b = #fly.blocked<threads = [1, 256], vector = 1>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_exchange() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<4x256xf32, #b>
    // expected-error @+1 {{combines what different waves hold: give its tile its layout by fly-assign-layouts, which adds the exchange}}
    %r = fly.reduce add %x along 1 : tensor<4x256xf32, #b> -> tensor<4xf32, #fly.slice<1, 256, #b>>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#b = #fly.blocked<threads = [16, 4], vector = 1>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @uneven_rows() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<20x4xf32, #b>
    // expected-error @+1 {{combines the 20 elements of a dimension which lanes share unevenly: a combiner has nothing to put in the place of what lies beyond the tile; fly-assign-layouts gives an even layout}}
    %r = fly.reduce %x along 0 : tensor<20x4xf32, #b> -> tensor<4xf32, #fly.slice<0, 20, #b>> combine(%p: f32, %q: f32) {
      fly.yield %p : f32
    }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#b = #fly.blocked<threads = [16, 4], vector = 1>
#c = #fly.blocked<threads = [4], vector = 8>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_slice() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<32x4xf32, #b>
    // expected-error @+1 {{has a result whose layout is no slice of the source's}}
    %r = fly.reduce add %x along 1 : tensor<32x4xf32, #b> -> tensor<32xf32, #c>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @row_of_a_shuffle(%P: !fly.ptr<i8>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 64] : !fly.view<?x64xi8, #fly.preshuffle<16, 64>>
    // expected-error @+1 {{has a tile of rank 1 in a preshuffled view, which this pass cannot distribute: rank 2 it can}}
    %t = fly.load %p[0, 0] : !fly.view<?x64xi8, #fly.preshuffle<16, 64>> -> tensor<64xi8, #fly.blocked<threads = [4], vector = 16>>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#b = #fly.blocked<threads = [8, 8], vector = 4>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @transpose_moves() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<32x32xf32, #b>
    // expected-error @+1 {{which are not the transpose of each other: run fly-assign-layouts, which adds the conversion}}
    %y = fly.transpose %x [1, 0] : tensor<32x32xf32, #b> -> tensor<32x32xf32, #b>
    gpu.return
  }
}

// -----

// The accumulator of two waves: each has 32 rows of its own, in rounds of 16.
#sched = #fly.schedule<waves = [2, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#m = #fly.mma<shape = [16, 16], waves = [2, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @scan_order() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<64x16xf32, #m>
    // expected-error @+1 {{does not give to lanes in the order of coordinates: give its tile its layout by fly-assign-layouts}}
    %y = fly.scan add %x along 0 : tensor<64x16xf32, #m> -> tensor<64x16xf32, #m>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 2], waves_per_eu = 1, grid = {order = n_fastest}>
#b = #fly.blocked<threads = [128], vector = 1>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @scan_waves() kernel attributes {fly.schedule = #sched} {
    %x = fly.constant 0.0 : tensor<128xf32, #b>
    // expected-error @+1 {{combines what different waves hold: fly-stage-lds gives the scratch for that}}
    %y = fly.scan add %x along 0 : tensor<128xf32, #b> -> tensor<128xf32, #b>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!T = tensor<64x4xf32, #fly.blocked<threads = [64, 1], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{kernel has a tile as argument 1, which no launch can pass: pass a pointer and load it}}
  gpu.func @tile_argument(%Y: !fly.ptr<f32>, %t: !T) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[64, 4] : !fly.view<64x4xf32>
    fly.store %t, %y[0, 0] : !T, !fly.view<64x4xf32>
    gpu.return
  }
}

// -----

// Rows before the start of a preshuffled view.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V = !fly.view<?x64xi8, #fly.preshuffle<16, 64>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @before_blocks(%P: !fly.ptr<i8>, %M: i32, %m: i32) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 64] : !V
    // expected-error @+1 {{has a coordinate in dimension 0 that cannot be shown to be at least 0: what lies before the start of a preshuffled view is not distributed (a maximum with 0 shows it, where that is meant; sums of numbers that nothing bounds may wrap)}}
    %t = fly.load %p[%m, 0] : !V -> tensor<16x64xi8, #fly.blocked<threads = [16, 4], vector = 16>>
    gpu.return
  }
}
