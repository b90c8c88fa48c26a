// Each exchange by one bit of the lane number, by the instruction that does it.
// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: llvm.func @exchange
  gpu.func @exchange(%Y: !fly.ptr<f32>, %f: f32, %d: f64) kernel attributes {fly.waves = 1 : i32} {
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %c0 = arith.constant 0 : index
    %w = arith.constant 64 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    // quad_perm [1, 0, 3, 2] and [2, 3, 0, 1]
    // CHECK: rocdl.update.dpp {{.*}} with 177, 15, 15, true : i32
    %a, %p0 = gpu.shuffle xor %f, %c1, %w : f32
    // CHECK: rocdl.update.dpp {{.*}} with 78, 15, 15, true : i32
    %b, %p1 = gpu.shuffle xor %a, %c2, %w : f32
    // row_half_mirror, then quad_perm [3, 2, 1, 0]
    // CHECK: rocdl.update.dpp {{.*}} with 321, 15, 15, true : i32
    // CHECK: rocdl.update.dpp {{.*}} with 27, 15, 15, true : i32
    %c, %p2 = gpu.shuffle xor %b, %c4, %w : f32
    // row_ror:8
    // CHECK: rocdl.update.dpp {{.*}} with 296, 15, 15, true : i32
    %e, %p3 = gpu.shuffle xor %c, %c8, %w : f32
    // swizzle(SWAP,16)
    // CHECK: %[[SWAP:.*]] = llvm.mlir.constant(16415 : i32) : i32
    // CHECK: rocdl.ds_swizzle %{{.*}}, %[[SWAP]]
    %g, %p4 = gpu.shuffle xor %e, %c16, %w : f32
    // CHECK: rocdl.ds_bpermute
    %h, %p5 = gpu.shuffle xor %g, %c32, %w : f32
    // Two halves of a double.
    // CHECK: rocdl.update.dpp {{.*}} with 177
    // CHECK: rocdl.update.dpp {{.*}} with 177
    %i, %p6 = gpu.shuffle xor %d, %c1, %w : f64
    %j = arith.truncf %i : f64 to f32
    %k = arith.addf %h, %j : f32
    fly.write %k, %y[%c0] : f32, !fly.view<64xf32>
    gpu.return
  }
}
