// Sums of rows and of columns, and cumulative sums, of several types: rows that one
// wave holds need no LDS.
// RUN: sed 's/ELEMENT/f32/g; s/ADD/addf/g; s/ZERO/0.0/g' %s > %t.f32.mlir
// RUN: sed 's/ELEMENT/bf16/g; s/ADD/addf/g; s/ZERO/0.0/g' %s > %t.bf16.mlir
// RUN: sed 's/ELEMENT/i32/g; s/ADD/addi/g; s/ZERO/0/g' %s > %t.i32.mlir
// RUN: sed 's/ELEMENT/i8/g; s/ADD/addi/g; s/ZERO/0/g' %s > %t.i8.mlir
// RUN: fly-run %t.f32.mlir --kernel=rows M=13 N=1000 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %t.bf16.mlir --kernel=rows --chip=gfx950 M=13 N=999 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %t.i8.mlir --kernel=rows M=13 N=1021 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %t.i32.mlir --kernel=columns M=300 N=90 | FileCheck %s
// RUN: fly-run %t.f32.mlir --kernel=columns --chip=gfx950 M=256 N=64 | FileCheck %s
// RUN: fly-run %t.i32.mlir --kernel=cumulative M=5 N=1000 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %t.bf16.mlir --kernel=cumulative --chip=gfx950 M=5 N=1024 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %t.i8.mlir --kernel=cumulative "--schedule=waves=[1,4]" M=3 N=1000 | FileCheck %s
// CHECK: right
// NOLDS: LDS 0, spills 0

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows(%X: !fly.ptr<ELEMENT>, %Y: !fly.ptr<ELEMENT>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xELEMENT>
    %y = fly.view %Y[%M] : !fly.view<?xELEMENT>
    %m = fly.grid to (%M) step (4)
    %t = fly.load %x[%m, 0] : !fly.view<?x?xELEMENT> -> tensor<4x1024xELEMENT>
    %r = fly.reduce add %t along 1 : tensor<4x1024xELEMENT> -> tensor<4xELEMENT>
    fly.store %r, %y[%m] : tensor<4xELEMENT>, !fly.view<?xELEMENT>
    gpu.return
  }

  gpu.func @columns(%X: !fly.ptr<ELEMENT>, %Y: !fly.ptr<ELEMENT>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xELEMENT>
    %y = fly.view %Y[%N] : !fly.view<?xELEMENT>
    %n = fly.grid to (%N) step (64)
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %none = fly.constant ZERO : tensor<64xELEMENT>
    %sum = scf.for %k = %c0 to %M step %c32 iter_args(%s = %none) -> (tensor<64xELEMENT>) : i32 {
      %t = fly.load %x[%k, %n] : !fly.view<?x?xELEMENT> -> tensor<32x64xELEMENT>
      %r = fly.reduce add %t along 0 : tensor<32x64xELEMENT> -> tensor<64xELEMENT>
      %u = arith.ADD %s, %r : tensor<64xELEMENT>
      scf.yield %u : tensor<64xELEMENT>
    }
    fly.store %sum, %y[%n] : tensor<64xELEMENT>, !fly.view<?xELEMENT>
    gpu.return
  }

  gpu.func @cumulative(%X: !fly.ptr<ELEMENT>, %Y: !fly.ptr<ELEMENT>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xELEMENT>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xELEMENT>
    %m = fly.grid to (%M) step (4)
    %t = fly.load %x[%m, 0] : !fly.view<?x?xELEMENT> -> tensor<4x1024xELEMENT>
    %r = fly.scan add %t along 1 : tensor<4x1024xELEMENT> -> tensor<4x1024xELEMENT>
    fly.store %r, %y[%m, 0] : tensor<4x1024xELEMENT>, !fly.view<?x?xELEMENT>
    gpu.return
  }
}
