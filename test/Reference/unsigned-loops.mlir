// scf.for unsigned counts without signs, here to 2^32 - 1 in steps of 3 * 2^29:
// three iterations, none of which there is with signs.
// RUN: fly-run %s N=-1 --expect Y=fill:3 --device=reference | FileCheck %s
// RUN: fly-run %s N=-1 --expect Y=fill:3 | FileCheck %s
// CHECK: right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @count(%Y: !fly.ptr<i32>, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %y = fly.view %Y[64] : !fly.view<64xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %step = arith.constant 1610612736 : i32
    %count = scf.for unsigned %i = %c0 to %N step %step iter_args(%n = %c0) -> (i32) : i32 {
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    }
    %t = fly.splat %count : i32 -> tensor<64xi32>
    fly.store %t, %y[0] : tensor<64xi32>, !fly.view<64xi32>
    gpu.return
  }
}
