// Running combinations in lanes, across lanes and across waves, of both dimensions,
// by kinds and by combiners that do not commute.
// RUN: fly-run %s --kernel=both_ways M=13 N=60 | FileCheck %s
// RUN: fly-run %s --kernel=both_ways --chip=gfx950 "--schedule=waves=[1,4]" M=16 N=64 | FileCheck %s --check-prefixes=CHECK,LDS
// RUN: fly-run %s --kernel=long N=4000 | FileCheck %s --check-prefixes=CHECK,LDS
// RUN: fly-run %s --kernel=long --chip=gfx950 "--schedule=waves=[2,4]" N=4096 | FileCheck %s --check-prefixes=CHECK,LDS
// RUN: fly-run %s --kernel=order M=7 N=90 | FileCheck %s
// RUN: fly-run %s --kernel=order --chip=gfx950 "--schedule=waves=[1,4]" M=8 N=300 | FileCheck %s
// RUN: fly-run %s --kernel=sums M=5 N=1000 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %s --kernel=sums --chip=gfx950 M=4 N=1024 | FileCheck %s --check-prefixes=CHECK,NOLDS
// RUN: fly-run %s --kernel=bytes M=30 N=100 | FileCheck %s
// CHECK: right
// LDS: LDS {{[1-9]}}
// NOLDS: LDS 0, spills 0

!I = tensor<8x64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @both_ways(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi32>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi32>
    %m = fly.grid to (%M) step (8)
    %t = fly.load %x[%m, 0] : !fly.view<?x?xi32> -> !I
    %r = fly.scan add %t along 1 : !I -> !I
    %s = fly.scan max %r along 0 exclusive : !I -> !I
    %u = fly.scan xor %s along 1 reverse : !I -> !I
    fly.store %u, %y[%m, 0] : !I, !fly.view<?x?xi32>
    gpu.return
  }

  gpu.func @long(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%N] : !fly.view<?xf32>
    %y = fly.view %Y[%N] : !fly.view<?xf32>
    %t = fly.load %x[0] : !fly.view<?xf32> -> tensor<4096xf32>
    %r = fly.scan max %t along 0 : tensor<4096xf32> -> tensor<4096xf32>
    %s = fly.scan %r along 0 reverse : tensor<4096xf32> -> tensor<4096xf32> combine(%a: f32, %b: f32) {
      %q = arith.minnumf %a, %b : f32
      fly.yield %q : f32
    }
    fly.store %s, %y[0] : tensor<4096xf32>, !fly.view<?xf32>
    gpu.return
  }

  // Composition of x -> a x + b, which does not commute.
  gpu.func @order(%A: !fly.ptr<i32>, %B: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %va = fly.view %A[%M, %N] : !fly.view<?x?xi32>
    %vb = fly.view %B[%M, %N] : !fly.view<?x?xi32>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi32>
    %ta = fly.load %va[0, 0] : !fly.view<?x?xi32> -> tensor<8x512xi32>
    %tb = fly.load %vb[0, 0] : !fly.view<?x?xi32> -> tensor<8x512xi32>
    %r, %s = fly.scan %ta, %tb along 1 : tensor<8x512xi32>, tensor<8x512xi32> -> (tensor<8x512xi32>, tensor<8x512xi32>)
        combine(%a: i32, %b: i32, %c: i32, %d: i32) {
      %ac = arith.muli %a, %c : i32
      %bc = arith.muli %b, %c : i32
      %e = arith.addi %bc, %d : i32
      fly.yield %ac, %e : i32, i32
    }
    fly.store %s, %y[0, 0] : tensor<8x512xi32>, !fly.view<?x?xi32>
    gpu.return
  }

  gpu.func @sums(%X: !fly.ptr<f16>, %Y: !fly.ptr<f16>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf16>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xf16>
    %m = fly.grid to (%M) step (4)
    %t = fly.load %x[%m, 0] : !fly.view<?x?xf16> -> tensor<4x1024xf16>
    %r = fly.scan add %t along 1 exclusive : tensor<4x1024xf16> -> tensor<4x1024xf16>
    fly.store %r, %y[%m, 0] : tensor<4x1024xf16>, !fly.view<?x?xf16>
    gpu.return
  }

  gpu.func @bytes(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi8>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi8>
    %t = fly.load %x[0, 0] : !fly.view<?x?xi8> -> tensor<32x100xi8>
    %r = fly.scan umax %t along 0 reverse : tensor<32x100xi8> -> tensor<32x100xi8>
    %s = fly.scan add %r along 1 : tensor<32x100xi8> -> tensor<32x100xi8>
    fly.store %s, %y[0, 0] : tensor<32x100xi8>, !fly.view<?x?xi8>
    gpu.return
  }
}
