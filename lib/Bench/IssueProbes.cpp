//===- IssueProbes.cpp - rates of units, branches, instruction fetch ------===//
#include "llvm/Support/FormatVariadic.h"

#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

/// `text` so many times.
static std::string repeated(unsigned count, llvm::StringRef text) {
  return llvm::formatv("  .rept {0}\n  {1}\n  .endr\n", count, text);
}

static llvm::Error probeBranch(ProbeBench &bench) {
  RepeatedCode code;
  code.body = repeated(256, "s_branch 1\n  s_nop 0");
  code.count = 256;
  auto cycles = cyclesEach(bench.chip, code);
  if (!cycles)
    return cycles.takeError();
  bench.add("one of many taken branches", "cycles", Predicted::near(16),
            *cycles);
  return llvm::Error::success();
}

static llvm::Error probeInstructionCache(ProbeBench &bench) {
  // Instructions of 4 bytes and 4 cycles.
  for (auto [kilobytes, low, high] :
       {std::tuple(56, 0.0, 4.05), std::tuple(80, 4.1, 1e3)}) {
    RepeatedCode code;
    code.count = kilobytes * 256;
    code.body = repeated(unsigned(code.count), "v_mov_b32 v1, v2");
    // The second round is the first one that can find its code.
    code.less = 2;
    code.more = 3;
    auto cycles = cyclesEach(bench.chip, code);
    if (!cycles)
      return cycles.takeError();
    bench.add("an instruction of a loop of " + std::to_string(kilobytes) +
                  " KB",
              "cycles", Predicted::between(low, high), *cycles);
  }
  // Loops of 40 KB, which are others in every second workgroup of an XCD.
  RepeatedCode code;
  code.count = 40 * 256;
  code.setup = R"(
  s_lshr_b32 s12, s2, 3
  s_bitcmp1_b32 s12, 0
  s_cbranch_scc1 other
)";
  std::string loop = repeated(unsigned(code.count), "v_mov_b32 v1, v2");
  code.setup += "first:\n" + loop +
                "  s_sub_u32 s4, s4, 1\n  s_cmp_lg_u32 s4, 0\n"
                "  s_cbranch_scc1 first\n  s_endpgm\nother:\n";
  code.body = loop;
  code.less = 2;
  code.more = 3;
  MicroKernel::Launch launch;
  launch.workgroups = 2 * *bench.product().xcds;
  auto cycles = cyclesEach(bench.chip, code, launch);
  if (!cycles)
    return cycles.takeError();
  bench
      .add("one of a loop of 40 KB beside a unit with another one", "cycles",
           Predicted::between(4.1, 1e3), *cycles)
      .isModelled = false;
  return llvm::Error::success();
}

static llvm::Error probeTranscendental(ProbeBench &bench) {
  RepeatedCode code;
  code.body = repeated(64, "v_exp_f32 v4, v2\n  v_exp_f32 v5, v2");
  code.count = 128;
  auto cycles = cyclesEach(bench.chip, code);
  if (!cycles)
    return cycles.takeError();
  bench.add("one of independent v_exp_f32", "cycles", Predicted::near(8),
            *cycles);
  return llvm::Error::success();
}

static llvm::Error probePeak(ProbeBench &bench) {
  // The widest f16 form of the chip, on every SIMD.
  bool isWide = bench.chip == Chip::Gfx950;
  unsigned k = isWide ? 32 : 16, registers = isWide ? 4 : 2;
  RepeatedCode code;
  std::string text;
  for (unsigned i = 0; i != 4; ++i)
    text += llvm::formatv(
        "  v_mfma_f32_16x16x{0}_f16 v[{1}:{2}], v[4:{3}], v[8:{4}], "
        "v[{1}:{2}]\n",
        k, 16 + 4 * i, 19 + 4 * i, 3 + registers, 7 + registers);
  code.body = repeated(16, text);
  code.count = 64;
  MicroKernel::Launch launch;
  launch.workgroups = *bench.product().computeUnits;
  launch.threads = 256;
  auto cycles = cyclesEach(bench.chip, code, launch);
  if (!cycles)
    return cycles.takeError();
  double operations = 2.0 * 16 * 16 * k * 4 * launch.workgroups;
  double clock = *bench.product().clockMhz * 1e6;
  auto peak = peakTeraOps(bench.product(), arch::ElementType::F16,
                          arch::ElementType::F16);
  bench.add("f16 matrix instructions on every SIMD", "TFLOPS",
            Predicted::near(*peak, 0.05), operations / *cycles * clock / 1e12);
  return llvm::Error::success();
}

void fly::bench::addIssueProbes(Probes &probes) {
  const Chip c942 = Chip::Gfx942, c950 = Chip::Gfx950;
  probes.insert(probes.end(),
                {{"BRANCH-REFETCH", {c942, c950}, probeBranch},
                 {"INSTRUCTION-CACHE", {c942}, probeInstructionCache},
                 {"PEAK-ARITHMETIC", {c942, c950}, probePeak},
                 {"TRANSCENDENTAL-950", {c950}, probeTranscendental}});
}
