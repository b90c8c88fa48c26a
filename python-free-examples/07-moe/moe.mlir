// A mixture of experts: each of T tokens is routed to topk of E experts, each a
// gated MLP of I hidden columns. Y[t] = sum over slots s of Weights[t, s] *
// W2[e] * (silu(W1[e, 0:I] * X[t]) .* (W1[e, I:2I] * X[t])), e = Ids[t, s].
//
// Rows that go to one expert must lie together to be multiplied as tiles: @sort
// orders them, each expert padded to whole blocks of BM rows; stage 1 and 2 run
// a block after the other, each with its expert's weights; @combine adds up the
// slots of a token. Deterministic: every stage writes each element once, and
// the slots are added in their order.
//
//   fly-run python-free-examples/07-moe/moe.mlir --device=reference
//     T=8 topk=2 E=4 I=128 K=128 maxpad=320

#sort = #fly.schedule<sizes = {BM = 64, CH = 64, EX = 64}, waves = [4, 1]>
#sched1 = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 128}, waves = [1, 4], grid = {order = n_fastest, xcd = off},
    x = lds(stages = 2, swizzle = auto), wg = regs(depth = 1), wu = regs(depth = 1),
    kloop = {hot_loop = auto}, out = {epilogue = auto}>
#sched2 = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 64}, waves = [1, 4], grid = {order = n_fastest},
    h = lds(stages = 2), w = regs(depth = 1), kloop = {hot_loop = auto}, out = {epilogue = direct}>
#combine = #fly.schedule<sizes = {BM = 4, BN = 256}, waves = [4, 1]>
!fp8 = f8E4M3FNUZ

//===----------------------------------------------------------------------===//
// Sort: one workgroup orders all rows (token, slot) by expert
//===----------------------------------------------------------------------===//

!E1   = tensor<?xi32, #fly.tile<EX>>                  // a number for each expert
!C1   = tensor<?xi32, #fly.tile<CH>>                  // a number for each row of a chunk, or for each block
!CE   = tensor<?x?xi32, #fly.tile<CH, EX>>
!EE   = tensor<?x?xi32, #fly.tile<EX, EX>>
!CEb  = tensor<?x?xi1, #fly.tile<CH, EX>>
!C1b  = tensor<?xi1, #fly.tile<CH>>
!VI   = !fly.view<?xi32>

