// What iota, transpose, reduce and scan compute, each against a formula of the
// coordinates; fly.assert stops at an element that differs.
// RUN: fly-run %s --kernel=reduce --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=nans --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=argmax --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=scan --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=transpose --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: not fly-run %s --kernel=wrong --device=reference 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: right
// WRONG: along.mlir:[[#]]:{{[0-9]+}}: error: assertion failed: "columns are small" at workgroup (0), element [0, 5]: values 5, 5 (6 of 16 elements are false)

!I = tensor<4x6xi32>
!R = tensor<4xi32>
!C = tensor<6xi32>
!B = tensor<4x6xi1>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @done(%y: !fly.view<4xi32>) {
    %one = fly.constant 1 : !R
    fly.store %one, %y[0] : !R, !fly.view<4xi32>
    return
  }

  // x[i, j] = 10 i + j
  func.func private @input() -> !I {
    %i = fly.iota along 0 : !I
    %j = fly.iota along 1 : !I
    %ten = fly.constant 10 : !I
    %a = arith.muli %i, %ten : !I
    %x = arith.addi %a, %j : !I
    return %x : !I
  }

  gpu.func @reduce(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %x = func.call @input() : () -> !I
    %row = fly.iota along 0 : !R
    %col = fly.iota along 0 : !C
    // The sum of a row is 6 * 10 i + 15, of a column 4 j + 60.
    %s = fly.reduce add %x along 1 : !I -> !R
    %c60 = fly.constant 60 : !R
    %c15 = fly.constant 15 : !R
    %r0 = arith.muli %row, %c60 : !R
    %r1 = arith.addi %r0, %c15 : !R
    %ok0 = arith.cmpi eq, %s, %r1 : !R
    fly.assert %ok0, "sums of rows" : tensor<4xi1>
    %t = fly.reduce add %x along 0 : !I -> !C
    %d4 = fly.constant 4 : !C
    %d60 = fly.constant 60 : !C
    %t0 = arith.muli %col, %d4 : !C
    %t1 = arith.addi %t0, %d60 : !C
    %ok1 = arith.cmpi eq, %t, %t1 : !C
    fly.assert %ok1, "sums of columns" : tensor<6xi1>
    // -1 is the least signed and the greatest unsigned number of a row.
    %minus = fly.constant -11 : !I
    %m = arith.addi %x, %minus : !I
    %low = fly.reduce min %m along 0 : !I -> !C
    %eleven = fly.constant 11 : !C
    %l0 = arith.subi %col, %eleven : !C
    %ok2 = arith.cmpi eq, %low, %l0 : !C
    fly.assert %ok2, "signed minimum" : tensor<6xi1>
    %high = fly.reduce umax %m along 1 : !I -> !R
    %zero = fly.constant 0 : !R
    %is0 = arith.cmpi eq, %row, %zero : !R
    %c1 = fly.constant 1 : !R
    %is1 = arith.cmpi eq, %row, %c1 : !R
    %c6 = fly.constant 6 : !R
    %n6 = fly.constant -6 : !R
    %n1 = fly.constant -1 : !R
    %c10 = fly.constant 10 : !R
    %h0 = arith.muli %row, %c10 : !R
    %h1 = arith.subi %h0, %c6 : !R
    %h2 = arith.select %is0, %n6, %h1 : tensor<4xi1>, !R
    %h3 = arith.select %is1, %n1, %h2 : tensor<4xi1>, !R
    %ok3 = arith.cmpi eq, %high, %h3 : !R
    fly.assert %ok3, "unsigned maximum" : tensor<4xi1>
    // Every number below 8 appears in the or of 0 to 5, none in the and.
    %j = fly.iota along 1 : !I
    %or = fly.reduce or %j along 1 : !I -> !R
    %seven = fly.constant 7 : !R
    %ok4 = arith.cmpi eq, %or, %seven : !R
    fly.assert %ok4, "or" : tensor<4xi1>
    %and = fly.reduce and %j along 1 : !I -> !R
    %ok5 = arith.cmpi eq, %and, %zero : !R
    fly.assert %ok5, "and" : tensor<4xi1>
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }

  // A NaN loses against a number in max, and wins in max_nan.
  gpu.func @nans(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %j = fly.iota along 1 : !I
    %three = fly.constant 3 : !I
    %at = arith.cmpi eq, %j, %three : !I
    %nan = fly.constant nan : tensor<4x6xf32>
    %f = arith.sitofp %j : !I to tensor<4x6xf32>
    %x = arith.select %at, %nan, %f : !B, tensor<4x6xf32>
    %max = fly.reduce max %x along 1 : tensor<4x6xf32> -> tensor<4xf32>
    %five = fly.constant 5.0 : tensor<4xf32>
    %ok0 = arith.cmpf oeq, %max, %five : tensor<4xf32>
    fly.assert %ok0, "max passes a NaN over" : tensor<4xi1>
    %mn = fly.reduce max_nan %x along 1 : tensor<4x6xf32> -> tensor<4xf32>
    %ok1 = arith.cmpf uno, %mn, %mn : tensor<4xf32>
    fly.assert %ok1, "max_nan keeps a NaN" : tensor<4xi1>
    // 2^24 + 1 + 1 is 2^24 + 2: the sum of a row is rounded once, at the end.
    %one = fly.constant 1.0 : tensor<4x3xf32>
    %k = fly.iota along 1 : tensor<4x3xi32>
    %z = fly.constant 0 : tensor<4x3xi32>
    %first = arith.cmpi eq, %k, %z : tensor<4x3xi32>
    %big = fly.constant 16777216.0 : tensor<4x3xf32>
    %w = arith.select %first, %big, %one : tensor<4x3xi1>, tensor<4x3xf32>
    %s = fly.reduce add %w along 1 : tensor<4x3xf32> -> tensor<4xf32>
    %sum = fly.constant 16777218.0 : tensor<4xf32>
    %ok2 = arith.cmpf oeq, %s, %sum : tensor<4xf32>
    fly.assert %ok2, "wide sums" : tensor<4xi1>
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }

  // The greatest of (j * 5) mod 6 is 5, at j = 1; two tiles through a region.
  gpu.func @argmax(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %j = fly.iota along 1 : !I
    %c5 = fly.constant 5 : !I
    %c6 = fly.constant 6 : !I
    %j5 = arith.muli %j, %c5 : !I
    %x = arith.remsi %j5, %c6 : !I
    %v, %at = fly.reduce %x, %j along 1 : !I, !I -> (!R, !R)
        combine(%a: i32, %ai: i32, %b: i32, %bi: i32) {
      %gt = arith.cmpi sgt, %a, %b : i32
      %r = arith.select %gt, %a, %b : i32
      %ri = arith.select %gt, %ai, %bi : i32
      fly.yield %r, %ri : i32, i32
    }
    %five = fly.constant 5 : !R
    %one = fly.constant 1 : !R
    %ok0 = arith.cmpi eq, %v, %five : !R
    fly.assert %ok0, "value" : tensor<4xi1>
    %ok1 = arith.cmpi eq, %at, %one : !R
    fly.assert %ok1, "index" : tensor<4xi1>
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }

  gpu.func @scan(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %j = fly.iota along 1 : !I
    %one = fly.constant 1 : !I
    %two = fly.constant 2 : !I
    %five = fly.constant 5 : !I
    // 0 + 1 + .. + j = j (j + 1) / 2; exclusive j (j - 1) / 2.
    %j1 = arith.addi %j, %one : !I
    %p = arith.muli %j, %j1 : !I
    %tri = arith.divsi %p, %two : !I
    %s = fly.scan add %j along 1 : !I -> !I
    %ok0 = arith.cmpi eq, %s, %tri : !I
    fly.assert %ok0, "inclusive" : !B
    %before = arith.subi %tri, %j : !I
    %e = fly.scan add %j along 1 exclusive : !I -> !I
    %ok1 = arith.cmpi eq, %e, %before : !I
    fly.assert %ok1, "exclusive" : !B
    // Backwards: 15 minus what lies before.
    %c15 = fly.constant 15 : !I
    %rest = arith.subi %c15, %before : !I
    %r = fly.scan add %j along 1 reverse : !I -> !I
    %ok2 = arith.cmpi eq, %r, %rest : !I
    fly.assert %ok2, "reverse" : !B
    // The neutral element of max is the least number.
    %m = fly.scan max %j along 0 exclusive : !I -> !I
    %i = fly.iota along 0 : !I
    %z = fly.constant 0 : !I
    %first = arith.cmpi eq, %i, %z : !I
    %least = fly.constant -2147483648 : !I
    %w = arith.select %first, %least, %j : !B, !I
    %ok3 = arith.cmpi eq, %m, %w : !I
    fly.assert %ok3, "neutral" : !B
    // A region that is not commutative: the first of two is the lower one.
    %f = fly.scan %j along 1 : !I -> !I combine(%a: i32, %b: i32) {
      fly.yield %a : i32
    }
    %ok4 = arith.cmpi eq, %f, %z : !I
    fly.assert %ok4, "order" : !B
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }

  gpu.func @transpose(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %x = func.call @input() : () -> !I
    %t = fly.transpose %x [1, 0] : !I -> tensor<6x4xi32>
    %i = fly.iota along 1 : tensor<6x4xi32>
    %j = fly.iota along 0 : tensor<6x4xi32>
    %ten = fly.constant 10 : tensor<6x4xi32>
    %a = arith.muli %i, %ten : tensor<6x4xi32>
    %e = arith.addi %a, %j : tensor<6x4xi32>
    %ok = arith.cmpi eq, %t, %e : tensor<6x4xi32>
    fly.assert %ok, "transposed" : tensor<6x4xi1>
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }

  gpu.func @wrong(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %j = fly.iota along 1 : tensor<2x8xi32>
    %five = fly.constant 5 : tensor<2x8xi32>
    %ok = arith.cmpi slt, %j, %five : tensor<2x8xi32>
    fly.assert %ok, "columns are small" : tensor<2x8xi1>
    func.call @done(%y) : (!fly.view<4xi32>) -> ()
    gpu.return
  }
}
