// What loops carry fills registers, whatever takes it.
// RUN: fly-opt %s --fly-convert-to-rocdl -split-input-file | FileCheck %s

// Bytes that are looked at are taken from the dword in the loop and behind it; it
// goes round as one.
gpu.module @looked_at [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @looked_at
  // CHECK: llvm.cond_br {{.*}}, ^[[LOOP:bb[0-9]+]]({{.*}} : i32, vector<1xi32>)
  // CHECK: ^[[LOOP]]({{%[0-9]+}}: i32, [[D:%[0-9]+]]: vector<1xi32>)
  // CHECK: [[B:%[0-9]+]] = llvm.bitcast [[D]] : vector<1xi32> to vector<4xi8>
  // CHECK: llvm.shufflevector [[B]], [[B]] [0, 1] : vector<4xi8>
  // CHECK: llvm.add {{.*}} : vector<2xi8>
  // CHECK: llvm.cond_br {{.*}}, ^[[LOOP]]({{.*}} : i32, vector<1xi32>), ^[[END:bb[0-9]+]]
  // CHECK: ^[[END]]([[R:%[0-9]+]]: vector<1xi32>)
  // CHECK: [[E:%[0-9]+]] = llvm.bitcast [[R]] : vector<1xi32> to vector<4xi8>
  // CHECK: llvm.shufflevector [[E]], [[E]] [0, 1] : vector<4xi8>
  gpu.func @looked_at(%P: !fly.ptr<i8>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 2] : !fly.view<64x2xi8>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x2xi8> -> vector<2xi8>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (vector<2xi8>) {
      %next = arith.addi %now, %first : vector<2xi8>
      scf.yield %next : vector<2xi8>
    }
    fly.write %r, %p[%lane, %c0] in_bounds [true, true] : vector<2xi8>, !fly.view<64x2xi8>
    gpu.return
  }
}

// -----

// Round both loops, as one dword.
gpu.module @nested [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @nested
  // CHECK: llvm.cond_br {{.*}}, ^[[OUTER:bb[0-9]+]]({{.*}} : i32, vector<1xi32>)
  // CHECK: ^[[OUTER]]({{%[0-9]+}}: i32, {{%[0-9]+}}: vector<1xi32>)
  // CHECK: llvm.cond_br {{.*}}, ^[[INNER:bb[0-9]+]]({{.*}} : i32, vector<1xi32>)
  // CHECK: ^[[INNER]]({{%[0-9]+}}: i32, {{%[0-9]+}}: vector<1xi32>)
  // CHECK: llvm.return
  gpu.func @nested(%P: !fly.ptr<i8>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 3] : !fly.view<64x3xi8>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x3xi8> -> vector<3xi8>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (vector<3xi8>) {
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%in = %now) -> (vector<3xi8>) {
        %next = arith.addi %in, %first : vector<3xi8>
        scf.yield %next : vector<3xi8>
      }
      scf.yield %s : vector<3xi8>
    }
    fly.write %r, %p[%lane, %c0] in_bounds [true, true] : vector<3xi8>, !fly.view<64x3xi8>
    gpu.return
  }
}

// -----

// Elements of 4 bits go round as the dwords that they fill; half a dword of them
// as it is.
gpu.module @nibbles [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @nibbles
  // CHECK: llvm.cond_br {{.*}}, ^[[LOOP:bb[0-9]+]]({{.*}} : i32, vector<2xi32>, vector<4xi4>)
  // CHECK: ^[[LOOP]]({{%[0-9]+}}: i32, {{%[0-9]+}}: vector<2xi32>, {{%[0-9]+}}: vector<4xi4>)
  // CHECK: llvm.return
  gpu.func @nibbles(%P: !fly.ptr<i8>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %p = fly.view %P[64, 8] : !fly.view<64x8xi8>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = fly.read %p[%lane, %c0] in_bounds [true, true] : !fly.view<64x8xi8> -> vector<8xi8>
    %all = vector.bitcast %bytes : vector<8xi8> to vector<16xi4>
    %few = vector.extract_strided_slice %all {offsets = [0], sizes = [4], strides = [1]} : vector<16xi4> to vector<4xi4>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%now = %all, %part = %few) -> (vector<16xi4>, vector<4xi4>) {
      %next = arith.addi %now, %all : vector<16xi4>
      %more = arith.addi %part, %few : vector<4xi4>
      scf.yield %next, %more : vector<16xi4>, vector<4xi4>
    }
    %joined = vector.insert_strided_slice %r#1, %r#0 {offsets = [0], strides = [1]} : vector<4xi4> into vector<16xi4>
    %back = vector.bitcast %joined : vector<16xi4> to vector<8xi8>
    fly.write %back, %p[%lane, %c0] in_bounds [true, true] : vector<8xi8>, !fly.view<64x8xi8>
    gpu.return
  }
}
