// Tiles that change hands: narrow elements, truth values, rows used as columns, and
// conversions in loops, where the next trip must not overwrite what is still read.
// RUN: fly-run %s --kernel=bytes M=100 N=72 | FileCheck %s
// RUN: fly-run %s --kernel=bytes --chip=gfx950 "--schedule=waves=[1,4]" M=64 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=halves M=33 N=72 | FileCheck %s
// RUN: fly-run %s --kernel=halves --chip=gfx950 "--schedule=waves=[1,1]" M=64 N=40 | FileCheck %s
// RUN: fly-run %s --kernel=masks M=40 | FileCheck %s
// RUN: fly-run %s --kernel=rows_and_columns M=48 | FileCheck %s
// RUN: fly-run %s --kernel=rows_and_columns --chip=gfx950 "--schedule=waves=[2,2]" M=40 | FileCheck %s
// RUN: fly-run %s --kernel=loop M=24 N=200 | FileCheck %s
// RUN: fly-run %s --kernel=loop --chip=gfx950 "--schedule=waves=[1,4]" M=32 N=97 | FileCheck %s
// CHECK: right

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @bytes(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi8>
    %y = fly.view %Y[%N, %M] : !fly.view<?x?xi8>
    %m, %n = fly.grid to (%M, %N) step (32, 64)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi8> -> tensor<32x64xi8>
    %u = fly.transpose %t [1, 0] : tensor<32x64xi8> -> tensor<64x32xi8>
    fly.store %u, %y[%n, %m] : tensor<64x32xi8>, !fly.view<?x?xi8>
    gpu.return
  }

  gpu.func @halves(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xbf16>
    %y = fly.view %Y[%N, %M] : !fly.view<?x?xbf16>
    %m, %n = fly.grid to (%M, %N) step (64, 32)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xbf16> -> tensor<64x32xbf16>
    %u = fly.transpose %t [1, 0] : tensor<64x32xbf16> -> tensor<32x64xbf16>
    fly.store %u, %y[%n, %m] : tensor<32x64xbf16>, !fly.view<?x?xbf16>
    gpu.return
  }

  // A truth value has no place in memory; the symmetric part of a square matrix
  // where it is positive on both sides.
  gpu.func @masks(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %M] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M, %M] : !fly.view<?x?xf32>
    %t = fly.load %x[0, 0] : !fly.view<?x?xf32> -> tensor<64x64xf32>
    %z = fly.constant 0.0 : tensor<64x64xf32>
    %p = arith.cmpf ogt, %t, %z : tensor<64x64xf32>
    %q = fly.transpose %p [1, 0] : tensor<64x64xi1> -> tensor<64x64xi1>
    %b = arith.andi %p, %q : tensor<64x64xi1>
    %r = arith.select %b, %t, %z : tensor<64x64xi1>, tensor<64x64xf32>
    fly.store %r, %y[0, 0] : tensor<64x64xf32>, !fly.view<?x?xf32>
    gpu.return
  }

  // One vector as rows and as columns, loaded and computed.
  gpu.func @rows_and_columns(%X: !fly.ptr<f32>, %V: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %M] : !fly.view<?x?xf32>
    %v = fly.view %V[%M] : !fly.view<?xf32>
    %y = fly.view %Y[%M, %M] : !fly.view<?x?xf32>
    %t = fly.load %x[0, 0] : !fly.view<?x?xf32> -> tensor<48x48xf32>
    %w = fly.load %v[0] : !fly.view<?xf32> -> tensor<48xf32>
    %s = fly.reduce max %t along 1 : tensor<48x48xf32> -> tensor<48xf32>
    %u = arith.addf %s, %w : tensor<48xf32>
    %rows = fly.broadcast %u along 1 : tensor<48xf32> -> tensor<48x48xf32>
    %columns = fly.broadcast %u along 0 : tensor<48xf32> -> tensor<48x48xf32>
    %d = arith.subf %rows, %columns : tensor<48x48xf32>
    %r = arith.addf %d, %t : tensor<48x48xf32>
    fly.store %r, %y[0, 0] : tensor<48x48xf32>, !fly.view<?x?xf32>
    gpu.return
  }

  gpu.func @loop(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %Z: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi32>
    %y = fly.view %Y[%N, %M] : !fly.view<?x?xi32>
    %z = fly.view %Z[%M] : !fly.view<?xi32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %none = fly.constant 0 : tensor<32xi32>
    %all = scf.for %k = %c0 to %N step %c32 iter_args(%p = %none) -> (tensor<32xi32>) : i32 {
      %t = fly.load %x[0, %k] : !fly.view<?x?xi32> -> tensor<32x32xi32>
      %u = fly.transpose %t [1, 0] : tensor<32x32xi32> -> tensor<32x32xi32>
      %c = fly.scan add %u along 0 : tensor<32x32xi32> -> tensor<32x32xi32>
      fly.store %c, %y[%k, 0] : tensor<32x32xi32>, !fly.view<?x?xi32>
      %s = fly.reduce add %t along 1 : tensor<32x32xi32> -> tensor<32xi32>
      %q = arith.addi %p, %s : tensor<32xi32>
      scf.yield %q : tensor<32xi32>
    }
    fly.store %all, %z[0] : tensor<32xi32>, !fly.view<?xi32>
    gpu.return
  }
}
