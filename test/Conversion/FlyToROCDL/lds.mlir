// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// 32 rows of 128 bytes, 16 bytes a thread: written and read swizzled, then read
// into the output. One base and one alias scope.

// CHECK: #[[LOCAL:.*]] = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { buf : !fly.view<32x128xi8, lds, #fly.swizzle<3, 4, 3>> }
  // CHECK: llvm.mlir.global internal @S_buf() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4096 x i8>
  // CHECK-LABEL: llvm.func @roundtrip(
  // CHECK: %[[FIELD:.*]] = llvm.mlir.addressof @S_buf
  // CHECK: %[[STEER:.*]] = llvm.and %[[X:.*]], %{{.*}} : i32
  // CHECK: %[[FLIPS:.*]] = llvm.lshr %[[STEER]],
  // CHECK: %[[Y:.*]] = llvm.xor %[[X]], %[[FLIPS]] : i32
  // CHECK: %[[AT:.*]] = llvm.getelementptr %[[FIELD]][%[[Y]]]
  // CHECK: llvm.store %{{.*}}, %[[AT]] {alias_scopes = [#{{.*}}], alignment = 16 : i64} : vector<4xi32>
  // CHECK: llvm.fence syncscope("workgroup") release {llvm.mmra = #[[LOCAL]]}
  // CHECK-NEXT: rocdl.s.waitcnt 49279
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: llvm.fence syncscope("workgroup") acquire {llvm.mmra = #[[LOCAL]]}
  // CHECK: llvm.load %[[AT]] {alias_scopes = [#{{.*}}], alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  gpu.func @roundtrip(%A: !fly.ptr<i8>, %C: !fly.ptr<i8>) kernel
      attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[32, 128] : !fly.view<32x128xi8>
    %c = fly.view %C[32, 128] : !fly.view<32x128xi8>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %w = fly.lds.field %lds[buf] : !fly.lds<@S> -> !fly.view<32x128xi8, lds, #fly.swizzle<3, 4, 3>>
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %thread = gpu.thread_id x
    %r = arith.divui %thread, %c8 : index
    %chunk = arith.remui %thread, %c8 : index
    %col = arith.muli %chunk, %c16 : index
    %v = fly.read %a[%r, %col] in_bounds [true, true] : !fly.view<32x128xi8> -> vector<16xi8>
    fly.write %v, %w[%r, %col] : vector<16xi8>, !fly.view<32x128xi8, lds, #fly.swizzle<3, 4, 3>>
    fly.barrier lds
    %u = fly.read %w[%r, %col] : !fly.view<32x128xi8, lds, #fly.swizzle<3, 4, 3>> -> vector<16xi8>
    fly.write %u, %c[%r, %col] in_bounds [true, true] : vector<16xi8>, !fly.view<32x128xi8>
    gpu.return
  }
}
