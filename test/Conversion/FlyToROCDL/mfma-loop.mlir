// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// One 16x16 tile of C = A * B^T: operands straight from global memory, the
// accumulator carried by the loop.

// The loop is rotated and one block; the offset of the lane is computed before
// it, the uniform part of k is the scalar offset.
// CHECK-LABEL: llvm.func @tile(
// CHECK: %[[LANE:.*]] = llvm.add %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, vector<4xf32>), ^[[EXIT:bb[0-9]+]](
// CHECK: ^[[BODY]](%[[K:.*]]: i32, %[[ACC:.*]]: vector<4xf32>):
// CHECK-NEXT: %[[SK:.*]] = llvm.shl %[[K]], %{{.*}} : i32
// CHECK-NEXT: rocdl.raw.ptr.buffer.load %{{.*}}, %[[LANE]], %[[SK]], {{.*}} : vector<2xi32>
// CHECK: rocdl.mfma.f32.16x16x16bf16.1k
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY]](
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @tile(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel
      attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[16, %K] : !fly.view<16x?xbf16>
    %b = fly.view %B[16, %K] : !fly.view<16x?xbf16>
    %c = fly.view %C[16, 16] : !fly.view<16x16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %lane = fly.lane
    %row = arith.remui %lane, %c16 : index
    %group = arith.divui %lane, %c16 : index
    %kl = arith.muli %group, %c4 : index
    %zero = arith.constant dense<0.0> : vector<1x1x4xf32>
    %k_end = arith.index_cast %K : i32 to index
    %acc = scf.for %k = %c0 to %k_end step %c16 iter_args(%s = %zero) -> (vector<1x1x4xf32>) {
      %kk = arith.addi %k, %kl : index
      %av = fly.read %a[%row, %kk] in_bounds [true, true] align 4 : !fly.view<16x?xbf16> -> vector<4xbf16>
      %bv = fly.read %b[%row, %kk] in_bounds [true, true] align 4 : !fly.view<16x?xbf16> -> vector<4xbf16>
      %old = vector.extract %s[0, 0] : vector<4xf32> from vector<1x1x4xf32>
      %new = amdgpu.mfma 16x16x16 %av * %bv + %old blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %n = vector.insert %new, %s[0, 0] : vector<4xf32> into vector<1x1x4xf32>
      scf.yield %n : vector<1x1x4xf32>
    }
    %m0 = arith.muli %group, %c4 : index
    %m1 = arith.addi %m0, %c1 : index
    %m2 = arith.addi %m0, %c2 : index
    %m3 = arith.addi %m0, %c3 : index
    %v0 = vector.extract %acc[0, 0, 0] : f32 from vector<1x1x4xf32>
    %v1 = vector.extract %acc[0, 0, 1] : f32 from vector<1x1x4xf32>
    %v2 = vector.extract %acc[0, 0, 2] : f32 from vector<1x1x4xf32>
    %v3 = vector.extract %acc[0, 0, 3] : f32 from vector<1x1x4xf32>
    fly.write %v0, %c[%m0, %row] in_bounds [true, true] : f32, !fly.view<16x16xf32>
    fly.write %v1, %c[%m1, %row] in_bounds [true, true] : f32, !fly.view<16x16xf32>
    fly.write %v2, %c[%m2, %row] in_bounds [true, true] : f32, !fly.view<16x16xf32>
    fly.write %v3, %c[%m3, %row] in_bounds [true, true] : f32, !fly.view<16x16xf32>
    gpu.return
  }
}
