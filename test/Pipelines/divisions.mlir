// Scalar divisions that round up or down compile and are right.
// RUN: fly-run %s A=17 B=5 --expect Y=fill:4 --expect Z=fill:3 | FileCheck %s
// RUN: fly-run %s A=20 B=5 --expect Y=fill:4 --expect Z=fill:4 | FileCheck %s
// RUN: fly-run %s A=-17 B=5 --expect Y=fill:-3 --expect Z=fill:-4 | FileCheck %s
// CHECK: right

gpu.module @divisions [#rocdl.target<chip = "gfx942">] {
  gpu.func @divisions(%Y: !fly.ptr<i32>, %Z: !fly.ptr<i32>, %A: i32, %B: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %y = fly.view %Y[64] : !fly.view<64xi32>
    %z = fly.view %Z[64] : !fly.view<64xi32>
    %up = arith.ceildivsi %A, %B : i32
    %down = arith.floordivsi %A, %B : i32
    %tu = fly.splat %up : i32 -> tensor<64xi32>
    %td = fly.splat %down : i32 -> tensor<64xi32>
    fly.store %tu, %y[0] : tensor<64xi32>, !fly.view<64xi32>
    fly.store %td, %z[0] : tensor<64xi32>, !fly.view<64xi32>
    gpu.return
  }
}
