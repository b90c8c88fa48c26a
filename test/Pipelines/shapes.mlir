// Slices, concatenations and reshapes of tiles as machine code, against closed
// forms: in registers where lanes have what they need, through LDS elsewhere.
// RUN: fly-run %s --kernel=rotate M=100 --expect Y=iota | FileCheck %s --check-prefix=FREE
// RUN: fly-run %s --kernel=rotate M=100 --chip=gfx950 --expect Y=iota | FileCheck %s --check-prefix=FREE
// RUN: fly-run %s --kernel=halves A=fill:1 B=fill:1 --expect Y=fill:96 | FileCheck %s
// RUN: fly-run %s --kernel=halves --chip=gfx950 A=fill:1 B=fill:1 --expect Y=fill:96 | FileCheck %s
// RUN: fly-run %s --kernel=strided --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=truth --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=ragged --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=in_a_loop --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %S/../Reference/lanes.mlir --kernel=shapes --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %S/../Reference/lanes.mlir --kernel=shapes --chip=gfx942 --expect Y=fill:1 | FileCheck %s
// CHECK: right
// CHECK-NOT: LDS 0,
// FREE: right
// FREE: LDS 0,

!Y1 = !fly.view<1xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Halves of rows change places twice; both sides of memory keep 16 bytes.
  gpu.func @rotate(%Y: !fly.ptr<i32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[%M, 128] : !fly.view<?x?xi32>
    %c128 = arith.constant 128 : i32
    %m = fly.grid to (%M) step (64)
    %i = fly.iota from %m along 0 : tensor<64x128xi32>
    %j = fly.iota along 1 : tensor<64x128xi32>
    %w = fly.constant 128 : tensor<64x128xi32>
    %at = arith.muli %i, %w : tensor<64x128xi32>
    %x = arith.addi %at, %j : tensor<64x128xi32>
    %a = tensor.extract_slice %x[0, 0] [64, 64] [1, 1] : tensor<64x128xi32> to tensor<64x64xi32>
    %b = tensor.extract_slice %x[0, 64] [64, 64] [1, 1] : tensor<64x128xi32> to tensor<64x64xi32>
    %turned = tensor.concat dim(1) %b, %a : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x128xi32>
    %c = tensor.extract_slice %turned[0, 0] [64, 64] [1, 1] : tensor<64x128xi32> to tensor<64x64xi32>
    %d = tensor.extract_slice %turned[0, 64] [64, 64] [1, 1] : tensor<64x128xi32> to tensor<64x64xi32>
    %r = tensor.concat dim(1) %d, %c : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x128xi32>
    fly.store %r, %y[%m, 0] : tensor<64x128xi32>, !fly.view<?x?xi32>
    gpu.return
  }

  // An accumulator whose halves lie in different waves: gate and up of a product
  // with two weights in one. 32 + 2 * 32, each of 32 products of 1.
  gpu.func @halves(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 4]>} {
    %va = fly.view %A[32, 32] : !fly.view<32x32xbf16>
    %vb = fly.view %B[128, 32] : !fly.view<128x32xbf16>
    %y = fly.view %Y[32, 64] : !fly.view<32x64xf32>
    %ta = fly.load %va[0, 0] : !fly.view<32x32xbf16> -> tensor<32x32xbf16>
    %tb = fly.load %vb[0, 0] : !fly.view<128x32xbf16> -> tensor<128x32xbf16>
    %z = fly.constant 0.0 : tensor<32x128xf32>
    %acc = fly.dot %ta, %tb, %z : tensor<32x32xbf16>, tensor<128x32xbf16> -> tensor<32x128xf32>
    %g = tensor.extract_slice %acc[0, 0] [32, 64] [1, 1] : tensor<32x128xf32> to tensor<32x64xf32>
    %u = tensor.extract_slice %acc[0, 64] [32, 64] [1, 1] : tensor<32x128xf32> to tensor<32x64xf32>
    %two = fly.constant 2.0 : tensor<32x64xf32>
    %v = arith.mulf %u, %two : tensor<32x64xf32>
    %r = arith.addf %g, %v : tensor<32x64xf32>
    fly.store %r, %y[0, 0] : tensor<32x64xf32>, !fly.view<32x64xf32>
    gpu.return
  }

  // Every third column from the second on, one column, one row, and back.
  gpu.func @strided(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 1]>} {
    %y = fly.view %Y[1] : !Y1
    %i = fly.iota along 0 : tensor<16x32xi32>
    %j = fly.iota along 1 : tensor<16x32xi32>
    %w = fly.constant 100 : tensor<16x32xi32>
    %at = arith.muli %i, %w : tensor<16x32xi32>
    %x = arith.addi %at, %j : tensor<16x32xi32>
    // 100 (2 i + 1) + 3 j + 1
    %s = tensor.extract_slice %x[1, 1] [8, 10] [2, 3] : tensor<16x32xi32> to tensor<8x10xi32>
    %si = fly.iota along 0 : tensor<8x10xi32>
    %sj = fly.iota along 1 : tensor<8x10xi32>
    %c200 = fly.constant 200 : tensor<8x10xi32>
    %c3 = fly.constant 3 : tensor<8x10xi32>
    %c101 = fly.constant 101 : tensor<8x10xi32>
    %si2 = arith.muli %si, %c200 : tensor<8x10xi32>
    %sj3 = arith.muli %sj, %c3 : tensor<8x10xi32>
    %sij = arith.addi %si2, %sj3 : tensor<8x10xi32>
    %se = arith.addi %sij, %c101 : tensor<8x10xi32>
    %s_ok = arith.cmpi eq, %s, %se : tensor<8x10xi32>
    fly.assert %s_ok, "strided" : tensor<8x10xi1>
    %column = tensor.extract_slice %x[3, 7] [12, 1] [1, 1] : tensor<16x32xi32> to tensor<12xi32>
    %ci = fly.iota along 0 : tensor<12xi32>
    %c100 = fly.constant 100 : tensor<12xi32>
    %c307 = fly.constant 307 : tensor<12xi32>
    %ci100 = arith.muli %ci, %c100 : tensor<12xi32>
    %ce = arith.addi %ci100, %c307 : tensor<12xi32>
    %c_ok = arith.cmpi eq, %column, %ce : tensor<12xi32>
    fly.assert %c_ok, "column" : tensor<12xi1>
    %row = tensor.extract_slice %x[5, 9] [1, 20] [1, 1] : tensor<16x32xi32> to tensor<20xi32>
    %c509 = arith.constant 509 : i32
    %re = fly.iota from %c509 along 0 : tensor<20xi32>
    %r_ok = arith.cmpi eq, %row, %re : tensor<20xi32>
    fly.assert %r_ok, "row" : tensor<20xi1>
    // Put back where they were, nothing changes.
    %p = tensor.insert_slice %s into %x[1, 1] [8, 10] [2, 3] : tensor<8x10xi32> into tensor<16x32xi32>
    %q = tensor.insert_slice %column into %p[3, 7] [12, 1] [1, 1] : tensor<12xi32> into tensor<16x32xi32>
    %p_ok = arith.cmpi eq, %q, %x : tensor<16x32xi32>
    fly.assert %p_ok, "put back" : tensor<16x32xi1>
    %one = fly.constant 1 : tensor<1xi32>
    fly.store %one, %y[0] : tensor<1xi32>, !Y1
    gpu.return
  }

  // Truth values travel as bytes: i < j, upper half below the lower.
  gpu.func @truth(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %y = fly.view %Y[32, 32] : !fly.view<32x32xi32>
    %c16 = arith.constant 16 : i32
    %i = fly.iota along 0 : tensor<32x32xi32>
    %j = fly.iota along 1 : tensor<32x32xi32>
    %on = arith.cmpi slt, %i, %j : tensor<32x32xi32>
    %up = tensor.extract_slice %on[0, 1] [16, 31] [1, 1] : tensor<32x32xi1> to tensor<16x31xi1>
    %last = fly.constant 0 : tensor<16x1xi32>
    %none = arith.trunci %last : tensor<16x1xi32> to tensor<16x1xi1>
    %left = tensor.concat dim(1) %up, %none : (tensor<16x31xi1>, tensor<16x1xi1>) -> tensor<16x32xi1>
    %low = tensor.extract_slice %on[16, 0] [16, 32] [1, 1] : tensor<32x32xi1> to tensor<16x32xi1>
    %t = tensor.concat dim(0) %low, %left : (tensor<16x32xi1>, tensor<16x32xi1>) -> tensor<32x32xi1>
    // Rows below 16: i + 16 < j. Others: i - 16 < j + 1, but for the last column.
    %sixteen = fly.constant 16 : tensor<32x32xi32>
    %one = fly.constant 1 : tensor<32x32xi32>
    %end = fly.constant 31 : tensor<32x32xi32>
    %upper = arith.cmpi slt, %i, %sixteen : tensor<32x32xi32>
    %i16 = arith.addi %i, %sixteen : tensor<32x32xi32>
    %low_e = arith.cmpi slt, %i16, %j : tensor<32x32xi32>
    %im = arith.subi %i, %sixteen : tensor<32x32xi32>
    %j1 = arith.addi %j, %one : tensor<32x32xi32>
    %before = arith.cmpi slt, %im, %j1 : tensor<32x32xi32>
    %inner = arith.cmpi slt, %j, %end : tensor<32x32xi32>
    %left_e = arith.andi %before, %inner : tensor<32x32xi1>
    %e = arith.select %upper, %low_e, %left_e : tensor<32x32xi1>, tensor<32x32xi1>
    %same = arith.cmpi eq, %t, %e : tensor<32x32xi1>
    %r = arith.extui %same : tensor<32x32xi1> to tensor<32x32xi32>
    fly.store %r, %y[0, 0] : tensor<32x32xi32>, !fly.view<32x32xi32>
    gpu.return
  }

  // Extents that no number of threads divides.
  gpu.func @ragged(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[1] : !Y1
    %i = fly.iota along 0 : tensor<37x52xi32>
    %j = fly.iota along 1 : tensor<37x52xi32>
    %w = fly.constant 52 : tensor<37x52xi32>
    %at = arith.muli %i, %w : tensor<37x52xi32>
    %x = arith.addi %at, %j : tensor<37x52xi32>
    %a = tensor.extract_slice %x[0, 0] [11, 52] [1, 1] : tensor<37x52xi32> to tensor<11x52xi32>
    %b = tensor.extract_slice %x[11, 0] [26, 21] [1, 1] : tensor<37x52xi32> to tensor<26x21xi32>
    %c = tensor.extract_slice %x[11, 21] [26, 31] [1, 1] : tensor<37x52xi32> to tensor<26x31xi32>
    %bc = tensor.concat dim(1) %b, %c : (tensor<26x21xi32>, tensor<26x31xi32>) -> tensor<26x52xi32>
    %r = tensor.concat dim(0) %a, %bc : (tensor<11x52xi32>, tensor<26x52xi32>) -> tensor<37x52xi32>
    %flat = tensor.collapse_shape %r [[0, 1]] : tensor<37x52xi32> into tensor<1924xi32>
    %e = fly.iota along 0 : tensor<1924xi32>
    %f_ok = arith.cmpi eq, %flat, %e : tensor<1924xi32>
    fly.assert %f_ok, "flat" : tensor<1924xi1>
    %back = tensor.expand_shape %flat [[0, 1]] output_shape [74, 26] : tensor<1924xi32> into tensor<74x26xi32>
    %bi = fly.iota along 0 : tensor<74x26xi32>
    %bj = fly.iota along 1 : tensor<74x26xi32>
    %c26 = fly.constant 26 : tensor<74x26xi32>
    %bi26 = arith.muli %bi, %c26 : tensor<74x26xi32>
    %be = arith.addi %bi26, %bj : tensor<74x26xi32>
    %b_ok = arith.cmpi eq, %back, %be : tensor<74x26xi32>
    fly.assert %b_ok, "expanded" : tensor<74x26xi1>
    %one = fly.constant 1 : tensor<1xi32>
    fly.store %one, %y[0] : tensor<1xi32>, !Y1
    gpu.return
  }

  // A field that is written again in every round: rows move up by one.
  gpu.func @in_a_loop(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[64, 32] : !fly.view<64x32xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %i = fly.iota along 0 : tensor<64x32xi32>
    %x = scf.for %k = %c0 to %c5 step %c1 iter_args(%t = %i) -> (tensor<64x32xi32>) : i32 {
      %top = tensor.extract_slice %t[0, 0] [1, 32] [1, 1] : tensor<64x32xi32> to tensor<1x32xi32>
      %rest = tensor.extract_slice %t[1, 0] [63, 32] [1, 1] : tensor<64x32xi32> to tensor<63x32xi32>
      %up = tensor.concat dim(0) %rest, %top : (tensor<63x32xi32>, tensor<1x32xi32>) -> tensor<64x32xi32>
      scf.yield %up : tensor<64x32xi32>
    }
    // (i + 5) mod 64
    %from = fly.iota from %c5 along 0 : tensor<64x32xi32>
    %n = fly.constant 64 : tensor<64x32xi32>
    %e = arith.remui %from, %n : tensor<64x32xi32>
    %ok = arith.cmpi eq, %x, %e : tensor<64x32xi32>
    %r = arith.extui %ok : tensor<64x32xi1> to tensor<64x32xi32>
    fly.store %r, %y[0, 0] : tensor<64x32xi32>, !fly.view<64x32xi32>
    gpu.return
  }
}
