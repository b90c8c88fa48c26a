//===- Bisect.cpp - The commit that made something worse ------------------===//
//
// Git chooses the commits (`git bisect start --no-checkout`, so that a checkout
// that fails is ours to deal with); this measures them and tells git.
//
//===----------------------------------------------------------------------===//
#include "fly/Bisect/Bisect.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include "Judge.h"
#include "WorkTree.h"

using namespace fly;
using namespace fly::bisect;

const char *fly::bisect::getName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Good:
    return "good";
  case Verdict::Bad:
    return "bad";
  case Verdict::Skipped:
    return "skipped";
  }
  return "";
}

static llvm::Expected<std::string> resolve(WorkTree &tree,
                                           const std::string &revision) {
  auto commit = tree.git({"rev-parse", "--verify", "--quiet",
                          "--end-of-options", revision + "^{commit}"});
  if (commit)
    return commit;
  llvm::consumeError(commit.takeError());
  auto shallow = tree.git({"rev-parse", "--is-shallow-repository"});
  if (!shallow)
    llvm::consumeError(shallow.takeError());
  return llvm::createStringError(
      "'" + revision + "' names no commit of this repository" +
      (shallow && *shallow == "true"
           ? ", which has only the last ones: git fetch --unshallow"
           : ""));
}

/// An error unless bad comes after good.
static llvm::Error checkOrder(WorkTree &tree, const BisectResult &result) {
  const std::string &good = result.good.commit, &bad = result.bad.commit;
  if (good == bad)
    return llvm::createStringError("good and bad are both " + good);
  auto base = tree.git({"merge-base", good, bad});
  if (!base) {
    llvm::consumeError(base.takeError());
    return llvm::createStringError(good + " and " + bad +
                                   " have no history in common");
  }
  if (*base == bad)
    return llvm::createStringError(
        "the good commit comes after the bad one: exchange them, and the "
        "meaning of good, to find what made it better");
  if (*base != good)
    return llvm::createStringError(
        "the good commit " + good + " is no ancestor of the bad one; " + *base +
        " is the last that they have in common: try it as the good one");
  return llvm::Error::success();
}

static llvm::Error checkInterruption(llvm::function_ref<bool()> isInterrupted) {
  return isInterrupted() ? llvm::createStringError("interrupted")
                         : llvm::Error::success();
}

/// "median 12.5 of 7, spread 0.2", "1 of 1 runs fails".
static std::string describe(const Step &step) {
  if (!step.reason.empty())
    return step.reason;
  if (!step.samples.empty())
    return llvm::formatv("median {0} of {1}, spread {2}",
                         llvm::format("%.6g", getMedian(step.samples)),
                         step.samples.size(),
                         llvm::format("%.3g", getSpread(step.samples)));
  return llvm::formatv("{0} of {1} runs fail", step.failures, step.runs);
}

/// What git prints after each step, read for its end.
static bool isOver(llvm::StringRef printed, std::string &found) {
  for (llvm::StringRef line : llvm::split(printed, '\n'))
    if (line.consume_back(" is the first bad commit")) {
      found = line.str();
      return true;
    }
  return false;
}

/// The commits that may be to blame when all others are skipped: those on the
/// line of first parents that are neither good nor before a good one.
static llvm::Expected<std::vector<std::string>> findCandidates(WorkTree &tree) {
  auto goods = tree.gitInTree(
      {"for-each-ref", "--format=^%(objectname)", "refs/bisect/good-*"});
  if (!goods)
    return goods.takeError();
  std::vector<std::string> words = {"rev-list", "--reverse", "--first-parent",
                                    "refs/bisect/bad"};
  for (llvm::StringRef good : llvm::split(*goods, '\n'))
    words.push_back(good.str());
  auto list = tree.gitInTree(words);
  if (!list)
    return list.takeError();
  std::vector<std::string> commits;
  for (llvm::StringRef commit : llvm::split(*list, '\n'))
    commits.push_back(commit.str());
  return commits;
}

