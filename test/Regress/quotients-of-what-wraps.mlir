// 12 n is no multiple of 3 where the product wraps, so that 12 n / 3 is none of 4.
// 12 * 400000000 is 505032704 in 32 bits, a third of it 168344234, and the largest
// multiple of 4 below that 168344232.
// RUN: fly-run %s N=400000000 --expect Y=fill:168344232 | FileCheck %s
// RUN: fly-run %s N=-7 --expect Y=fill:-28 | FileCheck %s
// CHECK: Y: 1024 of 1024 equal (against fill:

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @q(%Y: !fly.ptr<i32>, %N: i32) kernel {
    %y = fly.view %Y[16, 64] : !fly.view<16x64xi32>
    %c12 = arith.constant 12 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %a = arith.muli %N, %c12 : i32
    %b = arith.divsi %a, %c3 : i32
    %c = arith.divsi %b, %c4 : i32
    %d = arith.muli %c, %c4 : i32
    %q = fly.splat %d : i32 -> tensor<16x64xi32>
    %z = arith.constant 0 : i32
    fly.store %q, %y[%z, %z] : tensor<16x64xi32>, !fly.view<16x64xi32>
    gpu.return
  }
}
