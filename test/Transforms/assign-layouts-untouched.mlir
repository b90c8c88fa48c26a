// A kernel that is refused leaves the others of the module as they were.
// RUN: not fly-opt %s --fly-assign-layouts --mlir-print-ir-after-failure 2>&1 | FileCheck %s

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
// CHECK: error: cannot distribute 'tensor<2x4x8xf32>'
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK: gpu.func @fine
  gpu.func @fine() kernel attributes {fly.schedule = #sched} {
    // CHECK: fly.constant 0.000000e+00 : tensor<64x64xf32>
    %t = fly.constant 0.0 : tensor<64x64xf32>
    gpu.return
  }
  // CHECK: gpu.func @refused
  gpu.func @refused() kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 0.0 : tensor<2x4x8xf32>
    gpu.return
  }
}
