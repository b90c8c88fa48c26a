// Kernels without a matrix instruction, from source to checked result on both
// chips: broadcasts of rows and columns, sums along either dimension, products
// and maxima of every type that a lane combines in another width.
// RUN: fly-run %s --kernel=axpb M=100 N=200 | FileCheck %s
// RUN: fly-run %s --kernel=axpb --chip=gfx950 M=33 N=8 | FileCheck %s
// RUN: fly-run %s --kernel=colsum M=100 N=200 | FileCheck %s --check-prefixes=CHECK,LDS
// RUN: fly-run %s --kernel=colsum --chip=gfx950 M=1 N=4 | FileCheck %s
// RUN: fly-run %s --kernel=rowsum M=37 N=100 | FileCheck %s
// RUN: fly-run %s --kernel=rowsum --chip=gfx950 "--schedule=waves=[1,4]" M=37 N=1000 | FileCheck %s
// RUN: fly-run %s --kernel=kinds --chip=gfx950 M=20 | FileCheck %s
// RUN: fly-run %s --kernel=kinds "--schedule=waves=[1,4]" M=20 | FileCheck %s
// RUN: fly-run %s --kernel=argmax M=20 N=64 X=rand:3 | FileCheck %s
// RUN: fly-run %s --kernel=argmax --chip=gfx950 "--schedule=waves=[1,4]" M=20 N=500 X=rand:4 | FileCheck %s
// RUN: fly-run %s --kernel=twice --chip=gfx950 M=8 N=2000 | FileCheck %s
// RUN: fly-run %s --kernel=twice "--schedule=waves=[4,1]" M=8 N=2000 | FileCheck %s
// CHECK: right
// Waves share a column: four parts of 64 sums go through local memory.
// LDS: LDS 1024,

