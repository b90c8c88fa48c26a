// Tiles combined into memory, by every kind and type: each workgroup adds its
// rows to the same ones. Integers, and floats that hold them exactly, so that
// the order does not matter.
// RUN: fly-run %s --kernel=all_i32 --chip=gfx942 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 Y_umax=rand:5 Y_umin=rand:6 Y_and=rand:7 Y_or=rand:8 Y_xor=rand:9 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_i32 --chip=gfx950 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 Y_umax=rand:5 Y_umin=rand:6 Y_and=rand:7 Y_or=rand:8 Y_xor=rand:9 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=all_i64 --chip=gfx942 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 Y_umax=rand:5 Y_umin=rand:6 Y_and=rand:7 Y_or=rand:8 Y_xor=rand:9 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_i64 --chip=gfx950 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 Y_umax=rand:5 Y_umin=rand:6 Y_and=rand:7 Y_or=rand:8 Y_xor=rand:9 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=all_f32 --chip=gfx942 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_f32 --chip=gfx950 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=all_f64 --chip=gfx942 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_f64 --chip=gfx950 X=rand:1 Y_add=rand:2 Y_max=rand:3 Y_min=rand:4 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=all_f16 --chip=gfx942 X=rand:1 Y_add=rand:2 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_f16 --chip=gfx950 X=rand:1 Y_add=rand:2 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=all_bf16 --chip=gfx942 X=rand:1 Y_add=rand:2 T=150 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=all_bf16 --chip=gfx950 X=rand:1 Y_add=rand:2 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=columns --chip=gfx942 X=rand:1 Y=rand:2 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=masked --chip=gfx942 X=rand:1 Y=rand:2 T=9 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=ticket --chip=gfx942 Count=zeros T=7 --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=scalars --chip=gfx942 I=rand:1 F=rand:2 G=rand:3 | FileCheck %s
// RUN: fly-run %s --kernel=columns --chip=gfx950 X=rand:1 Y=rand:2 T=150 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=masked --chip=gfx950 X=rand:1 Y=rand:2 T=9 N=61 | FileCheck %s
// RUN: fly-run %s --kernel=ticket --chip=gfx950 Count=zeros T=7 --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=scalars --chip=gfx950 I=rand:1 F=rand:2 G=rand:3 | FileCheck %s
// CHECK: right

