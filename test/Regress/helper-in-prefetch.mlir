// Helpers are inlined before anything is asked of them, so prefetch may call
// one; what it does is asked afterwards.
// RUN: split-file %s %t
// RUN: fly-run %t/loads.mlir M=100 N=70 K=200 | FileCheck %s
// CHECK: loads  gfx942  right (7000 of 7000 equal)
// RUN: not fly-compile %t/stores.mlir 2>&1 | FileCheck %s --check-prefix=STORES
// STORES: stores.mlir:6:5: error: 'fly.store' op may write memory, so it cannot run ahead in prefetch: move it to compute

//--- loads.mlir
#sched = #fly.schedule<sizes = {BM = 32, BN = 64, BK = 64}>
!A = tensor<?x?xf16, #fly.tile<BM, BK>>
!B = tensor<?x?xf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32, #fly.tile<BM, BN>>
!V = !fly.view<?x?xf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @fetch(%a: !V, %b: !V, %m: i32, %n: i32, %k: i32) -> (!A, !B) {
    %ta = fly.load %a[%m, %k] label "a" : !V -> !A
    %tb = fly.load %b[%n, %k] label "b" : !V -> !B
    return %ta, %tb : !A, !B
  }
  gpu.func @loads(%A: !fly.ptr<f16>, %B: !fly.ptr<f16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta, %tb = func.call @fetch(%a, %b, %m, %n, %k) : (!V, !V, i32, i32, i32) -> (!A, !B)
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %c[%m, %n] : !Acc, !fly.view<?x?xf32>
    gpu.return
  }
}

//--- stores.mlir
#sched = #fly.schedule<sizes = {BM = 64}>
!T = tensor<?xf32, #fly.tile<BM>>
!V = !fly.view<?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @put(%t: !T, %v: !V, %k: i32) {
    fly.store %t, %v[%k] : !T, !V
    return
  }
  gpu.func @stores(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M] : !V
    %t = fly.constant 1.0 : !T
    fly.pipeline @kloop %k = 0 to %M step BM
      prefetch {
        func.call @put(%t, %a, %k) : (!T, !V, i32) -> ()
        fly.yield
      } compute {
        fly.yield
      }
    gpu.return
  }
}
