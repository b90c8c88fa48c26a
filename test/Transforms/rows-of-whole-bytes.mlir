// The launch has rows of elements below a byte whole; later passes know it of
// the argument, as they know what the author requires: another view of the same
// length may be copied two elements at a time.
// RUN: fly-opt %s --fly-plan-grid | FileCheck %s

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @weights
  // CHECK-SAME: %{{[a-z0-9]+}}: i32 {fly.name = "M"}, %{{[a-z0-9]+}}: i32 {fly.multiple_of = 6 : i64, fly.name = "K"}
  // CHECK-SAME: {expr = "K", multiple_of = "3"}
  // CHECK-SAME: {expr = "K", multiple_of = "2"}
  gpu.func @weights(%A: !fly.ptr<f16>, %B: !fly.ptr<i4>, %M: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %K of 3
    %a = fly.view %A[%M, %K] : !fly.view<?x?xf16>
    %b = fly.view %B[%M, %K] : !fly.view<?x?xi4>
    %m = fly.grid to (%M) step (64)
    %x = fly.load %a[%m, 0] : !fly.view<?x?xf16> -> tensor<64x64xf16>
    %y = fly.load %b[%m, 0] : !fly.view<?x?xi4> -> tensor<64x64xi4>
    gpu.return
  }
}
