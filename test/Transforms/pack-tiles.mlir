// Tiles of elements below a byte move as bytes, and are elements where they are
// used.
// RUN: fly-opt %s --fly-pack-tiles | FileCheck %s

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}>
!V4 = !fly.view<?x?xf4E2M1FN>
!V6 = !fly.view<?x64xf6E3M2FN, #fly.strided<[128, 1]>>
!W  = !fly.view<?x?xi4, #fly.preshuffle<16, 64>>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @pipeline
  // CHECK-SAME: !fly.ptr<i8>
  gpu.func @pipeline(%A: !fly.ptr<f4E2M1FN>, %C: !fly.ptr<f4E2M1FN>, %M: i32, %K: i32, %m: i32) kernel attributes {fly.schedule = #sched} {
    // CHECK: %[[TWO:.*]] = arith.constant 2 : i32
    // CHECK: %[[BYTES:.*]] = arith.divsi %{{.*}}, %[[TWO]] : i32
    // CHECK: %[[A:.*]] = fly.view %{{.*}}[%{{.*}}, %[[BYTES]]] : !fly.view<?x?xi8>
    %a = fly.view %A[%M, %K] : !V4
    %c = fly.view %C[%M, %K] : !V4
    %k0 = arith.constant 0 : i32
    // CHECK: fly.pipeline
    fly.pipeline %k = 0 to %K step 128
      prefetch {
        // CHECK: %[[T:.*]] = fly.load %[[A]][%{{.*}}, %{{.*}}] label "a" in_bounds [true, true] align 16 : !fly.view<?x?xi8> -> tensor<16x64xi8>
        // CHECK: fly.yield %[[T]] : tensor<16x64xi8>
        %t = fly.load %a[%m, %k] label "a" in_bounds [true, true] align 32 : !V4 -> tensor<16x128xf4E2M1FN>
        fly.yield %t : tensor<16x128xf4E2M1FN>
      } compute(%t: tensor<16x128xf4E2M1FN>) {
        // CHECK: compute(%[[U:.*]]: tensor<16x64xi8>)
        // CHECK: %[[E:.*]] = fly.bitcast %[[U]] : tensor<16x64xi8> -> tensor<16x128xf4E2M1FN>
        // CHECK: %[[P:.*]] = fly.bitcast %[[E]] : tensor<16x128xf4E2M1FN> -> tensor<16x64xi8>
        // CHECK: fly.store %[[P]], %{{.*}} align 16 : tensor<16x64xi8>, !fly.view<?x?xi8>
        fly.store %t, %c[%m, 0] align 32 : tensor<16x128xf4E2M1FN>, !V4
        fly.yield
      }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @strides
  gpu.func @strides(%A: !fly.ptr<f6E3M2FN>, %W: !fly.ptr<i4>, %C: !fly.ptr<f32>, %M: i32, %K: i32, %o: i64) kernel attributes {fly.schedule = #sched} {
    // Four elements are three bytes.
    // CHECK: fly.view %{{.*}}[%{{.*}}, 48] strides [96, 1] at %{{.*}} : !fly.view<?x48xi8, #fly.strided<[96, 1]>>
    %a = fly.view %A[%M, 64] strides [128, 1] at %o : !V6
    // CHECK: fly.view %{{.*}} : !fly.view<?x?xi8, #fly.preshuffle<16, 64>>
    %w = fly.view %W[%M, %K] : !W
    %c = fly.view %C[%M, %K] : !fly.view<?x?xf32>
    // CHECK: fly.load %{{.*}}[0, 24] align 24 : {{.*}} -> tensor<16x24xi8>
    %t = fly.load %a[0, 32] align 32 : !V6 -> tensor<16x32xf6E3M2FN>
    // CHECK: fly.load {{.*}} -> tensor<16x16xi8>
    // CHECK: fly.bitcast {{.*}} : tensor<16x16xi8> -> tensor<16x32xi4>
    %u = fly.load %w[0, 0] align 32 : !W -> tensor<16x32xi4>
    %f = arith.sitofp %u : tensor<16x32xi4> to tensor<16x32xf32>
    fly.store %f, %c[0, 0] : tensor<16x32xf32>, !fly.view<?x?xf32>
    gpu.return
  }
}

// What a program passes keeps its type: the kernel's is that of its contract.
gpu.module @p [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @copy
  // CHECK-SAME: !fly.ptr<i8>
  gpu.func @copy(%A: !fly.ptr<f4E2M1FN>) kernel attributes {fly.schedule = #sched, fly.contract = {}} {
    %a = fly.view %A[16, 128] : !fly.view<16x128xf4E2M1FN>
    %t = fly.load %a[0, 0] align 32 : !fly.view<16x128xf4E2M1FN> -> tensor<16x128xf4E2M1FN>
    gpu.return
  }
}
// CHECK-LABEL: func.func @program
// CHECK-SAME: !fly.ptr<f4E2M1FN>
// CHECK: fly.launch @p::@copy(%{{.*}}) : !fly.ptr<f4E2M1FN>
func.func @program(%A: !fly.ptr<f4E2M1FN>) attributes {fly.program} {
  fly.launch @p::@copy(%A) : !fly.ptr<f4E2M1FN>
  return
}
