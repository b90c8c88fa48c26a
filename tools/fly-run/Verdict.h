//===- Verdict.h - What a launch showed, printed ----------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_RUN_VERDICT_H
#define FLY_TOOLS_FLY_RUN_VERDICT_H

#include "fly/Launch/Compare.h"

#include "llvm/Support/raw_ostream.h"

#include "LoadedKernel.h"

namespace fly::tools {

/// One buffer compared with one source of truth.
struct ComparedBuffer {
  std::string name;
  std::string with; ///< "reference", a file, or a SPEC.
  launch::Comparison comparison;
  launch::Tolerance tolerance;
  /// Elements that the kernel only writes and has not written; a reference that
  /// leaves them out as well agrees, so they are told.
  int64_t neverWritten = 0;
  /// A float buffer that --expect wants equal to the bit.
  bool isExactExpectation = false;
};

struct Verdict {
  std::vector<ComparedBuffer> comparisons;
  /// Empty where the guard bands are whole.
  std::string guardError;
  /// Empty where workspaces hold zeros that must.
  std::string workspaceError;
  /// Empty where all asserts hold.
  std::string assertError;
  /// What the simulator's checks found in all launches.
  std::vector<sim::Finding> findings;

  /// What was found is wrong, whether or not values say so.
  bool isWrong() const {
    return !guardError.empty() || !workspaceError.empty() ||
           !assertError.empty() || !findings.empty() ||
           llvm::any_of(comparisons, [](const ComparedBuffer &c) {
             return c.comparison.isJudged() && !c.comparison.isRight();
           });
  }
  /// Every buffer that was compared has elements that can be wrong, with the
  /// reference or with what --expect says.
  bool isJudged() const {
    return llvm::all_of(comparisons, [&](const ComparedBuffer &c) {
      return llvm::any_of(comparisons, [&](const ComparedBuffer &other) {
        return other.name == c.name && other.comparison.isJudged();
      });
    });
  }
  bool isRight() const { return !isWrong() && isJudged(); }
};

/// What buffers are compared with where nothing else is asked for.
inline constexpr llvm::StringLiteral kReference = "reference";

/// Compares every buffer that the kernel writes with what `expected` holds.
mlir::LogicalResult compareAll(LoadedKernel &kernel,
                               std::vector<launch::Argument> &got,
                               std::vector<launch::Argument> &expected,
                               llvm::ArrayRef<launch::Argument> inputs,
                               llvm::StringRef with, Verdict &verdict);

/// Copies the contents of buffers to those of another kernel, by position,
/// where they have the same bytes.
void copyInputs(llvm::ArrayRef<launch::Argument> from,
                std::vector<launch::Argument> &to);

/// Looks for the pass behind which the kernel is wrong, and prints what was
/// found; gives the exit code. `inputs` are what the kernel starts with.
int diffPhases(LoadedKernel &kernel, const RunRequest &request,
               const std::vector<launch::Argument> &inputs);

/// One screen: verdict, grid, resources.
void printText(llvm::raw_ostream &os, const LoadedKernel &kernel,
               const RunRequest &request, const Verdict &verdict);
void printJson(llvm::raw_ostream &os, const LoadedKernel &kernel,
               const RunRequest &request, const Verdict &verdict);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_VERDICT_H
