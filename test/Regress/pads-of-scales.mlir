// f8E8M0FNU has no zero: a pad of zero is a byte of
// zeros, 2^-127, also where a mask chooses it. LLVM was asked for the zero, which
// it must not be. The lowest number is refused: pads-invalid.mlir.
// RUN: fly-run %s M=16 N=40 | FileCheck %s
// CHECK: right
!V = !fly.view<?x?xf8E8M0FNU>
!T = tensor<16x64xf8E8M0FNU>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @masked(%X: !fly.ptr<f8E8M0FNU>, %Y: !fly.ptr<f8E8M0FNU>, %M: i32, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, 64] : !V
    %m = fly.grid to (%M) step (16)
    %column = fly.iota along 1 : tensor<16x64xi32>
    %ends = fly.constant 37 : tensor<16x64xi32>
    %on = arith.cmpi slt, %column, %ends : tensor<16x64xi32>
    %t = fly.load %x[%m, 0] mask %on : !V, tensor<16x64xi1> -> !T
    fly.store %t, %y[%m, 0] : !T, !V
    gpu.return
  }
}
