// Arguments that may alias keep the order of their loads and stores: what is
// loaded twice with a store between is loaded twice. The program passes one
// memory for both.
// RUN: fly-run %s N=256 X=fill:1 --expect Y=fill:3 --expect X=fill:2 | FileCheck %s
// RUN: fly-run %s N=256 X=fill:1 --expect Y=fill:3 --expect X=fill:2 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s N=256 X=fill:1 --expect Y=fill:3 --expect X=fill:2 --device=reference | FileCheck %s
// CHECK: in_place {{.*}} right
// RUN: fly-compile %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: @twice(ptr addrspace(1) noundef %A, ptr addrspace(1) noundef %B, ptr addrspace(1) noundef %C
// RUN: fly-compile %s --emit=contract | FileCheck %s --check-prefix=CONTRACT
// CONTRACT-COUNT-2: "may_alias": true
// RUN: sed 's/{fly.may_alias}//g' %s > %t.mlir
// RUN: not fly-run %t.mlir N=256 2>&1 | FileCheck %s --check-prefix=NOT
// NOT: aliases.mlir.tmp.mlir:{{.*}} error: {{.*}}passes one memory as 'A' and 'B', which the kernel takes for two and writes: mark one of them {fly.may_alias} in the kernel

#sched = #fly.schedule<waves = [1, 1]>
!V = !fly.view<?xf32>
!T = tensor<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @twice(%A: !fly.ptr<f32> {fly.may_alias}, %B: !fly.ptr<f32> {fly.may_alias}, %C: !fly.ptr<f32>, %N: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%N] : !V
    %b = fly.view %B[%N] : !V
    %c = fly.view %C[%N] : !V
    %n = fly.grid to (%N) step (64)
    %one = fly.constant 1.0 : !T
    %t = fly.load %a[%n] : !V -> !T
    %t1 = arith.addf %t, %one : !T
    fly.store %t1, %b[%n] : !T, !V
    %u = fly.load %a[%n] : !V -> !T
    %u1 = arith.addf %u, %one : !T
    fly.store %u1, %c[%n] : !T, !V
    gpu.return
  }
}
func.func @in_place(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) attributes {fly.program} {
  fly.launch @m::@twice(%X, %X, %Y, %N) : !fly.ptr<f32>, !fly.ptr<f32>, !fly.ptr<f32>, i32
  return
}
