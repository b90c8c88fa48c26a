// Tiles that were taken to lie inside their views, so that columns beyond the
// end came from the next row instead of the pad. What is outside reads as zero.
// RUN: fly-run %s --kernel=twice M=32 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=wrapped X='f32[96]=iota' P=fill:89478486 | FileCheck %s
// RUN: fly-run %s --kernel=long_way N=128 L=200 | FileCheck %s
// CHECK: right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // The sum of an origin with itself: each of the two was left out as the one
  // that lies below the extent, and nothing was left to add.
  gpu.func @twice(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    fly.require_multiple %N of 16
    fly.require_multiple %M of 16
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (16, 16)
    %c = arith.addi %n, %n : i32
    %t = fly.load %x[%m, %c] : !fly.view<?x?xf32> -> tensor<16x16xf32>
    fly.store %t, %y[%m, %n] : tensor<16x16xf32>, !fly.view<?x?xf32>
    gpu.return
  }

  // A product that has wrapped is no multiple of 48, although it lies in the
  // range that the branch asks for: 89478486 * 48 is 32.
  gpu.func @wrapped(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %P: !fly.ptr<i32>)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %p = fly.view %P[1] : !fly.view<1xi32>
    %a = fly.load_scalar %p[0] : !fly.view<1xi32> -> i32
    %c0 = arith.constant 0 : i32
    %c48 = arith.constant 48 : i32
    %c1000 = arith.constant 1000 : i32
    %e = arith.muli %a, %c48 : i32
    %below = arith.cmpi slt, %e, %c1000 : i32
    %above = arith.cmpi sgt, %e, %c0 : i32
    %between = arith.andi %below, %above : i1
    scf.if %between {
      %x = fly.view %X[2, %e] strides [48, 1] : !fly.view<2x?xf32>
      %y = fly.view %Y[2, 48] : !fly.view<2x48xf32>
      %t = fly.load %x[0, 0] : !fly.view<2x?xf32> -> tensor<2x48xf32>
      fly.store %t, %y[0, 0] : tensor<2x48xf32>, !fly.view<2x48xf32>
    }
    gpu.return
  }

  // From a negative start to any 64-bit number the way has more than 64 bits.
  gpu.func @long_way(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32, %L: i64)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    fly.require_multiple %N of 64
    %zero = arith.constant 0 : i32
    %start = arith.constant -3 : index
    %step = arith.constant 63 : index
    %end = arith.index_cast %L : i64 to index
    %x = fly.view %X[2, %N] : !fly.view<2x?xf32>
    %y = fly.view %Y[2, 4096] : !fly.view<2x4096xf32>
    %m = fly.grid to (%N) step (4096)
    scf.for %i = %start to %end step %step {
      %at = arith.index_cast %i : index to i32
      %c = arith.maxsi %at, %zero : i32
      %t = fly.load %x[0, %c] : !fly.view<2x?xf32> -> tensor<2x64xf32>
      fly.store %t, %y[0, %c] : tensor<2x64xf32>, !fly.view<2x4096xf32>
    }
    gpu.return
  }
}
