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
  // CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : vector<2x2xf32>
  // CHECK: arith.select %[[SMALL]]
  // CHECK: %[[E:.*]]:4 = vector.to_elements
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.amdgcn.exp2"
  // CHECK: vector.from_elements {{.*}} : vector<2x2xf32>
  // CHECK: arith.select %[[SMALL]]
  gpu.func @exp2(%x: vector<2x2xf32>) -> vector<2x2xf32> {
    %a = math.exp2 %x : vector<2x2xf32>
    gpu.return %a : vector<2x2xf32>
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
