// Layouts that make slices, concatenations and reshapes free, and the fields that
// the others go through.
// RUN: fly-opt %s --fly-assign-layouts -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-assign-layouts --fly-stage-lds -split-input-file | FileCheck %s --check-prefix=STAGED
// RUN: fly-opt %s --fly-assign-layouts --fly-stage-lds -split-input-file --remark-format=emitRemark --remarks-filter='fly-stage-lds' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Whole rows of 128 would have 32 threads a row; the halves' 16 are as wide.
// CHECK-LABEL: gpu.func @halves
// CHECK: fly.load {{.*}} -> tensor<64x128xf32, #[[H:.*]]>
// CHECK: tensor.extract_slice {{.*}} to tensor<64x64xf32, #fly.blocked<threads = [16, 16], vector = 4>>
// CHECK: tensor.concat {{.*}} -> tensor<64x128xf32, #fly.blocked<threads = [16, 16], vector = 4>>
// STAGED-LABEL: gpu.func @halves
// STAGED-NOT: fly.lds
// STAGED: tensor.extract_slice
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V = !fly.view<64x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @halves(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[64, 128] : !V
    %y = fly.view %Y[64, 128] : !V
    %t = fly.load %x[0, 0] : !V -> tensor<64x128xf32>
    %a = tensor.extract_slice %t[0, 0] [64, 64] [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
    %b = tensor.extract_slice %t[0, 64] [64, 64] [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
    %r = tensor.concat dim(1) %b, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
    fly.store %r, %y[0, 0] : tensor<64x128xf32>, !V
    gpu.return
  }
}

// -----

// The order of elements in rows is that of a tile of rank 1.
// CHECK-LABEL: gpu.func @reshapes
// CHECK: tensor.expand_shape {{.*}}#fly.blocked<threads = [256], vector = 4>> into tensor<64x32xf32, #fly.blocked<threads = [32, 8], vector = 4>>
// CHECK: tensor.collapse_shape {{.*}} into tensor<2048xf32, #fly.blocked<threads = [256], vector = 4>>
// STAGED-LABEL: gpu.func @reshapes
// STAGED-NOT: fly.lds
// STAGED: tensor.expand_shape
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V = !fly.view<2048xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @reshapes(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[2048] : !V
    %y = fly.view %Y[2048] : !V
    %t = fly.load %x[0] : !V -> tensor<2048xf32>
    %e = tensor.expand_shape %t [[0, 1]] output_shape [64, 32] : tensor<2048xf32> into tensor<64x32xf32>
    %d = arith.addf %e, %e : tensor<64x32xf32>
    %c = tensor.collapse_shape %d [[0, 1]] : tensor<64x32xf32> into tensor<2048xf32>
    fly.store %c, %y[0] : tensor<2048xf32>, !V
    gpu.return
  }
}

// -----

// Halves that are not alike go through LDS: both are written with no barrier
// between them, read behind one.
// STAGED-LABEL: fly.lds.struct @uneven_lds { exchange0 : !fly.view<64x64xf32, lds
// STAGED-LABEL: gpu.func @uneven
// STAGED: fly.store {{.*}}[0, 0] {{.*}}tensor<64x20xf32
// STAGED-NEXT: fly.store {{.*}}[0, 20] {{.*}}tensor<64x44xf32
// STAGED-NEXT: fly.barrier lds
// STAGED-NEXT: fly.load {{.*}}[0, 0] {{.*}} -> tensor<64x64xf32
// REMARK: remark: [Passed] Exchanged | {{.*}}16384 bytes of LDS
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @uneven(%Y: !fly.ptr<f32>, %X: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %y = fly.view %Y[64, 64] : !fly.view<64x64xf32>
    %x = fly.view %X[64, 64] : !fly.view<64x64xf32>
    %a = fly.load %x[0, 0] : !fly.view<64x64xf32> -> tensor<64x20xf32>
    %b = fly.load %x[0, 0] : !fly.view<64x64xf32> -> tensor<64x44xf32>
    %r = tensor.concat dim(1) %a, %b : (tensor<64x20xf32>, tensor<64x44xf32>) -> tensor<64x64xf32>
    fly.store %r, %y[0, 0] : tensor<64x64xf32>, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// Every second column from the first on: the whole is moved up by one, so that
// the part starts at a multiple of two.
// STAGED-LABEL: fly.lds.struct @odd_lds { exchange0 : !fly.view<513xi32, lds> }
// STAGED-LABEL: gpu.func @odd
// STAGED-DAG: %[[WHOLE:.*]] = fly.lds.field {{.*}}fly.unchecked = "reshaped"{{.*}} -> !fly.view<8x65xi32, lds, #fly.strided<[64, 1]>>
// STAGED-DAG: %[[PART:.*]] = fly.lds.field {{.*}} -> !fly.view<8x33xi32, lds, #fly.strided<[64, 2]>>
// STAGED: fly.store {{.*}}, %[[WHOLE]][0, 1]
// STAGED: fly.load %[[PART]][0, 1] {{.*}} -> tensor<8x32xi32
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @odd(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[8, 64] : !fly.view<8x64xi32>
    %y = fly.view %Y[8, 32] : !fly.view<8x32xi32>
    %t = fly.load %x[0, 0] : !fly.view<8x64xi32> -> tensor<8x64xi32>
    %o = tensor.extract_slice %t[0, 1] [8, 32] [1, 2] : tensor<8x64xi32> to tensor<8x32xi32>
    %s = fly.reduce add %o along 1 : tensor<8x32xi32> -> tensor<8xi32>
    %b = fly.broadcast %s along 1 : tensor<8xi32> -> tensor<8x32xi32>
    fly.store %b, %y[0, 0] : tensor<8x32xi32>, !fly.view<8x32xi32>
    gpu.return
  }
}
