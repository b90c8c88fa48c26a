// Attributes as written and as printed: schedules, sizes, layouts.
// RUN: fly-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @named_extents
// CHECK-SAME: (tensor<?x64x?xf32, #fly.tile<BM, 64, BK>>)
func.func private @named_extents(tensor<?x64x?xf32, #fly.tile<BM, 64, BK>>)

// Entries are printed in the order of their names, words bare where they can be.
// CHECK-LABEL: gpu.func @schedule
// CHECK-SAME: fly.schedule = #fly.schedule<a = lds(stages = 2, swizzle = xor), c = {epilogue = direct},
// CHECK-SAME: codegen = {"two words" = "a b"}, empty = {}, grid = grouped(8), kloop = {mfma = 16x16, pattern = [mfma(2), dsrd(1)]},
// CHECK-SAME: list = [], sizes = {BK = 64, BM = 128}, waves = [2, 2]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @schedule() kernel attributes {fly.schedule = #fly.schedule<
      waves = [2, 2], sizes = {BM = 128, BK = 64}, a = lds(stages = 2, swizzle = xor),
      kloop = {mfma = 16x16, pattern = [mfma(2), dsrd(1)]}, c = {epilogue = direct},
      grid = grouped(8), codegen = {"two words" = "a b"}, empty = {}, list = []>} {
    gpu.return
  }
}

// CHECK-LABEL: func.func private @policy
// CHECK-SAME: attributes {p = #fly.policy<lds(2, swizzle = xor)>}
func.func private @policy() attributes {p = #fly.policy<lds(2, swizzle = xor)>}

// CHECK-LABEL: func.func private @enumerations
// CHECK-SAME: barrier = #fly.barrier_kind<lds>, cache = #fly.cache<stream>, overflow = #fly.overflow<saturate>, pad = #fly.pad<neg_inf>
func.func private @enumerations() attributes {
  barrier = #fly.barrier_kind<lds>, cache = #fly.cache<stream>,
  overflow = #fly.overflow<saturate>, pad = #fly.pad<neg_inf>}

// CHECK-LABEL: func.func private @blocked
// CHECK-SAME: tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
// CHECK-SAME: tensor<60x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
func.func private @blocked(tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>,
                           tensor<60x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>)

#acc = #fly.mma<shape = [16, 16], waves = [2, 2]>
// CHECK-LABEL: func.func private @matrix_layouts
// CHECK-SAME: tensor<64x64xf32, #fly.mma<shape = [16, 16], waves = [2, 2]>>
// CHECK-SAME: tensor<64x64xf32, #fly.mma<shape = [32, 32], waves = [1, 2], transposed = true>>
// CHECK-SAME: tensor<64x32xbf16, #fly.operand<a, #fly.mma<shape = [16, 16], waves = [2, 2]>, pack = 8>>
// CHECK-SAME: tensor<64xf32, #fly.slice<1, 64, #fly.mma<shape = [16, 16], waves = [2, 2]>>>
// CHECK-SAME: tensor<64x32xbf16, #fly.staged<"a", 1>>
func.func private @matrix_layouts(
    tensor<64x64xf32, #acc>,
    tensor<64x64xf32, #fly.mma<shape = [32, 32], waves = [1, 2], transposed = true>>,
    tensor<64x32xbf16, #fly.operand<a, #acc, pack = 8>>,
    tensor<64xf32, #fly.slice<1, 64, #acc>>,
    tensor<64x32xbf16, #fly.staged<"a", 1>>)

// The widest swizzle that LDS addresses can have.
// CHECK-LABEL: func.func private @widest_swizzle
// CHECK-SAME: #fly.swizzle<5, 4, 10>
func.func private @widest_swizzle(!fly.view<1024x128xi8, lds, #fly.swizzle<5, 4, 10>>)

// CHECK-LABEL: gpu.func @explicit_level
// CHECK-SAME: fly.waves = 16 : i32, fly.waves_per_eu = 1 : i32
gpu.module @explicit [#rocdl.target<chip = "gfx950">] {
  gpu.func @explicit_level() kernel attributes {fly.waves = 16 : i32, fly.waves_per_eu = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: } {fly.label = "kloop"}
    scf.for %i = %c0 to %c1 step %c1 : i32 {
    } {fly.label = "kloop"}
    gpu.return
  }
}

// Words that are no identifiers are quoted, shapes only where they read back as
// one; a policy may be an argument of another.
// CHECK-LABEL: func.func private @odd_words
// CHECK-SAME: "16x16" = 1 : i64
// CHECK-SAME: #fly.schedule<"16x16" = {"a\22b" = "0x10"}, big = "99999999999999999999x1", nested = outer(inner(1), 2), zero = "007x1">
func.func private @odd_words() attributes {"16x16" = 1, s = #fly.schedule<
    "16x16" = {"a\22b" = "0x10"}, big = "99999999999999999999x1",
    nested = outer(inner(1), 2), zero = "007x1">}

// CHECK-LABEL: func.func private @pointer_arguments
// CHECK-SAME: {fly.align = 4 : i32, fly.may_alias}
// CHECK-SAME: {fly.workspace}
// CHECK-SAME: {fly.workspace = "zeroed"}
func.func private @pointer_arguments(!fly.ptr<f32> {fly.may_alias, fly.align = 4 : i32},
                                     !fly.ptr<f32> {fly.workspace},
                                     !fly.ptr<i32> {fly.workspace = "zeroed"})

// CHECK-LABEL: func.func private @odd_names
// CHECK-SAME: (tensor<f32, #fly.tile<>>, tensor<?xf32, #fly.tile<"B M">>)
func.func private @odd_names(tensor<f32, #fly.tile<>>, tensor<?xf32, #fly.tile<"B M">>)

// CHECK-LABEL: gpu.func @schedules
// CHECK-SAME: fly.schedule = #fly.schedules<{gfx942 = #fly.schedule<waves = 4>, gfx950 = #fly.schedule<waves = 8>}>
gpu.module @n [#rocdl.target<chip = "gfx942">] {
  gpu.func @schedules() kernel attributes {fly.schedule = #fly.schedules<{gfx950 = #fly.schedule<waves = 8>, gfx942 = #fly.schedule<waves = 4>}>} {
    gpu.return
  }
}
