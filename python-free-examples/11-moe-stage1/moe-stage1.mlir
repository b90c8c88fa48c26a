// The first stage of a mixture of experts: rows gathered by number, two products
// with weights of the expert of each block, SiLU, rows scattered. gfx950 wants
// f8E4M3FN. Ids hold a token in 24 bits and its slot above them.
#sched = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 128}, waves = [1, 4], grid = {order = n_fastest, xcd = off},
    x = lds(stages = 2, swizzle = auto), wg = regs(depth = 1), wu = regs(depth = 1),
    kloop = {hot_loop = auto}, out = {epilogue = cshuffle}>
!fp8 = f8E4M3FNUZ
!X   = tensor<?x?x!fp8, #fly.tile<BM, BK>>
!W   = tensor<?x?x!fp8, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!Out = tensor<?x?xbf16, #fly.tile<BM, BN>>
!Row = tensor<?xf32,    #fly.tile<BM>>
!Ids = tensor<?xi32,    #fly.tile<BM>>
!Col = tensor<?xf32,    #fly.tile<BN>>
!VX  = !fly.view<?x?x!fp8>
!VW  = !fly.view<?x?x?x!fp8, #fly.preshuffle<16, 64>>   // [E, 2I, K]: the two last dimensions are shuffled
!VS  = !fly.view<?x?xf32>
!VR  = !fly.view<?xf32>
!VI  = !fly.view<?xi32>
!VO  = !fly.view<?x?xbf16>

gpu.module @moe [#rocdl.target<chip = "gfx942">] {
  gpu.func @stage1(%X: !fly.ptr<!fp8>, %W: !fly.ptr<!fp8>, %Out: !fly.ptr<bf16>, %SX: !fly.ptr<f32>, %SW: !fly.ptr<f32>,
                   %Sorted: !fly.ptr<i32>, %Experts: !fly.ptr<i32>, %NumValid: !fly.ptr<i32>,
                   %T: i32, %topk: i32, %E: i32, %I: i32, %K: i32, %maxpad: i32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %K of BK
    fly.require_multiple %I of BN
    fly.require_multiple %maxpad of BM
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %bm = fly.size BM
    %I2 = arith.muli %I, %c2 : i32
    %R  = arith.muli %T, %topk : i32
    %nb = arith.divui %maxpad, %bm : i32
    %x   = fly.view %X[%T, %K] : !VX
    %w   = fly.view %W[%E, %I2, %K] : !VW
    %sx  = fly.view %SX[%T] : !VR
    %sw  = fly.view %SW[%E, %I2] : !VS
    %ids = fly.view %Sorted[%maxpad] : !VI
    %ex  = fly.view %Experts[%nb] : !VI
    %nv  = fly.view %NumValid[1] : !VI
    %out = fly.view %Out[%R, %I] : !VO

    %m, %n = fly.grid to (%maxpad, %I) step (BM, BN)       // the host knows only the padded maximum
    %valid = fly.load_scalar %nv[0] : !VI -> i32            // the device knows how much of it is real
    %live  = arith.cmpi slt, %m, %valid : i32
    scf.if %live {
      %blk = arith.divui %m, %bm : i32
      %e   = fly.load_scalar %ex[%blk] : !VI -> i32
      %neg = arith.constant 0 : i32
      %eok = arith.cmpi sge, %e, %neg : i32
      fly.assert %eok, "expert id must not be negative" : i1   // with --checks: message with wave and values; else nothing
      %id  = fly.load %ids[%m] : !VI -> !Ids
      %msk = fly.constant 16777215 : !Ids
      %sh  = fly.constant 24 : !Ids
      %tok = arith.andi %id, %msk : !Ids
      %slot = arith.shrui %id, %sh : !Ids

      %up0 = arith.addi %I, %n : i32
      %z   = fly.constant 0.0 : !Acc
      %gate, %up = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%g = %z, %u = %z) : !Acc, !Acc
        prefetch {
          // gathered rows: a tile of row numbers instead of one. A row outside the view (the padding id) reads as 0
          %tx = fly.gather %x rows(%tok) at [%k] label "x" : !VX, !Ids -> !X
          %tg = fly.load %w[%e, %n, %k] label "wg" : !VW -> !W
          %tu = fly.load %w[%e, %up0, %k] label "wu" : !VW -> !W
          fly.yield %tx, %tg, %tu : !X, !W, !W
        } compute(%tx: !X, %tg: !W, %tu: !W) {
          %g1 = fly.dot %tx, %tg, %g : !X, !W -> !Acc
          %u1 = fly.dot %tx, %tu, %u : !X, !W -> !Acc
          fly.yield %g1, %u1 : !Acc, !Acc
        }

      %rx  = fly.gather %sx rows(%tok) at [] : !VR, !Ids -> !Row
      %wg  = fly.load %sw[%e, %n] : !VS -> !Col
      %wu  = fly.load %sw[%e, %up0] : !VS -> !Col
      %rx2 = fly.broadcast %rx along 1 : !Row -> !Acc
      %wg2 = fly.broadcast %wg along 0 : !Col -> !Acc
      %wu2 = fly.broadcast %wu along 0 : !Col -> !Acc
      %g0  = arith.mulf %gate, %rx2 : !Acc
      %g2  = arith.mulf %g0, %wg2 : !Acc
      %u0  = arith.mulf %up, %rx2 : !Acc
      %u2  = arith.mulf %u0, %wu2 : !Acc
      %nl  = fly.constant -1.4426950408889634 : !Acc
      %one = fly.constant 1.0 : !Acc
      %ng  = arith.mulf %g2, %nl : !Acc
      %eg  = math.exp2 %ng fastmath<afn> : !Acc
      %den = arith.addf %eg, %one : !Acc
      %sg  = arith.divf %g2, %den fastmath<arcp,afn> : !Acc
      %h   = arith.mulf %sg, %u2 : !Acc
      %o   = arith.truncf %h : !Acc to !Out
      %tk  = fly.splat %topk : i32 -> !Ids
      %or0 = arith.muli %tok, %tk : !Ids
      %or  = arith.addi %or0, %slot : !Ids
      fly.scatter %o, %out rows(%or) at [%n] label "out" : !Out, !VO, !Ids    // rows outside are dropped
    }
    gpu.return
  }
}
