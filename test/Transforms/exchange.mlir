// Tiles that two uses want in different layouts: conversions, what they cost, and
// the fields that they go through.
// RUN: fly-opt %s --fly-assign-layouts -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-assign-layouts --fly-stage-lds -split-input-file | FileCheck %s --check-prefix=STAGED
// RUN: fly-opt %s --fly-assign-layouts --fly-stage-lds -split-input-file --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Two dots of one accumulator in different shapes.
// CHECK-LABEL: gpu.func @two_shapes
// CHECK: %[[D:.*]] = fly.dot {{.*}} -> tensor<32x32xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>
// CHECK: %[[IN:.*]] = fly.convert_layout %[[D]] {{.*}} -> tensor<32x32xf32, #fly.mma<shape = [32, 32], waves = [1, 1]>>
// CHECK: fly.dot {{.*}}, %[[IN]] label "dot1"
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    dot0 = {mfma = 16x16, acc = plain}, dot1 = {mfma = 32x32, acc = plain}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @two_shapes(%a: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %ta = fly.constant 0.0 : tensor<32x32xbf16>
    %z = fly.constant 0.0 : tensor<32x32xf32>
    %d = fly.dot %ta, %ta, %z label "dot0" : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xf32>
    %e = fly.dot %ta, %ta, %d label "dot1" : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xf32>
    gpu.return
  }
}

// -----

// Sums along rows and along columns lie in different lanes.
// CHECK-LABEL: gpu.func @both_ways
// CHECK: %[[C:.*]] = fly.reduce add {{.*}} along 0 {{.*}} -> tensor<64xf32, #fly.slice<0, 64, #[[B:.*]]<threads = [4, 16], vector = 4>>>
// CHECK: fly.convert_layout %[[C]] {{.*}} -> tensor<64xf32, #fly.slice<1, 64, {{.*}}>>
// STAGED-LABEL: fly.lds.struct @both_ways_lds { exchange0 : !fly.view<64xf32, lds> }
// REMARK: remark: [Passed] Converted {{.*}}from #fly.slice<0, 64, {{.*}} to #fly.slice<1, 64, {{.*}}: through LDS
// REMARK: remark: [Passed] Exchanged {{.*}}256 bytes of LDS in rows; a wave writes {{[0-9]+}} times 16 bytes a lane and reads 16 times 4
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @both_ways(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %x = fly.constant 1.0 : tensor<64x64xf32>
    %rows = fly.reduce add %x along 1 : tensor<64x64xf32> -> tensor<64xf32>
    %columns = fly.reduce add %x along 0 : tensor<64x64xf32> -> tensor<64xf32>
    %sum = arith.addf %rows, %columns : tensor<64xf32>
    fly.store %sum, %y[0] : tensor<64xf32>, !fly.view<64xf32>
    gpu.return
  }
}

// -----

// Both sides of a transpose move 16 bytes along their rows. Its source that
// nothing else wants moves nothing. Coordinates are made again, not moved.
// CHECK-LABEL: gpu.func @transposes
// CHECK: %[[T:.*]] = fly.load
// CHECK: %[[M:.*]] = fly.convert_layout %[[T]] : {{.*}} -> tensor<64x32xf32, #fly.transposed<#fly.blocked<threads = [16, 16], vector = 4>>>
// CHECK: fly.transpose %[[M]] [1, 0] : {{.*}} -> tensor<32x64xf32, #fly.blocked<threads = [16, 16], vector = 4>>
// CHECK-NOT: fly.convert_layout
// CHECK: fly.iota along 0 : tensor<64x32xi32, #fly.transposed<#fly.blocked<threads = [16, 16], vector = 4>>>
// STAGED-LABEL: fly.lds.struct @transposes_lds { exchange0 : !fly.view<64x32xf32, lds, #fly.swizzle
// REMARK: Exchanged {{.*}}8192 bytes of LDS in rows permuted by {{.*}}; a wave writes 2 times 16 bytes a lane and reads 8 times 4, {{.*}} (degree 1 written, 2 read)
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @transposes(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %Z: !fly.ptr<i32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[64, 32] : !fly.view<64x32xf32>
    %y = fly.view %Y[32, 64] : !fly.view<32x64xf32>
    %z = fly.view %Z[32, 64] : !fly.view<32x64xi32>
    %t = fly.load %x[0, 0] : !fly.view<64x32xf32> -> tensor<64x32xf32>
    %u = fly.transpose %t [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    fly.store %u, %y[0, 0] : tensor<32x64xf32>, !fly.view<32x64xf32>
    %i = fly.iota along 0 : tensor<64x32xi32>
    %j = fly.transpose %i [1, 0] : tensor<64x32xi32> -> tensor<32x64xi32>
    fly.store %j, %z[0, 0] : tensor<32x64xi32>, !fly.view<32x64xi32>
    gpu.return
  }
}

// -----

// One buffer after the other in the same bytes.
// STAGED-LABEL: fly.lds.struct @overlaid_lds { exchange0 : !fly.view<64x64xf32, lds, #fly.swizzle<{{[^>]*}}>> at 0, exchange1 : !fly.view<32x32xf32, lds{{.*}}> at 0 }
// REMARK: Overlaid {{.*}}4096 bytes lie over exchange0: not needed at the time
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V = !fly.view<64x64xf32>
!W = !fly.view<32x32xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @overlaid(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[64, 64] : !V
    %y = fly.view %Y[64, 64] : !V
    %t = fly.load %x[0, 0] : !V -> tensor<64x64xf32>
    %u = fly.transpose %t [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    fly.store %u, %y[0, 0] : tensor<64x64xf32>, !V
    %a = fly.view %X[32, 32] : !W
    %b = fly.view %Y[32, 32] : !W
    %v = fly.load %a[0, 0] : !W -> tensor<32x32xf32>
    %w = fly.transpose %v [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    fly.store %w, %b[0, 0] : tensor<32x32xf32>, !W
    gpu.return
  }
}
