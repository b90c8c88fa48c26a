// Plain loops that the schedule makes pipelines of two and three stages, on the
// device, for every trip count around the depth. What is right is what the
// plain loop gives on the reference.
// RUN: fly-run %s --kernel=gemm M=20 N=64 K=0 | FileCheck %s
// RUN: fly-run %s --kernel=gemm M=20 N=64 K=64 | FileCheck %s
// RUN: fly-run %s --kernel=gemm M=20 N=64 K=300 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=0 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=32 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=50 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=96 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=120 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=160 --schedule k.stages=1 | FileCheck %s
// RUN: fly-run %s --kernel=weighted M=20 N=64 --schedule k=regs | FileCheck %s
// RUN: fly-run %s --kernel=far M=20 N=32 | FileCheck %s
// RUN: fly-run %s --kernel=far M=20 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=far M=20 N=96 | FileCheck %s
// RUN: fly-run %s --kernel=far M=20 N=128 | FileCheck %s
// RUN: fly-run %s --kernel=far M=20 N=200 | FileCheck %s
// RUN: fly-run %s --kernel=written M=20 N=32 | FileCheck %s
// RUN: fly-run %s --kernel=written M=20 N=100 | FileCheck %s
// A loop that has no entry is given its stages from outside.
// RUN: fly-run %s --kernel=gemm M=20 N=64 K=300 "--schedule=kloop.stages={a=-2,b=-1}" | FileCheck %s
// CHECK: right

#gemm = #fly.schedule<sizes = {BM = 16, BN = 64, BK = 64}>
#near = #fly.schedule<sizes = {BM = 16, BN = 32, D = 64}, waves = [1, 2], k = lds(stages = 2), loop = {stages = {k = -2, qk = -1}}>
#far = #fly.schedule<sizes = {BM = 16, BN = 32, D = 64}, waves = [1, 2], k = lds(stages = 2), loop = {stages = {k = -3, qk = -1}}>
#written = #fly.schedule<sizes = {BM = 16, BN = 32, D = 64}, waves = [1, 2]>
!A = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Q = tensor<?x?xbf16, #fly.tile<BM, D>>
!K = tensor<?x?xbf16, #fly.tile<BN, D>>
!S = tensor<?x?xf32, #fly.tile<BM, BN>>
!V = !fly.view<?x?xbf16>
!VC = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Labelled loads that feed a dot run ahead without being asked to.
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #gemm} {
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !VC
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !S
    %c0 = arith.constant 0 : i32
    %bk = fly.size BK
    %acc = scf.for %k = %c0 to %K step %bk iter_args(%s = %zero) -> (!S) : i32 {
      %ta = fly.load %a[%m, %k] label "a" : !V -> !A
      %tb = fly.load %b[%n, %k] label "b" : !V -> !B
      %d = fly.dot %ta, %tb, %s : !A, !B -> !S
      scf.yield %d : !S
    } {fly.label = "kloop"}
    fly.store %acc, %c[%m, %n] label "c" : !S, !VC
    gpu.return
  }

  // Sums of products of Q with blocks of K, weighted by the block: load, dot, sum.
  gpu.func @weighted(%Q: !fly.ptr<bf16>, %K: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #near} {
    %q = fly.view %Q[%M, D] : !V
    %k = fly.view %K[%N, D] : !V
    %c = fly.view %C[%M, BN] : !VC
    %m = fly.grid to (%M) step (BM)
    func.call @sum(%q, %k, %c, %m, %N) : (!V, !V, !VC, i32, i32) -> ()
    gpu.return
  }
  gpu.func @far(%Q: !fly.ptr<bf16>, %K: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #far} {
    %q = fly.view %Q[%M, D] : !V
    %k = fly.view %K[%N, D] : !V
    %c = fly.view %C[%M, BN] : !VC
    %m = fly.grid to (%M) step (BM)
    func.call @sum(%q, %k, %c, %m, %N) : (!V, !V, !VC, i32, i32) -> ()
    gpu.return
  }
  func.func private @sum(%q: !V, %k: !V, %c: !VC, %m: i32, %N: i32) {
    %zero = fly.constant 0.0 : !S
    %c0 = arith.constant 0 : i32
    %bn = fly.size BN
    %tq = fly.load %q[%m, 0] label "q" : !V -> !Q
    %acc = scf.for %n = %c0 to %N step %bn iter_args(%s = %zero) -> (!S) : i32 {
      %tk = fly.load %k[%n, 0] label "k" : !V -> !K
      %d = fly.dot %tq, %tk, %zero label "qk" : !Q, !K -> !S
      // Of the iteration, to see that each has its own.
      %f = arith.divui %n, %bn : i32
      %g = arith.sitofp %f : i32 to f32
      %w = fly.splat %g : f32 -> !S
      %e = arith.mulf %d, %w : !S
      %t = arith.addf %s, %e : !S
      scf.yield %t : !S
    } {fly.label = "loop"}
    fly.store %acc, %c[%m, 0] label "c" : !S, !VC
    return
  }

  // The same as a pipeline that is written out.
  gpu.func @written(%Q: !fly.ptr<bf16>, %K: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #written} {
    %q = fly.view %Q[%M, D] : !V
    %k = fly.view %K[%N, D] : !V
    %c = fly.view %C[%M, BN] : !VC
    %m = fly.grid to (%M) step (BM)
    %zero = fly.constant 0.0 : !S
    %tq = fly.load %q[%m, 0] label "q" : !V -> !Q
    %acc = fly.pipeline @loop %n = 0 to %N step BN iter_args(%s = %zero) : !S
      prefetch ahead 4 {
        %tk = fly.load %k[%n, 0] label "k" : !V -> !K
        fly.yield %tk : !K
      } stage(%tk: !K) at %n1 ahead 2 {
        %d = fly.dot %tq, %tk, %zero label "qk" : !Q, !K -> !S
        fly.yield %d : !S
      } compute(%d: !S) {
        %t = arith.addf %s, %d : !S
        fly.yield %t : !S
      }
    fly.store %acc, %c[%m, 0] label "c" : !S, !VC
    gpu.return
  }
}
