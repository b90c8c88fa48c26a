// Slices of vectors of elements below a byte, and bytes that begin a register.
// RUN: fly-opt %s --fly-convert-to-rocdl -split-input-file | FileCheck %s

// What is whole dwords is sliced as dwords; eight elements of 4 bits are one.
gpu.module @dwords [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @dwords
  // CHECK-NOT: llvm.shufflevector
  // CHECK: llvm.shufflevector {{.*}} [1] : vector<4xi32>
  // CHECK-NOT: llvm.shufflevector
  gpu.func @dwords(%P: !fly.ptr<i8>, %Q: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 16] : !fly.view<64x16xi8>
    %q = fly.view %Q[64] : !fly.view<64xi32>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %bytes = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x16xi8> -> vector<16xi8>
    %all = vector.bitcast %bytes : vector<16xi8> to vector<32xi4>
    %part = vector.extract_strided_slice %all {offsets = [8], sizes = [8], strides = [1]} : vector<32xi4> to vector<8xi4>
    %word = vector.bitcast %part : vector<8xi4> to vector<1xi32>
    %one = vector.extract %word[0] : i32 from vector<1xi32>
    fly.write %one, %q[%lane] in_bounds [true] : i32, !fly.view<64xi32>
    gpu.return
  }
}

// -----

// Four elements are half a dword, and eight from the fourth on lie in two: both
// stay slices of elements.
gpu.module @parts [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @parts
  // CHECK: llvm.shufflevector {{.*}} [8, 9, 10, 11] : vector<32xi4>
  // CHECK: llvm.shufflevector {{.*}} [4, 5, 6, 7, 8, 9, 10, 11] : vector<32xi4>
  gpu.func @parts(%P: !fly.ptr<i8>, %Q: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 16] : !fly.view<64x16xi8>
    %q = fly.view %Q[64] : !fly.view<64xi32>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %bytes = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x16xi8> -> vector<16xi8>
    %all = vector.bitcast %bytes : vector<16xi8> to vector<32xi4>
    %half = vector.extract_strided_slice %all {offsets = [8], sizes = [4], strides = [1]} : vector<32xi4> to vector<4xi4>
    %across = vector.extract_strided_slice %all {offsets = [4], sizes = [8], strides = [1]} : vector<32xi4> to vector<8xi4>
    %h = vector.bitcast %half : vector<4xi4> to vector<1xi16>
    %a = vector.bitcast %across : vector<8xi4> to vector<1xi32>
    %h0 = vector.extract %h[0] : i16 from vector<1xi16>
    %a0 = vector.extract %a[0] : i32 from vector<1xi32>
    %wide = arith.extui %h0 : i16 to i32
    %sum = arith.addi %wide, %a0 : i32
    fly.write %sum, %q[%lane] in_bounds [true] : i32, !fly.view<64xi32>
    gpu.return
  }
}

// -----

// Three bytes at the begin of a register without a value are one number that is
// extended; in front of a register that has one, or behind its begin, they are
// bytes.
gpu.module @bytes [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @bytes
  // CHECK: llvm.bitcast {{.*}} : vector<3xi8> to vector<1xi24>
  // CHECK: llvm.zext {{.*}} : i24 to i32
  // CHECK-NOT: llvm.zext
  // CHECK: llvm.shufflevector
  gpu.func @bytes(%P: !fly.ptr<i8>, %Q: !fly.ptr<i8>) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 4] : !fly.view<64x4xi8>
    %q = fly.view %Q[64, 4] : !fly.view<64x4xi8>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %poison = ub.poison : vector<4xi8>
    %old = fly.read %q[%lane, %c0] in_bounds [true, true] : !fly.view<64x4xi8> -> vector<4xi8>
    %some = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x4xi8> -> vector<3xi8>
    %filled = vector.insert_strided_slice %some, %poison {offsets = [0], strides = [1]} : vector<3xi8> into vector<4xi8>
    %kept = vector.insert_strided_slice %some, %old {offsets = [0], strides = [1]} : vector<3xi8> into vector<4xi8>
    %behind = vector.insert_strided_slice %some, %poison {offsets = [1], strides = [1]} : vector<3xi8> into vector<4xi8>
    %s = arith.addi %filled, %kept : vector<4xi8>
    %t = arith.addi %s, %behind : vector<4xi8>
    fly.write %t, %q[%lane, %c0] in_bounds [true, true] : vector<4xi8>, !fly.view<64x4xi8>
    gpu.return
  }
}
