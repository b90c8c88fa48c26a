//===- ValueBenchmarks.cpp - rates of single instructions -----------------===//
//
// A wave runs a loop of the same instruction, all lanes enabled, without
// checks: what is counted are instructions of a wave. Those of vector
// arithmetic are in ValueFamilies.cpp.
//
//===----------------------------------------------------------------------===//
#include <benchmark/benchmark.h>

#include "Failure.h"
#include "Loop.h"
#include "MicroKernel.h"

using namespace fly;
using namespace fly::bench;

/// 256 times `text` in a loop of s4 iterations.
static std::string loopOf(llvm::StringRef text) {
  return "  s_load_dwordx4 s[4:7], s[0:1], 0x0\n"
         "  v_and_b32 v1, 63, v0\n"
         "  v_lshlrev_b32 v1, 4, v1\n"
         "  .irp r, 4, 5, 6, 7, 8, 9, 10, 11\n"
         "  v_cvt_f32_u32 v\\r, v1\n"
         "  .endr\n"
         "  v_mul_f32 v13, 0x3c23d70a, v4\n"
         "  v_cvt_pkrtz_f16_f32 v14, v13, v13\n"
         "  v_mov_b32 v15, v14\n"
         "  v_mov_b32 v12, 0\n"
         "  s_waitcnt lgkmcnt(0)\n"
         "again:\n  .rept 256\n  " +
         text.str() +
         "\n  .endr\n"
         "  s_sub_u32 s4, s4, 1\n  s_cmp_lg_u32 s4, 0\n"
         "  s_cbranch_scc1 again\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n";
}

static void runLoop(benchmark::State &state, const char *text, arch::Chip chip,
                    unsigned iterations, bool isTimed) {
  MicroShape shape;
  shape.ldsBytes = 65536;
  auto kernel = MicroKernel::create(chip, loopOf(text), shape);
  if (!kernel) {
    bench::endBenchmark(state, kernel.takeError());
    return;
  }
  MicroKernel::Launch launch;
  launch.arguments = {iterations};
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = isTimed;
  uint64_t instructions = 0;
  for (auto _ : state) {
    auto result = (*kernel)->launch(launch, options);
    if (!result) {
      bench::endBenchmark(state, result.takeError());
      return;
    }
    instructions += result->instructions;
  }
  state.counters["instructions"] =
      benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}

static const Loop loops[] = {
    {"matrix/16x16x16_f16",
     "v_mfma_f32_16x16x16_f16 v[16:19], v[4:5], v[6:7], v[16:19]",
     arch::Chip::Gfx942, 100},
    {"matrix/32x32x16_bf16",
     "v_mfma_f32_32x32x16_bf16 v[16:31], v[4:7], v[8:11], v[16:31]",
     arch::Chip::Gfx950, 50},
    {"matrix/32x32x16_fp8_fp8",
     "v_mfma_f32_32x32x16_fp8_fp8 v[16:31], v[4:5], v[6:7], v[16:31]",
     arch::Chip::Gfx942, 50},
    {"matrix/16x16x32_i8",
     "v_mfma_i32_16x16x32_i8 v[16:19], v[4:5], v[6:7], v[16:19]",
     arch::Chip::Gfx942, 100},
    {"lds/ds_read_b128", "ds_read_b128 v[12:15], v1", arch::Chip::Gfx942, 200},
    {"lds/ds_write_b128", "ds_write_b128 v1, v[4:7]", arch::Chip::Gfx942, 200},
    {"lds/ds_read_b32", "ds_read_b32 v12, v1", arch::Chip::Gfx942, 200},
    {"timing/v_add_f32", "v_add_f32 v12, v4, v5", arch::Chip::Gfx942, 400,
     true},
    {"timing/ds_read_b128", "ds_read_b128 v[12:15], v1", arch::Chip::Gfx942,
     100, true},
};

bool fly::bench::registerLoops(llvm::ArrayRef<Loop> loops) {
  for (const Loop &loop : loops)
    benchmark::RegisterBenchmark(loop.name, [&loop](benchmark::State &state) {
      runLoop(state, loop.text, loop.chip, loop.iterations, loop.isTimed);
    })->Unit(benchmark::kMillisecond);
  return true;
}

[[maybe_unused]] static const bool isRegistered = registerLoops(loops);
