// RUN: fly-opt %s --fly-swizzle-lds | FileCheck %s
// RUN: fly-opt %s --fly-swizzle-lds --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Field a: written in rows of eight 16-byte chunks, read by the matrix
// instruction's lanes; the XOR removes every conflict of the bank model. Field
// off is switched off, field odd has rows that are no power of two of chunks.
// REMARK: field 'a_0': swizzle<3, 4, 3>, 288 -> 96 cycles a wave and tile, conflicts 192 -> 0
// REMARK: field 'odd_0' stays linear: its row of 192 bytes is not a power of two of 16-byte chunks
#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 1, swizzle = xor, copy = sync), off = lds(stages = 1, swizzle = none, copy = sync),
    odd = lds(stages = 1, swizzle = xor, copy = sync)>
#mma = #fly.mma<shape = [16, 16], waves = [2, 2]>
!G = tensor<128x64xbf16, #fly.blocked<threads = [32, 8], vector = 8>>
!O = tensor<128x64xbf16, #fly.operand<a, #mma, pack = 8>>
!L = !fly.view<128x64xbf16, lds>
!GO = tensor<128x96xbf16, #fly.blocked<threads = [21, 12], vector = 8>>
!OO = tensor<128x96xbf16, #fly.operand<a, #mma, pack = 8>>
!LO = !fly.view<128x96xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK: fly.lds.struct @S { a_0 : !fly.view<128x64xbf16, lds, #fly.swizzle<3, 4, 3>>, off_0 : !fly.view<128x64xbf16, lds>, odd_0 : !fly.view<128x96xbf16, lds> }
  fly.lds.struct @S { a_0 : !L, off_0 : !L, odd_0 : !LO }
  gpu.func @k(%x: i32) kernel attributes {fly.schedule = #sched} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // CHECK: fly.lds.field %{{.*}}[a_0] : !fly.lds<@S> -> !fly.view<128x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    %a = fly.lds.field %lds[a_0] : !fly.lds<@S> -> !L
    %b = fly.lds.field %lds[off_0] : !fly.lds<@S> -> !L
    %c = fly.lds.field %lds[odd_0] : !fly.lds<@S> -> !LO
    %g = fly.constant 0.0 : !G
    fly.store %g, %a[0, 0] : !G, !L
    %o = fly.load %a[0, 0] : !L -> !O
    fly.store %g, %b[0, 0] : !G, !L
    %p = fly.load %b[0, 0] : !L -> !O
    %h = fly.constant 0.0 : !GO
    fly.store %h, %c[0, 0] : !GO, !LO
    %q = fly.load %c[0, 0] : !LO -> !OO
    gpu.return
  }
}
