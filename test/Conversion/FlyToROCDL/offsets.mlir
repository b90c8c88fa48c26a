// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// Which part of an offset goes where: (resource, vector register, scalar
// register); constants are added to the vector register next to the access,
// where instruction selection takes them as the immediate.

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // A uniform position that the loop carries is a scalar offset.
  // CHECK-LABEL: llvm.func @carried(
  // CHECK: ^bb{{[0-9]+}}(%{{.*}}: i32, %[[K:.*]]: i32):
  // CHECK: %[[S:.*]] = llvm.shl %[[K]], %{{.*}} : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[LANE:.*]], %[[S]],
  gpu.func @carried(%A: !fly.ptr<i32>, %K: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%K] : !fly.view<?xi32>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %end = arith.index_cast %K : i32 to index
    %r = scf.for %i = %c0 to %end step %c1 iter_args(%k = %c64) -> (index) {
      %at = arith.addi %k, %l : index
      %x = fly.read %a[%at] in_bounds [true] : !fly.view<?xi32> -> i32
      fly.write %x, %a[%l] in_bounds [true] : i32, !fly.view<?xi32>
      %next = arith.addi %k, %c64 : index
      scf.yield %next : index
    }
    gpu.return
  }

  // Rows that are not proved inside are decided about by the range, so their
  // uniform part stays in the vector register.
  // CHECK-LABEL: llvm.func @checked_rows(
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %{{.*}}, %[[ZERO]],
  gpu.func @checked_rows(%A: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xi32>
    %l = fly.lane
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %row = arith.addi %b, %l : index
    %x = fly.read %a[%row, %c0] in_bounds [false, true] : !fly.view<?x?xi32> -> i32
    fly.write %x, %a[%c0, %c0] in_bounds [true, true] : i32, !fly.view<?x?xi32>
    gpu.return
  }

  // Columns are compared; their uniform part may be a scalar offset, but not
  // beyond the range.
  // CHECK-LABEL: llvm.func @checked_columns(
  // CHECK: %[[LEAST:.*]] = llvm.intr.umin(%{{.*}}, %{{.*}})
  // CHECK: %[[CLAMPED:.*]] = rocdl.readfirstlane %[[LEAST]]
  // CHECK: %[[OFF:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[OFF]], %[[CLAMPED]],
  gpu.func @checked_columns(%A: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xi32>
    %l = fly.lane
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %column = arith.addi %b, %l : index
    %x = fly.read %a[%c0, %column] in_bounds [true, false] : !fly.view<?x?xi32> -> i32
    fly.write %x, %a[%c0, %c0] in_bounds [true, true] : i32, !fly.view<?x?xi32>
    gpu.return
  }

  // What may be negative is added up before the check takes the parts.
  // CHECK-LABEL: llvm.func @negative_lane(
  // CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %{{.*}} : i32
  // CHECK: %[[MIN:.*]] = llvm.intr.umin(%[[SUM]], %{{.*}})
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[MIN]],
  gpu.func @negative_lane(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64] : !fly.view<64xi32>
    %l = fly.lane
    %c63 = arith.constant 63 : index
    %back = arith.subi %c63, %l : index
    %x = fly.read %a[%back] in_bounds [true] : !fly.view<64xi32> -> i32
    fly.write %x, %a[%l] in_bounds [true] : i32, !fly.view<64xi32>
    gpu.return
  }

  // Constants up to the immediate stay; what is beyond is a scalar offset that
  // neighbours share.
  // CHECK-LABEL: llvm.func @constants(
  // CHECK-DAG: %[[C16:.*]] = llvm.mlir.constant(16 : i32) : i32
  // CHECK-DAG: %[[C8192:.*]] = llvm.mlir.constant(8192 : i32) : i32
  // CHECK: %[[V:.*]] = llvm.add %{{.*}}, %[[C16]] : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[V]], %[[C8192]],
  gpu.func @constants(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[4096] : !fly.view<4096xi32>
    %l = fly.lane
    %c = arith.constant 2052 : index
    %at = arith.addi %l, %c : index
    %x = fly.read %a[%at] in_bounds [true] : !fly.view<4096xi32> -> i32
    fly.write %x, %a[%l] in_bounds [true] : i32, !fly.view<4096xi32>
    gpu.return
  }
}
