// The LDS budget of a struct {f8[32768], f8[32768], f8[16]}: refused for gfx942
// with the sum, the limit and the members; accepted for gfx950, and where the
// chip is open.
// RUN: split-file %s %t
// RUN: not fly-opt %t/gfx942.mlir 2>&1 | FileCheck %s --check-prefix=GFX942
// RUN: fly-opt %t/gfx950.mlir | FileCheck %s --check-prefix=GFX950
// RUN: fly-opt %t/open.mlir | FileCheck %s --check-prefix=OPEN
// RUN: not fly-opt %t/strided.mlir 2>&1 | FileCheck %s --check-prefix=STRIDED

//--- gfx942.mlir
// GFX942: error: 'fly.lds.struct' op LDS struct 'S' needs 65552 bytes on gfx942, the limit is 65536
// GFX942: note: members: a 32768 + b 32768 + c 16
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<32768xf8E4M3FNUZ, lds>, b : !fly.view<32768xf8E4M3FNUZ, lds>,
                      c : !fly.view<16xf8E4M3FNUZ, lds> }
}

//--- gfx950.mlir
// GFX950: fly.lds.struct @S
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !fly.view<32768xf8E4M3FN, lds>, b : !fly.view<32768xf8E4M3FN, lds>,
                      c : !fly.view<16xf8E4M3FN, lds> }
}

//--- open.mlir
// OPEN: fly.lds.struct @S
gpu.module @m [#rocdl.target<chip = "gfx942">, #rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !fly.view<32768xi8, lds>, b : !fly.view<32768xi8, lds>, c : !fly.view<16xi8, lds> }
}

// Gaps between rows count: 2 rows of 2 floats, 65536 bytes apart.
//--- strided.mlir
// STRIDED: error: 'fly.lds.struct' op LDS struct 'S' needs 65552 bytes on gfx942, the limit is 65536
// STRIDED: note: members: a 65544
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<2x2xf32, lds, #fly.strided<[16384, 1]>> }
}
