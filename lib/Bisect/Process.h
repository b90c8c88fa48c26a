//===- Process.h - Programs that are started and watched --------*- C++ -*-===//
//
// Runs a program in a directory, with its output in a file. Each is the leader
// of its own session, so that all that it has started ends with it: when it is
// done, when time is over, when its output is too long, when the user
// interrupts, and, by a lifeline, when this process is killed.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BISECT_PROCESS_H
#define FLY_LIB_BISECT_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::bisect {

/// How a program ended.
struct Outcome {
  enum Kind {
    Exited,      ///< By itself, with `code`.
    Crashed,     ///< By a signal.
    TimedOut,    ///< It was ended.
    TooLong,     ///< It was ended since its output filled the disk.
    Interrupted, ///< It was ended since the user wants no more.
    NotStarted,
  } kind = NotStarted;
  int code = 0;
  std::string problem; ///< Of what did not end by itself.

  bool succeeded() const { return kind == Exited && code == 0; }
  /// "exits with 3", "is ended after 5 seconds".
  std::string describe() const;
};

/// A pipe whose other end nobody but this process holds: who reads from it
/// learns that this process is gone, however it ended.
class Lifeline {
public:
  Lifeline();
  ~Lifeline();
  Lifeline(const Lifeline &) = delete;
  Lifeline &operator=(const Lifeline &) = delete;
  /// What children inherit, a single digit, as shells write it; -1 where there
  /// is none.
  int getReadEnd() const { return readEnd; }

private:
  int readEnd = -1, writeEnd = -1;
};

struct ProcessRequest {
  std::string directory;
  std::vector<std::string> words; ///< A program and its arguments.
  std::string output, errors;     ///< Files; the same one takes both in order.
  unsigned timeoutSeconds = 0;    ///< 0: never.
  /// Bytes of output from which on the program is ended.
  uint64_t mostOutputBytes = uint64_t(256) << 20;
  /// Ends the session with this process; may be absent.
  const Lifeline *lifeline = nullptr;
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
