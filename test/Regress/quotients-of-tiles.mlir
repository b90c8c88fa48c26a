// Quotients of tiles by powers of two: an address's shift was made for a vector,
// with an amount that was none, and the compiler crashed.
// RUN: fly-run %s --kernel=q | FileCheck %s
// RUN: fly-run %s --kernel=l | FileCheck %s
// RUN: fly-run %s --kernel=n --chip=gfx942 | FileCheck %s
// CHECK: right (1024 of 1024 equal)

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @q(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[16, 64] : !fly.view<16x64xi32>
    %c = fly.iota along 1 : tensor<16x64xi32>
    %c4 = fly.constant 4 : tensor<16x64xi32>
    %q = arith.divsi %c, %c4 : tensor<16x64xi32>
    %z = arith.constant 0 : i32
    fly.store %q, %y[%z, %z] : tensor<16x64xi32>, !fly.view<16x64xi32>
    gpu.return
  }
  gpu.func @l(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>) kernel {
    %x = fly.view %X[16, 64] : !fly.view<16x64xi32>
    %y = fly.view %Y[16, 64] : !fly.view<16x64xi32>
    %z = arith.constant 0 : i32
    %c = fly.load %x[%z, %z] : !fly.view<16x64xi32> -> tensor<16x64xi32>
    %c4 = fly.constant 4 : tensor<16x64xi32>
    %c8 = fly.constant 8 : tensor<16x64xi32>
    %m = arith.muli %c, %c8 : tensor<16x64xi32>
    %q = arith.divsi %m, %c4 : tensor<16x64xi32>
    fly.store %q, %y[%z, %z] : tensor<16x64xi32>, !fly.view<16x64xi32>
    gpu.return
  }
  gpu.func @n(%X: !fly.ptr<i8>, %Y: !fly.ptr<i32>) kernel {
    %x = fly.view %X[16, 64] : !fly.view<16x64xi8>
    %y = fly.view %Y[16, 64] : !fly.view<16x64xi32>
    %z = arith.constant 0 : i32
    %c = fly.load %x[%z, %z] : !fly.view<16x64xi8> -> tensor<16x64xi8>
    %e = arith.extui %c : tensor<16x64xi8> to tensor<16x64xi32>
    %c4 = fly.constant 4 : tensor<16x64xi32>
    %c8 = fly.constant 255 : tensor<16x64xi32>
    %m = arith.andi %e, %c8 : tensor<16x64xi32>
    %q = arith.divsi %m, %c4 : tensor<16x64xi32>
    fly.store %q, %y[%z, %z] : tensor<16x64xi32>, !fly.view<16x64xi32>
    gpu.return
  }
}
