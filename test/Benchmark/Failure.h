//===- Failure.h - benchmarks that could not run ----------------*- C++ -*-===//
#ifndef FLY_TEST_BENCHMARK_FAILURE_H
#define FLY_TEST_BENCHMARK_FAILURE_H

#include "llvm/Support/Error.h"

#include <benchmark/benchmark.h>

namespace fly::bench {

/// Ends a benchmark with the error; the program then ends with 1.
void endBenchmark(benchmark::State &state, llvm::Error error);

} // namespace fly::bench

#endif // FLY_TEST_BENCHMARK_FAILURE_H
