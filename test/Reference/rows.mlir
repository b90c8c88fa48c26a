// Rows by number, scalars, atomics, prints.
// RUN: fly-run %s --kernel=gather X=iota --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=scatter --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=tally N=10 Count=zeros Sum=zeros --device=reference --expect Count=fill:0 --expect Last=fill:9 --expect Sum=fill:10 | FileCheck %s
// RUN: fly-run %s --kernel=print --device=reference 2>&1 | FileCheck %s --check-prefix=PRINT
// CHECK: right
// PRINT: workgroup (0): row 3: 2x2 {{\[\[}}0, 1], [10, 11]] and 0.5.
// PRINT: workgroup (1): row 3: 2x2 {{\[\[}}0, 1], [10, 11]] and 0.5.

!T = tensor<4x6xi32>
!R = tensor<4xi32>
!V = !fly.view<?x?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // X is 5 x 8 with X[i, j] = 8 i + j. Row 3 - i goes to row i; the last row
  // of the tile asks for row 9, which is outside, and columns 6 and 7 of a tile
  // at column 4 are, too.
  gpu.func @gather(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>) kernel {
    %x = fly.view %X[5, 8] : !fly.view<5x8xi32>
    %i = fly.iota along 0 : !R
    %three = fly.constant 3 : !R
    %nine = fly.constant 9 : !R
    %back = arith.subi %three, %i : !R
    %last = arith.cmpi eq, %i, %three : !R
    %rows = arith.select %last, %nine, %back : tensor<4xi1>, !R
    %t = fly.gather %x rows(%rows) at [4] pad one label "x" : !fly.view<5x8xi32>, !R -> !T
    %rb = fly.broadcast %rows along 1 : !R -> !T
    %c8 = fly.constant 8 : !T
    %c4 = fly.constant 4 : !T
    %one = fly.constant 1 : !T
    %j = fly.iota along 1 : !T
    %j4 = arith.addi %j, %c4 : !T
    %a = arith.muli %rb, %c8 : !T
    %v = arith.addi %a, %j4 : !T
    %inCol = arith.cmpi slt, %j4, %c8 : !T
    %five = fly.constant 5 : !T
    %inRow = arith.cmpi slt, %rb, %five : !T
    %in = arith.andi %inCol, %inRow : tensor<4x6xi1>
    %w = arith.select %in, %v, %one : tensor<4x6xi1>, !T
    %ok = arith.cmpi eq, %t, %w : !T
    fly.assert %ok, "gathered" : tensor<4x6xi1>
    // One element a row number.
    %x1 = fly.view %X[40] : !fly.view<40xi32>
    %g = fly.gather %x1 rows(%rows) at [] : !fly.view<40xi32>, !R -> !R
    %ok1 = arith.cmpi eq, %g, %rows : !R
    fly.assert %ok1, "elements" : tensor<4xi1>
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %o = fly.constant 1 : !R
    fly.store %o, %y[0] : !R, !fly.view<4xi32>
    gpu.return
  }

  // Rows 3, 2, 1, 0 of Y get 1; then rows with numbers outside are dropped.
  gpu.func @scatter(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4, 6] : !fly.view<4x6xi32>
    %i = fly.iota along 0 : !R
    %three = fly.constant 3 : !R
    %back = arith.subi %three, %i : !R
    %one = fly.constant 1 : !T
    fly.scatter %one, %y rows(%back) at [0] : !T, !fly.view<4x6xi32>, !R
    %minus = fly.constant -4 : !R
    %out = arith.addi %i, %minus : !R
    %seven = fly.constant 7 : !T
    fly.scatter %seven, %y rows(%out) at [0] : !T, !fly.view<4x6xi32>, !R
    %false = fly.constant 0 : tensor<4x6xi1>
    fly.scatter %seven, %y rows(%back) at [0] mask %false
        : !T, !fly.view<4x6xi32>, !R, tensor<4x6xi1>
    gpu.return
  }

  // The workgroup that counts last puts the counter back and says its number.
  gpu.func @tally(%Count: !fly.ptr<i32>, %Last: !fly.ptr<i32>, %Sum: !fly.ptr<f32>, %N: i32) kernel {
    %cnt = fly.view %Count[1] : !fly.view<1xi32>
    %lastView = fly.view %Last[1] : !fly.view<1xi32>
    %sum = fly.view %Sum[8] : !fly.view<8xf32>
    %n = fly.grid to (%N) step (1)
    %tile = fly.constant 1.0 : tensor<8xf32>
    fly.atomic add %tile, %sum[0] relaxed agent : tensor<8xf32>, !fly.view<8xf32>
    fly.fence release agent
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %old = fly.atomic_rmw add %c1, %cnt[0] acq_rel agent : !fly.view<1xi32>
    %n1 = arith.subi %N, %c1 : i32
    %isLast = arith.cmpi eq, %old, %n1 : i32
    scf.if %isLast {
      %seen = fly.load_scalar %cnt[0] : !fly.view<1xi32> -> i32
      %same = arith.cmpi eq, %seen, %N : i32
      fly.assert %same, "all have counted" : i1
      %x = fly.atomic_rmw xchg %c0, %cnt[0] relaxed agent : !fly.view<1xi32>
      %t = fly.splat %old : i32 -> tensor<1xi32>
      fly.store %t, %lastView[0] : tensor<1xi32>, !fly.view<1xi32>
    }
    gpu.return
  }

  gpu.func @print() kernel {
    %g = fly.grid to (2) step (1)
    %c3 = arith.constant 3 : i32
    %half = arith.constant 0.5 : f32
    %i = fly.iota along 0 : tensor<2x2xi32>
    %j = fly.iota along 1 : tensor<2x2xi32>
    %ten = fly.constant 10 : tensor<2x2xi32>
    %a = arith.muli %i, %ten : tensor<2x2xi32>
    %t = arith.addi %a, %j : tensor<2x2xi32>
    fly.print "row {}: {} and {}.", %c3, %t, %half : i32, tensor<2x2xi32>, f32
    gpu.return
  }
}
