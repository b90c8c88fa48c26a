// Asserts and prints of compiled kernels say what the reference says, in its
// order, on both chips.
// RUN: fly-run %s --kernel=prints X=iota M=70 N=3 2> %t.942 | FileCheck %s
// RUN: fly-run %s --kernel=prints --chip=gfx950 X=iota M=70 N=3 2> %t.950 | FileCheck %s
// RUN: fly-run %s --kernel=prints --device=reference X=iota M=70 N=3 2> %t.reference
// RUN: diff %t.942 %t.reference
// RUN: diff %t.950 %t.reference
// RUN: FileCheck %s --check-prefix=LINES --input-file=%t.942
// CHECK: right
// LINES: workgroup (0, 0): begin
// LINES-NEXT: workgroup (0, 0): row 0 of 70, scaled by 0.5 and -3
// LINES-NEXT: workgroup (0, 0): turn 0: 4 [0, 3, 6, 9]
// LINES-NEXT: workgroup (0, 0): turn 1: 4 [0, 4, 8, 12]
// LINES-NEXT: workgroup (0, 0): bits 1x4 {{\[\[}}1, 1, 1, 0]]
// LINES-NEXT: workgroup (0, 1): begin
// LINES: workgroup (2, 0): row 64 of 70
// LINES-NEXT: workgroup (2, 0): turn 0: 4 [192, 195, 198, 201]

// An assert that does not hold: the first one of the program, whichever wave
// came first, with what it compares; and exit code 2.
// RUN: bash -c 'fly-run %s --kernel=fails X=iota M=70 N=3 > %t.out 2> %t.err; test $? -eq 2'
// RUN: bash -c 'fly-run %s --kernel=fails --device=reference X=iota M=70 N=3 > %t.out2 2> %t.err2; test $? -eq 2'
// RUN: FileCheck %s --check-prefix=FAILS --input-file=%t.err
// RUN: FileCheck %s --check-prefix=FAILS --input-file=%t.err2
// RUN: FileCheck %s --check-prefix=WRONG --input-file=%t.out
// FAILS: checks.mlir:[[#]]:5: error: assertion failed: "must be below 100" at workgroup (1, 0), element [1, 1]: values 100, 100 (92 of 128 elements are false)
// FAILS-NOT: may be negative
// WRONG: fails gfx942 wrong
// WRONG: an assert does not hold
// RUN: bash -c 'fly-run %s --kernel=scalar X=iota M=70 > %t.out 2> %t.err; test $? -eq 2'
// RUN: FileCheck %s --check-prefix=SCALAR --input-file=%t.err
// SCALAR: error: assertion failed: "small" at workgroup (3): values 48, 40

// Not asked for: nothing of them is in the kernel.
// RUN: fly-run %s --kernel=fails --check=reference,guards X=iota M=20 N=3 | FileCheck %s
// RUN: fly-run %s --kernel=fails --check=none X=iota M=70 N=3 | FileCheck %s --check-prefix=RAN
// RAN: ran (nothing to compare with)
// RUN: fly-compile %s --kernel=fails --emit=contract -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: checks
// RUN: fly-compile %s --kernel=fails --checks --emit=contract -o - | FileCheck %s --check-prefix=ON
// ON: "name": "__checks"
// ON: "checks"
// ON: "kind": "assert"
// ON: "location": "{{.*}}checks.mlir:
// ON: "text": "must be below 100"

// An object that was compiled with checks says the same to whom reads it.
// RUN: fly-compile %s --kernel=fails --checks -o %t.hsaco
// RUN: bash -c 'fly-run %t.hsaco X=iota M=70 N=3 > %t.out 2> %t.err; test $? -eq 2'
// RUN: FileCheck %s --check-prefix=FAILS --input-file=%t.err

// More records than there is room for are told.
// RUN: fly-run %s --kernel=floods X=iota M=2048 2>&1 | FileCheck %s --check-prefix=FLOOD
// FLOOD: warning: 65536 records of asserts and prints found no room in the channel

#sched = #fly.schedule<sizes = {BM = 32, BN = 4}, waves = [2, 2]>
!R = tensor<4xi32>
!T = tensor<?x?xi32, #fly.tile<BM, BN>>
!V = !fly.view<?x?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @prints(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %m, %n = fly.grid to (%M, %N) step (BM, 2)
    %t = fly.load %x[%m, %n] : !V -> !T
    fly.print "begin"
    %half = arith.constant 0.5 : f32
    %less = arith.constant -3 : i64
    fly.print "row {} of {}, scaled by {} and {}", %m, %M, %half, %less : i32, i32, f32, i64
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %first = arith.cmpi eq, %n, %c0 : i32
    %always = arith.cmpi sge, %m, %c0 : i32
    scf.if %first {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        %j = fly.iota from %m along 0 : !R
        %s = arith.addi %i, %c3 : i32
        %k = fly.splat %s : i32 -> !R
        %p = arith.muli %j, %k : !R
        fly.print "turn {}: {}", %i, %p : i32, !R
      }
    }
    %col = fly.iota along 1 : tensor<1x4xi32>
    %three = fly.constant 3 : tensor<1x4xi32>
    %below = arith.cmpi slt, %col, %three : tensor<1x4xi32>
    fly.print "bits {}", %below : tensor<1x4xi1>
    fly.assert %always, "always holds" : i1
    fly.store %t, %y[%m, %n] : !T, !V
    gpu.return
  }

  gpu.func @fails(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !V -> !T
    %hundred = fly.constant 100 : !T
    %below = arith.cmpi slt, %t, %hundred : !T
    fly.assert %below, "must be below 100" : tensor<?x?xi1, #fly.tile<BM, BN>>
    %zero = arith.constant 0 : i32
    %wrong = arith.cmpi slt, %m, %zero : i32
    %c32 = arith.constant 32 : i32
    %late = arith.cmpi sge, %m, %c32 : i32
    scf.if %late {
      fly.assert %wrong, "may be negative" : i1
    }
    fly.store %t, %y[%m, %n] : !T, !V
    gpu.return
  }

  gpu.func @scalar(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 16}>} {
    %x = fly.view %X[%M] : !fly.view<?xi32>
    %y = fly.view %Y[%M] : !fly.view<?xi32>
    %m = fly.grid to (%M) step (BM)
    %t = fly.load %x[%m] : !fly.view<?xi32> -> tensor<?xi32, #fly.tile<BM>>
    %forty = arith.constant 40 : i32
    %small = arith.cmpi sle, %m, %forty : i32
    fly.assert %small, "small" : i1
    fly.store %t, %y[%m] : tensor<?xi32, #fly.tile<BM>>, !fly.view<?xi32>
    gpu.return
  }

  gpu.func @floods(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BN = 64}, waves = [4, 1]>} {
    %x = fly.view %X[%M, 64] : !fly.view<?x64xi32>
    %y = fly.view %Y[%M, 64] : !fly.view<?x64xi32>
    %m = fly.grid to (%M) step (BM)
    %t = fly.load %x[%m, 0] : !fly.view<?x64xi32> -> !T
    fly.print "{}", %t : !T
    fly.store %t, %y[%m, 0] : !T, !fly.view<?x64xi32>
    gpu.return
  }
}
