// Layer normalisation of rows: y = (x - mean) / sqrt(var + eps) * gamma + beta, in
// one pass over memory. Row and column vectors take the layout of the tile that
// they are broadcast to.
//
//   fly-run python-free-examples/03-layernorm/layernorm.mlir M=64 N=1000 eps=0.001

#sched = #fly.schedule<sizes = {BM = 4, BN = 2048}, waves = [4, 1]>
!X   = tensor<?x?xbf16, #fly.tile<BM, BN>>
!S   = tensor<?x?xf32,  #fly.tile<BM, BN>>
!I   = tensor<?x?xi32,  #fly.tile<BM, BN>>
!Row = tensor<?xf32,    #fly.tile<BM>>
!Col = tensor<?xf32,    #fly.tile<BN>>
!VX  = !fly.view<?x?xbf16>
!VC  = !fly.view<?xf32>
gpu.module @layernorm [#rocdl.target<chip = "gfx942">] {
  gpu.func @layernorm(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %Gamma: !fly.ptr<f32>, %Beta: !fly.ptr<f32>,
                      %M: i32, %N: i32, %eps: f32) kernel
      attributes {fly.schedule = #sched} {
    fly.require_multiple %N of 8
    %bn = fly.size BN
    %fits = arith.cmpi sle, %N, %bn : i32
    fly.require %fits, "N must not exceed BN"
    %x = fly.view %X[%M, %N] : !VX
    %y = fly.view %Y[%M, %N] : !VX
    %g = fly.view %Gamma[%N] : !VC
    %b = fly.view %Beta[%N] : !VC
    %m = fly.grid to (%M) step (BM)
    %xt = fly.load %x[%m, 0] label "x" : !VX -> !X
    %gt = fly.load %g[0] : !VC -> !Col
    %bt = fly.load %b[0] : !VC -> !Col
    %s = arith.extf %xt : !X to !S
    %sum = fly.reduce add %s along 1 : !S -> !Row
    %nf = arith.sitofp %N : i32 to f32
    %one = arith.constant 1.0 : f32
    %inv = arith.divf %one, %nf : f32
    %invt = fly.splat %inv : f32 -> !Row
    %mean = arith.mulf %sum, %invt : !Row
    %mb = fly.broadcast %mean along 1 : !Row -> !S
    %d0 = arith.subf %s, %mb : !S
    // columns behind N read as zero, but zero minus the mean is not
    %col = fly.iota along 1 : !I
    %nt = fly.splat %N : i32 -> !I
    %in = arith.cmpi slt, %col, %nt : !I
    %z = fly.constant 0.0 : !S
    %d = arith.select %in, %d0, %z : tensor<?x?xi1, #fly.tile<BM, BN>>, !S
    %sq = arith.mulf %d, %d : !S
    %ss = fly.reduce add %sq along 1 : !S -> !Row
    %var = arith.mulf %ss, %invt : !Row
    %et = fly.splat %eps : f32 -> !Row
    %ve = arith.addf %var, %et : !Row
    %r = math.rsqrt %ve : !Row
    %rb = fly.broadcast %r along 1 : !Row -> !S
    %gb = fly.broadcast %gt along 0 : !Col -> !S
    %bb = fly.broadcast %bt along 0 : !Col -> !S
    %n0 = arith.mulf %d, %rb : !S
    %n1 = arith.mulf %n0, %gb : !S
    %n2 = arith.addf %n1, %bb : !S
    %o = arith.truncf %n2 : !S to !X
    fly.store %o, %y[%m, 0] label "y" : !X, !VX
    gpu.return
  }
}
