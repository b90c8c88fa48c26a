// A vector at the end of a ragged row, in memory whose rows are aligned: lanes
// that are inside as a whole write at once, the others element by element.
// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: llvm.func @write
  gpu.func @write(%C: !fly.ptr<f32>, %M: i32, %N: i32, %ld: i32, %v: vector<4xf32>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[%M, %N] strides [%ld, 1] : !fly.view<?x?xf32>
    %r = fly.wave
    %c4 = arith.constant 4 : index
    %l = fly.lane
    %i = arith.muli %l, %c4 : index
    // CHECK: %[[REST:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
    // CHECK: llvm.icmp "sgt" %[[REST]]
    // CHECK: llvm.icmp "sgt" %[[REST]]
    // CHECK: %[[ALL:.*]] = llvm.and
    // CHECK: llvm.cond_br %[[ALL]], ^[[WIDE:.*]], ^[[NARROW:.*]]
    // CHECK: ^[[WIDE]]:
    // CHECK: rocdl.raw.ptr.buffer.store {{.*}} : vector<4xi32>
    // CHECK: ^[[NARROW]]:
    // CHECK-COUNT-4: rocdl.raw.ptr.buffer.store {{.*}} : i32
    // CHECK-NOT: buffer.store
    fly.write %v, %c[%r, %i] align 4 : vector<4xf32>, !fly.view<?x?xf32>
    gpu.return
  }

  // Where a branch has tested the row's length, vectors are inside or outside
  // as a whole: the load reads nothing beyond the row, and the store has one
  // form. Behind the branch nothing is known.
  // CHECK-LABEL: llvm.func @tested
  // CHECK: llvm.cond_br
  // CHECK: %[[IN:.*]] = llvm.icmp "ult"
  // CHECK: %[[AT:.*]] = llvm.select %[[IN]]
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[AT]], {{.*}} : vector<4xi32>
  // CHECK-NOT: llvm.select
  // CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %[[AT]], {{.*}} : vector<4xi32>
  // CHECK-NOT: rocdl.raw.ptr.buffer
  // CHECK: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
  // CHECK-COUNT-4: llvm.select {{.*}} : i1, f32
  gpu.func @tested(%C: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[%M, %N] strides [%N, 1] : !fly.view<?x?xf32>
    %r = fly.wave
    %c4 = arith.constant 4 : index
    %l = fly.lane
    %i = arith.muli %l, %c4 : index
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %rest = arith.remui %N, %c4_i32 : i32
    %isWhole = arith.cmpi eq, %rest, %c0_i32 : i32
    scf.if %isWhole {
      %v = fly.read %c[%r, %i] align 4 : !fly.view<?x?xf32> -> vector<4xf32>
      %s = arith.addf %v, %v : vector<4xf32>
      fly.write %s, %c[%r, %i] align 4 : vector<4xf32>, !fly.view<?x?xf32>
    }
    %v = fly.read %c[%r, %i] align 4 : !fly.view<?x?xf32> -> vector<4xf32>
    fly.write %v, %c[%r, %i] align 4 : vector<4xf32>, !fly.view<?x?xf32>
    gpu.return
  }
}
