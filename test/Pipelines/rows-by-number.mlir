// Rows given by number: numbers that are negative, beyond the view or far
// beyond it, tails along columns, masks and pads; each against the reference,
// and @closed against a closed form inside the kernel.
// RUN: fly-run %s --kernel=closed X=iota R=rand:3 M=13 N=72 T=100 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=closed --chip=gfx950 X=iota R=rand:3 M=13 N=67 T=100 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=copy X=rand:1 R=iota M=5 N=64 T=130 | FileCheck %s
// RUN: fly-run %s --kernel=copy --chip=gfx950 X=rand:1 R=iota M=5 N=64 T=130 | FileCheck %s
// RUN: fly-run %s --kernel=copy X=rand:1 R=rand:2 M=40 N=61 T=200 | FileCheck %s
// RUN: fly-run %s --kernel=single X=rand:1 R=rand:2 M=4 T=500 | FileCheck %s
// RUN: fly-run %s --kernel=single --chip=gfx950 X=rand:1 R=rand:2 M=4 T=500 | FileCheck %s
// RUN: fly-run %s --kernel=columns X=rand:1 R=rand:2 M=4 N=70 T=200 | FileCheck %s
// RUN: fly-run %s --kernel=columns --chip=gfx950 X=rand:1 R=rand:2 M=4 N=64 T=200 | FileCheck %s
// RUN: fly-run %s --kernel=spread X=rand:1 M=37 N=96 | FileCheck %s
// RUN: fly-run %s --kernel=spread --chip=gfx950 X=rand:1 M=37 N=91 | FileCheck %s
// CHECK: right

