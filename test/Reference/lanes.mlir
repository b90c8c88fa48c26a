// What fly.lanes, fly.dot_scaled and upstream's slices and reshapes compute,
// each against a formula of the coordinates.
// RUN: fly-run %s --kernel=lanes --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=accumulators --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=shapes --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=scaled --device=reference A=bytes:0x38 SA=bytes:0x81 B=bytes:0x30 SB=bytes:0x7e --expect C=fill:66 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=copies --device=reference 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: error: lanes that hold one element of result 0 yield different values for it, thread 16 another than one before it
// RUN: not fly-run %s --kernel=scaled 2>&1 | FileCheck %s --check-prefix=SCALED
// SCALED: error: 'fly.dot_scaled' op has a tile_k of 64, which is not a multiple of the K of a scaled instruction of 16x16: 128

gpu.module @lanes [#rocdl.target<chip = "gfx950">] {
  // A lane sees four columns of a row; it swaps pairs and adds its number.
  gpu.func @lanes(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[16, 64] : !fly.view<16x64xi32>
    %c = fly.iota along 1 : tensor<16x64xi32>
    %r = fly.iota along 0 : tensor<16x64xi32>
    %t = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %c) : (tensor<16x64xi32>) -> tensor<16x64xi32> {
      %a = vector.extract %v[0, 0, 0] : i32 from vector<1x1x4xi32>
      %b = vector.extract %v[0, 0, 1] : i32 from vector<1x1x4xi32>
      %w = vector.insert %b, %v[0, 0, 0] : i32 into vector<1x1x4xi32>
      %x = vector.insert %a, %w[0, 0, 1] : i32 into vector<1x1x4xi32>
      %lane = fly.lane
      %wave = fly.wave
      %c64 = arith.constant 64 : index
      %k = arith.constant 1000 : i32
      %base = arith.muli %wave, %c64 : index
      %thread = arith.addi %base, %lane : index
      %n = arith.index_cast %thread : index to i32
      %m = arith.muli %n, %k : i32
      %s = vector.broadcast %m : i32 to vector<1x1x4xi32>
      %z = arith.addi %x, %s : vector<1x1x4xi32>
      fly.yield %z : vector<1x1x4xi32>
    }
    // Thread 16 r + c / 4; columns 0 and 1 of four change places.
    %c16 = fly.constant 16 : tensor<16x64xi32>
    %c4 = fly.constant 4 : tensor<16x64xi32>
    %c2 = fly.constant 2 : tensor<16x64xi32>
    %c1 = fly.constant 1 : tensor<16x64xi32>
    %k = fly.constant 1000 : tensor<16x64xi32>
    %r16 = arith.muli %r, %c16 : tensor<16x64xi32>
    %q = arith.divui %c, %c4 : tensor<16x64xi32>
    %thread = arith.addi %r16, %q : tensor<16x64xi32>
    %m = arith.muli %thread, %k : tensor<16x64xi32>
    %in = arith.remui %c, %c4 : tensor<16x64xi32>
    %low = arith.cmpi ult, %in, %c2 : tensor<16x64xi32>
    %swapped = arith.xori %c, %c1 : tensor<16x64xi32>
    %col = arith.select %low, %swapped, %c : tensor<16x64xi1>, tensor<16x64xi32>
    %expected = arith.addi %col, %m : tensor<16x64xi32>
    %ok = arith.cmpi eq, %t, %expected : tensor<16x64xi32>
    fly.assert %ok, "pairs swapped" : tensor<16x64xi1>
    fly.store %c1, %y[0, 0] : tensor<16x64xi32>, !fly.view<16x64xi32>
    gpu.return
  }

  // The accumulator of a matrix instruction: lane l holds column l % 16.
  gpu.func @accumulators(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[32] : !fly.view<32xi32>
    %c = fly.iota along 1 : tensor<16x32xi32>
    %t = fly.lanes in #fly.mma<shape = [16, 16], waves = [1, 2]> (%v = %c) : (tensor<16x32xi32>) -> tensor<16x32xi32> {
      %lane = fly.lane
      %wave = fly.wave
      %c16 = arith.constant 16 : index
      %l = arith.remui %lane, %c16 : index
      %w = arith.muli %wave, %c16 : index
      %n = arith.addi %l, %w : index
      %i = arith.index_cast %n : index to i32
      %s = vector.broadcast %i : i32 to vector<1x1x4xi32>
      %d = arith.subi %v, %s : vector<1x1x4xi32>
      fly.yield %d : vector<1x1x4xi32>
    }
    %zero = fly.constant 0 : tensor<16x32xi32>
    %ok = arith.cmpi eq, %t, %zero : tensor<16x32xi32>
    fly.assert %ok, "a lane holds one column" : tensor<16x32xi1>
    %one = fly.constant 1 : tensor<32xi32>
    fly.store %one, %y[0] : tensor<32xi32>, !fly.view<32xi32>
    gpu.return
  }

  // Lanes 0, 16, 32 and 48 hold element 0, and disagree.
  gpu.func @copies(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[16] : !fly.view<16xi32>
    %t = fly.lanes in #fly.slice<0, 16, #fly.mma<shape = [16, 16], waves = [1, 1]>> () : () -> tensor<16xi32> {
      %lane = fly.lane
      %i = arith.index_cast %lane : index to i32
      %v = vector.broadcast %i : i32 to vector<1xi32>
      fly.yield %v : vector<1xi32>
    }
    fly.store %t, %y[0] : tensor<16xi32>, !fly.view<16xi32>
    gpu.return
  }

  gpu.func @shapes(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %c12 = arith.constant 12 : i32
    %i = fly.iota along 0 : tensor<6x8xi32>
    %j = fly.iota along 1 : tensor<6x8xi32>
    %ten = fly.constant 10 : tensor<6x8xi32>
    %a = arith.muli %i, %ten : tensor<6x8xi32>
    %x = arith.addi %a, %j : tensor<6x8xi32>
    // Rows 1, 3, 5 and columns 2 to 5: 10 (2 i + 1) + j + 2.
    %s = tensor.extract_slice %x[1, 2] [3, 4] [2, 1] : tensor<6x8xi32> to tensor<3x4xi32>
    %si = fly.iota along 0 : tensor<3x4xi32>
    %sj = fly.iota from %c12 along 1 : tensor<3x4xi32>
    %twenty = fly.constant 20 : tensor<3x4xi32>
    %sa = arith.muli %si, %twenty : tensor<3x4xi32>
    %se = arith.addi %sa, %sj : tensor<3x4xi32>
    %s_ok = arith.cmpi eq, %s, %se : tensor<3x4xi32>
    fly.assert %s_ok, "slice" : tensor<3x4xi1>
    // Put back, nothing changes; elsewhere, its first element is there.
    %same = tensor.insert_slice %s into %x[1, 2] [3, 4] [2, 1] : tensor<3x4xi32> into tensor<6x8xi32>
    %same_ok = arith.cmpi eq, %same, %x : tensor<6x8xi32>
    fly.assert %same_ok, "put back" : tensor<6x8xi1>
    %moved = tensor.insert_slice %s into %x[3, 4] [3, 4] [1, 1] : tensor<3x4xi32> into tensor<6x8xi32>
    %corner = tensor.extract_slice %moved[3, 4] [1, 1] [1, 1] : tensor<6x8xi32> to tensor<1x1xi32>
    %twelve = fly.constant 12 : tensor<1x1xi32>
    %corner_ok = arith.cmpi eq, %corner, %twelve : tensor<1x1xi32>
    fly.assert %corner_ok, "moved" : tensor<1x1xi1>
    // Two halves put together.
    %l = tensor.extract_slice %x[0, 0] [6, 3] [1, 1] : tensor<6x8xi32> to tensor<6x3xi32>
    %r = tensor.extract_slice %x[0, 3] [6, 5] [1, 1] : tensor<6x8xi32> to tensor<6x5xi32>
    %c = tensor.concat dim(1) %l, %r : (tensor<6x3xi32>, tensor<6x5xi32>) -> tensor<6x8xi32>
    %c_ok = arith.cmpi eq, %c, %x : tensor<6x8xi32>
    fly.assert %c_ok, "concat" : tensor<6x8xi1>
    // The order of elements stays.
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<6x8xi32> into tensor<48xi32>
    %f = fly.iota along 0 : tensor<48xi32>
    %eight = fly.constant 8 : tensor<48xi32>
    %ten1 = fly.constant 10 : tensor<48xi32>
    %fi = arith.divui %f, %eight : tensor<48xi32>
    %fj = arith.remui %f, %eight : tensor<48xi32>
    %fa = arith.muli %fi, %ten1 : tensor<48xi32>
    %fe = arith.addi %fa, %fj : tensor<48xi32>
    %flat_ok = arith.cmpi eq, %flat, %fe : tensor<48xi32>
    fly.assert %flat_ok, "collapsed" : tensor<48xi1>
    %back = tensor.expand_shape %flat [[0, 1]] output_shape [6, 8] : tensor<48xi32> into tensor<6x8xi32>
    %back_ok = arith.cmpi eq, %back, %x : tensor<6x8xi32>
    fly.assert %back_ok, "expanded" : tensor<6x8xi1>
    %one = fly.constant 1 : tensor<4xi32>
    fly.store %one, %y[0] : tensor<4xi32>, !fly.view<4xi32>
    gpu.return
  }

  // 1 * 2^2 times 0.5 * 2^-1, 64 times, and 2: 66.
  gpu.func @scaled(%A: !fly.ptr<f8E4M3FN>, %SA: !fly.ptr<f8E8M0FNU>, %B: !fly.ptr<f8E4M3FN>, %SB: !fly.ptr<f8E8M0FNU>, %C: !fly.ptr<f32>) kernel {
    %a = fly.view %A[16, 64] : !fly.view<16x64xf8E4M3FN>
    %sa = fly.view %SA[16, 2] : !fly.view<16x2xf8E8M0FNU>
    %b = fly.view %B[8, 64] : !fly.view<8x64xf8E4M3FN>
    %sb = fly.view %SB[8, 2] : !fly.view<8x2xf8E8M0FNU>
    %c = fly.view %C[16, 8] : !fly.view<16x8xf32>
    %ta = fly.load %a[0, 0] : !fly.view<16x64xf8E4M3FN> -> tensor<16x64xf8E4M3FN>
    %tsa = fly.load %sa[0, 0] : !fly.view<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %tb = fly.load %b[0, 0] : !fly.view<8x64xf8E4M3FN> -> tensor<8x64xf8E4M3FN>
    %tsb = fly.load %sb[0, 0] : !fly.view<8x2xf8E8M0FNU> -> tensor<8x2xf8E8M0FNU>
    %two = fly.constant 2.0 : tensor<16x8xf32>
    %d = fly.dot_scaled %ta scale %tsa, %tb scale %tsb, %two
      : tensor<16x64xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<8x64xf8E4M3FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    fly.store %d, %c[0, 0] : tensor<16x8xf32>, !fly.view<16x8xf32>
    gpu.return
  }
}
