// RUN: not fly-opt %s --fly-resolve-schedule 2>&1 | FileCheck %s
// CHECK: empty-label.mlir:7:10: error: 'fly.load' op has an empty label: leave it out, or name it for the schedule
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %a = fly.view %A[64, 64] : !fly.view<64x64xf32>
    // "" once counted as no buffer at all.
    %t = fly.load %a[0, 0] label "" : !fly.view<64x64xf32> -> tensor<64x64xf32>
    gpu.return
  }
}
