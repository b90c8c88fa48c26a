// RMS normalisation of rows: y = x / sqrt(mean(x * x) + eps) * gamma, in one pass
// over memory. A wave holds a row, so nothing goes through LDS.
//
//   fly-run python-free-examples/04-rmsnorm/rmsnorm.mlir M=64 N=1000 eps=0.001

#sched = #fly.schedule<sizes = {BM = 4, BN = 2048}, waves = [4, 1]>
!X   = tensor<?x?xbf16, #fly.tile<BM, BN>>
!S   = tensor<?x?xf32,  #fly.tile<BM, BN>>
!Row = tensor<?xf32,    #fly.tile<BM>>
!Col = tensor<?xbf16,   #fly.tile<BN>>
!VX  = !fly.view<?x?xbf16>
!VC  = !fly.view<?xbf16>
gpu.module @rmsnorm [#rocdl.target<chip = "gfx942">] {
  gpu.func @rmsnorm(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %Gamma: !fly.ptr<bf16>, %M: i32, %N: i32, %eps: f32) kernel
      attributes {fly.schedule = #sched} {
    fly.require_multiple %N of 8
    %bn = fly.size BN
    %fits = arith.cmpi sle, %N, %bn : i32
    fly.require %fits, "N must not exceed BN"
    %x = fly.view %X[%M, %N] : !VX
    %y = fly.view %Y[%M, %N] : !VX
    %g = fly.view %Gamma[%N] : !VC
    %m = fly.grid to (%M) step (BM)
    // columns behind N read as zero and add nothing
    %xt = fly.load %x[%m, 0] label "x" : !VX -> !X
    %gt = fly.load %g[0] : !VC -> !Col
    %s = arith.extf %xt : !X to !S
    %sq = arith.mulf %s, %s : !S
    %ss = fly.reduce add %sq along 1 : !S -> !Row
    %nf = arith.sitofp %N : i32 to f32
    %o = fly.map "x * rsqrt(ss / n + eps) * g" (x = %s, ss = rows %ss, n = %nf, eps = %eps, g = cols %gt)
         : (!S, !Row, f32, f32, !Col) -> !X
    fly.store %o, %y[%m, 0] label "y" : !X, !VX
    gpu.return
  }
}
