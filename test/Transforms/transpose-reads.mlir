// Loads that shall be read transposed keep the rows of memory: of the same view
// with its last dimensions exchanged, through the stages of a pipeline, and each
// use gets the transpose.
// RUN: fly-opt %s --fly-transpose-reads | FileCheck %s
// RUN: fly-opt %s --fly-transpose-reads --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: {{.*}}Transposed{{.*}}keeps the rows that memory has
// REMARK: remark: {{.*}}NotTransposed{{.*}}a mask chooses elements
// REMARK: remark: {{.*}}NotTransposed{{.*}}not contiguous along the last dimension but one

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest},
    v = lds(stages = 2, swizzle = none, copy = sync, read = transposed), k = lds(stages = 2, swizzle = none, copy = sync),
    pv = {mfma = 16x16, acc = plain}>
!VT = !fly.view<?x?xbf16, #fly.strided<[1, ?]>>
!T = tensor<128x64xbf16>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @pipeline
  gpu.func @pipeline(%V: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %D: i32, %s: i32, %ld: i32, %o: i64, %n: i32, %acc: tensor<16x128xf32>, %p: tensor<16x64xbf16>) kernel attributes {fly.schedule = #sched} {
    // CHECK: %[[W:.*]] = fly.view %{{.*}}[%[[S:.*]], %[[D:.*]]] strides [%[[LD:.*]], 1] at %{{.*}} : !fly.view<?x?xbf16, #fly.strided<[?, 1]>>
    %v = fly.view %V[%D, %s] strides [1, %ld] at %o : !VT
    %r = fly.pipeline %k = 0 to %s step 64 iter_args(%a = %acc) : tensor<16x128xf32>
      prefetch {
        // CHECK: %[[T:.*]] = fly.load %[[W]][%[[K:.*]], %[[N:.*]]] label "v" in_bounds [false, true] align 8 : {{.*}} -> tensor<64x128xbf16>
        // CHECK: fly.yield %[[T]] : tensor<64x128xbf16>
        %t = fly.load %v[%n, %k] label "v" in_bounds [true, false] align 8 : !VT -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        // CHECK: compute(%[[U:.*]]: tensor<64x128xbf16>)
        // CHECK: %[[X:.*]] = fly.transpose %[[U]] [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
        // CHECK: fly.dot %{{.*}}, %[[X]], %{{.*}} label "pv"
        %d = fly.dot %p, %t, %a label "pv" : tensor<16x64xbf16>, !T -> tensor<16x128xf32>
        fly.yield %d : tensor<16x128xf32>
      }
    gpu.return
  }

  // Leading dimensions pick one matrix; other loads and loads with a mask stay.
  // CHECK-LABEL: gpu.func @others
  gpu.func @others(%V: !fly.ptr<bf16>, %E: i32, %D: i32, %s: i32, %m: tensor<128x64xi1>) kernel attributes {fly.schedule = #sched} {
    // CHECK: fly.view %{{.*}}[%{{.*}}, %[[S:.*]], 128] strides [8192, %[[S]], 1] : !fly.view<?x?x128xbf16, #fly.strided<[8192, ?, 1]>>
    %b = fly.view %V[%E, 128, %s] strides [8192, 1, %s] : !fly.view<?x128x?xbf16, #fly.strided<[8192, 1, ?]>>
    // CHECK: fly.load %{{.*}}[3, 64, 0] label "v" : {{.*}} -> tensor<64x128xbf16>
    // CHECK: fly.transpose
    %t = fly.load %b[3, 0, 64] label "v" : !fly.view<?x128x?xbf16, #fly.strided<[8192, 1, ?]>> -> !T
    %e = arith.extf %t : !T to tensor<128x64xf32>
    // CHECK: fly.load %{{.*}} label "k" : {{.*}} -> tensor<128x64xbf16>
    %v = fly.view %V[%D, %s] strides [1, %D] : !VT
    %k = fly.load %v[0, 0] label "k" : !VT -> !T
    // CHECK: fly.load %{{.*}} label "v" mask %{{.*}} -> tensor<128x64xbf16>
    %masked = fly.load %v[0, 0] label "v" mask %m : !VT, tensor<128x64xi1> -> !T
    // CHECK: fly.load %{{.*}} label "v" : {{.*}} -> tensor<128x64xbf16>
    %w = fly.view %V[%D, %s] : !fly.view<?x?xbf16>
    %rows = fly.load %w[0, 0] label "v" : !fly.view<?x?xbf16> -> !T
    gpu.return
  }
}
