// RUN: fly-opt %s --fly-form-pipelines --remarks-filter=fly-form-pipelines 2>&1 | FileCheck %s

// A check in a loop does not keep its loads from running ahead: what it writes no
// load reads, and in most kernels it is not compiled at all.
!T = tensor<64x64xbf16>
!S = tensor<64x64xf32>
!V = !fly.view<64x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK: remark: [Passed] Formed {{.*}} Remark="stages -1, 0"
  // CHECK-LABEL: gpu.func @checked
  // CHECK: fly.pipeline @kloop
  // CHECK: fly.load
  // CHECK: fly.load
  // CHECK: compute
  // CHECK: fly.assert
  // CHECK: fly.print
  // CHECK: fly.dot
  gpu.func @checked(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel {
    %a = fly.view %A[64, %K] : !V
    %b = fly.view %B[64, %K] : !V
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !S
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%s = %z) -> (!S) : i32 {
      %ta = fly.load %a[0, %k] label "a" : !V -> !T
      %tb = fly.load %b[0, %k] label "b" : !V -> !T
      %ok = arith.cmpi sge, %k, %c0 : i32
      fly.assert %ok, "k must not be negative" : i1
      fly.print "k = {}", %k : i32
      %d = fly.dot %ta, %tb, %s : !T, !T -> !S
      scf.yield %d : !S
    } {fly.label = "kloop"}
    fly.store %r, %c[0, 0] : !S, !fly.view<64x64xf32>
    gpu.return
  }
}
