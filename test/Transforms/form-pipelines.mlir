// RUN: fly-opt %s --fly-form-pipelines --split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-form-pipelines --split-input-file --remarks-filter=fly-form-pipelines 2>&1 | FileCheck %s --check-prefix=REMARK

// Labelled loads that feed a dot run one iteration ahead; the coordinate is made
// again where it is needed.
#sched = #fly.schedule<waves = [1, 4]>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @usual
  // CHECK: fly.pipeline @kloop %[[K:.*]] = 0 to %{{.*}} step 32 iter_args(%[[S:.*]] = %{{.*}}) : tensor<16x64xf32> prefetch {
  // CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}} : i32
  // CHECK: %[[A:.*]] = fly.load %{{.*}}[%{{.*}}, %[[NEXT]]] label "a"
  // CHECK: %[[B:.*]] = fly.load %{{.*}} label "b"
  // CHECK: fly.yield %[[A]], %[[B]]
  // CHECK: } compute(%[[TA:.*]]: tensor<16x32xbf16>, %[[TB:.*]]: tensor<64x32xbf16>) at %[[K1:.*]] {
  // CHECK: arith.addi %[[K1]],
  // CHECK: fly.dot %[[TA]], %[[TB]], %[[S]]
  // REMARK: Formed{{.*}}stages -1, 0
  gpu.func @usual(%A: !fly.ptr<bf16>, %C: !fly.ptr<i32>, %m: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%m, %K] : !V
    %b = fly.view %A[%m, %K] : !V
    %c = fly.view %C[%K] : !fly.view<?xi32>
    %zero = fly.constant 0.0 : tensor<16x64xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %r = scf.for %k = %c0 to %K step %c32 iter_args(%s = %zero) -> (tensor<16x64xf32>) : i32 {
      %next = arith.addi %k, %c32 : i32
      %ta = fly.load %a[%m, %next] label "a" : !V -> tensor<16x32xbf16>
      %tb = fly.load %b[%m, %k] label "b" : !V -> tensor<64x32xbf16>
      %d = fly.dot %ta, %tb, %s : tensor<16x32xbf16>, tensor<64x32xbf16> -> tensor<16x64xf32>
      %t = fly.splat %next : i32 -> tensor<16xi32>
      fly.store %t, %c[%k] : tensor<16xi32>, !fly.view<?xi32>
      scf.yield %d : tensor<16x64xf32>
    } {fly.label = "kloop"}
    gpu.return
  }
}

// -----

// Stages by label; a tile that two later stages take is handed through.
#sched = #fly.schedule<waves = [1, 4], loop = {mfma = 16x16, stages = {k = -3, qk = -1, pv = 0}}>
!V = !fly.view<?x?xbf16>
!T = tensor<64x64xbf16>
!S = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // The entry keeps what is not applied yet.
  // CHECK-LABEL: gpu.func @three
  // CHECK-SAME: fly.schedule = #fly.schedule<loop = {mfma = 16x16}, waves = [1, 4]>
  // CHECK: fly.pipeline @loop {{.*}} prefetch ahead 3 {
  // CHECK: fly.load {{.*}} label "k"
  // CHECK: } stage(%[[K:.*]]: tensor<64x64xbf16>) ahead 1 {
  // CHECK: %[[S:.*]] = fly.dot %{{.*}}, %[[K]], %{{.*}} label "qk"
  // CHECK: fly.yield %[[K]], %[[S]]
  // CHECK: } compute(%[[K0:.*]]: tensor<64x64xbf16>, %[[S0:.*]]: tensor<64x64xf32>) {
  // CHECK: arith.truncf %[[S0]]
  // CHECK: fly.dot %{{.*}}, %[[K0]], %{{.*}} label "pv"
  // REMARK: Formed{{.*}}stages -3, -1, 0
  gpu.func @three(%v: !V, %q: !T, %N: i32) kernel attributes {fly.schedule = #sched} {
    %zero = fly.constant 0.0 : !S
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %r = scf.for %n = %c0 to %N step %c64 iter_args(%o = %zero) -> (!S) : i32 {
      %k = fly.load %v[%n, 0] label "k" : !V -> !T
      %s = fly.dot %q, %k, %zero label "qk" : !T, !T -> !S
      %p = arith.truncf %s : !S to !T
      %d = fly.dot %p, %k, %o label "pv" : !T, !T -> !S
      scf.yield %d : !S
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

// What nobody asked for and cannot be stays a plain loop.
#sched = #fly.schedule<waves = [1, 4]>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @chained
  // CHECK-NOT: fly.pipeline
  // CHECK: scf.for
  // REMARK: NotFormed{{.*}}fly.load 'a' cannot run 1 iterations ahead: it takes %{{.*}}, which the iteration before it yields
  gpu.func @chained(%a: !V, %b: tensor<64x32xbf16>, %m: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %zero = fly.constant 0.0 : tensor<16x64xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %r, %x = scf.for %k = %c0 to %K step %c32 iter_args(%s = %zero, %at = %m) -> (tensor<16x64xf32>, i32) : i32 {
      %ta = fly.load %a[%at, %k] label "a" : !V -> tensor<16x32xbf16>
      %d = fly.dot %ta, %b, %s : tensor<16x32xbf16>, tensor<64x32xbf16> -> tensor<16x64xf32>
      %n = arith.addi %at, %k : i32
      scf.yield %d, %n : tensor<16x64xf32>, i32
    }
    gpu.return
  }

  // Without labels nothing is done.
  // CHECK-LABEL: gpu.func @unlabelled
  // CHECK-NOT: fly.pipeline
  gpu.func @unlabelled(%a: !V, %b: tensor<64x32xbf16>, %m: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %zero = fly.constant 0.0 : tensor<16x64xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %r = scf.for %k = %c0 to %K step %c32 iter_args(%s = %zero) -> (tensor<16x64xf32>) : i32 {
      %ta = fly.load %a[%m, %k] : !V -> tensor<16x32xbf16>
      %d = fly.dot %ta, %b, %s : tensor<16x32xbf16>, tensor<64x32xbf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    }
    gpu.return
  }
}
