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
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @negative_origin(%P: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[%M, 32] : !fly.view<?x32xf32>
    // expected-error @+1 {{has a coordinate in dimension 0 that cannot be shown to be at least 0}}
    %t = fly.load %p[%M, 0] : !fly.view<?x32xf32> -> !G
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
    // expected-error @+1 {{moves elements between lanes: stage the tile in LDS (schedule lds(...))}}
    %u = fly.convert_layout %t : !G -> !M
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot0 = {mfma = 16x16, acc = plain}>
!G = tensor<16x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @higher_rank_view(%P: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[4, 16, 32] : !fly.view<4x16x32xf32>
    // expected-error @+1 {{has a tile of rank 2 in a view of rank 3, which this pass cannot distribute}}
    %t = fly.load %p[0, 0, 0] : !fly.view<4x16x32xf32> -> !G
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
