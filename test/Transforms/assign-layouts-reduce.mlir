// RUN: fly-opt %s --fly-assign-layouts -split-input-file | FileCheck %s

// A row in one wave: the reduction needs no exchange. Two bytes an element
// decide on the vector, also for what f32 values the class has.
// CHECK-LABEL: gpu.func @rows_in_waves
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, x = regs(depth = 1)>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows_in_waves(%X: !fly.ptr<bf16>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[4, 1024] : !fly.view<4x1024xbf16>
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %t = fly.load %x[0, 0] label "x" : !fly.view<4x1024xbf16> -> tensor<4x1024xbf16>
    %f = arith.extf %t : tensor<4x1024xbf16> to tensor<4x1024xf32>
    // CHECK: fly.reduce add %{{.*}} along 1 : tensor<4x1024xf32, #fly.blocked<threads = [4, 64], vector = 8>> -> tensor<4xf32, #fly.slice<1, 1024, #fly.blocked<threads = [4, 64], vector = 8>>>
    %s = fly.reduce add %f along 1 : tensor<4x1024xf32> -> tensor<4xf32>
    fly.store %s, %y[0] : tensor<4xf32>, !fly.view<4xf32>
    gpu.return
  }
}

// -----

// A row over four waves: each reduces its part, all parts go through LDS.
// CHECK-LABEL: gpu.func @rows_over_waves
#sched = #fly.schedule<waves = [1, 4], waves_per_eu = 1, grid = {order = n_fastest}, x = regs(depth = 1)>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows_over_waves(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[4, 1024] : !fly.view<4x1024xf32>
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %t = fly.load %x[0, 0] label "x" : !fly.view<4x1024xf32> -> tensor<4x1024xf32>
    // CHECK: %[[PART:.*]] = fly.reduce max %{{.*}} along 1 parts 4 : tensor<4x1024xf32, #fly.blocked<threads = [1, 256], vector = 4>> -> tensor<4x4xf32, #fly.parts<1, 1024, waves, #fly.blocked<threads = [1, 256], vector = 4>>>
    // CHECK: %[[LDS:.*]] = fly.convert_layout %[[PART]] : {{.*}} -> tensor<4x4xf32, #fly.staged<"reduce0", 0>>
    // CHECK: %[[ALL:.*]] = fly.convert_layout %[[LDS]] : {{.*}} -> tensor<4x4xf32, #fly.parts<1, 1024, registers, #fly.blocked<threads = [1, 256], vector = 4>>>
    // CHECK: fly.reduce max %[[ALL]] along 1 : {{.*}} -> tensor<4xf32, #fly.slice<1, 1024, #fly.blocked<threads = [1, 256], vector = 4>>>
    %s = fly.reduce max %t along 1 : tensor<4x1024xf32> -> tensor<4xf32>
    fly.store %s, %y[0] : tensor<4xf32>, !fly.view<4xf32>
    gpu.return
  }
}

// -----

// Powers of two of lanes share each dimension, whatever the extents.
// CHECK-LABEL: gpu.func @odd_extents
#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @odd_extents() kernel attributes {fly.schedule = #sched} {
    // 24 vectors of four: a third of 32 threads a row hold nothing, and no lane
    // has more than one round.
    // CHECK: fly.constant {{.*}} : tensor<16x96xf32, #fly.blocked<threads = [8, 32], vector = 4>>
    %x = fly.constant 1.0 : tensor<16x96xf32>
    %r = fly.reduce add %x along 1 : tensor<16x96xf32> -> tensor<16xf32>
    // 16 rows of threads over 100 rows; a combiner has no neutral element, so
    // there four of them divide the rows and the others repeat them.
    // CHECK: fly.constant {{.*}} : tensor<100x64xf32, #fly.blocked<threads = [16, 16], vector = 4>>
    %y = fly.constant 1.0 : tensor<100x64xf32>
    %c = fly.reduce add %y along 0 : tensor<100x64xf32> -> tensor<64xf32>
    // CHECK: fly.constant {{.*}} : tensor<100x64xf32, #fly.blocked<threads = [4, 16], vector = 4>>
    %z = fly.constant 2.0 : tensor<100x64xf32>
    %d = fly.reduce %z along 0 : tensor<100x64xf32> -> tensor<64xf32> combine(%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      fly.yield %s : f32
    }
    gpu.return
  }
}

// -----

// Each tile of a reduction has a buffer, none that of a label.
// CHECK-LABEL: gpu.func @buffers
#sched = #fly.schedule<waves = [1, 4], waves_per_eu = 1, grid = {order = n_fastest}, reduce1 = regs(depth = 1)>
!X = tensor<4x1024xf32>
!R = tensor<4xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @buffers(%X: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[4, 1024] : !fly.view<4x1024xf32>
    %t = fly.load %x[0, 0] label "reduce1" : !fly.view<4x1024xf32> -> !X
    %one = fly.constant 1.0 : !X
    // CHECK: fly.staged<"reduce0", 0>
    // CHECK: fly.staged<"reduce2", 0>
    %s, %n = fly.reduce %t, %one along 1 : !X, !X -> (!R, !R) combine(%a: f32, %an: f32, %b: f32, %bn: f32) {
      %ab = arith.addf %a, %b : f32
      %abn = arith.addf %an, %bn : f32
      fly.yield %ab, %abn : f32, f32
    }
    gpu.return
  }
}

// -----

// The two sums meet, so the tiles share a layout, although the elements of one
// of them would allow wider vectors.
// CHECK-LABEL: gpu.func @sums_meet
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, x = regs(depth = 1), y = regs(depth = 1)>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @sums_meet(%X: !fly.ptr<f32>, %Y: !fly.ptr<bf16>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[16, 64] : !fly.view<16x64xf32>
    %y = fly.view %Y[16, 64] : !fly.view<16x64xbf16>
    // CHECK: fly.load {{.*}} label "x" {{.*}} -> tensor<16x64xf32, #[[L:.*]]>
    %t = fly.load %x[0, 0] label "x" : !fly.view<16x64xf32> -> tensor<16x64xf32>
    // CHECK: fly.load {{.*}} label "y" {{.*}} -> tensor<16x64xbf16, #[[L]]>
    %u = fly.load %y[0, 0] label "y" : !fly.view<16x64xbf16> -> tensor<16x64xbf16>
    %s = fly.reduce add %t along 1 : tensor<16x64xf32> -> tensor<16xf32>
    %n = fly.reduce add %u along 1 : tensor<16x64xbf16> -> tensor<16xbf16>
    %w = arith.extf %n : tensor<16xbf16> to tensor<16xf32>
    // CHECK: arith.addf {{.*}} : tensor<16xf32, #fly.slice<1, 64, #[[L]]>>
    %sum = arith.addf %s, %w : tensor<16xf32>
    gpu.return
  }
}
