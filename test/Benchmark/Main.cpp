//===- Main.cpp - the speed of the simulator and the compiler -------------===//
//
// Rates are those of one core of the host, whose name is printed. With --floors
// a rate below a third of the published figure fails: not a matter of the host,
// but of a loop that is no longer made of vectors, or worse.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "Failure.h"

static bool hasFailed = false;

void fly::bench::endBenchmark(benchmark::State &state, llvm::Error error) {
  hasFailed = true;
  state.SkipWithError(llvm::toString(std::move(error)).c_str());
}

/// "AMD EPYC 9654 96-Core Processor", as Linux has it.
static std::string hostName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2);
  return "unknown";
}

static const char *vectorUnits() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return "AVX-512";
  if (__builtin_cpu_supports("avx2"))
    return "AVX2";
#endif
  return "baseline";
}

namespace {

/// Million a second, as docs/Simulator/Speed.md has them.
struct Published {
  const char *name;
  double millions;
};

constexpr Published figures[] = {{"values/v_mov_b32", 181},
                                 {"values/v_add_u32", 141},
                                 {"values/v_lshl_add_u32", 114},
                                 {"values/v_add_f32", 134},
                                 {"values/v_fma_f32", 118},
                                 {"values/v_cndmask_b32", 132},
                                 {"values/v_cmp_lt_u32", 172},
                                 {"values/v_cvt_f32_u32", 173},
                                 {"values/v_max_f32", 110},
                                 {"values/v_pk_fma_f32", 50},
                                 {"values/v_perm_b32", 31},
                                 {"values/v_perm_b32_constant", 75},
                                 {"values/v_exp_f32", 17},
                                 {"matrix/16x16x16_f16", 9.6},
                                 {"matrix/32x32x16_fp8_fp8", 3.5},
                                 {"lds/ds_read_b128", 12.3},
                                 {"timing/v_add_f32", 17.6},
                                 {"timing/ds_read_b128", 3.3},
                                 {"timing/gemm", 0.6},
                                 {"timing/gemm_bf16_gfx942", 0.45},
                                 {"timing/gemm_bf16_gfx950", 0.43},
                                 {"report/gemm_128x256x128_fp8", 0.12}};

/// Compares with a third of the figures.
class FloorReporter : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      for (const Published &figure : figures)
        if (run.run_name.function_name == figure.name)
          compare(run, figure);
  }

private:
  void compare(const Run &run, const Published &figure) {
    auto rate = run.counters.find("instructions");
    double floor = figure.millions / 3;
    if (rate != run.counters.end() && rate->second.value / 1e6 >= floor)
      return;
    hasFailed = true;
    GetErrorStream() << figure.name << " is slower than " << floor
                     << " million instructions a second, a third of what "
                        "docs/Simulator/Speed.md has\n";
  }
};

} // namespace

/// Takes "--floors" out of the arguments.
static bool takeFloors(int &argc, char **argv) {
  char **end = std::remove_if(argv + 1, argv + argc, [](const char *argument) {
    return std::strcmp(argument, "--floors") == 0;
  });
  bool isFound = end != argv + argc;
  argc = int(end - argv);
  return isFound;
}

int main(int argc, char **argv) {
  // The figures are of a host with AVX-512, optimised.
  bool hasFloors =
      takeFloors(argc, argv) && std::strcmp(vectorUnits(), "AVX-512") == 0;
#if !defined(NDEBUG)
  hasFloors = false;
#endif
  benchmark::AddCustomContext("host", hostName());
  benchmark::AddCustomContext("vector units", vectorUnits());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  FloorReporter floors;
  if (hasFloors)
    benchmark::RunSpecifiedBenchmarks(&floors);
  else
    benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return hasFailed;
}