#sched = #fly.schedule<sizes = {BM = 32, BN = 64}, waves = [4, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @all_i32(%X: !fly.ptr<i32>, %Y_add: !fly.ptr<i32>, %Y_max: !fly.ptr<i32>, %Y_min: !fly.ptr<i32>, %Y_umax: !fly.ptr<i32>, %Y_umin: !fly.ptr<i32>, %Y_and: !fly.ptr<i32>, %Y_or: !fly.ptr<i32>, %Y_xor: !fly.ptr<i32>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xi32>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi32> -> tensor<?x?xi32, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xi32>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_max = fly.view %Y_max[20, %N] : !fly.view<?x?xi32>
    fly.atomic max %t, %y_max[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_min = fly.view %Y_min[20, %N] : !fly.view<?x?xi32>
    fly.atomic min %t, %y_min[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_umax = fly.view %Y_umax[20, %N] : !fly.view<?x?xi32>
    fly.atomic umax %t, %y_umax[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_umin = fly.view %Y_umin[20, %N] : !fly.view<?x?xi32>
    fly.atomic umin %t, %y_umin[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_and = fly.view %Y_and[20, %N] : !fly.view<?x?xi32>
    fly.atomic and %t, %y_and[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_or = fly.view %Y_or[20, %N] : !fly.view<?x?xi32>
    fly.atomic or %t, %y_or[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    %y_xor = fly.view %Y_xor[20, %N] : !fly.view<?x?xi32>
    fly.atomic xor %t, %y_xor[0, %n] relaxed agent : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    gpu.return
  }

  gpu.func @all_i64(%X: !fly.ptr<i64>, %Y_add: !fly.ptr<i64>, %Y_max: !fly.ptr<i64>, %Y_min: !fly.ptr<i64>, %Y_umax: !fly.ptr<i64>, %Y_umin: !fly.ptr<i64>, %Y_and: !fly.ptr<i64>, %Y_or: !fly.ptr<i64>, %Y_xor: !fly.ptr<i64>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xi64>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi64> -> tensor<?x?xi64, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xi64>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_max = fly.view %Y_max[20, %N] : !fly.view<?x?xi64>
    fly.atomic max %t, %y_max[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_min = fly.view %Y_min[20, %N] : !fly.view<?x?xi64>
    fly.atomic min %t, %y_min[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_umax = fly.view %Y_umax[20, %N] : !fly.view<?x?xi64>
    fly.atomic umax %t, %y_umax[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_umin = fly.view %Y_umin[20, %N] : !fly.view<?x?xi64>
    fly.atomic umin %t, %y_umin[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_and = fly.view %Y_and[20, %N] : !fly.view<?x?xi64>
    fly.atomic and %t, %y_and[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_or = fly.view %Y_or[20, %N] : !fly.view<?x?xi64>
    fly.atomic or %t, %y_or[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    %y_xor = fly.view %Y_xor[20, %N] : !fly.view<?x?xi64>
    fly.atomic xor %t, %y_xor[0, %n] relaxed agent : tensor<?x?xi64, #fly.tile<BM, BN>>, !fly.view<?x?xi64>
    gpu.return
  }

  gpu.func @all_f32(%X: !fly.ptr<f32>, %Y_add: !fly.ptr<f32>, %Y_max: !fly.ptr<f32>, %Y_min: !fly.ptr<f32>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xf32> -> tensor<?x?xf32, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xf32>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xf32, #fly.tile<BM, BN>>, !fly.view<?x?xf32>
    %y_max = fly.view %Y_max[20, %N] : !fly.view<?x?xf32>
    fly.atomic max %t, %y_max[0, %n] relaxed agent : tensor<?x?xf32, #fly.tile<BM, BN>>, !fly.view<?x?xf32>
    %y_min = fly.view %Y_min[20, %N] : !fly.view<?x?xf32>
    fly.atomic min %t, %y_min[0, %n] relaxed agent : tensor<?x?xf32, #fly.tile<BM, BN>>, !fly.view<?x?xf32>
    gpu.return
  }

  gpu.func @all_f64(%X: !fly.ptr<f64>, %Y_add: !fly.ptr<f64>, %Y_max: !fly.ptr<f64>, %Y_min: !fly.ptr<f64>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xf64>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xf64> -> tensor<?x?xf64, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xf64>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xf64, #fly.tile<BM, BN>>, !fly.view<?x?xf64>
    %y_max = fly.view %Y_max[20, %N] : !fly.view<?x?xf64>
    fly.atomic max %t, %y_max[0, %n] relaxed agent : tensor<?x?xf64, #fly.tile<BM, BN>>, !fly.view<?x?xf64>
    %y_min = fly.view %Y_min[20, %N] : !fly.view<?x?xf64>
    fly.atomic min %t, %y_min[0, %n] relaxed agent : tensor<?x?xf64, #fly.tile<BM, BN>>, !fly.view<?x?xf64>
    gpu.return
  }

  gpu.func @all_f16(%X: !fly.ptr<f16>, %Y_add: !fly.ptr<f16>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xf16>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xf16> -> tensor<?x?xf16, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xf16>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xf16, #fly.tile<BM, BN>>, !fly.view<?x?xf16>
    gpu.return
  }

  gpu.func @all_bf16(%X: !fly.ptr<bf16>, %Y_add: !fly.ptr<bf16>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xbf16>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xbf16> -> tensor<?x?xbf16, #fly.tile<BM, BN>>
    %y_add = fly.view %Y_add[20, %N] : !fly.view<?x?xbf16>
    fly.atomic add %t, %y_add[0, %n] relaxed agent : tensor<?x?xbf16, #fly.tile<BM, BN>>, !fly.view<?x?xbf16>
    gpu.return
  }

  // Sums of columns, which many lanes hold: each goes to memory once.
  gpu.func @columns(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %T: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%N] : !fly.view<?xf32>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xf32> -> tensor<?x?xf32, #fly.tile<BM, BN>>
    %s = fly.reduce add %t along 0 : tensor<?x?xf32, #fly.tile<BM, BN>> -> tensor<?xf32, #fly.tile<BN>>
    fly.atomic add %s, %y[%n] acq_rel agent : tensor<?xf32, #fly.tile<BN>>, !fly.view<?xf32>
    gpu.return
  }

  // Fewer elements than threads, masks, pairs of halves with a lone one.
  gpu.func @masked(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %T: i32, %N: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 2, BN = 32}, waves = [4, 1]>} {
    %x = fly.view %X[%T, %N] : !fly.view<?x?xbf16>
    %y = fly.view %Y[2, %N] : !fly.view<?x?xbf16>
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xbf16> -> tensor<?x?xbf16, #fly.tile<BM, BN>>
    %c = fly.iota from %n along 1 : tensor<?x?xi32, #fly.tile<BM, BN>>
    %five = fly.constant 5 : tensor<?x?xi32, #fly.tile<BM, BN>>
    %mask = arith.cmpi ne, %c, %five : tensor<?x?xi32, #fly.tile<BM, BN>>
    fly.atomic add %t, %y[0, %n] mask %mask relaxed agent : tensor<?x?xbf16, #fly.tile<BM, BN>>, !fly.view<?x?xbf16>, tensor<?x?xi1, #fly.tile<BM, BN>>
    gpu.return
  }

  // The number of a workgroup in the order of arrival, as a scalar of all waves:
  // Y[i] is i whatever the order.
  gpu.func @ticket(%Count: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %T: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BN = 256}, waves = [1, 4]>} {
    %bn = fly.size BN
    %one = arith.constant 1 : i32
    %count = fly.view %Count[1] : !fly.view<?xi32>
    %all = arith.muli %T, %bn : i32
    %y = fly.view %Y[%all] : !fly.view<?xi32>
    %m = fly.grid to (%all) step (BN)
    %old = fly.atomic_rmw add %one, %count[0] relaxed agent : !fly.view<?xi32>
    %no = fly.atomic_rmw add %one, %count[%T] acq_rel system : !fly.view<?xi32>
    %at0 = arith.muli %old, %bn : i32
    %at1 = arith.addi %at0, %no : i32
    %zero = arith.constant 0 : i32
    %at = arith.maxsi %at1, %zero : i32
    %i = fly.iota from %at along 0 : tensor<?xi32, #fly.tile<BN>>
    fly.store %i, %y[%at] : tensor<?xi32, #fly.tile<BN>>, !fly.view<?xi32>
    gpu.return
  }

  // One workgroup that has its old values from memory: kinds and widths.
  gpu.func @scalars(%I: !fly.ptr<i64>, %F: !fly.ptr<f64>, %G: !fly.ptr<f32>, %Y: !fly.ptr<f64>) kernel
      attributes {fly.schedule = #fly.schedule<waves = [1, 2]>} {
    %i = fly.view %I[3] : !fly.view<?xi64>
    %f = fly.view %F[3] : !fly.view<?xf64>
    %g = fly.view %G[3] : !fly.view<?xf32>
    %y = fly.view %Y[3, 128] : !fly.view<?x?xf64>
    %m = fly.grid to (1) step (1)
    %big = arith.constant 4294967300 : i64
    %half = arith.constant 2.5 : f64
    %quarter = arith.constant 1.25 : f32
    %i0 = fly.atomic_rmw add %big, %i[1] relaxed agent : !fly.view<?xi64>
    %i1 = fly.atomic_rmw xchg %i0, %i[1] release workgroup : !fly.view<?xi64>
    %f0 = fly.atomic_rmw add %half, %f[2] acquire agent : !fly.view<?xf64>
    %f1 = fly.atomic_rmw min %f0, %f[2] seq_cst agent : !fly.view<?xf64>
    %g0 = fly.atomic_rmw max %quarter, %g[0] relaxed agent : !fly.view<?xf32>
    %g1 = fly.atomic_rmw xchg %g0, %g[0] acq_rel system : !fly.view<?xf32>
    %x0 = arith.sitofp %i1 : i64 to f64
    %x2 = arith.extf %g1 : f32 to f64
    %t0 = fly.splat %x0 : f64 -> tensor<1x128xf64>
    %t1 = fly.splat %f1 : f64 -> tensor<1x128xf64>
    %t2 = fly.splat %x2 : f64 -> tensor<1x128xf64>
    fly.store %t0, %y[0, 0] : tensor<1x128xf64>, !fly.view<?x?xf64>
    fly.fence acq_rel agent
    fly.store %t1, %y[1, 0] : tensor<1x128xf64>, !fly.view<?x?xf64>
    fly.store %t2, %y[2, 0] : tensor<1x128xf64>, !fly.view<?x?xf64>
    gpu.return
  }
}
