// Loops that are no scf.for hold tile accesses too.
// RUN: fly-run %s M=300 | FileCheck %s
// CHECK: copy  gfx942  right (19200 of 19200 equal)
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @copy(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %M: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %a = fly.view %A[%M, 64] : !fly.view<?x64xf32>
    %c = fly.view %C[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (64) step (64)
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %M : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %t = fly.load %a[%i, 0] : !fly.view<?x64xf32> -> tensor<64x64xf32>
      fly.store %t, %c[%i, 0] : tensor<64x64xf32>, !fly.view<?x64xf32>
      %j = arith.addi %i, %c64 : i32
      scf.yield %j : i32
    }
    gpu.return
  }
}
