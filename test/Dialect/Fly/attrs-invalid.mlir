// What the attributes refuse: each message has the numbers.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{tile encoding must name 2 extents, got 1}}
func.func private @too_few_names(tensor<?x?xf32, #fly.tile<BM>>)

// -----

// expected-error @+1 {{tile extent 0 is named "BM", so it must be '?', got 64}}
func.func private @name_of_a_static_extent(tensor<64x?xf32, #fly.tile<BM, BN>>)

// -----

// expected-error @+1 {{tile extent 1 is 32 in the encoding, but 16 in the shape}}
func.func private @other_number(tensor<?x16xf32, #fly.tile<BM, 32>>)

// -----

// expected-error @+1 {{tile extent 0 is 32 in the encoding, but ? in the shape}}
func.func private @number_of_an_open_extent(tensor<?xf32, #fly.tile<32>>)

// -----

// expected-error @+1 {{schedule key 'waves' given twice}}
func.func private @twice() attributes {s = #fly.schedule<waves = 1, waves = 2>}

// -----

// expected-error @+1 {{argument 'stages' of 'lds' given twice}}
func.func private @policy_twice() attributes {s = #fly.schedule<a = lds(stages = 1, stages = 2)>}

// -----

// expected-error @+1 {{expected a schedule value: a number, a word, a shape like 16x16, a list, entries in braces, or a policy like lds(stages = 2)}}
func.func private @no_value() attributes {s = #fly.schedule<waves = %1>}

// -----

// expected-error @+1 {{expected a number or a shape like 16x16 in the schedule}}
func.func private @odd_shape() attributes {s = #fly.schedule<kloop = {mfma = 16y16}>}

// -----

// expected-error @+1 {{expected a policy like lds(stages = 2)}}
func.func private @word_as_policy() attributes {p = #fly.policy<lds>}

// -----

// expected-error @+1 {{swizzle needs a shift of at least its bits, to be its own inverse; got bits 3 and shift 2}}
func.func private @short_shift(!fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 2>>)

// -----

// expected-error @+1 {{swizzle reaches address bit 20, LDS addresses have at most 19}}
func.func private @swizzle_too_far(!fly.view<64x128xi8, lds, #fly.swizzle<3, 14, 3>>)

// -----

// expected-error @+1 {{blocked layout of 1 thread extents cannot hold a tile of rank 2}}
func.func private @blocked_rank(tensor<64x32xf32, #fly.blocked<threads = [64], vector = 8>>)

// -----

// expected-error @+1 {{tile extent 44 is not a multiple of 8 (vector of a thread)}}
func.func private @blocked_row(tensor<64x44xf32, #fly.blocked<threads = [64, 4], vector = 8>>)

// -----

// expected-error @+1 {{transposed layout holds tiles of rank 2, got rank 1}}
func.func private @transposed_rank(tensor<64xf32, #fly.transposed<#fly.blocked<threads = [64], vector = 1>>>)

// -----

// expected-error @+1 {{transposed layout needs a distributed parent, got #fly.staged<"a", 0>}}
func.func private @transposed_parent(tensor<64x32xf32, #fly.transposed<#fly.staged<"a", 0>>>)

// -----

// expected-error @+1 {{tile extent 20 is not a multiple of 8 (vector of a thread)}}
func.func private @transposed_row(tensor<20x32xf32, #fly.transposed<#fly.blocked<threads = [64, 4], vector = 8>>>)

// -----

// expected-error @+1 {{blocked layout needs at least one thread in each dimension, got 0 in dimension 0}}
func.func private @blocked_without_threads(tensor<64x32xf32, #fly.blocked<threads = [0, 4], vector = 8>>)

// -----

// expected-error @+1 {{blocked layout needs a vector of 1 to 128 elements, got -8}}
func.func private @blocked_negative_vector(tensor<64x32xf32, #fly.blocked<threads = [64, 4], vector = -8>>)

// -----

// expected-error @+1 {{mma layout needs blocks of 16x16 or 32x32}}
func.func private @mma_block(tensor<64x64xf32, #fly.mma<shape = [16, 32], waves = [1, 1]>>)

// -----

// expected-error @+1 {{mma layout needs two wave counts whose product is at most 16}}
func.func private @mma_waves(tensor<512x512xf32, #fly.mma<shape = [16, 16], waves = [8, 4]>>)

// -----

// expected-error @+1 {{row extent 48 is not a multiple of 32 (waves times block)}}
func.func private @mma_rows(tensor<48x64xf32, #fly.mma<shape = [16, 16], waves = [2, 2]>>)

// -----

// expected-error @+1 {{column extent 16 is not a multiple of 32 (waves times block)}}
func.func private @mma_columns(tensor<64x16xf32, #fly.mma<shape = [16, 16], waves = [2, 2]>>)

// -----

// expected-error @+1 {{mma layout holds tiles of rank 2, got rank 1}}
func.func private @mma_rank(tensor<64xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>)

// -----

// expected-error @+1 {{a layout needs static extents: run fly-instantiate before layouts are assigned}}
func.func private @mma_open(tensor<?x64xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>)

// -----

// expected-error @+1 {{a layout needs extents of at least 1, dimension 0 is 0}}
func.func private @mma_empty(tensor<0x64xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>)

// -----

// expected-error @+1 {{operand K extent 48 is not a multiple of 32 (micro-step of the matrix instruction)}}
func.func private @operand_k(tensor<64x48xbf16, #fly.operand<a, #fly.mma<shape = [16, 16], waves = [2, 2]>, pack = 8>>)

// -----

// expected-error @+1 {{operand row extent 48 is not a multiple of 64 (waves times block)}}
func.func private @operand_rows(tensor<48x64xbf16, #fly.operand<b, #fly.mma<shape = [16, 16], waves = [1, 4]>, pack = 8>>)

// -----

// expected-error @+1 {{operand layout holds tiles of rank 2, got rank 1}}
func.func private @operand_rank(tensor<64xbf16, #fly.operand<b, #fly.mma<shape = [16, 16], waves = [1, 4]>, pack = 8>>)

// -----

// expected-error @+1 {{slice layout needs a distributed parent, got #fly.tile<BM>}}
func.func private @slice_of_a_tile(tensor<64xf32, #fly.slice<1, 64, #fly.tile<BM>>>)

// -----

// expected-error @+1 {{slice layout cannot remove dimension 2 of extent 64 next to rank 1}}
func.func private @slice_of_no_dimension(tensor<64xf32, #fly.slice<2, 64, #fly.mma<shape = [16, 16], waves = [1, 1]>>>)

// -----

// expected-error @+1 {{row extent 40 is not a multiple of 16 (waves times block)}}
func.func private @slice_of_a_bad_shape(tensor<40xf32, #fly.slice<1, 64, #fly.mma<shape = [16, 16], waves = [1, 1]>>>)

// -----

// expected-error @+1 {{staged layout needs a slot of at least 0, got -1}}
func.func private @staged_slot(tensor<64x32xf32, #fly.staged<"a", -1>>)

// -----

// expected-error @+1 {{cannot carry 'fly.schedule': it belongs on a kernel}}
module attributes {fly.schedule = #fly.schedule<>} {}

// -----

// expected-error @+1 {{expects 'fly.schedule' to be a #fly.schedule or #fly.schedules, got "fast"}}
func.func private @text_as_schedule() attributes {fly.schedule = "fast"}

// -----

// expected-error @+1 {{expects 'fly.waves' to be an i32 from 1 to 16, got 17 : i32}}
func.func private @too_many_waves() attributes {fly.waves = 17 : i32}

// -----

// expected-error @+1 {{expects 'fly.waves_per_eu' to be an i32 from 1 to 16, got 2 : i64}}
func.func private @wide_waves() attributes {fly.waves_per_eu = 2 : i64}

// -----

// expected-error @+1 {{expects 'fly.label' to be a string, got 3 : i64}}
func.func private @number_as_label() attributes {fly.label = 3}

// -----

// The numbers of a layout are bounded before they are multiplied.
// expected-error @+1 {{blocked layout needs more than the 1024 threads of a workgroup, got [4611686018427387904, 4]}}
func.func private @blocked_thread_overflow(tensor<64x32xf32, #fly.blocked<threads = [4611686018427387904, 4], vector = 8>>)

// -----

// expected-error @+1 {{mma layout needs two wave counts whose product is at most 16, got [4294967296, 4294967296]}}
func.func private @mma_wave_overflow(tensor<64x64xf32, #fly.mma<shape = [16, 16], waves = [4294967296, 4294967296]>>)

// -----

// expected-error @+1 {{operand layout needs a pack of 1 to 128 elements, got 288230376151711745}}
func.func private @operand_pack_overflow(tensor<16x4xbf16, #fly.operand<a, #fly.mma<shape = [16, 16], waves = [1, 1]>, pack = 288230376151711745>>)

// -----

// expected-error @+1 {{tile gives each lane 17179869184 elements, more than its registers have bits (16384): use extents that more threads can share}}
func.func private @tile_beyond_registers(tensor<1048576x1048576xf32, #fly.mma<shape = [16, 16], waves = [1, 1]>>)

// -----

// expected-error @+1 {{swizzle reaches address bit 4294967296, LDS addresses have at most 19}}
func.func private @swizzle_overflow(!fly.view<64x128xi8, lds, #fly.swizzle<1, 0, 4294967295>>)

// -----

// expected-error @+1 {{tile extent must not be negative, got -9223372036854775808}}
func.func private @negative_extent(tensor<?xf32, #fly.tile<-9223372036854775808>>)

// -----

// expected-error @+1 {{tile extent 0 has an empty name: name it as the schedule does, as in #fly.tile<BM, BN>}}
func.func private @empty_name(tensor<?x4xf32, #fly.tile<"", 4>>)

// -----

// expected-error @+1 {{stride must not be negative, dimension 0 has -1}}
func.func private @negative_stride(!fly.view<4x4xf32, #fly.strided<[-1, 1]>>)

// -----

// expected-error @+1 {{policy needs a name}}
func.func private @nameless_policy() attributes {s = #fly.schedule<a = ""(1)>}

// -----

// An attribute that nobody reads would be a default without a word.
// expected-error @+1 {{has the unknown attribute 'fly.shedule' on an op (did you mean 'fly.schedule'?); known: fly.schedule, fly.contract, fly.checks, fly.label, fly.program, fly.unchecked, fly.waves, fly.waves_per_eu}}
func.func private @slip() attributes {fly.shedule = #fly.schedule<>}

// -----

// expected-error @+1 {{has the unknown attribute 'fly.mayalias' on argument 1 (did you mean 'fly.may_alias'?); known: fly.align, fly.may_alias, fly.multiple_of, fly.name, fly.non_negative, fly.workspace}}
func.func private @slip_of_an_argument(!fly.ptr<f32>, !fly.ptr<f32> {fly.mayalias})

// -----

// expected-error @+1 {{expects 'fly.non_negative' of argument 0 to be without a value, got true}}
func.func private @not_negative(i32 {fly.non_negative = true})

// -----

// expected-error @+1 {{expects 'fly.multiple_of' of argument 0 to be a positive i64, got 0}}
func.func private @multiple_of_nothing(i32 {fly.multiple_of = 0 : i64})

// -----

// expected-error @+1 {{expects 'fly.name' of argument 0 to be a string, got 3}}
func.func private @number_as_name(i32 {fly.name = 3})

// -----

// expected-error @+1 {{expects 'fly.name' of argument 1 to be without '`', by which contracts quote names, got "a`b"}}
func.func private @quote_in_name(i32, i32 {fly.name = "a`b"})

// -----

// expected-error @+1 {{cannot have 'fly.name' of argument 0 "__checks", which is the name of what checks write: choose another}}
func.func private @name_of_the_channel(i32 {fly.name = "__checks"})

// -----

func.func @name_of_the_channel_on_a_workspace() attributes {fly.program} {
  // expected-error @+1 {{cannot have 'fly.name' "__checks", which is the name of what checks write: choose another}}
  %w = fly.workspace[4] {fly.name = "__checks"} : !fly.ptr<f32>
  return
}

// -----

// expected-error @+1 {{expects 'fly.contract' to be a dictionary or JSON text, got 1}}
func.func private @contract_number() attributes {fly.contract = 1}

// -----

// expected-error @+1 {{preshuffle needs blocks of a power of two of rows, from 1 to 4096, got 12}}
func.func private @preshuffle_rows(!fly.view<?x?xi8, #fly.preshuffle<12, 64>>)

// -----

// expected-error @+1 {{preshuffle needs blocks of a power of two of rows, from 1 to 4096, got -16}}
func.func private @preshuffle_negative_rows(!fly.view<?x?xi8, #fly.preshuffle<-16, 64>>)

// -----

// expected-error @+1 {{preshuffle needs rows of a power of two of bytes, from 16 to 4096, got 8}}
func.func private @preshuffle_bytes(!fly.view<?x?xi8, #fly.preshuffle<16, 8>>)

// -----

// expected-error @+1 {{preshuffle needs rows of a power of two of bytes, from 16 to 4096, got 0}}
func.func private @preshuffle_no_bytes(!fly.view<?x?xi8, #fly.preshuffle<16, 0>>)

// -----

// expected-error @+1 {{schedules hold none: name a chip, as in {gfx942 = #fly.schedule<>}}}
func.func private @no_chips() attributes {a = #fly.schedules<{}>}

// -----

// expected-error @+1 {{schedules name the unknown chip 'gfx943'; known chips: gfx942, gfx950}}
func.func private @unknown_chip() attributes {a = #fly.schedules<{gfx943 = #fly.schedule<>}>}

// -----

// expected-error @+1 {{schedules hold a #fly.schedule for gfx942, got 4 : i64}}
func.func private @no_schedule() attributes {a = #fly.schedules<{gfx942 = 4}>}

// -----

func.func private @names_of_a_grid(%M: i32, %N: i32) {
  // expected-error @+1 {{expects 'fly.name' to be a string for each of 2 dimensions, got ["m"]}}
  %m, %n = fly.grid to (%M, %N) step (1, 1) {fly.name = ["m"]}
  return
}
