// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// A ragged 2-D copy of 16-byte vectors: rows are checked by the resource's
// range, columns by comparing.

// CHECK-LABEL: llvm.func @copy(
// CHECK-SAME:  %[[A:[a-z0-9]+]]: !llvm.ptr<1> {llvm.noalias, llvm.noundef}
// CHECK-SAME:  rocdl.flat_work_group_size = "256,256"
// CHECK-SAME:  rocdl.kernel
// CHECK-SAME:  rocdl.reqd_work_group_size = array<i32: 256, 1, 1>
// A read of whole dwords needs a range of whole dwords, or the last element of
// an odd row would be lost; stores go element by element in the exact range.
// CHECK: %[[CUT:.*]] = llvm.select
// CHECK: %[[BYTES:.*]] = llvm.select
// CHECK: %[[UP:.*]] = llvm.add %[[BYTES]],
// CHECK: llvm.and %[[UP]],
// CHECK: rocdl.make.buffer.rsrc %[[A]],
// CHECK: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
// CHECK-COUNT-8: llvm.icmp "ult"
// CHECK: rocdl.raw.ptr.buffer.store {{.*}} : i16
// CHECK-COUNT-7: rocdl.raw.ptr.buffer.store {{.*}} : i16
// CHECK-NOT: buffer.store

// Where the row length is a multiple of the vector, a vector is inside or
// outside as a whole: one comparison, wide accesses.
// CHECK-LABEL: llvm.func @copy_whole(
// CHECK: %[[OUT:.*]] = llvm.mlir.constant(-2147483648 : i32) : i32
// CHECK: %[[OFFSET:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[OUT]]
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[OFFSET]], {{.*}} : vector<4xi32>
// CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %[[OFFSET]], {{.*}} : vector<4xi32>
// CHECK-NOT: buffer.store
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @copy(%A: !fly.ptr<bf16>, %C: !fly.ptr<bf16>, %M: i32, %N: i32) kernel
      attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xbf16>
    %c = fly.view %C[%M, %N] : !fly.view<?x?xbf16>
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %r0 = arith.muli %block, %c32 : index
    %tr = arith.divui %thread, %c8 : index
    %tc = arith.remui %thread, %c8 : index
    %r = arith.addi %r0, %tr : index
    %col = arith.muli %tc, %c8 : index
    %v = fly.read %a[%r, %col] align 8 : !fly.view<?x?xbf16> -> vector<8xbf16>
    fly.write %v, %c[%r, %col] align 8 : vector<8xbf16>, !fly.view<?x?xbf16>
    gpu.return
  }
  gpu.func @copy_whole(%A: !fly.ptr<bf16>, %C: !fly.ptr<bf16>, %M: i32,
                       %N: i32 {fly.multiple_of = 8 : i64}) kernel
      attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xbf16>
    %c = fly.view %C[%M, %N] : !fly.view<?x?xbf16>
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %r0 = arith.muli %block, %c32 : index
    %tr = arith.divui %thread, %c8 : index
    %tc = arith.remui %thread, %c8 : index
    %r = arith.addi %r0, %tr : index
    %col = arith.muli %tc, %c8 : index
    %v = fly.read %a[%r, %col] align 8 : !fly.view<?x?xbf16> -> vector<8xbf16>
    fly.write %v, %c[%r, %col] align 8 : vector<8xbf16>, !fly.view<?x?xbf16>
    gpu.return
  }
}
