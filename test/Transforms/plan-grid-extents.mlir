// A view whose extent the device makes: a tile in it ends where the grid does.
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid | FileCheck %s
!T = tensor<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @ragged
  // CHECK-SAME: {expr = "max(64, most - 1 + 64) * 4 < 2147483648", message = "rows of %Y are too long or too far apart: a tile spans 2 GiB"}
  gpu.func @ragged(%Len: !fly.ptr<i32> {fly.name = "Len"}, %Y: !fly.ptr<f32> {fly.name = "Y"}, %most: i32 {fly.name = "most"}, %x: f32 {fly.name = "x"})
      kernel attributes {fly.schedule = #fly.schedule<>} {
    %len = fly.view %Len[1] : !fly.view<1xi32>
    %n = fly.load_scalar %len[0] : !fly.view<1xi32> -> i32
    %y = fly.view %Y[%n] : !fly.view<?xf32>
    %m = fly.grid to (%most) step (64)
    %t = fly.splat %x : f32 -> !T
    fly.store %t, %y[%m] : !T, !fly.view<?xf32>
    gpu.return
  }
}