#sched = #fly.schedule<sizes = {BM = 32, BN = 64}, waves = [4, 1]>
!I = tensor<?xi32, #fly.tile<BM>>
!T = tensor<?x?xi32, #fly.tile<BM, BN>>
!M = tensor<?x?xi1, #fly.tile<BM, BN>>
!H = tensor<?x?xf16, #fly.tile<BM, BN>>
!VI = !fly.view<?xi32>
!V = !fly.view<?x?xi32>
!VH = !fly.view<?x?xf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // X[r][c] = r * N + c. Row numbers are r * 7 * (-1)^r, times 2^20 for some.
  gpu.func @closed(%X: !fly.ptr<i32>, %R: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32, %T: i32) kernel
      attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%T, %N] : !V
    %r = fly.view %R[%T] : !VI
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %given = fly.load %r[%m] : !VI -> !I
    %i = fly.iota from %m along 0 : !I
    %seven = fly.constant 7 : !I
    %three = fly.constant 3 : !I
    %two30 = fly.constant 268435457 : !I
    %p = arith.muli %given, %three : !I
    %i7 = arith.remsi %i, %seven : !I
    %far = arith.cmpi eq, %i7, %three : !I
    %q = arith.muli %p, %two30 : !I
    %number = arith.select %far, %q, %p : tensor<?xi1, #fly.tile<BM>>, !I
    %g = fly.gather %x rows(%number) at [%n] pad one : !V, !I -> !T
    %rows = fly.broadcast %number along 1 : !I -> !T
    %cols = fly.iota from %n along 1 : !T
    %mm = fly.splat %M : i32 -> !T
    %nn = fly.splat %N : i32 -> !T
    %zero = fly.constant 0 : !T
    %one = fly.constant 1 : !T
    %in0 = arith.cmpi slt, %rows, %mm : !T
    %in1 = arith.cmpi sge, %rows, %zero : !T
    %in2 = arith.cmpi slt, %cols, %nn : !T
    %in3 = arith.andi %in0, %in1 : !M
    %in = arith.andi %in3, %in2 : !M
    %e0 = arith.muli %rows, %nn : !T
    %e1 = arith.addi %e0, %cols : !T
    %e = arith.select %in, %e1, %one : !M, !T
    %d = arith.subi %g, %e : !T
    fly.store %d, %y[%m, %n] : !T, !V
    gpu.return
  }

  // Y[t] = X[R[t] - 1] where the column is odd, else the pad; both ways by number.
  gpu.func @copy(%X: !fly.ptr<f16>, %R: !fly.ptr<i32>, %Y: !fly.ptr<f16>, %M: i32, %N: i32, %T: i32) kernel
      attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !VH
    %y = fly.view %Y[%T, %N] : !VH
    %r = fly.view %R[%T] : !VI
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %number = fly.load %r[%m] : !VI -> !I
    %one = fly.constant 1 : !I
    %before = arith.subi %number, %one : !I
    %cols = fly.iota from %n along 1 : !T
    %odd0 = fly.constant 1 : !T
    %odd1 = arith.andi %cols, %odd0 : !T
    %odd = arith.cmpi eq, %odd1, %odd0 : !T
    %g = fly.gather %x rows(%before) at [%n] pad lowest cache stream mask %odd : !VH, !I, !M -> !H
    %i = fly.iota from %m along 0 : !I
    fly.scatter %g, %y rows(%i) at [%n] : !H, !VH, !I
    gpu.return
  }

  // One number, one element.
  gpu.func @single(%X: !fly.ptr<f16>, %R: !fly.ptr<i32>, %Y: !fly.ptr<f16>, %M: i32, %T: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 256}, waves = [4, 1]>} {
    %x = fly.view %X[%M] : !fly.view<?xf16>
    %y = fly.view %Y[%T] : !fly.view<?xf16>
    %r = fly.view %R[%T] : !VI
    %m = fly.grid to (%T) step (BM)
    %number = fly.load %r[%m] : !VI -> !I
    %g = fly.gather %x rows(%number) at [] : !fly.view<?xf16>, !I -> tensor<?xf16, #fly.tile<BM>>
    %i = fly.iota from %m along 0 : !I
    %odd0 = fly.constant 1 : !I
    %odd1 = arith.andi %i, %odd0 : !I
    %odd = arith.cmpi eq, %odd1, %odd0 : !I
    fly.scatter %g, %y rows(%i) at [] mask %odd : tensor<?xf16, #fly.tile<BM>>, !fly.view<?xf16>, !I, tensor<?xi1, #fly.tile<BM>>
    gpu.return
  }

  // Rows that are contiguous along their numbers.
  gpu.func @columns(%X: !fly.ptr<f16>, %R: !fly.ptr<i32>, %Y: !fly.ptr<f16>, %M: i32, %N: i32, %T: i32) kernel
      attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] strides [1, %M] : !fly.view<?x?xf16, #fly.strided<[1, ?]>>
    %y = fly.view %Y[%T, %N] : !VH
    %r = fly.view %R[%T] : !VI
    %m, %n = fly.grid to (%T, %N) step (BM, BN)
    %number = fly.load %r[%m] : !VI -> !I
    %g = fly.gather %x rows(%number) at [%n] : !fly.view<?x?xf16, #fly.strided<[1, ?]>>, !I -> !H
    fly.store %g, %y[%m, %n] : !H, !VH
    gpu.return
  }

  // Row m goes to row 3 m + 1 of three times as many, the others stay.
  gpu.func @spread(%X: !fly.ptr<f16>, %Y: !fly.ptr<f16>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #sched} {
    %c3 = arith.constant 3 : i32
    %M3 = arith.muli %M, %c3 : i32
    %x = fly.view %X[%M, %N] : !VH
    %y = fly.view %Y[%M3, %N] : !VH
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !VH -> !H
    %i = fly.iota from %m along 0 : !I
    %three = fly.constant 3 : !I
    %one = fly.constant 1 : !I
    %j = arith.muli %i, %three : !I
    %k = arith.addi %j, %one : !I
    fly.scatter %t, %y rows(%k) at [%n] : !H, !VH, !I
    gpu.return
  }
}
