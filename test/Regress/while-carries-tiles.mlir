// A while loop carries tiles, also with other values around them and one that
// only its body sees. Twice the rows of A below M are summed up, two at a time.
// RUN: fly-run %s M=6 | FileCheck %s
// RUN: fly-run %s M=6 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s M=0 | FileCheck %s
// RUN: fly-run %s M=5 | FileCheck %s
// CHECK: sums  gfx9{{[45][02]}}  right (512 of 512 equal)
!T = tensor<2x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @sums(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %M: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [2, 1]>} {
    %a = fly.view %A[%M, 256] : !fly.view<?x256xf32>
    %c = fly.view %C[2, 256] : !fly.view<2x256xf32>
    %zero = fly.constant 0.0 : !T
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %r:2 = scf.while (%x = %zero, %i = %c0) : (!T, i32) -> (i32, !T) {
      %more = arith.cmpi slt, %i, %M : i32
      %twice = arith.addf %x, %zero : !T
      scf.condition(%more) %i, %twice : i32, !T
    } do {
    ^bb0(%i: i32, %x: !T):
      %t = fly.load %a[%i, 0] : !fly.view<?x256xf32> -> !T
      %s = arith.addf %x, %t : !T
      %u = arith.addf %s, %t : !T
      %j = arith.addi %i, %c2 : i32
      scf.yield %u, %j : !T, i32
    }
    fly.store %r#1, %c[0, 0] : !T, !fly.view<2x256xf32>
    gpu.return
  }
}
