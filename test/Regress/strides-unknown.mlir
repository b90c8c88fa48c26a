// Views may have no contiguous dimension: elements then move one by one.
// RUN: fly-run %s M=33 N=20 sa=20 sb=1 sc=1 sd=33 | FileCheck %s
// RUN: fly-run %s M=33 N=20 sa=100 sb=3 sc=1 sd=40 | FileCheck %s
// CHECK: copy  gfx942  right (660 of 660 equal)
!T = tensor<16x64xbf16>
!V = !fly.view<?x?xbf16, #fly.strided<[?, ?]>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @copy(%A: !fly.ptr<bf16>, %C: !fly.ptr<bf16>, %M: i32, %N: i32, %sa: i32, %sb: i32, %sc: i32, %sd: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %a = fly.view %A[%M, %N] strides [%sa, %sb] : !V
    %c = fly.view %C[%M, %N] strides [%sc, %sd] : !V
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %a[%m, %n] : !V -> !T
    fly.store %t, %c[%m, %n] : !T, !V
    gpu.return
  }
}
