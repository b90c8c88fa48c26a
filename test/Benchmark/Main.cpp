//===- Main.cpp - the speed of the simulator and the compiler -------------===//
//
// Rates are those of one core of the host, whose name is printed.
//
//===----------------------------------------------------------------------===//
#include <benchmark/benchmark.h>
#include <fstream>
#include <string>

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

int main(int argc, char **argv) {
  benchmark::AddCustomContext("host", hostName());
  benchmark::AddCustomContext("vector units", vectorUnits());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return hasFailed;
}
