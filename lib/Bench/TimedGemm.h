//===- TimedGemm.h - a GEMM of a schedule, on the timing model --*- C++ -*-===//
//
// What problem: benches compare kernels that differ in a schedule, by their
// time alone.
// What idea: the text of a kernel with the sizes M, N and K is compiled here,
// its buffers are made by its contract, and only the workgroups that the model
// needs are executed.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BENCH_TIMEDGEMM_H
#define FLY_LIB_BENCH_TIMEDGEMM_H

#include "fly/Contract/Note.h"
#include "fly/Gen/Gemm.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Sim/Timing.h"

#include <memory>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace fly::bench {

/// A kernel: generated, and then changed.
struct GemmVariant {
  gen::GemmOptions options;
  /// Entries of its schedule, as on the command line: "a.copy=sync".
  std::vector<std::string> schedule;
  /// Its text, in place of the generated one.
  std::string text;
  /// LDS beside what it needs, which keeps other workgroups out.
  uint32_t unusedLdsBytes = 0;
};

struct GemmShape {
  int64_t m = 0, n = 0, k = 0;
};

/// As in TimingOptions.
struct GemmTiming {
  unsigned rounds = 2;
  std::string product;
};

/// A compiled kernel with the arguments of a launch.
struct PreparedGemm {
  std::string object;
  contract::ObjectContracts contracts;
  std::vector<launch::Argument> arguments;
  launch::LaunchSize size;

  llvm::Expected<sim::Result> launch(const sim::SimOptions &options) {
    return launch::launchOnSimulator(object, contracts.kernels.front().kernel,
                                     size, arguments, options);
  }
};

/// The code object of a kernel. Diagnostics of the compiler go through the
/// handler of `context`, which needs Fly's dialects.
llvm::Expected<std::string> compileGemm(mlir::MLIRContext &context,
                                        const GemmVariant &variant);
/// The same, with the buffers of a launch.
llvm::Expected<PreparedGemm> prepareGemm(mlir::MLIRContext &context,
                                         const GemmVariant &variant,
                                         const GemmShape &shape);

/// What the model says of the kernel with caches that hold what the same
/// launch left.
llvm::Expected<std::shared_ptr<const sim::TimingResult>>
timeGemm(mlir::MLIRContext &context, const GemmVariant &variant,
         const GemmShape &shape, const GemmTiming &timing = {});

} // namespace fly::bench

#endif // FLY_LIB_BENCH_TIMEDGEMM_H
