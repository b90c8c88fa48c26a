//===- Mechanisms.h - what each lever of a schedule gives -------*- C++ -*-===//
//
// What problem: a model of time is used to choose between schedules, so that
// the sign of each lever matters more than any cycle.
// What idea: pairs of GEMMs that differ in one lever, compiled here and timed
// on the model, with what is publicly known of the lever: its sign, and its
// size where there is one.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_MECHANISMS_H
#define FLY_BENCH_MECHANISMS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace fly::bench {

/// What a lever is judged by.
enum class Measure : uint8_t {
  Cycles, ///< Of the launch; fewer are better.
  L2Hits, ///< Percent of what goes to the L2s; more are better.
};

/// What a lever gave.
struct MechanismResult {
  std::string name;
  std::string kernel; ///< "gfx942 bf16 128x128x64, 1024 x 1024 x 1024"
  std::string known;  ///< What is publicly known of it.
  Measure measure = Measure::Cycles;
  bool isGain = true; ///< Known to help; else known not to matter or unknown.
  double before = 0, after = 0;
  std::string detail; ///< What changed: conflicts, hit rates, waits.

  /// Of cycles: how much faster, as a share. Of hits: points gained.
  double gain() const;
  bool isWrong() const { return isGain && gain() <= 0; }
};

/// Compiles and times the pairs whose name or kernel holds `match`.
/// Diagnostics of the compiler go through the handler of `context`, which needs
/// Fly's dialects.
llvm::Expected<std::vector<MechanismResult>>
measureMechanisms(mlir::MLIRContext &context, llvm::StringRef match = "");

void print(llvm::raw_ostream &os, llvm::ArrayRef<MechanismResult> results);

} // namespace fly::bench

#endif // FLY_BENCH_MECHANISMS_H
