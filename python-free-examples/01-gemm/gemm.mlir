// C = A * B^T for bf16 matrices of any size, float results.
//
//   fly-run python-free-examples/01-gemm/gemm.mlir M=100 N=96 K=72

#sched = #fly.schedule<sizes = {BM = 128, BN = 128, BK = 64}, waves = [2, 2],
    a = lds(stages = 2), b = lds(stages = 2), kloop = {mfma = 16x16}>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!V   = !fly.view<?x?xbf16>
!VC  = !fly.view<?x?xf32>

gpu.module @gemm [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !VC

    // One workgroup for each tile of C.
    %m, %n = fly.grid to (%M, %N) step (BM, BN)

    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %c[%m, %n] label "c" : !Acc, !VC
    gpu.return
  }
}
