// Reductions whose extents the lanes do not share evenly by themselves,
// combiners that compute in the elements' own type (lanes exchange those as whole
// registers), and exchanges between waves in a loop.
// RUN: fly-run %s --kernel=columns96 M=13 N=96 | FileCheck %s
// RUN: fly-run %s --kernel=columns96 --chip=gfx950 "--schedule=waves=[1,8]" M=16 N=90 | FileCheck %s
// RUN: fly-run %s --kernel=columns7 M=16 N=7 | FileCheck %s
// RUN: fly-run %s --kernel=rows100 M=100 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=rows100 --chip=gfx950 "--schedule=waves=[4,1]" M=77 N=33 | FileCheck %s
// RUN: fly-run %s --kernel=narrow --chip=gfx950 "--schedule=waves=[1,4]" M=16 N=256 | FileCheck %s
// RUN: fly-run %s --kernel=narrow "--schedule=waves=[4,1]" M=16 N=200 | FileCheck %s
// RUN: fly-run %s --kernel=meet M=16 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=loop M=9 N=2700 | FileCheck %s --check-prefixes=CHECK,LDS
// RUN: fly-run %s --kernel=loop --chip=gfx950 "--schedule=waves=[2,2]" M=9 N=3072 | FileCheck %s --check-prefixes=CHECK,LDS
// CHECK: right
// LDS: LDS {{[1-9]}}

!V = !fly.view<?x?xf32>
!V1 = !fly.view<?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @columns96(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M] : !V1
    %t = fly.load %x[0, 0] : !V -> tensor<16x96xf32>
    %r = fly.reduce add %t along 1 : tensor<16x96xf32> -> tensor<16xf32>
    fly.store %r, %y[0] : tensor<16xf32>, !V1
    gpu.return
  }

  gpu.func @columns7(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M] : !V1
    %t = fly.load %x[0, 0] : !V -> tensor<16x7xf32>
    %r = fly.reduce max %t along 1 : tensor<16x7xf32> -> tensor<16xf32>
    fly.store %r, %y[0] : tensor<16xf32>, !V1
    gpu.return
  }

  gpu.func @rows100(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%N] : !V1
    %t = fly.load %x[0, 0] : !V -> tensor<100x64xf32>
    %r = fly.reduce add %t along 0 : tensor<100x64xf32> -> tensor<64xf32>
    fly.store %r, %y[0] : tensor<64xf32>, !V1
    gpu.return
  }

  gpu.func @narrow(%X: !fly.ptr<f16>, %I: !fly.ptr<i8>, %Y: !fly.ptr<f16>, %Z: !fly.ptr<i8>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf16>
    %i = fly.view %I[%M, %N] : !fly.view<?x?xi8>
    %y = fly.view %Y[%M] : !fly.view<?xf16>
    %z = fly.view %Z[%M] : !fly.view<?xi8>
    %t = fly.load %x[0, 0] pad neg_inf : !fly.view<?x?xf16> -> tensor<16x256xf16>
    %u = fly.load %i[0, 0] : !fly.view<?x?xi8> -> tensor<16x256xi8>
    %r, %s = fly.reduce %t, %u along 1 : tensor<16x256xf16>, tensor<16x256xi8> -> (tensor<16xf16>, tensor<16xi8>)
        combine(%a: f16, %ai: i8, %b: f16, %bi: i8) {
      %m = arith.maxnumf %a, %b : f16
      %o = arith.xori %ai, %bi : i8
      fly.yield %m, %o : f16, i8
    }
    fly.store %r, %y[0] : tensor<16xf16>, !fly.view<?xf16>
    fly.store %s, %z[0] : tensor<16xi8>, !fly.view<?xi8>
    gpu.return
  }

  // Two tiles whose elements would choose other layouts.
  gpu.func @meet(%X: !fly.ptr<f32>, %Y: !fly.ptr<bf16>, %Z: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xbf16>
    %z = fly.view %Z[%M] : !V1
    %t = fly.load %x[0, 0] : !V -> tensor<16x64xf32>
    %u = fly.load %y[0, 0] : !fly.view<?x?xbf16> -> tensor<16x64xbf16>
    %r = fly.reduce max %t along 1 : tensor<16x64xf32> -> tensor<16xf32>
    %s = fly.reduce max %u along 1 : tensor<16x64xbf16> -> tensor<16xbf16>
    %w = arith.extf %s : tensor<16xbf16> to tensor<16xf32>
    %sum = arith.addf %r, %w : tensor<16xf32>
    fly.store %sum, %z[0] : tensor<16xf32>, !V1
    gpu.return
  }

  gpu.func @loop(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %Z: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<waves = [1, 4]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M] : !V1
    %z = fly.view %Z[%M] : !V1
    %m = fly.grid to (%M) step (4)
    %least = fly.constant neg_inf : tensor<4xf32>
    %none = fly.constant 0.0 : tensor<4xf32>
    %c0 = arith.constant 0 : i32
    %c1024 = arith.constant 1024 : i32
    %a, %b = scf.for %k = %c0 to %N step %c1024 iter_args(%p = %least, %q = %none) -> (tensor<4xf32>, tensor<4xf32>) : i32 {
      %t = fly.load %x[%m, %k] pad neg_inf : !V -> tensor<4x1024xf32>
      %u = fly.load %x[%m, %k] : !V -> tensor<4x1024xf32>
      %max = fly.reduce max %t along 1 : tensor<4x1024xf32> -> tensor<4xf32>
      %sum = fly.reduce add %u along 1 : tensor<4x1024xf32> -> tensor<4xf32>
      %p2 = arith.maxnumf %p, %max : tensor<4xf32>
      %q2 = arith.addf %q, %sum : tensor<4xf32>
      scf.yield %p2, %q2 : tensor<4xf32>, tensor<4xf32>
    }
    fly.store %a, %y[%m] : tensor<4xf32>, !V1
    fly.store %b, %z[%m] : tensor<4xf32>, !V1
    gpu.return
  }
}
