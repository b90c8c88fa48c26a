//===- Failure.h - what a launch of fly-run failed by -----------*- C++ -*-===//
//
// What problem: an exit code says that a launch is wrong, not how; a smaller
// launch that is wrong in another way is of no use to whoever looks for the
// first one.
// What idea: what --json prints names the ways (values, guards, a check), the
// message of a launch that stopped names the fault.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_RUN_FAILURE_H
#define FLY_TOOLS_FLY_RUN_FAILURE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace fly::tools {

struct Failure {
  int exitCode = 0;
  /// "races", "asserts", "guards", "workspaces", "values", "nothing judged", or
  /// the text of a fault without its numbers; what explains most comes first.
  /// Empty where nothing is known but the exit code.
  std::vector<std::string> kinds;

  /// Of a launch with --json: its exit code and what it has printed; `problem`
  /// is how its process ended where that had no exit code.
  static Failure of(int exitCode, llvm::StringRef problem,
                    llvm::StringRef output, llvm::StringRef errors);

  /// Whether it is the same failure: it ends alike, by the same first kind,
  /// and in no way that the other does not.
  bool isLike(const Failure &other) const;
  /// "wrong values, guards"
  std::string text() const;
};

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_FAILURE_H
