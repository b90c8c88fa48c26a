// Slices and reshapes that cannot be compiled, by every pass that meets them.
// RUN: fly-opt %s --fly-instantiate -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-assign-layouts -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @computed_place(%t: !T, %at: index) kernel attributes {fly.schedule = #sched} {
    // expected-error @below {{'tensor.extract_slice' op cannot be compiled: its place is computed, but which registers a slice is must be known; give offsets, sizes and strides as numbers, or load the part from memory}}
    %s = tensor.extract_slice %t[0, %at] [16, 32] [1, 1] : !T to tensor<16x32xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @inserted_at_a_computed_place(%t: !T, %p: tensor<16x32xf32>, %at: index) kernel attributes {fly.schedule = #sched} {
    // expected-error @below {{'tensor.insert_slice' op cannot be compiled: its place is computed}}
    %s = tensor.insert_slice %p into %t[0, %at] [16, 32] [1, 1] : tensor<16x32xf32> into !T
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @standing_still(%t: !T) kernel attributes {fly.schedule = #sched} {
    // expected-error @below {{'tensor.extract_slice' op cannot be compiled: it has the stride 0 in dimension 1, strides must be at least 1}}
    %s = tensor.extract_slice %t[0, 3] [16, 4] [1, 0] : !T to tensor<16x4xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @three_dimensions(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @below {{layouts hold tiles of rank 1 and 2, got}}
    %s = tensor.expand_shape %t [[0, 1], [2]] output_shape [4, 4, 64] : tensor<16x64xf32> into tensor<4x4x64xf32>
    gpu.return
  }
}