static llvm::Error search(WorkTree &tree, Judge &judge, BisectResult &result,
                          Progress progress,
                          llvm::function_ref<bool()> isInterrupted) {
  std::string found;
  auto printed =
      tree.gitInTree({"bisect", "start", "--no-checkout", "--first-parent",
                      result.bad.commit, result.good.commit, "--"});
  while (printed && !isOver(*printed, found)) {
    auto commit = tree.gitInTree({"rev-parse", "--verify", "BISECT_HEAD"});
    if (!commit)
      return commit.takeError();
    Step step = judge.measure(*commit);
    if (llvm::Error error = checkInterruption(isInterrupted))
      return error;
    judge.decide(step, result);
    if (llvm::Error error = checkInterruption(isInterrupted))
      return error;
    llvm::StringRef word =
        step.verdict == Verdict::Skipped ? "skip" : getName(step.verdict);
    progress(step.commit.substr(0, 12) + " is " + getName(step.verdict) + " (" +
             describe(step) + "): " + step.subject);
    result.steps.push_back(std::move(step));
    printed = tree.gitInTree({"bisect", word.str(), *commit});
  }
  if (!printed) {
    // Git ends with an error where only skipped commits are left.
    bool areAllSkipped = llvm::any_of(result.steps, [](const Step &step) {
      return step.verdict == Verdict::Skipped;
    });
    if (!areAllSkipped)
      return printed.takeError();
    llvm::consumeError(printed.takeError());
  }
  auto candidates = findCandidates(tree);
  if (!candidates)
    return candidates.takeError();
  result.candidates = std::move(*candidates);
  return llvm::Error::success();
}

/// What git has to say of the one commit that was found.
static llvm::Error describeFound(WorkTree &tree, BisectResult &result) {
  if (!result.isFound())
    return llvm::Error::success();
  const std::string &commit = result.candidates.front();
  auto take = [&](std::vector<std::string> words,
                  std::string &to) -> llvm::Error {
    auto text = tree.git(words);
    if (!text)
      return text.takeError();
    to = *text;
    return llvm::Error::success();
  };
  // Against the first parent, which is the one that was measured.
  std::string parent = commit + "^1";
  if (llvm::Error error =
          take({"log", "-1", "--no-show-signature", "--no-notes",
                "--format=commit %H%nauthor %an <%ae>%ndate   %ad%n%n%B",
                commit, "--"},
               result.description))
    return error;
  if (llvm::Error error = take({"diff", "--no-ext-diff", "--no-textconv",
                                "--stat", parent, commit, "--"},
                               result.stat))
    return error;
  return take({"diff", "--no-ext-diff", "--no-textconv", "--patch", parent,
               commit, "--"},
              result.patch);
}

/// Measures one end; it must work. \p hint is for commands
/// that fail.
static llvm::Error measureEnd(Judge &judge, llvm::StringRef name, Step &end,
                              llvm::StringRef hint, Progress progress,
                              llvm::function_ref<bool()> isInterrupted) {
  std::string commit = end.commit;
  end = judge.measure(commit);
  end.verdict = name == "good" ? Verdict::Good : Verdict::Bad;
  if (llvm::Error error = checkInterruption(isInterrupted))
    return error;
  // What fails by itself prints no metric.
  llvm::StringRef reason = end.reason;
  bool isFailure = reason.starts_with("the command exits with") ||
                   reason.starts_with("the command is ended by a signal");
  if (!end.reason.empty())
    return llvm::createStringError("the " + name + " commit " + commit +
                                   " cannot be measured: " + end.reason +
                                   (isFailure ? hint : ""));
  progress("the " + name + " end " + commit.substr(0, 12) + ": " +
           describe(end));
  return llvm::Error::success();
}

llvm::Expected<BisectResult>
fly::bisect::bisect(const BisectOptions &options, Progress progress,
                    llvm::function_ref<bool()> isInterrupted) {
  if (options.command.empty())
    return llvm::createStringError("no command to run");
  auto tree = WorkTree::create(options, progress, isInterrupted);
  if (!tree)
    return tree.takeError();
  auto judge = Judge::create(options, **tree, isInterrupted);
  if (!judge)
    return judge.takeError();
  BisectResult result;
  result.hasMetric = !options.metric.empty();
  result.higherIsBetter = options.higherIsBetter;
  auto good = resolve(**tree, options.good);
  if (!good)
    return good.takeError();
  auto bad = resolve(**tree, options.bad.empty() ? "HEAD" : options.bad);
  if (!bad)
    return bad.takeError();
  result.good.commit = *good;
  result.bad.commit = *bad;
  if (llvm::Error error = checkOrder(**tree, result))
    return error;
  llvm::StringRef hint = result.hasMetric
                             ? "; leave --metric out to find the commit that "
                               "made the command fail"
                             : "";
  if (llvm::Error error = (*tree)->add(*good))
    return error;
  if (llvm::Error error =
          measureEnd(*judge, "good", result.good, "", progress, isInterrupted))
    return error;
  if (llvm::Error error =
          measureEnd(*judge, "bad", result.bad, hint, progress, isInterrupted))
    return error;
  judge->compareEnds(result);
  if (result.isRegression) {
    if (llvm::Error error =
            search(**tree, *judge, result, progress, isInterrupted))
      return error;
    if (llvm::Error error = describeFound(**tree, result))
      return error;
  }
  if (llvm::Error error = (*tree)->remove())
    result.warnings.push_back(llvm::toString(std::move(error)));
  return result;
}
