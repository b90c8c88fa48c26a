//===- ResultsFile.h - What a sweep did, kept across runs -------*- C++ -*-===//
//
// What problem: a sweep of minutes is stopped, split over processes, and run
// again after a change; what was done must be neither lost nor believed after
// the program that did it has changed.
// What idea: one line a configuration, appended at once: verdict, key of the
// program, name, detail, separated by tabs. The key is a hash of the
// executable's bytes, which hold the whole compiler and simulator, and of the
// version of the LLVM that it uses. Lines of another key, failures, and lines
// that a killed process left unfinished do not count; the last line of a name
// wins. Several processes may append to one file.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_SWEEP_RESULTSFILE_H
#define FLY_TEST_SWEEP_RESULTSFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace fly::sweep {

enum class Verdict { Passed, Refused, Failed };

struct Outcome {
  Verdict verdict;
  std::string detail;
};

const char *wordOf(Verdict verdict);

/// The key of the running program: 16 hexadecimal digits.
llvm::Expected<std::string> keyOfProgram(const char *argv0);

class ResultsFile {
public:
  /// Reads what `path` holds for `key`; a file that does not exist is empty.
  /// With an empty path nothing is kept.
  static llvm::Expected<ResultsFile> open(llvm::StringRef path,
                                          llvm::StringRef key);

  /// How a configuration ended before, unless it failed.
  std::optional<Verdict> lookup(llvm::StringRef name) const;
  /// Lines that other builds left.
  unsigned linesOfOtherBuilds() const { return foreignLines; }
  /// The line of a result, with its line feed.
  std::string line(llvm::StringRef name, const Outcome &outcome) const;
  llvm::Error append(llvm::StringRef line) const;

private:
  std::string path, key;
  llvm::StringMap<Verdict> done;
  unsigned foreignLines = 0;
};

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_RESULTSFILE_H
