// The outside rule of views: every element outside in any dimension reads as
// the pad and is not written, whatever lies at its address.
// RUN: fly-run %s --kernel=columns M=3 N=5 X=iota --device=reference --expect Y=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=before M=4 X=iota --device=reference --out Y=@%t.npy > /dev/null
// RUN: od -An -tf4 -j128 %t.npy | FileCheck %s --check-prefix=BEFORE
// BEFORE: -inf {{ *}}-inf {{ *}}0 {{ *}}1
// RUN: fly-run %s --kernel=masked M=4 X=iota --device=reference --expect Y=fill:-1 | FileCheck %s
// CHECK: right

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Columns 5 to 7 are outside although the next row lies at their addresses:
  // they read as one, and so does row 3. The product with itself is 3
  // everywhere; of 4 + 3 the first row is written, its fourth column is dropped.
  gpu.func @columns(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %c5 = arith.constant 5 : i32
    %four = fly.constant 4.0 : tensor<4x4xf32>
    %m = fly.grid to (%M) step (4)
    %out = fly.load %x[%m, %c5] pad one : !fly.view<?x?xf32> -> tensor<4x3xf32>
    %sum = fly.dot %out, %out, %four : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x4xf32>
    %v = fly.view %Y[1, %M] : !fly.view<1x?xf32>
    %c0 = arith.constant 0 : i32
    fly.store %sum, %v[0, %c0] : tensor<4x4xf32>, !fly.view<1x?xf32>
    gpu.return
  }

  // Coordinates below zero are outside, too.
  gpu.func @before(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel {
    %x = fly.view %X[%M] : !fly.view<?xf32>
    %y = fly.view %Y[%M] : !fly.view<?xf32>
    %m = fly.grid to (1) step (1)
    %two = arith.constant -2 : i32
    %t = fly.load %x[%two] pad neg_inf : !fly.view<?xf32> -> tensor<4xf32>
    fly.store %t, %y[0] : tensor<4xf32>, !fly.view<?xf32>
    gpu.return
  }

  // A masked element keeps the old value in memory and reads as the pad.
  gpu.func @masked(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32) kernel {
    %x = fly.view %X[%M] : !fly.view<?xi32>
    %y = fly.view %Y[%M] : !fly.view<?xi32>
    %m = fly.grid to (%M) step (4)
    %ids = fly.load %x[%m] : !fly.view<?xi32> -> tensor<4xi32>
    %two = fly.constant 2 : tensor<4xi32>
    %low = arith.cmpi slt, %ids, %two : tensor<4xi32>
    %five = fly.constant 5 : tensor<4xi32>
    %none = arith.cmpi eq, %ids, %five : tensor<4xi32>
    %v = fly.load %x[%m] mask %low : !fly.view<?xi32>, tensor<4xi1> -> tensor<4xi32>
    fly.store %v, %y[%m] mask %none : tensor<4xi32>, !fly.view<?xi32>, tensor<4xi1>
    gpu.return
  }
}
