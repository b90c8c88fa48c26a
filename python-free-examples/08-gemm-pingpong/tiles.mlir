// What gemm.mlir computes, on tiles: the same arguments, the same product.
!fp8 = f8E4M3FNUZ
!A   = tensor<?x?x!fp8, #fly.tile<BM, BK>>
!B   = tensor<?x?x!fp8, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32, #fly.tile<BM, BN>>
!Out = tensor<?x?xbf16, #fly.tile<BM, BN>>
!VA  = !fly.view<?x?x!fp8>
!VB  = !fly.view<?x?x!fp8, #fly.preshuffle<16, 64>>
!VC  = !fly.view<?x?xbf16>

gpu.module @tiles [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<!fp8>, %B: !fly.ptr<!fp8>, %C: !fly.ptr<bf16>, %M: i32, %N: i32, %K: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 64}, waves = [1, 4]>} {
    fly.require_multiple %K of 256
    fly.require_multiple %N of 256
    %a = fly.view %A[%M, %K] : !VA
    %b = fly.view %B[%N, %K] : !VB
    %c = fly.view %C[%M, %N] : !VC
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] : !VA -> !A
        %tb = fly.load %b[%n, %k] : !VB -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    %o = arith.truncf %acc : !Acc to !Out
    fly.store %o, %c[%m, %n] : !Out, !VC
    gpu.return
  }
}
