// A second product takes the first one's result as its lanes hold it: exact, for
// both shapes of the instruction and both chips, without LDS for that operand.
// Powers of two and small integers keep the sums exact in bf16.
// RUN: fly-run %s A=fill:1 B=pattern:b V=pattern:a M=120 | FileCheck %s
// RUN: fly-run %s --chip=gfx950 A=fill:1 B=pattern:b V=pattern:a M=64 | FileCheck %s
// RUN: fly-run %s --schedule=dot0.mfma=32x32 --schedule=dot1.mfma=32x32 A=fill:1 B=pattern:b V=pattern:a M=100 | FileCheck %s
// RUN: fly-run %s --schedule=dot0.mfma=32x32 --schedule=dot1.mfma=32x32 --chip=gfx950 A=fill:1 B=pattern:b V=pattern:a M=128 | FileCheck %s
// RUN: fly-run %s --schedule=dot1.a=regs A=fill:1 B=pattern:b V=pattern:a M=120 | FileCheck %s
// RUN: fly-run %s --schedule=dot0.acc=plain A=fill:1 B=pattern:b V=pattern:a M=120 | FileCheck %s
// CHECK: right (

// RUN: fly-compile %s --emit=explicit -o - | FileCheck %s --check-prefix=REGS
// REGS-NOT: fly.lds.struct
// RUN: fly-compile %s --schedule=dot1.a=from_acc --emit=explicit -o - | FileCheck %s --check-prefix=REGS
// RUN: fly-compile %s --schedule=dot1.a=regs --emit=explicit -o - | FileCheck %s --check-prefix=LDS
// LDS: fly.lds.struct @twice_lds { exchange0 :
// RUN: fly-opt %s --fly-instantiate --fly-resolve-schedule --fly-assign-layouts --remarks-filter=fly-assign-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: the first operand stays in registers: K in packs of 4 elements for both operands
#sched = #fly.schedule<sizes = {BM = 64, BN = 64, D = 64}, waves = [2, 1], a = regs, b = regs, v = regs,
    dot0 = {mfma = 16x16, acc = transposed}, dot1 = {mfma = 16x16}>
!A = tensor<?x?xbf16, #fly.tile<BM, D>>
!B = tensor<?x?xbf16, #fly.tile<BN, D>>
!V = tensor<?x?xbf16, #fly.tile<D, BN>>
!S = tensor<?x?xf32, #fly.tile<BM, BN>>
!P = tensor<?x?xbf16, #fly.tile<BM, BN>>
!O = tensor<?x?xf32, #fly.tile<BM, D>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @twice(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %V: !fly.ptr<bf16>, %O: !fly.ptr<f32>, %M: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %b = fly.view %B[64, 64] : !fly.view<64x64xbf16>
    %v = fly.view %V[64, 64] : !fly.view<64x64xbf16>
    %o = fly.view %O[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (BM)
    %ta = fly.load %a[%m, 0] label "a" : !fly.view<?x64xbf16> -> !A
    %tb = fly.load %b[0, 0] label "b" : !fly.view<64x64xbf16> -> !B
    %tv = fly.load %v[0, 0] label "v" : !fly.view<64x64xbf16> -> !V
    %zs = fly.constant 0.0 : !S
    %s = fly.dot %ta, %tb, %zs label "dot0" : !A, !B -> !S
    // Only the sign is left, so that it is exact in bf16.
    %one = fly.constant 1.0 : !S
    %less = fly.constant -1.0 : !S
    %low = arith.maximumf %s, %less : !S
    %cut = arith.minimumf %low, %one : !S
    %p = arith.truncf %cut : !S to !P
    %zo = fly.constant 0.0 : !O
    %d = fly.dot %p, %tv, %zo label "dot1" : !P, !V -> !O
    fly.store %d, %o[%m, 0] label "o" : !O, !fly.view<?x64xf32>
    gpu.return
  }
}
