// A mask of bytes beside a tile of f32: 16 bytes of mask a lane would give work to
// one wave of four. Where all have work, the narrow elements keep their 16 bytes.
// RUN: fly-opt %s --fly-assign-layouts -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @small
// CHECK: fly.load {{.*}} -> tensor<4x256xf32, #fly.blocked<threads = [4, 64], vector = 4>>
// CHECK-LABEL: gpu.func @large
// CHECK: fly.load {{.*}} -> tensor<64x256xf32, #fly.blocked<threads = [16, 16], vector = 16>>
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!X = !fly.view<64x256xf32>
!K = !fly.view<64x256xi8>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @small(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %K: !fly.ptr<i8>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[64, 256] : !X
    %y = fly.view %Y[64, 256] : !X
    %k = fly.view %K[64, 256] : !K
    %t = fly.load %x[0, 0] : !X -> tensor<4x256xf32>
    %m = fly.load %k[0, 0] : !K -> tensor<4x256xi8>
    %on = arith.trunci %m : tensor<4x256xi8> to tensor<4x256xi1>
    fly.store %t, %y[0, 0] mask %on : tensor<4x256xf32>, !X, tensor<4x256xi1>
    gpu.return
  }
  gpu.func @large(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %K: !fly.ptr<i8>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[64, 256] : !X
    %y = fly.view %Y[64, 256] : !X
    %k = fly.view %K[64, 256] : !K
    %t = fly.load %x[0, 0] : !X -> tensor<64x256xf32>
    %m = fly.load %k[0, 0] : !K -> tensor<64x256xi8>
    %on = arith.trunci %m : tensor<64x256xi8> to tensor<64x256xi1>
    fly.store %t, %y[0, 0] mask %on : tensor<64x256xf32>, !X, tensor<64x256xi1>
    gpu.return
  }
}
