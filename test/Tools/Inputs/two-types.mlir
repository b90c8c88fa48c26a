// Two products of one tile: of bf16, and of f16.
#sched = #fly.schedule<sizes = {BM = 64, BN = 64, BK = 64}, waves = [2, 2]>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!H   = tensor<?x?xf16, #fly.tile<BM, BK>>
!G   = tensor<?x?xf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32, #fly.tile<BM, BN>>
gpu.module @two [#rocdl.target<chip = "gfx942">] {
  gpu.func @two(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %H: !fly.ptr<f16>, %G: !fly.ptr<f16>, %C: !fly.ptr<f32>, %M: i32)
      kernel attributes {fly.schedule = #sched} {
    %bn = fly.size BN
    %bk = fly.size BK
    %zi = arith.constant 0 : i32
    %a = fly.view %A[%M, %bk] : !fly.view<?x?xbf16>
    %b = fly.view %B[%bn, %bk] : !fly.view<?x?xbf16>
    %h = fly.view %H[%M, %bk] : !fly.view<?x?xf16>
    %g = fly.view %G[%bn, %bk] : !fly.view<?x?xf16>
    %c = fly.view %C[%M, %bn] : !fly.view<?x?xf32>
    %m = fly.grid to (%M) step (BM)
    %zero = fly.constant 0.0 : !Acc
    %ta = fly.load %a[%m, %zi] : !fly.view<?x?xbf16> -> !A
    %tb = fly.load %b[%zi, %zi] : !fly.view<?x?xbf16> -> !B
    %th = fly.load %h[%m, %zi] : !fly.view<?x?xf16> -> !H
    %tg = fly.load %g[%zi, %zi] : !fly.view<?x?xf16> -> !G
    %d = fly.dot %ta, %tb, %zero : !A, !B -> !Acc
    %e = fly.dot %th, %tg, %d : !H, !G -> !Acc
    fly.store %e, %c[%m, %zi] : !Acc, !fly.view<?x?xf32>
    gpu.return
  }
}
