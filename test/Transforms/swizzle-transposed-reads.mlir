// Fields that transposing reads read: 16 lanes name 4 rows of 32 bytes, so the 32
// lanes of a phase read 64 bytes of 4 rows, and in rows of 256 bytes, which is
// all banks, 4 lanes meet on each of 16. Whole groups of four chunks have to
// change places for the rows to be at other banks.
// RUN: fly-opt %s --fly-swizzle-lds --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s
// 32 reads of 2 phases of 4 cycles become such of one cycle; the 4 writes of 8
// phases have no conflicts before and after.
// CHECK: field 'v_0': swizzle<2, 6, 2>, 288 -> 96 cycles a wave and tile, conflicts 192 -> 0, degree 4 -> 1
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest},
    v = lds(stages = 1, swizzle = xor, copy = sync, read = transposed)>
#mma = #fly.mma<shape = [32, 32], waves = [4, 1]>
!G = tensor<64x128xbf16, #fly.blocked<threads = [16, 16], vector = 8>>
!O = tensor<64x128xbf16, #fly.transposed<#fly.operand<b, #mma, pack = 4>>>
!L = !fly.view<64x128xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { v_0 : !L }
  gpu.func @k() kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %v = fly.lds.field %lds[v_0] : !fly.lds<@S> -> !L
    %g = fly.constant 0.0 : !G
    fly.store %g, %v[0, 0] : !G, !L
    %o = fly.load %v[0, 0] : !L -> !O
    gpu.return
  }
}
