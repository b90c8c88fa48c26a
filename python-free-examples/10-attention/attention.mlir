// Flash attention forward: causal, groups of heads share keys and values, sequences
// of any length one behind the other. Scores come out of the matrix unit
// transposed, so that probabilities are operands of the second product as they
// are; values lie in LDS as memory has them and are read transposed. No register
// spills on gfx942 and gfx950.
//
// Policy per loop, per load and per dot, by label. A kernel with two loops has
// two entries.
#sched = #fly.schedule<sizes = {BM = 128, BN = 64, D = 128}, waves = [4, 1], waves_per_eu = 2,
    grid = {order = longest_first, xcd = by(h)},            // heads of one KV group stay on one XCD
    q = regs, k = lds(stages = 2, copy = async), v = lds(stages = 2, copy = async, read = transposed),
    qk = {mfma = 32x32, acc = transposed},                  // S^T = K Q^T: a row's values sit in one lane
    pv = {mfma = 32x32, a = from_acc},                      // P goes to the next dot without LDS: V takes P's k order
    full = {hot_loop = auto, unroll = 2}, diag = {hot_loop = off}, o = {epilogue = auto}>
!Q  = tensor<?x?xbf16, #fly.tile<BM, D>>
!K  = tensor<?x?xbf16, #fly.tile<BN, D>>
!Vt = tensor<?x?xbf16, #fly.tile<D, BN>>
!S  = tensor<?x?xf32,  #fly.tile<BM, BN>>
!SI = tensor<?x?xi32,  #fly.tile<BM, BN>>
!P  = tensor<?x?xbf16, #fly.tile<BM, BN>>
!O  = tensor<?x?xf32,  #fly.tile<BM, D>>
!Oh = tensor<?x?xbf16, #fly.tile<BM, D>>
!R  = tensor<?xf32,    #fly.tile<BM>>
!V  = !fly.view<?x?xbf16, #fly.strided<[?, 1]>>
!VT = !fly.view<?x?xbf16, #fly.strided<[1, ?]>>         // the contiguous dimension is in the type
!VI = !fly.view<?xi32>
!VR = !fly.view<?xf32>

