//===- Process.h - Programs that are started and watched --------*- C++ -*-===//
//
// Runs a program in a directory, with its output in a file. Each is the leader
// of its own session, so that all that it has started ends with it when time is
// over or the user interrupts.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BISECT_PROCESS_H
#define FLY_LIB_BISECT_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace fly::bisect {

/// How a program ended.
struct Outcome {
  enum Kind {
    Exited,      ///< By itself, with `code`.
    Crashed,     ///< By a signal.
    TimedOut,    ///< It was ended.
    Interrupted, ///< It was ended since the user wants no more.
    NotStarted,
  } kind = NotStarted;
  int code = 0;
  std::string problem; ///< Of what did not end by itself.

  bool succeeded() const { return kind == Exited && code == 0; }
  /// "exits with 3", "is ended after 5 seconds".
  std::string describe() const;
};

struct ProcessRequest {
  std::string directory;
  std::vector<std::string> words; ///< A program and its arguments.
  std::string output, errors;     ///< Files; the same one takes both in order.
  unsigned timeoutSeconds = 0;    ///< 0: never.
  /// Variables "NAME=value" for it alone.
  std::vector<std::string> variables;
};

/// Runs it to its end. What git hands down to its hooks and aliases
/// (GIT_DIR, GIT_INDEX_FILE, ...) is taken out of the environment, since it
/// would send every git command to the user's own tree.
Outcome runProcess(const ProcessRequest &request,
                   llvm::function_ref<bool()> isInterrupted);

} // namespace fly::bisect

#endif // FLY_LIB_BISECT_PROCESS_H
