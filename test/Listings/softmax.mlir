// RUN: fly-opt %s --verify-roundtrip -o /dev/null
#sched = #fly.schedule<sizes = {BM = 4, BN = 8192}, waves = [4, 1], x = regs(cache = stream), y = direct(cache = stream)>
!X   = tensor<?x?xbf16, #fly.tile<BM, BN>>
!S   = tensor<?x?xf32,  #fly.tile<BM, BN>>
!I   = tensor<?x?xi32,  #fly.tile<BM, BN>>
!Msk = tensor<?x?xi1,   #fly.tile<BM, BN>>
!Row = tensor<?xf32,    #fly.tile<BM>>
!RowI = tensor<?xi32,   #fly.tile<BM>>
!VX  = !fly.view<?x?xbf16, #fly.strided<[?, 1]>>
!VL  = !fly.view<?xi32>

gpu.module @softmax [#rocdl.target<chip = "gfx950">] {
  // y[r, 0:len[r]] = softmax(x[r, 0:len[r]]); y beyond len[r] is not touched. One pass over memory.
  gpu.func @softmax(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %Len: !fly.ptr<i32>, %M: i32, %N: i32, %ld: i32) kernel
      attributes {fly.schedule = #sched} {
    fly.require_multiple %ld of 8                      // rows 16-byte aligned; without it: narrower loads and a remark
    %bn = fly.size BN
    %fits = arith.cmpi sle, %N, %bn : i32
    fly.require %fits, "N must not exceed BN (choose a larger BN, or @softmax_online)"
    %x   = fly.view %X[%M, %N] strides [%ld, 1] : !VX
    %y   = fly.view %Y[%M, %N] strides [%ld, 1] : !VX
    %len = fly.view %Len[%M] : !VL
    %m   = fly.grid to (%M) step (BM)

    // "pad": what a read outside the view gives. Per dimension: column N of row r is outside although its address is row r+1.
    %xt  = fly.load %x[%m, 0] pad neg_inf label "x" : !VX -> !X
    %n   = fly.load %len[%m] : !VL -> !RowI
    %s0  = arith.extf %xt : !X to !S
    // per-row tail
    %col = fly.iota along 1 : !I
    %n2  = fly.broadcast %n along 1 : !RowI -> !I
    %in  = arith.cmpi slt, %col, %n2 : !I
    %ninf = fly.constant neg_inf : !S
    %s   = arith.select %in, %s0, %ninf : !Msk, !S

    %mx  = fly.reduce max %s along 1 : !S -> !Row       // max = maxnum; "max_nan" propagates NaN
    // a row of length 0: max is -inf, and -inf - -inf would be NaN
    %lo  = fly.constant lowest : !Row
    %mxs = arith.maxnumf %mx, %lo : !Row
    %mxb = fly.broadcast %mxs along 1 : !Row -> !S
    %d   = arith.subf %s, %mxb : !S
    %l2e = fly.constant 1.4426950408889634 : !S
    %t   = arith.mulf %d, %l2e : !S
    %e   = math.exp2 %t fastmath<afn> : !S              // afn = the bare v_exp_f32: our own lowering (LLVM 22: 6 instructions even with afn)
    %sum = fly.reduce add %e along 1 : !S -> !Row
    %one = fly.constant 1.0 : !Row
    %inv = arith.divf %one, %sum fastmath<arcp,afn> : !Row
    %ivb = fly.broadcast %inv along 1 : !Row -> !S
    %p   = arith.mulf %e, %ivb : !S
    %o   = arith.truncf %p : !S to !X
    fly.store %o, %y[%m, 0] cache stream label "y" mask %in : !X, !VX, !Msk
    gpu.return
  }
}
