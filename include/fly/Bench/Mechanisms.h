//===- Mechanisms.h - what each lever of a schedule gives -------*- C++ -*-===//
//
// What problem: a model of time is used to choose between schedules, so that
// the sign of each lever matters more than any cycle.
// What idea: pairs of GEMMs that differ in one lever, compiled here and timed
// on the model, with what is publicly known of the lever: its sign, and its
// size where there is one, within a factor of three.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_MECHANISMS_H
#define FLY_BENCH_MECHANISMS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
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

/// What is publicly known of a lever.
struct KnownGain {
  enum class Sign : uint8_t { Unknown, Helps, Hurts };
  Sign sign = Sign::Unknown;
  /// Its size where one is published: of cycles how much faster, as a share; of
  /// hits points. `low` is 0 for "up to"; both 0: no size.
  double low = 0, high = 0;
  const char *text = ""; ///< What says so.

  bool isSized() const { return low != 0 || high != 0; }
};

/// Sizes of other machine code are rough: a gain is right from a third of the
/// least known one to three times the most.
inline constexpr unsigned sizeFactor = 3;

/// What a lever gave.
struct MechanismResult {
  enum class Verdict : uint8_t { NotJudged, Right, WrongSign, WrongSize };

  std::string name;
  std::string kernel; ///< "gfx942 bf16 128x128x64, 1024 x 1024 x 1024"
  KnownGain known;
  Measure measure = Measure::Cycles;
  double before = 0, after = 0;
  std::string detail; ///< What changed: conflicts, hit rates, waits.

  /// Of cycles: how much faster, as a share. Of hits: points gained.
  double gain() const;
  Verdict verdict() const;
  bool isJudged() const { return verdict() != Verdict::NotJudged; }
  bool isWrong() const {
    return verdict() == Verdict::WrongSign || verdict() == Verdict::WrongSize;
  }
};

/// Compiles and times the pairs whose name or kernel holds `match`.
/// Diagnostics of the compiler go through the handler of `context`, which needs
/// Fly's dialects.
llvm::Expected<std::vector<MechanismResult>>
measureMechanisms(mlir::MLIRContext &context, llvm::StringRef match = "");

void print(llvm::raw_ostream &os, llvm::ArrayRef<MechanismResult> results);
llvm::json::Value toJSON(llvm::ArrayRef<MechanismResult> results);

} // namespace fly::bench

#endif // FLY_BENCH_MECHANISMS_H
