// Masks are not kept: what they are made of is made again for each element that
// is selected, and no vector of truth values is left. Small ones stay, and so do
// those of which not all can be made again.
// RUN: fly-opt %s --fly-distribute --canonicalize --cse | FileCheck %s
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
#l = #fly.blocked<threads = [8, 8], vector = 8>
!F = tensor<32x64xf32, #l>
!I = tensor<32x64xi32, #l>
!M = tensor<32x64xi1, #l>
#s = #fly.blocked<threads = [8, 8], vector = 4>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @causal
  gpu.func @causal(%C: !fly.ptr<f32>, %n: i32, %x: f32) kernel attributes {fly.schedule = #sched} {
    %c = fly.view %C[32, 64] : !fly.view<32x64xf32>
    // CHECK-NOT: vector<{{.*}}xi1>
    // CHECK: %[[A:.*]] = arith.cmpi sle, %{{.*}} : i32
    // CHECK: %[[B:.*]] = arith.cmpi slt, %{{.*}} : i32
    // CHECK: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]] : i1
    // CHECK: arith.select %[[BOTH]], %{{.*}} : f32
    // CHECK: arith.cmpi sle, %{{.*}} : i32
    // CHECK-NOT: vector<{{.*}}xi1>
    // CHECK: gpu.return
    %row = fly.iota along 0 : !I
    %col = fly.iota from %n along 1 : !I
    %end = fly.splat %n : i32 -> !I
    %v = fly.splat %x : f32 -> !F
    %zero = fly.constant 0.0 : !F
    %p = arith.cmpi sle, %col, %row : !I
    %q = arith.cmpi slt, %row, %end : !I
    %m = arith.andi %p, %q : !M
    %s = arith.select %m, %v, %zero : !M, !F
    fly.store %s, %c[0, 0] in_bounds [true, true] align 4 : !F, !fly.view<32x64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @few
  gpu.func @few(%C: !fly.ptr<f32>, %n: i32, %x: f32) kernel attributes {fly.schedule = #sched} {
    %c = fly.view %C[8, 32] : !fly.view<8x32xf32>
    // CHECK: arith.select %{{.*}} : vector<1x1x4xi1>
    %row = fly.iota along 0 : tensor<8x32xi32, #s>
    %end = fly.splat %n : i32 -> tensor<8x32xi32, #s>
    %v = fly.splat %x : f32 -> tensor<8x32xf32, #s>
    %zero = fly.constant 0.0 : tensor<8x32xf32, #s>
    %p = arith.cmpi sle, %end, %row : tensor<8x32xi32, #s>
    %s = arith.select %p, %v, %zero : tensor<8x32xi1, #s>, tensor<8x32xf32, #s>
    fly.store %s, %c[0, 0] in_bounds [true, true] align 4 : tensor<8x32xf32, #s>, !fly.view<8x32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bytes
  gpu.func @bytes(%C: !fly.ptr<f32>, %B: !fly.ptr<i8>, %x: f32) kernel attributes {fly.schedule = #sched} {
    %c = fly.view %C[32, 64] : !fly.view<32x64xf32>
    %b = fly.view %B[32, 64] : !fly.view<32x64xi8>
    // CHECK: arith.select %{{.*}} : vector<4x1x8xi1>
    %bits = fly.load %b[0, 0] in_bounds [true, true] align 8 : !fly.view<32x64xi8> -> tensor<32x64xi8, #l>
    %m = arith.trunci %bits : tensor<32x64xi8, #l> to !M
    %v = fly.splat %x : f32 -> !F
    %zero = fly.constant 0.0 : !F
    %s = arith.select %m, %v, %zero : !M, !F
    fly.store %s, %c[0, 0] in_bounds [true, true] align 4 : !F, !fly.view<32x64xf32>
    gpu.return
  }
}
