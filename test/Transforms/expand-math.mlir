// RUN: fly-opt %s --fly-expand-math | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // afn is the bare instruction.
  // CHECK-LABEL: gpu.func @approximate(
  // CHECK-SAME: %[[X:.*]]: f32
  gpu.func @approximate(%x: f32) -> (f32, f32, f32, f32) {
    // CHECK-NEXT: %[[A:.*]] = llvm.call_intrinsic "llvm.amdgcn.exp2"(%[[X]]) : (f32) -> f32
    %a = math.exp2 %x fastmath<afn> : f32
    // CHECK-NEXT: %[[B:.*]] = llvm.call_intrinsic "llvm.amdgcn.rsq"(%[[X]]) : (f32) -> f32
    %b = math.rsqrt %x fastmath<afn> : f32
    // CHECK-NEXT: %[[C:.*]] = llvm.call_intrinsic "llvm.amdgcn.sqrt"(%[[X]]) : (f32) -> f32
    %c = math.sqrt %x fastmath<afn> : f32
    // CHECK-NEXT: %[[R:.*]] = llvm.call_intrinsic "llvm.amdgcn.rcp"(%[[A]])
    // CHECK-NEXT: %[[D:.*]] = arith.mulf %[[X]], %[[R]] : f32
    %d = arith.divf %x, %a fastmath<arcp, afn> : f32
    // CHECK-NEXT: gpu.return %[[A]], %[[B]], %[[C]], %[[D]]
    gpu.return %a, %b, %c, %d : f32, f32, f32, f32
  }

  // Below the normal range the instruction would flush.
  // CHECK-LABEL: gpu.func @exp2(
  // CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: arith.select %[[SMALL]]
  // CHECK: %[[E:.*]]:4 = vector.to_elements
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.amdgcn.exp2"
  // CHECK: vector.from_elements {{.*}} : vector<4xf32>
  // CHECK: arith.select %[[SMALL]]
  // CHECK: vector.from_elements {{.*}} : vector<2x2xf32>
  gpu.func @exp2(%x: vector<2x2xf32>) -> vector<2x2xf32> {
    %a = math.exp2 %x : vector<2x2xf32>
    gpu.return %a : vector<2x2xf32>
  }

  // Four elements are done before the next begin: the values in between of a
  // long vector would not fit into the registers.
  // CHECK-LABEL: gpu.func @pieces(
  // CHECK: arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.amdgcn.exp2"
  // CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
  // CHECK: arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
  // CHECK: arith.truncf
  // CHECK: arith.extf %{{.*}} : vector<2xbf16> to vector<2xf32>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.amdgcn.exp2"
  // CHECK: arith.truncf
  // CHECK: vector.from_elements {{.*}} : vector<10xbf16>
  gpu.func @pieces(%x: vector<10xbf16>) -> vector<10xbf16> {
    %a = math.exp2 %x fastmath<afn> : vector<10xbf16>
    gpu.return %a : vector<10xbf16>
  }

  // CHECK-LABEL: gpu.func @activation(
  // CHECK-NOT: fly.activate
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.exp2"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.rcp"
  gpu.func @activation(%x: f32) -> f32 {
    %a = fly.activate sigmoid %x fastmath<afn> : f32
    gpu.return %a : f32
  }

  // Narrow types compute in f32 and round once.
  // CHECK-LABEL: gpu.func @narrow(
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.amdgcn.rcp"
  // CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
  // CHECK-NOT: truncf
  gpu.func @narrow(%x: vector<4xbf16>) -> vector<4xbf16> {
    %a = math.tanh %x : vector<4xbf16>
    gpu.return %a : vector<4xbf16>
  }

  // Left alone: LLVM does these right.
  // CHECK-LABEL: gpu.func @kept(
  // CHECK: math.sqrt
  // CHECK: arith.divf
  // CHECK: math.exp %{{.*}} : f64
  gpu.func @kept(%x: f32, %y: f64) -> (f32, f32, f64) {
    %a = math.sqrt %x : f32
    %b = arith.divf %x, %a : f32
    %c = math.exp %y : f64
    gpu.return %a, %b, %c : f32, f32, f64
  }
}
