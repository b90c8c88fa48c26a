//===- Judge.h - Measures one commit, and says which side it is on -*- C++ -*-//
//
// Builds and runs the command on what lies in the work tree. The two ends are
// measured first and give the boundary; every other commit is compared with it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BISECT_JUDGE_H
#define FLY_LIB_BISECT_JUDGE_H

#include "llvm/Support/Regex.h"

#include <memory>

#include "WorkTree.h"

namespace fly::bisect {

class Judge {
public:
  /// Errors: a metric that is no regular expression.
  static llvm::Expected<Judge> create(const BisectOptions &options,
                                      WorkTree &tree,
                                      llvm::function_ref<bool()> isInterrupted);

  /// Checks a commit out, builds it and runs the command as often as asked for.
  /// What does not work out is the step's `reason`; the verdict is left alone.
  Step measure(llvm::StringRef commit);
  /// Compares the ends, measured before; fills in what `result` says of the
  /// difference.
  void compareEnds(BisectResult &result) const;
  /// The side of a measured commit. One whose median may lie on either side of
  /// the boundary is measured more, up to eight times as often, and skipped
  /// where that does not settle it.
  void decide(Step &step, const BisectResult &ends);

private:
  Judge(const BisectOptions &options, WorkTree &tree,
        llvm::function_ref<bool()> isInterrupted)
      : options(options), tree(tree), isInterrupted(isInterrupted),
        metric(options.metric), lifeline(std::make_unique<Lifeline>()) {}

  /// A run that is none, and why.
  struct NoRun {
    std::string reason;
    bool mayPass = false; ///< Another run may be one.
  };
  /// One more run of the command.
  std::optional<NoRun> runOnce(Step &step);
  /// As many runs as asked for. Of those that fail, a few are repeated; the
  /// reason why there are not as many is the step's.
  void runRepeatedly(Step &step);
  std::optional<double> findMetric(std::string &problem) const;

  const BisectOptions &options;
  WorkTree &tree;
  llvm::function_ref<bool()> isInterrupted;
  llvm::Regex metric;
  std::unique_ptr<Lifeline> lifeline;
};

} // namespace fly::bisect

#endif // FLY_LIB_BISECT_JUDGE_H
