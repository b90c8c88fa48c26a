// Tiles that begin before their views, by an unknown number of rows and columns:
// neighbours of elements, for one. What is outside reads as the pad and is not
// written, at both ends. Expectations are formulas of the coordinates.
// RUN: fly-run %s --kernel=neighbours M=50 N=70 X=fill:1 --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=neighbours M=50 N=70 X=fill:1 --expect Y=fill:1 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=neighbours M=1 N=1 X=fill:1 --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=neighbours M=16 N=64 X=fill:1 --expect Y=fill:1 --device=reference | FileCheck %s
// RUN: fly-run %s --kernel=shifted M=20 N=37 ld=40 m=-3 n=-5 | FileCheck %s
// RUN: fly-run %s --kernel=shifted M=20 N=37 ld=37 m=-16 n=0 | FileCheck %s
// RUN: fly-run %s --kernel=shifted M=20 N=64 ld=64 m=-2147483648 n=-2147483648 | FileCheck %s
// RUN: fly-run %s --kernel=shifted M=20 N=64 ld=64 m=5 n=-1 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=shifted M=20 N=64 ld=64 m=2147483647 n=2147483647 | FileCheck %s
// RUN: fly-run %s --kernel=constants --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=planes n=-1 m=-2 | FileCheck %s
// RUN: fly-run %s --kernel=planes n=1 m=-2 | FileCheck %s
// CHECK: right
!V = !fly.view<?x?xbf16>
!T = tensor<16x64xbf16>
!I = tensor<16x64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Y = (X[i - 1, j - 2] + X[i + 1, j + 3] as it must be for X = 1): 1 or 0.
  gpu.func @neighbours(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %M: i32, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %up = arith.subi %m, %c1 : i32
    %left = arith.subi %n, %c2 : i32
    %down = arith.addi %m, %c1 : i32
    %right = arith.addi %n, %c3 : i32
    %a = fly.load %x[%up, %left] pad zero : !V -> !T
    %b = fly.load %x[%down, %right] pad zero : !V -> !T
    %s = arith.addf %a, %b : !T
    %i = fly.iota from %m along 0 : !I
    %j = fly.iota from %n along 1 : !I
    %one = fly.constant 1 : !I
    %two = fly.constant 2 : !I
    %last = arith.subi %M, %c1 : i32
    %lastn = arith.subi %N, %c3 : i32
    %sl = fly.splat %last : i32 -> !I
    %sn = fly.splat %lastn : i32 -> !I
    %a0 = arith.cmpi sge, %i, %one : !I
    %a1 = arith.cmpi sge, %j, %two : !I
    %b0 = arith.cmpi slt, %i, %sl : !I
    %b1 = arith.cmpi slt, %j, %sn : !I
    %ma = arith.andi %a0, %a1 : tensor<16x64xi1>
    %mb = arith.andi %b0, %b1 : tensor<16x64xi1>
    %ia = arith.extui %ma : tensor<16x64xi1> to !I
    %ib = arith.extui %mb : tensor<16x64xi1> to !I
    %e = arith.addi %ia, %ib : !I
    %f = arith.sitofp %e : !I to tensor<16x64xf32>
    %g = arith.extf %s : !T to tensor<16x64xf32>
    %ok = arith.cmpf oeq, %f, %g : tensor<16x64xf32>
    %on = arith.uitofp %ok : tensor<16x64xi1> to tensor<16x64xf32>
    %h = arith.truncf %on : tensor<16x64xf32> to !T
    fly.store %h, %y[%m, %n] : !T, !V
    gpu.return
  }

  // From anywhere to anywhere, i8, with rows that may have gaps.
  gpu.func @shifted(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>, %Z: !fly.ptr<i32>, %M: i32, %N: i32, %ld: i32, %m: i32, %n: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%M, %N] strides [%ld, 1] : !fly.view<?x?xi8>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi8>
    %z = fly.view %Z[%M, %N] : !fly.view<?x?xi32>
    %t = fly.load %x[%m, %n] pad lowest : !fly.view<?x?xi8> -> tensor<16x64xi8>
    fly.store %t, %y[0, 0] : tensor<16x64xi8>, !fly.view<?x?xi8>
    %u = fly.load %x[0, 0] pad one : !fly.view<?x?xi8> -> tensor<16x64xi8>
    fly.store %u, %y[%m, %n] : tensor<16x64xi8>, !fly.view<?x?xi8>
    %w = arith.extsi %t : tensor<16x64xi8> to !I
    fly.atomic add %w, %z[%m, %n] relaxed agent : !I, !fly.view<?x?xi32>
    gpu.return
  }

  // Numbers below 0 in the text.
  gpu.func @constants(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[13, 60] : !fly.view<13x60xi32>
    %i = fly.iota along 0 : !I
    %j = fly.iota along 1 : !I
    %c3 = fly.constant 3 : !I
    %c4 = fly.constant 4 : !I
    %one = fly.constant 1 : !I
    %zero = fly.constant 0 : !I
    %a = arith.cmpi sge, %i, %c3 : !I
    %b = arith.cmpi sge, %j, %c4 : !I
    %in = arith.andi %a, %b : tensor<16x64xi1>
    %t = arith.select %in, %one, %zero : tensor<16x64xi1>, !I
    %m3 = arith.constant -3 : i32
    %m4 = arith.constant -4 : i32
    fly.store %t, %y[%m3, %m4] : !I, !fly.view<13x60xi32>
    %r = fly.load %y[%m3, -4] pad zero : !fly.view<13x60xi32> -> !I
    %ok = arith.cmpi eq, %r, %t : !I
    fly.assert %ok, "what was written, and zero before it" : tensor<16x64xi1>
    gpu.return
  }

  // A plane that may not exist, and rows before its first.
  gpu.func @planes(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %n: i32, %m: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[3, 8, 16] : !fly.view<3x8x16xf32>
    %y = fly.view %Y[8, 16] : !fly.view<8x16xf32>
    %t = fly.load %x[%n, %m, 0] pad one : !fly.view<3x8x16xf32> -> tensor<8x16xf32>
    fly.store %t, %y[0, 0] : tensor<8x16xf32>, !fly.view<8x16xf32>
    gpu.return
  }
}
