// RUN: fly-opt %s --verify-roundtrip -o /dev/null
// The example is the same kernel.
// RUN: sed '/^#sched/,$!d' %s > %t.text
// RUN: sed '/^#sched/,$!d' %examples/12-split-k-one-kernel/split-k.mlir | diff %t.text -
// RUN: fly-run %s M=30 N=240 K=1280 B=shuffle:rand:2 | FileCheck %s
// RUN: fly-run %s --chip=gfx950 M=16 N=128 K=512 B=shuffle:rand:2 | FileCheck %s
// CHECK: right
// The head of the loop waits for the LDS writes of the iteration before, although
// the loop is entered without any.
// RUN: fly-compile %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ORDER --allow-empty
// ORDER-NOT: order of LDS
// Split-K is algorithm (a workspace, an order of sums), so it stands in the kernel; the *factor* is a size that a tuner sets.
#sched = #fly.schedule<sizes = {BM = 16, BN = 128, BK = 256, SPLIT = 4}, waves = [1, 4],
    a = lds(stages = 2), b = regs(depth = 2, cache = stream), kloop = {hot_loop = auto}, c = {epilogue = direct}>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!Out = tensor<?x?xbf16, #fly.tile<BM, BN>>
!VA  = !fly.view<?x?xbf16>
!VB  = !fly.view<?x?xbf16, #fly.preshuffle<16, 64>>
!VP  = !fly.view<?x?x?xf32>
!VI  = !fly.view<?x?xi32>

gpu.module @splitk [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<bf16>, %M: i32, %N: i32, %K: i32,
                 %Part: !fly.ptr<f32> {fly.workspace},                 // size = extents of its view, in the launch contract
                 %Count: !fly.ptr<i32> {fly.workspace = "zeroed"})     // left zeroed again by the kernel
      kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %K of BK
    %bm = fly.size BM
    %bn = fly.size BN
    %bk = fly.size BK
    %sp = fly.size SPLIT
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %gm = arith.ceildivui %M, %bm : i32
    %gn = arith.ceildivui %N, %bn : i32
    %a  = fly.view %A[%M, %K] : !VA
    %b  = fly.view %B[%N, %K] : !VB
    %c  = fly.view %C[%M, %N] : !VA
    %part = fly.view %Part[SPLIT, %M, %N] : !VP
    %cnt  = fly.view %Count[%gm, %gn] : !VI

    %m, %n, %s = fly.grid to (%M, %N, SPLIT) step (BM, BN, 1)
    %kt = arith.divui %K, %bk : i32
    %per = arith.ceildivui %kt, %sp : i32
    %len = arith.muli %per, %bk : i32
    %lo = arith.muli %s, %len : i32
    %h0 = arith.addi %lo, %len : i32
    %hi = arith.minui %h0, %K : i32                                    // may be empty: the loop then runs 0 times

    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = %lo to %hi step BK iter_args(%x = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !VA -> !A
        %tb = fly.load %b[%n, %k] label "b" : !VB -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %x : !A, !B -> !Acc
        fly.yield %d : !Acc
      }

    fly.store %acc, %part[%s, %m, %n] : !Acc, !VP
    // Once per workgroup. "release": every store of this workgroup above is visible to whoever acquires, also on
    // another XCD, whose L2 is a different one; "acquire": the loads below see what the others released.
    %im = arith.divui %m, %bm : i32
    %in = arith.divui %n, %bn : i32
    %old = fly.atomic_rmw add %c1, %cnt[%im, %in] acq_rel agent : !VI
    %lastid = arith.subi %sp, %c1 : i32
    %last = arith.cmpi eq, %old, %lastid : i32
    scf.if %last {
      %sum = scf.for %i = %c0 to %sp step %c1 iter_args(%t = %zero) -> (!Acc) : i32 {   // fixed order: deterministic
        %p = fly.load %part[%i, %m, %n] label "part" : !VP -> !Acc
        %t1 = arith.addf %t, %p : !Acc
        scf.yield %t1 : !Acc
      }
      %o = arith.truncf %sum : !Acc to !Out
      fly.store %o, %c[%m, %n] label "c" : !Out, !VA
      %r = fly.atomic_rmw xchg %c0, %cnt[%im, %in] relaxed agent : !VI
    }
    gpu.return
  }
}
