// A tile of 32 rows of 128 bytes that is written plainly and read through a
// swizzle, let through by fly.unchecked: row 1 reads byte 16 for byte 0, row 5
// byte 112 for byte 32. Both sides swizzled give the tile back. The second
// kernel says where the one-sided one reads, without LDS; the contents of X are
// 0, 1, 2, ... That the lint names the side is in test/Dialect/Fly.
// RUN: split-file %s %t
// RUN: fly-run %t/kernels.mlir --kernel=one_side X=iota --against %t/expected.mlir | FileCheck %s --check-prefix=ONE
// ONE: one_side gfx942 right (1024 of 1024 equal)
// RUN: fly-run %t/kernels.mlir --kernel=both_sides X=iota --expect Y=iota | FileCheck %s --check-prefix=BOTH
// BOTH: both_sides gfx942 right (1024 of 1024 equal)
// RUN: not fly-run %t/kernels.mlir --kernel=one_side X=iota --expect Y=iota | FileCheck %s --check-prefix=WRONG
// Row 1 begins with element 4 of it, 16 bytes on; the largest distance is that
// of 112 bytes.
// WRONG: Y: {{[0-9]+}} of 1024 wrong; first Y[1,0] = 36, expected 32;

//--- kernels.mlir
!V = !fly.view<32x32xf32>
!Plain = !fly.view<32x32xf32, lds>
!Swizzled = !fly.view<32x32xf32, lds, #fly.swizzle<3, 4, 3>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @P { tile : !Plain }
  fly.lds.struct @S { tile : !Swizzled }
  gpu.func @one_side(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %x = fly.view %X[32, 32] : !V
    %y = fly.view %Y[32, 32] : !V
    %lds = fly.lds.alloc : !fly.lds<@P>
    %w = fly.lds.field %lds[tile] : !fly.lds<@P> -> !Plain
    %r = fly.lds.field %lds[tile] {fly.unchecked} : !fly.lds<@P> -> !Swizzled
    %lane = fly.lane
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %row8 = arith.divui %lane, %c8 : index
    %chunk = arith.remui %lane, %c8 : index
    %column = arith.muli %chunk, %c4 : index
    fly.static_for %i = 0 to 4 {
      %base = arith.muli %i, %c8 : index
      %row = arith.addi %base, %row8 : index
      %v = fly.read %x[%row, %column] : !V -> vector<4xf32>
      fly.write %v, %w[%row, %column] : vector<4xf32>, !Plain
    }
    fly.barrier lds
    fly.static_for %i = 0 to 4 {
      %base = arith.muli %i, %c8 : index
      %row = arith.addi %base, %row8 : index
      %v = fly.read %r[%row, %column] : !Swizzled -> vector<4xf32>
      fly.write %v, %y[%row, %column] : vector<4xf32>, !V
    }
    gpu.return
  }
  gpu.func @both_sides(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %x = fly.view %X[32, 32] : !V
    %y = fly.view %Y[32, 32] : !V
    %lds = fly.lds.alloc : !fly.lds<@S>
    %t = fly.lds.field %lds[tile] : !fly.lds<@S> -> !Swizzled
    %lane = fly.lane
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %row8 = arith.divui %lane, %c8 : index
    %chunk = arith.remui %lane, %c8 : index
    %column = arith.muli %chunk, %c4 : index
    fly.static_for %i = 0 to 4 {
      %base = arith.muli %i, %c8 : index
      %row = arith.addi %base, %row8 : index
      %v = fly.read %x[%row, %column] : !V -> vector<4xf32>
      fly.write %v, %t[%row, %column] : vector<4xf32>, !Swizzled
    }
    fly.barrier lds
    fly.static_for %i = 0 to 4 {
      %base = arith.muli %i, %c8 : index
      %row = arith.addi %base, %row8 : index
      %v = fly.read %t[%row, %column] : !Swizzled -> vector<4xf32>
      fly.write %v, %y[%row, %column] : vector<4xf32>, !V
    }
    gpu.return
  }
}

//--- expected.mlir
!V = !fly.view<32x32xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @one_side(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %x = fly.view %X[32, 32] : !V
    %y = fly.view %Y[32, 32] : !V
    %lane = fly.lane
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %row8 = arith.divui %lane, %c8 : index
    %chunk = arith.remui %lane, %c8 : index
    %column = arith.muli %chunk, %c4 : index
    fly.static_for %i = 0 to 4 {
      %base = arith.muli %i, %c8 : index
      %row = arith.addi %base, %row8 : index
      // Chunks of 16 bytes, exchanged by the row modulo 8.
      %moved = arith.xori %chunk, %row8 : index
      %from = arith.muli %moved, %c4 : index
      %v = fly.read %x[%row, %from] : !V -> vector<4xf32>
      fly.write %v, %y[%row, %column] : vector<4xf32>, !V
    }
    gpu.return
  }
}
