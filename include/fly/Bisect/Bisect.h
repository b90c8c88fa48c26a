//===- Bisect.h - The commit that made something worse ----------*- C++ -*-===//
//
// What problem: a kernel, or anything else that a command can measure, got
// worse between two commits, some of which do not build, and every measurement
// is noisy.
// What idea: `git bisect` in a work tree of its own, along first parents. Both
// ends are measured first: without a difference that is larger than their noise
// nothing is searched. A commit is on the side of the middle between the two
// medians that its own median is on; one too close to it is measured more.
// What it refuses: to touch the tree, index, branch, stash or HEAD that the
// user works with, or another bisection of theirs. What an ended run left
// behind is removed by the next one.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BISECT_BISECT_H
#define FLY_BISECT_BISECT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::bisect {

struct BisectOptions {
  std::string repository = "."; ///< A directory of it.
  std::string good, bad;        ///< Revisions as git spells them.
  /// What runs at each commit, in the root of its tree: the words of a program
  /// and its arguments, or one text for the shell.
  std::vector<std::string> command;
  /// For the shell, before the command; empty: nothing to build.
  std::string build;
  /// Finds the number in a line of what the command prints: its first group,
  /// or all that it matches. The last line that it matches counts. Empty: the
  /// exit code decides: 0 is good, 125 cannot be judged, all others and an end
  /// by a signal are bad.
  std::string metric;
  bool higherIsBetter = false;
  /// Runs a commit, of which the median counts; without a metric the majority.
  /// 0: 7 with a metric, as the tuning guide asks for, otherwise 1.
  unsigned repeat = 0;
  /// Percent by which the bad end must be worse.
  double threshold = 5;
  /// Seconds after which a build or a command is ended; 0: never.
  unsigned timeoutSeconds = 0;
  /// Remove ignored files before each build too, not only untracked ones.
  bool cleanBuilds = false;
  /// Where the work tree is made; empty: the directory for temporary files.
  std::string scratch;

  unsigned getRepeat() const {
    return repeat ? repeat : metric.empty() ? 1 : 7;
  }
};

enum class Verdict { Good, Bad, Skipped };

/// "good", "bad", "skipped".
const char *getName(Verdict verdict);

/// One commit that was looked at.
struct Step {
  std::string commit, subject;
  Verdict verdict = Verdict::Skipped;
  std::vector<double> samples; ///< With a metric.
  /// Runs that ended by a signal or with an exit code other than 0.
  unsigned failures = 0;
  unsigned runs = 0;
  unsigned repeated = 0; ///< Runs without a number, in whose place others came.
  std::string reason;    ///< Of a commit that cannot be judged.
};

struct BisectResult {
  bool hasMetric = false;
  bool higherIsBetter = false;
  /// The two ends, then the commits in the order in which they were tried.
  Step good, bad;
  std::vector<Step> steps;
  /// False: there is nothing to look for; `problem` says why.
  bool isRegression = false;
  std::string problem;
  std::vector<std::string> warnings;
  /// By how much the bad end is worse, in percent of the good one; what it must
  /// be at least; between the two sides.
  double percent = 0, neededPercent = 0, boundary = 0;

  /// The commit that is to blame; several where those in between could not be
  /// judged, the oldest first.
  std::vector<std::string> candidates;
  /// Of a single candidate: what git says of it, its stat, its patch.
  std::string description, stat, patch;

  bool isFound() const { return candidates.size() == 1; }
};

/// What happens, for people who wait.
using Progress = llvm::function_ref<void(const llvm::Twine &)>;

/// Finds the commit. Errors: revisions that do not exist or do not follow each
/// other, ends that cannot be measured, a git that fails, an interruption,
/// which `isInterrupted` is asked for many times a second. The work tree is
/// gone in all of these cases.
llvm::Expected<BisectResult> bisect(const BisectOptions &options,
                                    Progress progress,
                                    llvm::function_ref<bool()> isInterrupted);

/// For people; keys of the JSON form are in docs/Guide/Bisect.md.
void print(llvm::raw_ostream &os, const BisectResult &result);
llvm::json::Value toJSON(const BisectResult &result);

} // namespace fly::bisect

#endif // FLY_BISECT_BISECT_H