#sched = #fly.schedule<sizes = {BM = 16, BN = 256}>
!X = tensor<?x?xf16, #fly.tile<BM, BN>>
!F = tensor<?x?xf32, #fly.tile<BM, BN>>
!I = tensor<?x?xi32, #fly.tile<BM, BN>>
!D = tensor<?x?xf64, #fly.tile<BM, BN>>
!B8 = tensor<?x?xi8, #fly.tile<BM, BN>>
!H = tensor<?xf16, #fly.tile<BM>>
!Row = tensor<?xf32, #fly.tile<BM>>
!RowI = tensor<?xi32, #fly.tile<BM>>
!RowD = tensor<?xf64, #fly.tile<BM>>
!RowB = tensor<?xi8, #fly.tile<BM>>
!Col = tensor<?xf16, #fly.tile<BN>>
!V2 = !fly.view<?x?xf16>
!V1 = !fly.view<?xf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @axpb(%X: !fly.ptr<f16>, %R: !fly.ptr<f16>, %C: !fly.ptr<f16>, %Y: !fly.ptr<f16>,
                 %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %N of 8
    %x = fly.view %X[%M, %N] : !V2
    %y = fly.view %Y[%M, %N] : !V2
    %r = fly.view %R[%M] : !V1
    %c = fly.view %C[%N] : !V1
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %xt = fly.load %x[%m, %n] : !V2 -> !X
    %rt = fly.load %r[%m] : !V1 -> !H
    %ct = fly.load %c[%n] : !V1 -> !Col
    %o = fly.map "x * r + c" (x = %xt, r = rows %rt, c = cols %ct) : (!X, !H, !Col) -> !X
    fly.store %o, %y[%m, %n] : !X, !V2
    gpu.return
  }

  gpu.func @colsum(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BN = 64}, waves = [4, 1]>} {
    fly.require_multiple %N of 4
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%N] : !fly.view<?xf32>
    %n = fly.grid to (%N) step (BN)
    %c0 = arith.constant 0 : i32
    %bm = fly.size BM
    %z = fly.constant 0.0 : !F
    %acc = scf.for %m = %c0 to %M step %bm iter_args(%a = %z) -> (!F) : i32 {
      %t = fly.load %x[%m, %n] : !fly.view<?x?xf32> -> !F
      %b = arith.addf %a, %t : !F
      scf.yield %b : !F
    }
    %s = fly.reduce add %acc along 0 : !F -> tensor<?xf32, #fly.tile<BN>>
    fly.store %s, %y[%n] : tensor<?xf32, #fly.tile<BN>>, !fly.view<?xf32>
    gpu.return
  }

  // Sums of f16 are rounded once, whether waves exchange parts or not.
  gpu.func @rowsum(%X: !fly.ptr<f16>, %Y: !fly.ptr<f16>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 16, BN = 1024}>} {
    %x = fly.view %X[%M, %N] : !V2
    %y = fly.view %Y[%M] : !V1
    %m = fly.grid to (%M) step (BM)
    %t = fly.load %x[%m, 0] : !V2 -> !X
    %s = fly.reduce add %t along 1 : !X -> !H
    fly.store %s, %y[%m] : !H, !V1
    gpu.return
  }

  gpu.func @kinds(%A: !fly.ptr<i32>, %B: !fly.ptr<i8>, %C: !fly.ptr<f64>, %D: !fly.ptr<i32>, %M: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 4, BN = 512}>} {
    %a = fly.view %A[%M] : !fly.view<?xi32>
    %b = fly.view %B[%M] : !fly.view<?xi8>
    %c = fly.view %C[%M] : !fly.view<?xf64>
    %d = fly.view %D[%M] : !fly.view<?xi32>
    %m = fly.grid to (%M) step (BM)
    %i = fly.iota from %m along 0 : !I
    %j = fly.iota along 1 : !I
    %c37 = fly.constant 37 : !I
    %p = arith.muli %j, %c37 : !I
    %x = arith.xori %p, %i : !I
    // The least and the greatest as signed and unsigned bytes differ.
    %n = arith.trunci %x : !I to !B8
    %min = fly.reduce min %n along 1 : !B8 -> !RowB
    fly.store %min, %b[%m] : !RowB, !fly.view<?xi8>
    %umax = fly.reduce umax %n along 1 : !B8 -> !RowB
    %u = arith.extui %umax : !RowB to !RowI
    fly.store %u, %a[%m] : !RowI, !fly.view<?xi32>
    // 64-bit values go between lanes in halves.
    %f = arith.sitofp %x : !I to !D
    %big = fly.constant 4503599627370496.0 : !D
    %s = arith.addf %f, %big : !D
    %max = fly.reduce max %s along 1 : !D -> !RowD
    fly.store %max, %c[%m] : !RowD, !fly.view<?xf64>
    %xor = fly.reduce xor %x along 1 : !I -> !RowI
    fly.store %xor, %d[%m] : !RowI, !fly.view<?xi32>
    gpu.return
  }

  // The first of the greatest elements of each row.
  gpu.func @argmax(%X: !fly.ptr<f32>, %V: !fly.ptr<f32>, %I: !fly.ptr<i32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 4, BN = 512}>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %v = fly.view %V[%M] : !fly.view<?xf32>
    %i = fly.view %I[%M] : !fly.view<?xi32>
    %m = fly.grid to (%M) step (BM)
    %t = fly.load %x[%m, 0] pad neg_inf : !fly.view<?x?xf32> -> !F
    %j = fly.iota along 1 : !I
    %best, %at = fly.reduce %t, %j along 1 : !F, !I -> (!Row, !RowI)
        combine(%a: f32, %ai: i32, %b: f32, %bi: i32) {
      %gt = arith.cmpf ogt, %a, %b : f32
      %eq = arith.cmpf oeq, %a, %b : f32
      %lt = arith.cmpi slt, %ai, %bi : i32
      %tie = arith.andi %eq, %lt : i1
      %first = arith.ori %gt, %tie : i1
      %r = arith.select %first, %a, %b : f32
      %ri = arith.select %first, %ai, %bi : i32
      fly.yield %r, %ri : f32, i32
    }
    fly.store %best, %v[%m] : !Row, !fly.view<?xf32>
    fly.store %at, %i[%m] : !RowI, !fly.view<?xi32>
    gpu.return
  }

  // Two reductions in a loop, the second of what the first gave: the buffers of
  // one round are read before the next round writes them.
  gpu.func @twice(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 4, BN = 512}, waves = [1, 4]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M] : !fly.view<?xf32>
    %m = fly.grid to (%M) step (BM)
    %c0 = arith.constant 0 : i32
    %bn = fly.size BN
    %z = fly.constant 0.0 : !Row
    %acc = scf.for %n = %c0 to %N step %bn iter_args(%a = %z) -> (!Row) : i32 {
      %t = fly.load %x[%m, %n] : !fly.view<?x?xf32> -> !F
      %max = fly.reduce max %t along 1 : !F -> !Row
      %mb = fly.broadcast %max along 1 : !Row -> !F
      %d = arith.subf %mb, %t : !F
      %s = fly.reduce add %d along 1 : !F -> !Row
      %b = arith.addf %a, %s : !Row
      scf.yield %b : !Row
    }
    fly.store %acc, %y[%m] : !Row, !fly.view<?xf32>
    gpu.return
  }
}
