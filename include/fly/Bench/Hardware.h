//===- Hardware.h - the timing model against hardware -----------*- C++ -*-===//
//
// What problem: a model of time is worth what its errors are.
// What idea: for every published figure a small kernel, written in assembly,
// that measures on the simulator what was measured on hardware. Each row has
// the figure, its source, what the model gives and the error; figures that were
// measured or documented are judged, those that are inferred are assumptions
// and printed as such.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_HARDWARE_H
#define FLY_BENCH_HARDWARE_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace fly::bench {

/// What a row has to satisfy.
enum class Judgement : uint8_t {
  Exact,      ///< The same number.
  Tenth,      ///< Within 10 %, or inside the published range.
  Printed,    ///< Nothing: the error is stated.
  Assumption, ///< Nothing: the figure is inferred or recalled itself.
};

/// One published figure and the model's.
struct HardwareRow {
  arch::Chip chip = arch::Chip::Gfx942;
  std::string group; ///< Heading: "LDS throughput".
  std::string what;
  std::string unit;
  double low = 0, high = 0; ///< The published figure, or range.
  double model = 0;
  arch::Basis basis = arch::Basis::Hardware;
  std::string source;
  Judgement judgement = Judgement::Tenth;
  /// Whether a parameter of the model is this very figure. Such a row has to
  /// hold, too, but only says that nothing is counted twice on the way: it is
  /// no evidence, and not counted as judged.
  bool isInput = false;

  /// Distance from the figure, or from the nearer end of the range, as a share
  /// of it; 0 inside a range.
  double error() const;
  bool isOff() const;
  /// Whether its agreement says something of the model.
  bool isJudged() const {
    return !isInput &&
           (judgement == Judgement::Exact || judgement == Judgement::Tenth);
  }
};

/// Runs all micro-kernels.
llvm::Expected<std::vector<HardwareRow>> measureHardwareRows();

/// A table with a heading for each group, and a line of counts.
void print(llvm::raw_ostream &os, llvm::ArrayRef<HardwareRow> rows);
llvm::json::Value toJSON(llvm::ArrayRef<HardwareRow> rows);

} // namespace fly::bench

#endif // FLY_BENCH_HARDWARE_H
