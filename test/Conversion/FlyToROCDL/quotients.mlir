// Quotients by powers of two: what is a shift, and what is not.
// RUN: fly-opt %s --fly-convert-to-rocdl -split-input-file | FileCheck %s

// The kernel reads %N, of which nothing is known, and %K, a multiple of 64 that
// may be negative.
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // Rounded up is rounded down where nothing is left over.
  // CHECK-LABEL: llvm.func @up
  // CHECK: llvm.ashr exact
  // CHECK-NOT: llvm.ashr exact
  // CHECK: llvm.return
  gpu.func @up(%C: !fly.ptr<i32>, %K: i32 {fly.multiple_of = 64 : i64}, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[2] : !fly.view<2xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : i32
    %a = arith.ceildivsi %K, %c32 : i32
    %b = arith.ceildivsi %N, %c32 : i32
    fly.write %a, %c[%c0] in_bounds [true] : i32, !fly.view<2xi32>
    fly.write %b, %c[%c1] in_bounds [true] : i32, !fly.view<2xi32>
    gpu.return
  }

  // Unsigned: an exact shift without a sign; LLVM makes the others itself.
  // CHECK-LABEL: llvm.func @unsigned
  // CHECK-NOT: llvm.ashr
  // CHECK: llvm.lshr exact
  // CHECK-NOT: llvm.ashr
  // CHECK: llvm.udiv
  // CHECK: llvm.return
  gpu.func @unsigned(%C: !fly.ptr<i32>, %K: i32 {fly.multiple_of = 64 : i64}, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[2] : !fly.view<2xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : i32
    %a = arith.divui %K, %c32 : i32
    %b = arith.divui %N, %c32 : i32
    fly.write %a, %c[%c0] in_bounds [true] : i32, !fly.view<2xi32>
    fly.write %b, %c[%c1] in_bounds [true] : i32, !fly.view<2xi32>
    gpu.return
  }

  // 64 bits; a divisor that is no power of two, and one that is negative.
  // CHECK-LABEL: llvm.func @wide
  // CHECK: llvm.ashr exact {{.*}} : i64
  // CHECK: llvm.sdiv
  // CHECK: llvm.sdiv
  gpu.func @wide(%C: !fly.ptr<i64>, %K: i32 {fly.multiple_of = 64 : i64}) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[3] : !fly.view<3xi64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %k = arith.extsi %K : i32 to i64
    %c32 = arith.constant 32 : i64
    %c48 = arith.constant 48 : i64
    %minus = arith.constant -32 : i64
    %a = arith.divsi %k, %c32 : i64
    %b = arith.divsi %k, %c48 : i64
    %d = arith.divsi %k, %minus : i64
    fly.write %a, %c[%c0] in_bounds [true] : i64, !fly.view<3xi64>
    fly.write %b, %c[%c1] in_bounds [true] : i64, !fly.view<3xi64>
    fly.write %d, %c[%c2] in_bounds [true] : i64, !fly.view<3xi64>
    gpu.return
  }

  // What is at least 0 behind a branch alone is not known to be, and a product
  // that may wrap is not, though its factor is.
  // CHECK-LABEL: llvm.func @signs
  // CHECK: llvm.sdiv
  // CHECK: llvm.sdiv
  gpu.func @signs(%C: !fly.ptr<i32>, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[2] : !fly.view<2xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c32 = arith.constant 32 : i32
    %is = arith.cmpi sge, %N, %none : i32
    scf.if %is {
      %a = arith.divsi %N, %c32 : i32
      fly.write %a, %c[%c0] in_bounds [true] : i32, !fly.view<2xi32>
    }
    %positive = arith.maxsi %N, %none : i32
    %more = arith.muli %positive, %c3 : i32
    %b = arith.divsi %more, %c32 : i32
    fly.write %b, %c[%c1] in_bounds [true] : i32, !fly.view<2xi32>
    gpu.return
  }

  // Vectors are left to LLVM.
  // CHECK-LABEL: llvm.func @vectors
  // CHECK: llvm.sdiv {{.*}} : vector<4xi32>
  // CHECK: llvm.udiv {{.*}} : vector<4xi32>
  // CHECK: llvm.return
  gpu.func @vectors(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[64, 4] : !fly.view<64x4xi32>
    %l = fly.lane
    %c0 = arith.constant 0 : index
    %eight = arith.constant dense<8> : vector<4xi32>
    %four = arith.constant dense<4> : vector<4xi32>
    %v = fly.read %c[%l, %c0] in_bounds [true, true] : !fly.view<64x4xi32> -> vector<4xi32>
    %m = arith.muli %v, %eight : vector<4xi32>
    %a = arith.divsi %m, %four : vector<4xi32>
    %b = arith.divui %m, %four : vector<4xi32>
    %s = arith.addi %a, %b : vector<4xi32>
    fly.write %s, %c[%l, %c0] in_bounds [true, true] : vector<4xi32>, !fly.view<64x4xi32>
    gpu.return
  }
}
