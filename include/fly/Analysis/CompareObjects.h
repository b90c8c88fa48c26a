//===- CompareObjects.h - Two versions of the same kernels ------*- C++ -*-===//
//
// What problem: a change of a compiler or a schedule moves registers, spills
// and the hot loop; what of it is worse?
// What idea: the figures of both objects, kernel by kernel, each with the sense
// in which more is worse. Registers are compared as architectural and
// accumulation registers together, since where accumulators live is no
// regression; what the hot loop holds beside matrix instructions is counted for
// one of them, since another unrolling is none either. A loop that is gone is a
// regression, and what one side does not tell is listed.
// What it leaves open: time, which decides; more registers, LDS or code may be
// what makes a kernel faster.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_COMPAREOBJECTS_H
#define FLY_ANALYSIS_COMPAREOBJECTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// What is known of one kernel's machine code, by the names of
/// `fly-report isa --json`; figures of the loop as "hot_loop.mfma".
struct IsaFigures {
  std::string kernel, chip;
  std::map<std::string, double> numbers;
};

/// True if the file starts as a code object or as JSON does, but for what
/// fly-run --json prints (isSimulation).
bool isObjectOrReport(llvm::StringRef path);

/// The kernels of a code object, or of the JSON form of an isa report. Errors:
/// files that are neither; reports without kernels, with a kernel twice, with
/// values of a wrong type.
llvm::Expected<std::vector<IsaFigures>> readIsaFigures(llvm::StringRef path);

/// One figure of a kernel.
struct ComparedFigure {
  std::string name; ///< "registers", "LDS reads a MFMA".
  double before = 0, after = 0;
  bool lessIsWorse = false; ///< Otherwise more is worse.
  double floorPercent = 0;  ///< A change up to this is none.

  bool isWorse() const { return worsePercent() > floorPercent; }
  bool isBetter() const { return -worsePercent() > floorPercent; }
  /// By how much, of `before`; infinite where that is 0.
  double worsePercent() const;
};

struct ComparedKernel {
  std::string name;
  std::vector<ComparedFigure> figures; ///< All, changed or not.
  /// What only one side tells: "waves a SIMD: 3 before".
  std::vector<std::string> lost, gained;
  /// What changed and is neither better nor worse.
  std::vector<std::string> notes;
};

struct ObjectComparison {
  std::string before, after; ///< Paths.
  std::vector<ComparedKernel> kernels;
  std::vector<std::string> missing, added;
  std::optional<double> failAbove;

  unsigned countRegressions() const;
  /// With `failAbove`: a figure that is worse by more than it, or a figure or
  /// kernel that went missing. In any case: nothing to compare.
  bool hasFailed() const;
};

llvm::Expected<ObjectComparison>
compareObjects(llvm::StringRef before, llvm::StringRef after,
               std::optional<double> failAbove);

/// For people: a line a regression, a line an improvement.
void print(llvm::raw_ostream &os, const ObjectComparison &comparison);
/// Its keys are in docs/Guide/Compare.md.
llvm::json::Value toJSON(const ObjectComparison &comparison);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_COMPAREOBJECTS_H
