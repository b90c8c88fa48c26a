// Parts of a coordinate went to the scalar offset although what was left for the
// lane could be below 0 and was taken to be outside: a number of rows that may be
// negative beside a constant, a step back of the lane beside one of the wave.
// Rows are as far apart as an argument says.
// RUN: fly-run %s --kernel=rows N=64 ld=64 r=-3 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=rows N=64 ld=64 r=-3 X=iota --expect Y=iota --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=back N=64 ld=64 X=iota --expect Y=iota | FileCheck %s
// CHECK: right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Y[i] = X[i + r + 3], four rows a wave.
  gpu.func @rows(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %N: i32, %ld: i32, %r: i32)
      kernel attributes {fly.waves = 2 : i32} {
    %x = fly.view %X[8, %N] strides [%ld, 1] : !fly.view<8x?xi32>
    %y = fly.view %Y[8, %N] : !fly.view<8x?xi32>
    %lane = fly.lane
    %wave = fly.wave
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %by = arith.index_cast %r : i32 to index
    %first = arith.muli %wave, %c4 : index
    fly.static_for %i = 0 to 4 {
      %row = arith.addi %first, %i : index
      %moved = arith.addi %row, %by : index
      %from = arith.addi %moved, %c3 : index
      %v = fly.read %x[%from, %lane] : !fly.view<8x?xi32> -> i32
      fly.write %v, %y[%row, %lane] : i32, !fly.view<8x?xi32>
    }
    gpu.return
  }

  // Row 8 wave + lane / 8 - 8 of Y from the same of X: of two waves the first has
  // none, and writes nothing.
  gpu.func @back(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %N: i32, %ld: i32)
      kernel attributes {fly.waves = 2 : i32} {
    %x = fly.view %X[8, %N] strides [%ld, 1] : !fly.view<8x?xi32>
    %y = fly.view %Y[8, %N] strides [%ld, 1] : !fly.view<8x?xi32>
    %lane = fly.lane
    %wave = fly.wave
    %c8 = arith.constant 8 : index
    %minus = arith.constant -8 : index
    %own = arith.divui %lane, %c8 : index
    %rest = arith.remui %lane, %c8 : index
    %down = arith.muli %wave, %c8 : index
    %lower = arith.addi %own, %minus : index
    %row = arith.addi %down, %lower : index
    fly.static_for %j = 0 to 64 step 8 {
      %col = arith.addi %rest, %j : index
      %v = fly.read %x[%row, %col] : !fly.view<8x?xi32> -> i32
      fly.write %v, %y[%row, %col] : i32, !fly.view<8x?xi32>
    }
    gpu.return
  }
}
