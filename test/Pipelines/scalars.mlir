// Scalars from memory: uniform values that bounds, branches and loops take, of
// each width, inside the view and outside (zero).
// RUN: fly-run %s --kernel=segments Start=iota M=5 X=rand:1 | FileCheck %s
// RUN: fly-run %s --kernel=segments --chip=gfx950 Start=iota M=9 X=rand:1 | FileCheck %s
// RUN: fly-run %s --kernel=widths A=rand:1 B=rand:2 C=rand:3 D=rand:4 N=7 | FileCheck %s
// RUN: fly-run %s --kernel=widths --chip=gfx950 A=rand:1 B=rand:2 C=rand:3 D=rand:4 N=7 | FileCheck %s
// RUN: fly-run %s --kernel=after_store N=3 | FileCheck %s
// RUN: fly-run %s --kernel=after_store --chip=gfx950 N=3 | FileCheck %s
// CHECK: right

#sched = #fly.schedule<sizes = {BN = 256}>
!T = tensor<?xf32, #fly.tile<BN>>
!V = !fly.view<?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Y[r] is the sum of X[start[r] * 100 .. start[r + 1] * 100), whose end of the
  // last row is read outside the view, as zero: that sum is empty.
  gpu.func @segments(%Start: !fly.ptr<i32>, %X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BN = 256}, waves = [1, 4]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c100 = arith.constant 100 : i32
    %bn = fly.size BN
    %all = arith.muli %M, %c100 : i32
    %s = fly.view %Start[%M] : !fly.view<?xi32>
    %x = fly.view %X[1, %all] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M] : !V
    %r = fly.grid to (%M) step (1)
    %r1 = arith.addi %r, %c1 : i32
    %first = fly.load_scalar %s[%r] : !fly.view<?xi32> -> i32
    %last = fly.load_scalar %s[%r1] : !fly.view<?xi32> -> i32
    %lo = arith.muli %first, %c100 : i32
    %hi = arith.muli %last, %c100 : i32
    %z = fly.constant 0.0 : tensor<1x?xf32, #fly.tile<1, BN>>
    %low = arith.maxsi %lo, %c0 : i32
    %sum = scf.for %k = %c0 to %all step %bn iter_args(%a = %z) -> (tensor<1x?xf32, #fly.tile<1, BN>>) : i32 {
      %t = fly.load %x[0, %k] : !fly.view<?x?xf32> -> tensor<1x?xf32, #fly.tile<1, BN>>
      %j = fly.iota from %k along 1 : tensor<1x?xi32, #fly.tile<1, BN>>
      %l = fly.splat %low : i32 -> tensor<1x?xi32, #fly.tile<1, BN>>
      %h = fly.splat %hi : i32 -> tensor<1x?xi32, #fly.tile<1, BN>>
      %ge = arith.cmpi sge, %j, %l : tensor<1x?xi32, #fly.tile<1, BN>>
      %lt = arith.cmpi slt, %j, %h : tensor<1x?xi32, #fly.tile<1, BN>>
      %in = arith.andi %ge, %lt : tensor<1x?xi1, #fly.tile<1, BN>>
      %m = arith.select %in, %t, %z : tensor<1x?xi1, #fly.tile<1, BN>>, tensor<1x?xf32, #fly.tile<1, BN>>
      %b = arith.addf %a, %m : tensor<1x?xf32, #fly.tile<1, BN>>
      scf.yield %b : tensor<1x?xf32, #fly.tile<1, BN>>
    }
    %row = fly.reduce add %sum along 1 : tensor<1x?xf32, #fly.tile<1, BN>> -> tensor<1xf32>
    %live = arith.cmpi slt, %r, %M : i32
    scf.if %live {
      fly.store %row, %y[%r] : tensor<1xf32>, !V
    }
    gpu.return
  }

  gpu.func @widths(%A: !fly.ptr<i8>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %D: !fly.ptr<f64>,
                   %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%N] : !fly.view<?xi8>
    %b = fly.view %B[%N] : !fly.view<?xbf16>
    %c = fly.view %C[%N, 2] : !fly.view<?x2xf32>
    %d = fly.view %D[%N] : !fly.view<?xf64>
    %y = fly.view %Y[%N] : !V
    %n = fly.grid to (%N) step (1)
    %one = arith.constant 1 : i32
    %next = arith.addi %n, %one : i32
    %sa = fly.load_scalar %a[%next] : !fly.view<?xi8> -> i8
    %sb = fly.load_scalar %b[%n] : !fly.view<?xbf16> -> bf16
    %sc = fly.load_scalar %c[%n, 1] : !fly.view<?x2xf32> -> f32
    %sd = fly.load_scalar %d[%n] : !fly.view<?xf64> -> f64
    %fa = arith.sitofp %sa : i8 to f32
    %fb = arith.extf %sb : bf16 to f32
    %fd = arith.truncf %sd : f64 to f32
    %s0 = arith.addf %fa, %fb : f32
    %s1 = arith.addf %s0, %sc : f32
    %s2 = arith.addf %s1, %fd : f32
    %t = fly.splat %s2 : f32 -> tensor<1xf32>
    fly.store %t, %y[%n] : tensor<1xf32>, !V
    gpu.return
  }

  // What this workgroup has just stored: a barrier stands between.
  gpu.func @after_store(%Y: !fly.ptr<f32>, %Z: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c256 = arith.constant 256 : i32
    %c255 = arith.constant 255 : i32
    %all = arith.muli %N, %c256 : i32
    %y = fly.view %Y[%all] : !V
    %z = fly.view %Z[%N] : !V
    %n = fly.grid to (%all) step (BN)
    %i = fly.iota from %n along 0 : tensor<?xi32, #fly.tile<BN>>
    %f = arith.sitofp %i : tensor<?xi32, #fly.tile<BN>> to !T
    fly.store %f, %y[%n] : !T, !V
    %at = arith.addi %n, %c255 : i32
    %s = fly.load_scalar %y[%at] : !V -> f32
    %t = fly.splat %s : f32 -> tensor<1xf32>
    %w = arith.divui %n, %c256 : i32
    fly.store %t, %z[%w] : tensor<1xf32>, !V
    gpu.return
  }
}
