// Gathered rows as operands of a dot: through LDS in one or two stages, or in
// registers, in a pipeline and in a plain loop; rows that do not exist are
// zeros. C[m][n] is the sum over k of A[R[m]][k] B[S[n]][k].
// RUN: fly-run %s --kernel=gemm R=rand:1 S=iota E=3 F=60 M=70 N=66 K=128 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --chip=gfx950 R=iota S=rand:2 E=64 F=9 M=64 N=64 K=200 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --schedule a=regs,b.stages=1 R=rand:1 S=iota E=3 F=60 M=70 N=66 K=136 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --schedule a.stages=1,b=regs --chip=gfx950 R=rand:1 S=iota E=4 F=60 M=70 N=66 K=96 | FileCheck %s
// RUN: fly-run %s --kernel=plain R=rand:1 S=iota E=3 F=60 M=70 N=66 K=128 | FileCheck %s
// All rows of A but those below 0 and from E on are ones.
// RUN: fly-run %s --kernel=gemm R=iota S=iota A=fill:1 B=fill:1 E=64 F=64 M=64 N=64 K=136 --expect C=fill:136 | FileCheck %s
// CHECK: right

#sched = #fly.schedule<sizes = {BM = 32, BN = 64, BK = 64}, waves = [2, 2], a = lds(stages = 2), b = lds(stages = 2)>
!A = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B = tensor<?x?xbf16, #fly.tile<BN, BK>>
!C = tensor<?x?xf32, #fly.tile<BM, BN>>
!RA = tensor<?xi32, #fly.tile<BM>>
!RB = tensor<?xi32, #fly.tile<BN>>
!V = !fly.view<?x?xbf16>
!VC = !fly.view<?x?xf32>
!VI = !fly.view<?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %R: !fly.ptr<i32>, %S: !fly.ptr<i32>, %C: !fly.ptr<f32>,
                 %E: i32, %F: i32, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%E, %K] : !V
    %b = fly.view %B[%F, %K] : !V
    %r = fly.view %R[%M] : !VI
    %s = fly.view %S[%N] : !VI
    %c = fly.view %C[%M, %N] : !VC
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %rows = fly.load %r[%m] : !VI -> !RA
    %cols = fly.load %s[%n] : !VI -> !RB
    %z = fly.constant 0.0 : !C
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%x = %z) : !C
      prefetch {
        %ta = fly.gather %a rows(%rows) at [%k] label "a" : !V, !RA -> !A
        %tb = fly.gather %b rows(%cols) at [%k] label "b" : !V, !RB -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %x : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %acc, %c[%m, %n] : !C, !VC
    gpu.return
  }

  // Operands in registers: the rows are known where each lane wants them.
  gpu.func @plain(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %R: !fly.ptr<i32>, %S: !fly.ptr<i32>, %C: !fly.ptr<f32>,
                 %E: i32, %F: i32, %M: i32, %N: i32, %K: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 32, BN = 64, BK = 64}, waves = [2, 2]>} {
    %a = fly.view %A[%E, %K] : !V
    %b = fly.view %B[%F, %K] : !V
    %r = fly.view %R[%M] : !VI
    %s = fly.view %S[%N] : !VI
    %c = fly.view %C[%M, %N] : !VC
    %bk = fly.size BK
    %c0 = arith.constant 0 : i32
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %rows = fly.load %r[%m] : !VI -> !RA
    %cols = fly.load %s[%n] : !VI -> !RB
    %z = fly.constant 0.0 : !C
    %acc = scf.for %k = %c0 to %K step %bk iter_args(%x = %z) -> (!C) : i32 {
      %ta = fly.gather %a rows(%rows) at [%k] : !V, !RA -> !A
      %tb = fly.gather %b rows(%cols) at [%k] : !V, !RB -> !B
      %d = fly.dot %ta, %tb, %x : !A, !B -> !C
      scf.yield %d : !C
    }
    fly.store %acc, %c[%m, %n] : !C, !VC
    gpu.return
  }
}
