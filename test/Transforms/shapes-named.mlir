// Slices and reshapes of tiles with names: what the numbers behind them make
// wrong is said before anything is changed, and by the reference executor.
// RUN: not fly-opt %s --fly-instantiate -split-input-file 2>&1 | FileCheck %s
// RUN: not fly-run %s --kernel=slice --device=reference 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not fly-run %s --kernel=concat --device=reference 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: fly-run %s --kernel=right --size BM=16 --size BN=32 --expect Y=fill:2 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: right

// CHECK: shapes-named.mlir:[[#@LINE+8]]:{{.*}}'tensor.extract_slice' op reaches from 16 to 47 in dimension 1 of a tile of 32
// SLICE: shapes-named.mlir:[[#@LINE+7]]:{{.*}}'tensor.extract_slice' op reaches from 16 to 47 in dimension 1 of a tile of 32
#sched = #fly.schedule<sizes = {BM = 16, BN = 32}, waves = [1, 1]>
!T = tensor<?x?xf32, #fly.tile<BM, BN>>
!V = !fly.view<16x32xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @slice() kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 1.0 : !T
    %s = tensor.extract_slice %t[0, 16] [16, 32] [1, 1] : !T to tensor<16x32xf32>
    gpu.return
  }

  // CONCAT: shapes-named.mlir:[[#@LINE+3]]:{{.*}}'tensor.concat' op makes a tile of 512 elements of 1024
  gpu.func @concat() kernel attributes {fly.schedule = #sched} {
    %t = fly.constant 1.0 : !T
    %c = tensor.concat dim(0) %t, %t : (!T, !T) -> !T
    gpu.return
  }

  gpu.func @right(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[16, 32] : !V
    %t = fly.constant 1.0 : !T
    %a = tensor.extract_slice %t[0, 0] [16, 16] [1, 1] : !T to tensor<16x16xf32>
    %b = arith.addf %a, %a : tensor<16x16xf32>
    %c = tensor.concat dim(1) %b, %b : (tensor<16x16xf32>, tensor<16x16xf32>) -> !T
    fly.store %c, %y[0, 0] : !T, !V
    gpu.return
  }
}
