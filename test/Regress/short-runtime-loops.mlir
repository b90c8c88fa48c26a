// A loop from 0 to n - 1 that carries a tile it loads and a sum (case T07): for n
// of 0 and 1 nothing of the body runs, so both come out as they went in, and what
// its load would have given (3) shows nowhere.
// RUN: fly-run %s X=fill:3 n=0 --expect Last=fill:5 --expect Sum=fill:7 | FileCheck %s
// RUN: fly-run %s X=fill:3 n=1 --expect Last=fill:5 --expect Sum=fill:7 | FileCheck %s
// RUN: fly-run %s X=fill:3 n=2 --expect Last=fill:3 --expect Sum=fill:12 | FileCheck %s
// RUN: fly-run %s X=fill:3 n=4 --chip=gfx950 --expect Last=fill:3 --expect Sum=fill:18 | FileCheck %s
// RUN: fly-run %s X=fill:3 n=0 --chip=gfx950 --expect Last=fill:5 --expect Sum=fill:7 | FileCheck %s
// CHECK: right

!T = tensor<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @carried(%X: !fly.ptr<f32>, %Last: !fly.ptr<f32>, %Sum: !fly.ptr<f32>, %n: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = fly.view %X[256] : !fly.view<256xf32>
    %last = fly.view %Last[64] : !fly.view<64xf32>
    %sum = fly.view %Sum[64] : !fly.view<64xf32>
    %five = fly.constant 5.0 : !T
    %seven = fly.constant 7.0 : !T
    %n1 = arith.subi %n, %c1 : i32
    %l, %s = scf.for %i = %c0 to %n1 step %c1 iter_args(%v = %five, %a = %seven) -> (!T, !T) : i32 {
      %b = arith.addf %a, %v : !T
      %t = fly.load %x[0] : !fly.view<256xf32> -> !T
      scf.yield %t, %b : !T, !T
    }
    fly.store %l, %last[0] : !T, !fly.view<64xf32>
    fly.store %s, %sum[0] : !T, !fly.view<64xf32>
    gpu.return
  }
}
