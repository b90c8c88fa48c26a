// 2^63 is just too large for i64, and a double; what is too large becomes the
// largest number, or is refused.
// RUN: fly-run %s --kernel=saturates --device=reference X=fill:9223372036854775808 --expect Y=fill:9223372036854775807 | FileCheck %s
// RUN: fly-run %s --kernel=saturates --device=reference X=fill:-9223372036854775808 --expect Y=fill:-9223372036854775808 | FileCheck %s
// RUN: fly-run %s --kernel=saturates --device=reference X=fill:9223371487098961920 --expect Y=fill:9223371487098961920 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=refuses --device=reference X=fill:9223372036854775808 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: value {{.*}} is out of the range of i64
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @saturates(%X: !fly.ptr<f32>, %Y: !fly.ptr<i64>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[64] : !fly.view<64xf32>
    %y = fly.view %Y[64] : !fly.view<64xi64>
    %t = fly.load %x[0] : !fly.view<64xf32> -> tensor<64xf32>
    %i = fly.cast %t overflow saturate : tensor<64xf32> -> tensor<64xi64>
    fly.store %i, %y[0] : tensor<64xi64>, !fly.view<64xi64>
    gpu.return
  }

  gpu.func @refuses(%X: !fly.ptr<f32>, %Y: !fly.ptr<i64>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[64] : !fly.view<64xf32>
    %y = fly.view %Y[64] : !fly.view<64xi64>
    %t = fly.load %x[0] : !fly.view<64xf32> -> tensor<64xf32>
    %i = fly.cast %t : tensor<64xf32> -> tensor<64xi64>
    fly.store %i, %y[0] : tensor<64xi64>, !fly.view<64xi64>
    gpu.return
  }
}