gpu.module @moe_sort [#rocdl.target<chip = "gfx942">] {
  // Which expert each row of the chunk at %r goes to, as a row of 0 and 1;
  // nothing for rows behind the last.
  func.func private @onehot(%ids: !VI, %r: i32, %R: i32) -> !CE {
    %id  = fly.load %ids[%r] : !VI -> !C1
    %at  = fly.iota along 0 : !C1
    %r0  = fly.splat %r : i32 -> !C1
    %row = arith.addi %at, %r0 : !C1
    %end = fly.splat %R : i32 -> !C1
    %in  = arith.cmpi slt, %row, %end : !C1
    %none = fly.constant -1 : !C1
    %e   = arith.select %in, %id, %none : !C1b, !C1
    %e2  = fly.broadcast %e along 1 : !C1 -> !CE
    %col = fly.iota along 1 : !CE
    %eq  = arith.cmpi eq, %e2, %col : !CE
    %hot = arith.extui %eq : !CEb to !CE
    return %hot : !CE
  }

  // Sorted: of each position the row there, token | slot << 24; positions that
  // pad an expert hold the token T, which is outside of every view of tokens.
  // Experts: of each block of BM positions its expert. NumValid: how many
  // positions are in use.
  gpu.func @sort(%Ids: !fly.ptr<i32>, %Sorted: !fly.ptr<i32>, %Experts: !fly.ptr<i32>, %NumValid: !fly.ptr<i32>,
                 %T: i32, %topk: i32, %E: i32, %maxpad: i32) kernel attributes {fly.schedule = #sort} {
    fly.require_multiple %maxpad of BM
    %bm = fly.size BM
    %ch = fly.size CH
    %exs = fly.size EX
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %c2to24 = arith.constant 16777216 : i32
    %R  = arith.muli %T, %topk : i32
    %bm1 = arith.subi %bm, %c1 : i32
    %padding = arith.muli %E, %bm1 : i32
    %need = arith.addi %R, %padding : i32
    %enough = arith.cmpi sge, %maxpad, %need : i32
    fly.require %enough, "maxpad must hold T * topk rows, and BM - 1 more for each expert"
    %fits = arith.cmpi sle, %E, %exs : i32
    fly.require %fits, "E must not exceed EX (choose a larger EX)"
    %slots = arith.cmpi sle, %topk, %c128 : i32
    fly.require %slots, "a slot has 7 bits: topk must not exceed 128"
    %tokens = arith.cmpi slt, %T, %c2to24 : i32
    fly.require %tokens, "a token has 24 bits"
    %nb  = arith.divui %maxpad, %bm : i32
    %ids = fly.view %Ids[%R] : !VI
    %sorted = fly.view %Sorted[%maxpad] : !VI
    %experts = fly.view %Experts[%nb] : !VI
    %valid = fly.view %NumValid[1] : !VI

    // How many rows each expert has, in whole blocks, and where they start.
    %zero = fly.constant 0 : !E1
    %counts = scf.for %r = %c0 to %R step %ch iter_args(%n = %zero) -> (!E1) : i32 {
      %hot = func.call @onehot(%ids, %r, %R) : (!VI, i32, i32) -> !CE
      %some = fly.reduce add %hot along 0 : !CE -> !E1
      %more = arith.addi %n, %some : !E1
      scf.yield %more : !E1
    }
    %bmt  = fly.splat %bm : i32 -> !E1
    %bm1t = fly.splat %bm1 : i32 -> !E1
    %up   = arith.addi %counts, %bm1t : !E1
    %blocks = arith.divui %up, %bmt : !E1
    %padded = arith.muli %blocks, %bmt : !E1
    %starts = fly.scan add %padded along 0 exclusive : !E1 -> !E1
    %ends = arith.addi %starts, %padded : !E1
    // The sum of all stands in each element; the view has room for one.
    %wide = fly.broadcast %padded along 0 : !E1 -> !EE
    %total = fly.reduce add %wide along 1 : !EE -> !E1
    fly.store %total, %valid[0] : !E1, !VI

    // A block belongs to the first expert that does not end before it.
    %iota = fly.iota along 0 : !C1
    %last0 = arith.subi %E, %c1 : i32
    %last = fly.splat %last0 : i32 -> !C1
    %ends2 = fly.broadcast %ends along 0 : !E1 -> !CE
    scf.for %b = %c0 to %nb step %ch : i32 {
      %b0 = fly.splat %b : i32 -> !C1
      %blk = arith.addi %iota, %b0 : !C1
      %bmc = fly.splat %bm : i32 -> !C1
      %pos = arith.muli %blk, %bmc : !C1
      %pos2 = fly.broadcast %pos along 1 : !C1 -> !CE
      %past = arith.cmpi sle, %ends2, %pos2 : !CE
      %one = arith.extui %past : !CEb to !CE
      %e = fly.reduce add %one along 1 : !CE -> !C1
      %e1 = arith.minsi %e, %last : !C1                // blocks that are not in use
      fly.store %e1, %experts[%b] : !C1, !VI
    }

    // Padding everywhere, then each row where it belongs: the start of its
    // expert, behind the rows of the chunks before and those before it in its own.
    %pad = fly.splat %T : i32 -> !C1
    scf.for %p = %c0 to %maxpad step %ch : i32 {
      fly.store %pad, %sorted[%p] : !C1, !VI
    }
    %topkt = fly.splat %topk : i32 -> !C1
    %sh = fly.constant 24 : !C1
    %outside = fly.splat %maxpad : i32 -> !C1
    %end = fly.splat %R : i32 -> !C1
    %done = scf.for %r = %c0 to %R step %ch iter_args(%next = %starts) -> (!E1) : i32 {
      %hot = func.call @onehot(%ids, %r, %R) : (!VI, i32, i32) -> !CE
      %before = fly.scan add %hot along 0 exclusive : !CE -> !CE
      %next2 = fly.broadcast %next along 0 : !E1 -> !CE
      %where = arith.addi %next2, %before : !CE
      %its = arith.muli %where, %hot : !CE
      %pos = fly.reduce add %its along 1 : !CE -> !C1
      %r0 = fly.splat %r : i32 -> !C1
      %row = arith.addi %iota, %r0 : !C1
      %in = arith.cmpi slt, %row, %end : !C1
      %to = arith.select %in, %pos, %outside : !C1b, !C1
      %token = arith.divui %row, %topkt : !C1
      %slot = arith.remui %row, %topkt : !C1
      %high = arith.shli %slot, %sh : !C1
      %packed = arith.ori %token, %high : !C1
      fly.scatter %packed, %sorted rows(%to) at [] : !C1, !VI, !C1
      %some = fly.reduce add %hot along 0 : !CE -> !E1
      %more = arith.addi %next, %some : !E1
      scf.yield %more : !E1
    }
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// Stage 1: gate and up with gathered rows, SiLU
//===----------------------------------------------------------------------===//

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
!VO  = !fly.view<?x?xbf16>

gpu.module @moe1 [#rocdl.target<chip = "gfx942">] {
  gpu.func @stage1(%X: !fly.ptr<!fp8>, %W: !fly.ptr<!fp8>, %Out: !fly.ptr<bf16>, %SX: !fly.ptr<f32>, %SW: !fly.ptr<f32>,
                   %Sorted: !fly.ptr<i32>, %Experts: !fly.ptr<i32>, %NumValid: !fly.ptr<i32>,
                   %T: i32, %topk: i32, %E: i32, %I: i32, %K: i32, %maxpad: i32) kernel attributes {fly.schedule = #sched1} {
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
      fly.assert %eok, "expert id must not be negative" : i1
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

//===----------------------------------------------------------------------===//
// Stage 2: down, times the routing weight; one row for each token and slot
//===----------------------------------------------------------------------===//

!H2 = tensor<?x?xbf16, #fly.tile<BM, BK>>
!W2 = tensor<?x?xbf16, #fly.tile<BN, BK>>
!VW2 = !fly.view<?x?x?xbf16>                            // [E, K, I]

gpu.module @moe2 [#rocdl.target<chip = "gfx942">] {
  gpu.func @stage2(%H: !fly.ptr<bf16>, %W: !fly.ptr<bf16>, %Weights: !fly.ptr<f32>, %Out: !fly.ptr<f32>,
                   %Sorted: !fly.ptr<i32>, %Experts: !fly.ptr<i32>, %NumValid: !fly.ptr<i32>,
                   %T: i32, %topk: i32, %E: i32, %I: i32, %K: i32, %maxpad: i32) kernel attributes {fly.schedule = #sched2} {
    fly.require_multiple %I of BK
    fly.require_multiple %K of BN
    fly.require_multiple %maxpad of BM
    %bm = fly.size BM
    %R  = arith.muli %T, %topk : i32
    %nb = arith.divui %maxpad, %bm : i32
    %h   = fly.view %H[%R, %I] : !VO
    %w   = fly.view %W[%E, %K, %I] : !VW2
    %wt  = fly.view %Weights[%R] : !VR
    %ids = fly.view %Sorted[%maxpad] : !VI
    %ex  = fly.view %Experts[%nb] : !VI
    %nv  = fly.view %NumValid[1] : !VI
    %out = fly.view %Out[%R, %K] : !VS

    %m, %n = fly.grid to (%maxpad, %K) step (BM, BN)
    %valid = fly.load_scalar %nv[0] : !VI -> i32
    %live  = arith.cmpi slt, %m, %valid : i32
    scf.if %live {
      %blk = arith.divui %m, %bm : i32
      %e   = fly.load_scalar %ex[%blk] : !VI -> i32
      %id  = fly.load %ids[%m] : !VI -> !Ids
      %msk = fly.constant 16777215 : !Ids
      %sh  = fly.constant 24 : !Ids
      %tok = arith.andi %id, %msk : !Ids
      %slot = arith.shrui %id, %sh : !Ids
      %tk  = fly.splat %topk : i32 -> !Ids
      %r0 = arith.muli %tok, %tk : !Ids
      %row = arith.addi %r0, %slot : !Ids                   // of padding: at or behind R, outside
      %z   = fly.constant 0.0 : !Acc
      %acc = fly.pipeline @kloop %k = 0 to %I step BK iter_args(%s = %z) : !Acc
        prefetch {
          %th = fly.gather %h rows(%row) at [%k] label "h" : !VO, !Ids -> !H2
          %tw = fly.load %w[%e, %n, %k] label "w" : !VW2 -> !W2
          fly.yield %th, %tw : !H2, !W2
        } compute(%th: !H2, %tw: !W2) {
          %d = fly.dot %th, %tw, %s : !H2, !W2 -> !Acc
          fly.yield %d : !Acc
        }
      %rw  = fly.gather %wt rows(%row) at [] : !VR, !Ids -> !Row
      %rw2 = fly.broadcast %rw along 1 : !Row -> !Acc
      %o   = arith.mulf %acc, %rw2 : !Acc
      fly.scatter %o, %out rows(%row) at [%n] label "out" : !Acc, !VS, !Ids
    }
    gpu.return
  }

  // Y[t] = the sum of the slots of t, in their order.
  gpu.func @combine(%P: !fly.ptr<f32>, %Y: !fly.ptr<bf16>, %T: i32, %topk: i32, %K: i32)
      kernel attributes {fly.schedule = #combine} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %stride = arith.muli %topk, %K : i32
    // A slot, then its tokens.
    %p = fly.view %P[%topk, %T, %K] strides [%K, %stride, 1] : !fly.view<?x?x?xf32>
    %y = fly.view %Y[%T, %K] : !VO
    %t, %n = fly.grid to (%T, %K) step (BM, BN)
    %z = fly.constant 0.0 : !Acc
    %sum = scf.for %s = %c0 to %topk step %c1 iter_args(%x = %z) -> (!Acc) : i32 {
      %part = fly.load %p[%s, %t, %n] : !fly.view<?x?x?xf32> -> !Acc
      %next = arith.addf %x, %part : !Acc
      scf.yield %next : !Acc
    }
    %o = arith.truncf %sum : !Acc to !Out
    fly.store %o, %y[%t, %n] : !Out, !VO
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

func.func @moe(%X: !fly.ptr<!fp8>, %W1: !fly.ptr<!fp8>, %W2: !fly.ptr<bf16>, %SX: !fly.ptr<f32>, %SW: !fly.ptr<f32>,
               %Ids: !fly.ptr<i32>, %Weights: !fly.ptr<f32>, %Y: !fly.ptr<bf16>,
               %T: i32, %topk: i32, %E: i32, %I: i32, %K: i32, %maxpad: i32) attributes {fly.program} {
  %rows = arith.muli %T, %topk : i32
  %sorted   = fly.workspace[%maxpad] : !fly.ptr<i32>
  %experts  = fly.workspace[%maxpad] : !fly.ptr<i32>
  %numvalid = fly.workspace[1] : !fly.ptr<i32>
  %h        = fly.workspace[%rows, %I] : !fly.ptr<bf16>
  %parts    = fly.workspace[%rows, %K] : !fly.ptr<f32>
  fly.launch @moe_sort::@sort(%Ids, %sorted, %experts, %numvalid, %T, %topk, %E, %maxpad)
      : !fly.ptr<i32>, !fly.ptr<i32>, !fly.ptr<i32>, !fly.ptr<i32>, i32, i32, i32, i32
  fly.launch @moe1::@stage1(%X, %W1, %h, %SX, %SW, %sorted, %experts, %numvalid, %T, %topk, %E, %I, %K, %maxpad)
      : !fly.ptr<!fp8>, !fly.ptr<!fp8>, !fly.ptr<bf16>, !fly.ptr<f32>, !fly.ptr<f32>,
        !fly.ptr<i32>, !fly.ptr<i32>, !fly.ptr<i32>, i32, i32, i32, i32, i32, i32
  fly.launch @moe2::@stage2(%h, %W2, %Weights, %parts, %sorted, %experts, %numvalid, %T, %topk, %E, %I, %K, %maxpad)
      : !fly.ptr<bf16>, !fly.ptr<bf16>, !fly.ptr<f32>, !fly.ptr<f32>,
        !fly.ptr<i32>, !fly.ptr<i32>, !fly.ptr<i32>, i32, i32, i32, i32, i32, i32
  fly.launch @moe2::@combine(%parts, %Y, %T, %topk, %K) : !fly.ptr<f32>, !fly.ptr<bf16>, i32, i32, i32
  return
}
