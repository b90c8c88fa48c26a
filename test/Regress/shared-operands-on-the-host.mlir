// A value that shares its operands: 40 sums are 2^40 operators when they are
// written out, and the launch contract wrote them. Expressions are bounded.
// RUN: not fly-opt %s --fly-plan-grid 2>&1 | FileCheck %s
// CHECK: shared-operands-on-the-host.mlir:[[#@LINE+45]]:10: error: 'fly.grid' op its bound must be computed from kernel arguments alone, by integer arithmetic
// CHECK: shared-operands-on-the-host.mlir:[[#@LINE+10]]:11: note: 'arith.addi' has a form of more than 100 operators on the host: make its value an argument
// CHECK-NOT: error
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%N: i32) kernel attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>} {
    %i0 = arith.addi %N, %N : i32
    %i1 = arith.addi %i0, %i0 : i32
    %i2 = arith.addi %i1, %i1 : i32
    %i3 = arith.addi %i2, %i2 : i32
    %i4 = arith.addi %i3, %i3 : i32
    %i5 = arith.addi %i4, %i4 : i32
    %i6 = arith.addi %i5, %i5 : i32
    %i7 = arith.addi %i6, %i6 : i32
    %i8 = arith.addi %i7, %i7 : i32
    %i9 = arith.addi %i8, %i8 : i32
    %i10 = arith.addi %i9, %i9 : i32
    %i11 = arith.addi %i10, %i10 : i32
    %i12 = arith.addi %i11, %i11 : i32
    %i13 = arith.addi %i12, %i12 : i32
    %i14 = arith.addi %i13, %i13 : i32
    %i15 = arith.addi %i14, %i14 : i32
    %i16 = arith.addi %i15, %i15 : i32
    %i17 = arith.addi %i16, %i16 : i32
    %i18 = arith.addi %i17, %i17 : i32
    %i19 = arith.addi %i18, %i18 : i32
    %i20 = arith.addi %i19, %i19 : i32
    %i21 = arith.addi %i20, %i20 : i32
    %i22 = arith.addi %i21, %i21 : i32
    %i23 = arith.addi %i22, %i22 : i32
    %i24 = arith.addi %i23, %i23 : i32
    %i25 = arith.addi %i24, %i24 : i32
    %i26 = arith.addi %i25, %i25 : i32
    %i27 = arith.addi %i26, %i26 : i32
    %i28 = arith.addi %i27, %i27 : i32
    %i29 = arith.addi %i28, %i28 : i32
    %i30 = arith.addi %i29, %i29 : i32
    %i31 = arith.addi %i30, %i30 : i32
    %i32 = arith.addi %i31, %i31 : i32
    %i33 = arith.addi %i32, %i32 : i32
    %i34 = arith.addi %i33, %i33 : i32
    %i35 = arith.addi %i34, %i34 : i32
    %i36 = arith.addi %i35, %i35 : i32
    %i37 = arith.addi %i36, %i36 : i32
    %i38 = arith.addi %i37, %i37 : i32
    %i39 = arith.addi %i38, %i38 : i32
    %m = fly.grid to (%i39) step (64)
    gpu.return
  }

  // 63 operators are within.
  gpu.func @short(%N: i32) kernel attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>} {
    %i0 = arith.addi %N, %N : i32
    %i1 = arith.addi %i0, %i0 : i32
    %i2 = arith.addi %i1, %i1 : i32
    %i3 = arith.addi %i2, %i2 : i32
    %i4 = arith.addi %i3, %i3 : i32
    %i5 = arith.addi %i4, %i4 : i32
    %m = fly.grid to (%i5) step (64)
    gpu.return
  }
}
