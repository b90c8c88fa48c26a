// RUN: fly-opt %s --fly-stage-lds | FileCheck %s

// Of a chip that Fly only describes nobody knows the banks: rows lie as they are.
// CHECK: fly.lds.struct @described_lds { {{.*}} : !fly.view<64x32xf32, lds>
!A = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!B = tensor<64x32xf32, #fly.blocked<threads = [64, 1], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx1250">] {
  // CHECK-LABEL: gpu.func @described
  gpu.func @described(%P: !fly.ptr<f32>) kernel {
    %a = fly.view %P[64, 32] : !fly.view<64x32xf32>
    %t = fly.load %a[0, 0] : !fly.view<64x32xf32> -> !A
    %u = fly.convert_layout %t : !A -> !B
    fly.store %u, %a[0, 0] : !B, !fly.view<64x32xf32>
    gpu.return
  }
}
