// RUN: fly-opt %s --verify-roundtrip -o /dev/null
// The example is the same kernel.
// RUN: sed '/^#sched/,$!d' %s > %t.text
// RUN: sed '/^#sched/,$!d' %examples/09-gemm-fp8/gemm.mlir | diff %t.text -
// RUN: fly-run %s M=150 N=304 K=384 B=shuffle:rand:2 | FileCheck %s
// RUN: sed s/f8E4M3FNUZ/f8E4M3FN/ %s > %t.mlir
// RUN: fly-run %t.mlir --chip=gfx950 M=33 N=272 K=256 B=shuffle:rand:2 | FileCheck %s
// CHECK: right
// Everything that a tuner or an "auto" may change is in this one attribute.
#sched = #fly.schedule<sizes = {BM = 128, BN = 256, BK = 128}, waves = [1, 4], waves_per_eu = 2,
    grid = {order = grouped(8), xcd = on},
    a = lds(stages = 2, swizzle = auto, copy = auto, first_pack = carried), b = regs(depth = 1),
    kloop = {mfma = 16x16, acc = auto, hot_loop = auto, unroll = auto}, c = {epilogue = cshuffle}>
!fp8 = f8E4M3FNUZ                                      // gfx950: f8E4M3FN; the one line that a port changes
!A   = tensor<?x?x!fp8, #fly.tile<BM, BK>>             // tiles: builtin tensors whose extents have names
!B   = tensor<?x?x!fp8, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!Out = tensor<?x?xbf16, #fly.tile<BM, BN>>
!Row = tensor<?xf32,    #fly.tile<BM>>
!Col = tensor<?xf32,    #fly.tile<BN>>
!ColH = tensor<?xbf16,  #fly.tile<BN>>
!VA  = !fly.view<?x?x!fp8>
!VB  = !fly.view<?x?x!fp8, #fly.preshuffle<16, 64>>    // the layout of the bytes is part of the type
!VC  = !fly.view<?x?xbf16>
!VF  = !fly.view<?xf32>
!VH  = !fly.view<?xbf16>

gpu.module @gemm [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<!fp8>, %B: !fly.ptr<!fp8>, %C: !fly.ptr<bf16>, %SA: !fly.ptr<f32>, %SB: !fly.ptr<f32>,
                 %Bias: !fly.ptr<bf16>, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    // Preconditions of the launch: exported with the code object; checked by fly-run, by the generated launcher,
    // by reference and simulator; assumed by the passes (16-byte loads, no K tail).
    fly.require_multiple %K of BK
    fly.require_multiple %N of 16

    %a    = fly.view %A[%M, %K] : !VA                  // extents also say how large each buffer is: fly-run allocates from them
    %b    = fly.view %B[%N, %K] : !VB
    %c    = fly.view %C[%M, %N] : !VC
    %sa   = fly.view %SA[%M] : !VF
    %sb   = fly.view %SB[%N] : !VF
    %bias = fly.view %Bias[%N] : !VH

    // The grid is a parallel loop over workgroups. Its bounds use kernel arguments only, so the host can compute them.
    // XCD remap, grouping, persistence change how it is walked, never what it means.
    %m, %n = fly.grid to (%M, %N) step (BM, BN)

    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !VA -> !A
        %tb = fly.load %b[%n, %k] label "b" : !VB -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }

    %ra = fly.load %sa[%m] : !VF -> !Row               // 1-D tiles; the passes issue these loads early
    %rb = fly.load %sb[%n] : !VF -> !Col
    %rc = fly.load %bias[%n] : !VH -> !ColH
    // Elementwise code as a person writes it: expands to arith and math in the first pass. Inputs widen to f32,
    // the result is rounded once, to the type on the right.
    %o = fly.map "gelu_tanh(x * r * c + b)" (x = %acc, r = rows %ra, c = cols %rb, b = cols %rc)
         : (!Acc, !Row, !Col, !ColH) -> !Out
    fly.store %o, %c[%m, %n] label "c" : !Out, !VC
    gpu.return
  }

  // The same epilogue spelled out: what fly.map becomes, and what a compiler emits.
  func.func private @epilogue(%acc: !Acc, %ra: !Row, %rb: !Col, %rc: !ColH) -> !Out {
    %rf = arith.extf %rc : !ColH to !Col
    %r  = fly.broadcast %ra along 1 : !Row -> !Acc
    %c  = fly.broadcast %rb along 0 : !Col -> !Acc
    %b  = fly.broadcast %rf along 0 : !Col -> !Acc
    %v0 = arith.mulf %acc, %r : !Acc
    %v1 = arith.mulf %v0, %c : !Acc
    %x  = arith.addf %v1, %b : !Acc
    %half = fly.constant 0.5 : !Acc
    %one  = fly.constant 1.0 : !Acc
    %c0   = fly.constant 0.7978845608 : !Acc
    %c1   = fly.constant 0.044715 : !Acc
    %x2 = arith.mulf %x, %x : !Acc
    %p  = math.fma %x2, %c1, %one : !Acc
    %y  = arith.mulf %x, %c0 : !Acc
    %u  = arith.mulf %y, %p : !Acc
    %t  = math.tanh %u : !Acc
    %t1 = arith.addf %t, %one : !Acc
    %h  = arith.mulf %x, %half : !Acc
    %g  = arith.mulf %h, %t1 : !Acc
    %o  = arith.truncf %g : !Acc to !Out
    return %o : !Out
  }
}
