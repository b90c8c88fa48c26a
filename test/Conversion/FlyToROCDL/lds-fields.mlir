// RUN: fly-opt %s --fly-convert-to-rocdl --split-input-file | FileCheck %s

// Fields do not alias, constants fold past the swizzle.

// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<id = "k.S_a",
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<id = "k.S_b",
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>, b : !fly.view<64x64xbf16, lds> }
  // CHECK-DAG: llvm.mlir.global internal @S_a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8192 x i8>
  // CHECK-DAG: llvm.mlir.global internal @S_b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8192 x i8>
  // CHECK-LABEL: llvm.func @k(
  gpu.func @k(%x: vector<8xbf16>) kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !fly.view<64x64xbf16, lds>
    %l = fly.lane
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %row = arith.divui %l, %c8 : index
    %chunk = arith.remui %l, %c8 : index
    %col = arith.muli %chunk, %c8 : index
    %row16 = arith.addi %row, %c16 : index
    %row32 = arith.addi %row, %c32 : index
    // The period is 1024 bytes, rows are 128: 16 rows are two periods.
    // CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    // CHECK: llvm.store %{{.*}}, %[[BASE]] {alias_scopes = [#[[A]]], alignment = 16 : i64, noalias_scopes = [#[[B]]]} : vector<4xi32>
    fly.write %x, %a[%row, %col] : vector<8xbf16>, !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    // CHECK: %[[P16:.*]] = llvm.getelementptr %[[BASE]][2048]
    // CHECK: llvm.store %{{.*}}, %[[P16]]
    fly.write %x, %a[%row16, %col] : vector<8xbf16>, !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    // CHECK: %[[P32:.*]] = llvm.getelementptr %[[BASE]][4096]
    // CHECK: llvm.store %{{.*}}, %[[P32]]
    fly.write %x, %a[%row32, %col] : vector<8xbf16>, !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    // CHECK: llvm.store %{{.*}} {alias_scopes = [#[[B]]], alignment = 16 : i64, noalias_scopes = [#[[A]]]}
    fly.write %x, %b[%row, %col] : vector<8xbf16>, !fly.view<64x64xbf16, lds>
    gpu.return
  }
}

// -----

// More LDS than an immediate reaches: the field's address is opaque.
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !fly.view<256x256xi8, lds>, b : !fly.view<64xi8, lds> }
  // CHECK-LABEL: llvm.func @big(
  // CHECK: %[[F:.*]] = llvm.mlir.addressof @S_a
  // CHECK: %[[O:.*]] = rocdl.readfirstlane %[[F]] : !llvm.ptr<3>
  // CHECK: llvm.getelementptr %[[O]]
  gpu.func @big(%x: i8) kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<256x256xi8, lds>
    %l = fly.lane
    fly.write %x, %a[%l, %l] : i8, !fly.view<256x256xi8, lds>
    gpu.return
  }
}

// -----

// Two structs and fields whose names join to the same do not share LDS, and
// kernels that name one struct do. What no access names is referred to.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { x_y : !fly.view<16xi8, lds> }
  fly.lds.struct @S_x { y : !fly.view<32xi8, lds>, z : !fly.view<48xi8, lds> }
  // CHECK-DAG: llvm.mlir.global internal @S_x_y() {{.*}} : !llvm.array<16 x i8>
  // CHECK-DAG: llvm.mlir.global internal @[[Y:S_x_y_[0-9]+]]() {{.*}} : !llvm.array<32 x i8>
  // CHECK-DAG: llvm.mlir.global internal @S_x_z() {{.*}} : !llvm.array<48 x i8>
  // CHECK-LABEL: llvm.func @first(
  // CHECK-DAG: %[[FIRST:.*]] = llvm.mlir.addressof @S_x_y :
  // CHECK-DAG: %[[SECOND:.*]] = llvm.mlir.addressof @[[Y]] :
  // CHECK-DAG: %[[THIRD:.*]] = llvm.mlir.addressof @S_x_z :
  // CHECK: llvm.call_intrinsic "llvm.donothing"() ["ExplicitUse"(%[[FIRST]], %[[SECOND]], %[[THIRD]] : !llvm.ptr<3>, !llvm.ptr<3>, !llvm.ptr<3>)]
  gpu.func @first(%v: i8) kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %t = fly.lds.alloc : !fly.lds<@S_x>
    %again = fly.lds.alloc : !fly.lds<@S_x>
    %x = fly.lds.field %s[x_y] : !fly.lds<@S> -> !fly.view<16xi8, lds>
    %y = fly.lds.field %again[y] : !fly.lds<@S_x> -> !fly.view<32xi8, lds>
    %l = arith.constant 0 : index
    fly.write %v, %x[%l] : i8, !fly.view<16xi8, lds>
    fly.write %v, %y[%l] : i8, !fly.view<32xi8, lds>
    gpu.return
  }
  // CHECK-LABEL: llvm.func @second(
  // CHECK: %[[AGAIN:.*]] = llvm.mlir.addressof @S_x_y :
  // CHECK: llvm.call_intrinsic "llvm.donothing"() ["ExplicitUse"(%[[AGAIN]] : !llvm.ptr<3>)]
  gpu.func @second() kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    gpu.return
  }
}
