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
}
