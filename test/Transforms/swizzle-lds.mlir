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

// Fields that are used by more than tile accesses of their own type stay, and so
// does what the author declared without staging a load in it. A module without
// a chip is no error where nothing is to be swizzled.
// REMARK: field 'a_0' stays linear: a view of it has another type
// REMARK: field 'b_0' stays linear: it is used by fly.read, whose addresses are not known here
#many = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 1, swizzle = xor, copy = sync), b = lds(stages = 1, swizzle = xor, copy = sync)>
gpu.module @others [#rocdl.target<chip = "gfx942">] {
  // CHECK: fly.lds.struct @T { a_0 : !fly.view<128x64xbf16, lds>, b_0 : !fly.view<128x64xbf16, lds>, mine_0 : !fly.view<128x64xbf16, lds> }
  fly.lds.struct @T { a_0 : !L, b_0 : !L, mine_0 : !L }
  gpu.func @k(%i: index) kernel attributes {fly.schedule = #many} {
    %lds = fly.lds.alloc : !fly.lds<@T>
    %a = fly.lds.field %lds[a_0] : !fly.lds<@T> -> !L
    %bytes = fly.lds.field %lds[a_0] {fly.unchecked} : !fly.lds<@T> -> !fly.view<16384xi8, lds>
    %b = fly.lds.field %lds[b_0] : !fly.lds<@T> -> !L
    %mine = fly.lds.field %lds[mine_0] : !fly.lds<@T> -> !L
    %g = fly.constant 0.0 : !G
    fly.store %g, %a[0, 0] : !G, !L
    %o = fly.load %a[0, 0] : !L -> !O
    fly.store %g, %b[0, 0] : !G, !L
    %v = fly.read %b[%i, %i] : !L -> vector<8xbf16>
    fly.store %g, %mine[0, 0] : !G, !L
    %p = fly.load %mine[0, 0] : !L -> !O
    gpu.return
  }
}
gpu.module @no_chip {
  fly.lds.struct @U { f : !L }
}