gpu.module @attention [#rocdl.target<chip = "gfx950">] {
  // One step of the online softmax. Inlined; the schedule sees straight-line tile code.
  func.func private @online(%s: !S, %vt: !Vt, %mi: !R, %li: !R, %o: !O) -> (!R, !R, !O) {
    %rm = fly.reduce max %s along 1 : !S -> !R
    %mn = arith.maxnumf %mi, %rm : !R
    %mb = fly.broadcast %mn along 1 : !R -> !S
    %d  = arith.subf %s, %mb : !S
    %p  = math.exp2 %d fastmath<afn> : !S
    %da = arith.subf %mi, %mn : !R
    %al = math.exp2 %da fastmath<afn> : !R
    %rs = fly.reduce add %p along 1 : !S -> !R
    %ln = math.fma %li, %al, %rs : !R
    %ab = fly.broadcast %al along 1 : !R -> !O
    %o1 = arith.mulf %o, %ab : !O
    %ph = arith.truncf %p : !S to !P
    %o2 = fly.dot %ph, %vt, %o1 label "pv" : !P, !Vt -> !O   // first operand comes out of registers
    return %mn, %ln, %o2 : !R, !R, !O
  }

  gpu.func @fwd(%Q: !fly.ptr<bf16>, %K: !fly.ptr<bf16>, %V: !fly.ptr<bf16>, %O: !fly.ptr<bf16>, %Lse: !fly.ptr<f32>,
                %CuQ: !fly.ptr<i32>, %CuK: !fly.ptr<i32>, %B: i32, %H: i32, %G: i32, %maxq: i32, %T: i32,
                %ldq: i32, %ldk: i32, %scale: f32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %ldq of 8
    fly.require_multiple %ldk of 8
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %bm = fly.size BM
    %bn = fly.size BN
    %dd = fly.size D

    %m, %h, %b = fly.grid to (%maxq, %H, %B) step (BM, 1, 1)

    // scalars are uniform by definition: SGPRs, scalar loads; branches on them may hold barriers
    %B1 = arith.addi %B, %c1 : i32
    %cq = fly.view %CuQ[%B1] : !VI
    %ck = fly.view %CuK[%B1] : !VI
    %b1 = arith.addi %b, %c1 : i32
    %q0 = fly.load_scalar %cq[%b] : !VI -> i32
    %q1 = fly.load_scalar %cq[%b1] : !VI -> i32
    %k0 = fly.load_scalar %ck[%b] : !VI -> i32
    %k1 = fly.load_scalar %ck[%b1] : !VI -> i32
    %sq = arith.subi %q1, %q0 : i32
    %sk = arith.subi %k1, %k0 : i32
    %live = arith.cmpi slt, %m, %sq : i32
    scf.if %live {
      %hk  = arith.divui %h, %G : i32
      // element offsets are i64: the compiler moves them into the buffer base, so tensors over 4 GiB work
      %q0w = arith.extsi %q0 : i32 to i64
      %k0w = arith.extsi %k0 : i32 to i64
      %ldqw = arith.extsi %ldq : i32 to i64
      %ldkw = arith.extsi %ldk : i32 to i64
      %hd  = arith.muli %h, %dd : i32
      %hkd = arith.muli %hk, %dd : i32
      %hdw = arith.extsi %hd : i32 to i64
      %hkw = arith.extsi %hkd : i32 to i64
      %qr  = arith.muli %q0w, %ldqw : i64
      %kr  = arith.muli %k0w, %ldkw : i64
      %qo  = arith.addi %qr, %hdw : i64
      %ko  = arith.addi %kr, %hkw : i64
      %q   = fly.view %Q[%sq, D] strides [%ldq, 1] at %qo : !V
      %k   = fly.view %K[%sk, D] strides [%ldk, 1] at %ko : !V
      %vT  = fly.view %V[D, %sk] strides [1, %ldk] at %ko : !VT
      %o   = fly.view %O[%sq, D] strides [%ldq, 1] at %qo : !V

      %tq  = fly.load %q[%m, 0] label "q" : !V -> !Q
      %off = arith.subi %sk, %sq : i32                     // bottom-right aligned causal mask
      %r0  = arith.addi %m, %off : i32
      %lim = arith.addi %r0, %bm : i32
      %e0  = arith.minsi %lim, %sk : i32
      %end = arith.maxsi %e0, %c0 : i32
      %f0  = arith.addi %r0, %c1 : i32
      %f1  = arith.minsi %f0, %sk : i32
      %f2  = arith.maxsi %f1, %c0 : i32
      %fr  = arith.remui %f2, %bn : i32
      %fullend = arith.subi %f2, %fr : i32                 // below this no mask is needed

      %z   = fly.constant 0.0 : !O
      %zr  = fly.constant 0.0 : !R
      %lo  = fly.constant lowest : !R                      // finite: no -inf - -inf
      %zs  = fly.constant 0.0 : !S
      %sc  = fly.splat %scale : f32 -> !S                  // softmax scale times log2(e), from the host
      // Plain loops. Which loads are prefetched, how far and through what is the schedule's business.
      %m1, %l1, %o1 = scf.for %n = %c0 to %fullend step %bn iter_args(%mi = %lo, %li = %zr, %oi = %z) -> (!R, !R, !O) : i32 {
        %tk = fly.load %k[%n, 0] label "k" : !V -> !K
        %tv = fly.load %vT[0, %n] label "v" : !VT -> !Vt
        %s0 = fly.dot %tq, %tk, %zs label "qk" : !Q, !K -> !S
        %s  = arith.mulf %s0, %sc : !S
        %a, %bb, %c = func.call @online(%s, %tv, %mi, %li, %oi) : (!S, !Vt, !R, !R, !O) -> (!R, !R, !O)
        scf.yield %a, %bb, %c : !R, !R, !O
      } {fly.label = "full"}
      // The diagonal. The pipeline pass lets the first loads of this loop start in the drain of the loop above.
      %m2, %l2, %o2 = scf.for %n = %fullend to %end step %bn iter_args(%mi = %m1, %li = %l1, %oi = %o1) -> (!R, !R, !O) : i32 {
        %tk = fly.load %k[%n, 0] label "k" : !V -> !K
        %tv = fly.load %vT[0, %n] label "v" : !VT -> !Vt
        %s0 = fly.dot %tq, %tk, %zs label "qk" : !Q, !K -> !S
        %s1 = arith.mulf %s0, %sc : !S
        %row = fly.iota from %r0 along 0 : !SI
        %col = fly.iota from %n along 1 : !SI
        %skt = fly.splat %sk : i32 -> !SI
        %ok0 = arith.cmpi sle, %col, %row : !SI
        %ok1 = arith.cmpi slt, %col, %skt : !SI            // key tail: zero rows of K would score 0, not -inf
        %ok  = arith.andi %ok0, %ok1 : tensor<?x?xi1, #fly.tile<BM, BN>>
        %ni  = fly.constant neg_inf : !S
        %s   = arith.select %ok, %s1, %ni : tensor<?x?xi1, #fly.tile<BM, BN>>, !S
        %a, %bb, %c = func.call @online(%s, %tv, %mi, %li, %oi) : (!S, !Vt, !R, !R, !O) -> (!R, !R, !O)
        scf.yield %a, %bb, %c : !R, !R, !O
      } {fly.label = "diag"}

      %has = arith.cmpf ogt, %l2, %zr : !R
      %one = fly.constant 1.0 : !R
      %ls  = arith.select %has, %l2, %one : tensor<?xi1, #fly.tile<BM>>, !R
      %inv = arith.divf %one, %ls fastmath<arcp,afn> : !R
      %ib  = fly.broadcast %inv along 1 : !R -> !O
      %of  = arith.mulf %o2, %ib : !O
      %oh  = arith.truncf %of : !O to !Oh
      fly.store %oh, %o[%m, 0] label "o" : !Oh, !V
      %lg  = math.log2 %ls : !R
      %lse = arith.addf %m2, %lg : !R
      %hT  = arith.muli %h, %T : i32
      %hTw = arith.extsi %hT : i32 to i64
      %lo64 = arith.addi %hTw, %q0w : i64
      %lv  = fly.view %Lse[%sq] at %lo64 : !VR
      fly.store %lse, %lv[%m] : !R, !VR
    }
    gpu.return
  }
}
