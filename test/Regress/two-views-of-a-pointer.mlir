// Two views of one pointer are one line of elements for every executor: what
// one writes to a file, another takes.
// RUN: fly-run %s T=5 --device=reference --out P=@%t.npy
// RUN: fly-run %s T=5 --expect P=@%t.npy | FileCheck %s
// CHECK: k gfx942 right
// CHECK: P: 10 of 10 equal
!T = tensor<16xi32>
!V = !fly.view<?xi32, #fly.strided<[2]>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%P: !fly.ptr<i32>, %T: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %one = arith.constant 1 : i64
    %even = fly.view %P[%T] strides [2] : !V
    %odd = fly.view %P[%T] strides [2] at %one : !V
    %t = fly.grid to (%T) step (16)
    %i = fly.iota from %t along 0 : !T
    %z = fly.constant 0 : !T
    %n = arith.subi %z, %i : !T
    fly.store %i, %even[%t] : !T, !V
    fly.store %n, %odd[%t] : !T, !V
    gpu.return
  }
}
