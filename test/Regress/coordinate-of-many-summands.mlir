// A coordinate that shares its operands: 40 sums are 2^40 summands, and the
// proof that a tile lies inside its view looked at each. So did the comparison
// of an extent with a bound that is computed in the same way.
// RUN: fly-opt %s --fly-prove-access | FileCheck %s
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @sums
  gpu.func @sums(%X: !fly.ptr<f32>, %N: i32, %c0: i32) kernel {
    %x = fly.view %X[%N] : !fly.view<?xf32>
    %m = fly.grid to (%N) step (64)
    %c1 = arith.addi %c0, %c0 : i32
    %c2 = arith.addi %c1, %c1 : i32
    %c3 = arith.addi %c2, %c2 : i32
    %c4 = arith.addi %c3, %c3 : i32
    %c5 = arith.addi %c4, %c4 : i32
    %c6 = arith.addi %c5, %c5 : i32
    %c7 = arith.addi %c6, %c6 : i32
    %c8 = arith.addi %c7, %c7 : i32
    %c9 = arith.addi %c8, %c8 : i32
    %c10 = arith.addi %c9, %c9 : i32
    %c11 = arith.addi %c10, %c10 : i32
    %c12 = arith.addi %c11, %c11 : i32
    %c13 = arith.addi %c12, %c12 : i32
    %c14 = arith.addi %c13, %c13 : i32
    %c15 = arith.addi %c14, %c14 : i32
    %c16 = arith.addi %c15, %c15 : i32
    %c17 = arith.addi %c16, %c16 : i32
    %c18 = arith.addi %c17, %c17 : i32
    %c19 = arith.addi %c18, %c18 : i32
    %c20 = arith.addi %c19, %c19 : i32
    %c21 = arith.addi %c20, %c20 : i32
    %c22 = arith.addi %c21, %c21 : i32
    %c23 = arith.addi %c22, %c22 : i32
    %c24 = arith.addi %c23, %c23 : i32
    %c25 = arith.addi %c24, %c24 : i32
    %c26 = arith.addi %c25, %c25 : i32
    %c27 = arith.addi %c26, %c26 : i32
    %c28 = arith.addi %c27, %c27 : i32
    %c29 = arith.addi %c28, %c28 : i32
    %c30 = arith.addi %c29, %c29 : i32
    %c31 = arith.addi %c30, %c30 : i32
    %c32 = arith.addi %c31, %c31 : i32
    %c33 = arith.addi %c32, %c32 : i32
    %c34 = arith.addi %c33, %c33 : i32
    %c35 = arith.addi %c34, %c34 : i32
    %c36 = arith.addi %c35, %c35 : i32
    %c37 = arith.addi %c36, %c36 : i32
    %c38 = arith.addi %c37, %c37 : i32
    %c39 = arith.addi %c38, %c38 : i32
    %c40 = arith.addi %c39, %c39 : i32
    // CHECK: fly.load %{{.*}} in_bounds [false]
    %t = fly.load %x[%c40] : !fly.view<?xf32> -> tensor<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @extents
  gpu.func @extents(%X: !fly.ptr<f32>, %c0: i32) kernel {
    %a1 = arith.addi %c0, %c0 : i32
    %a2 = arith.addi %a1, %a1 : i32
    %a3 = arith.addi %a2, %a2 : i32
    %a4 = arith.addi %a3, %a3 : i32
    %a5 = arith.addi %a4, %a4 : i32
    %a6 = arith.addi %a5, %a5 : i32
    %a7 = arith.addi %a6, %a6 : i32
    %a8 = arith.addi %a7, %a7 : i32
    %a9 = arith.addi %a8, %a8 : i32
    %a10 = arith.addi %a9, %a9 : i32
    %a11 = arith.addi %a10, %a10 : i32
    %a12 = arith.addi %a11, %a11 : i32
    %a13 = arith.addi %a12, %a12 : i32
    %a14 = arith.addi %a13, %a13 : i32
    %a15 = arith.addi %a14, %a14 : i32
    %a16 = arith.addi %a15, %a15 : i32
    %a17 = arith.addi %a16, %a16 : i32
    %a18 = arith.addi %a17, %a17 : i32
    %a19 = arith.addi %a18, %a18 : i32
    %a20 = arith.addi %a19, %a19 : i32
    %a21 = arith.addi %a20, %a20 : i32
    %a22 = arith.addi %a21, %a21 : i32
    %a23 = arith.addi %a22, %a22 : i32
    %a24 = arith.addi %a23, %a23 : i32
    %a25 = arith.addi %a24, %a24 : i32
    %a26 = arith.addi %a25, %a25 : i32
    %a27 = arith.addi %a26, %a26 : i32
    %a28 = arith.addi %a27, %a27 : i32
    %a29 = arith.addi %a28, %a28 : i32
    %a30 = arith.addi %a29, %a29 : i32
    %a31 = arith.addi %a30, %a30 : i32
    %a32 = arith.addi %a31, %a31 : i32
    %a33 = arith.addi %a32, %a32 : i32
    %a34 = arith.addi %a33, %a33 : i32
    %a35 = arith.addi %a34, %a34 : i32
    %a36 = arith.addi %a35, %a35 : i32
    %a37 = arith.addi %a36, %a36 : i32
    %a38 = arith.addi %a37, %a37 : i32
    %a39 = arith.addi %a38, %a38 : i32
    %a40 = arith.addi %a39, %a39 : i32
    %b1 = arith.addi %c0, %c0 : i32
    %b2 = arith.addi %b1, %b1 : i32
    %b3 = arith.addi %b2, %b2 : i32
    %b4 = arith.addi %b3, %b3 : i32
    %b5 = arith.addi %b4, %b4 : i32
    %b6 = arith.addi %b5, %b5 : i32
    %b7 = arith.addi %b6, %b6 : i32
    %b8 = arith.addi %b7, %b7 : i32
    %b9 = arith.addi %b8, %b8 : i32
    %b10 = arith.addi %b9, %b9 : i32
    %b11 = arith.addi %b10, %b10 : i32
    %b12 = arith.addi %b11, %b11 : i32
    %b13 = arith.addi %b12, %b12 : i32
    %b14 = arith.addi %b13, %b13 : i32
    %b15 = arith.addi %b14, %b14 : i32
    %b16 = arith.addi %b15, %b15 : i32
    %b17 = arith.addi %b16, %b16 : i32
    %b18 = arith.addi %b17, %b17 : i32
    %b19 = arith.addi %b18, %b18 : i32
    %b20 = arith.addi %b19, %b19 : i32
    %b21 = arith.addi %b20, %b20 : i32
    %b22 = arith.addi %b21, %b21 : i32
    %b23 = arith.addi %b22, %b22 : i32
    %b24 = arith.addi %b23, %b23 : i32
    %b25 = arith.addi %b24, %b24 : i32
    %b26 = arith.addi %b25, %b25 : i32
    %b27 = arith.addi %b26, %b26 : i32
    %b28 = arith.addi %b27, %b27 : i32
    %b29 = arith.addi %b28, %b28 : i32
    %b30 = arith.addi %b29, %b29 : i32
    %b31 = arith.addi %b30, %b30 : i32
    %b32 = arith.addi %b31, %b31 : i32
    %b33 = arith.addi %b32, %b32 : i32
    %b34 = arith.addi %b33, %b33 : i32
    %b35 = arith.addi %b34, %b34 : i32
    %b36 = arith.addi %b35, %b35 : i32
    %b37 = arith.addi %b36, %b36 : i32
    %b38 = arith.addi %b37, %b37 : i32
    %b39 = arith.addi %b38, %b38 : i32
    %b40 = arith.addi %b39, %b39 : i32
    %x = fly.view %X[%a40] : !fly.view<?xf32>
    %m = fly.grid to (%b40) step (64)
    // CHECK: fly.load %{{.*}} in_bounds [false]
    %t = fly.load %x[%m] : !fly.view<?xf32> -> tensor<64xf32>
    gpu.return
  }
}
