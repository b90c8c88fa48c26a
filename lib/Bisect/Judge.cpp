//===- Judge.cpp - Measures one commit, and says which side it is on ------===//
#include "Judge.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <limits>

using namespace fly;
using namespace fly::bisect;

/// The exit code by which a command says that it cannot judge (git's own).
static constexpr int cannotJudge = 125;

/// A commit whose median is this many of its own standard deviations off the
/// boundary is on its side for sure; closer ones are measured again, so often
/// at most; what is closer than the last figure even then is skipped.
static constexpr double sureDeviations = 3;
static constexpr unsigned mostRounds = 8;
static constexpr double leastDeviations = 1;

/// Runs without a number that are made again, of a measurement: one failure of
/// many says nothing of a commit.
static constexpr unsigned mostRepeated = 2;

llvm::Expected<Judge> Judge::create(const BisectOptions &options,
                                    WorkTree &tree,
                                    llvm::function_ref<bool()> isInterrupted) {
  Judge judge(options, tree, isInterrupted);
  std::string problem;
  if (!options.metric.empty() && !judge.metric.isValid(problem))
    return llvm::createStringError("--metric=" + options.metric + ": " +
                                   problem);
  return judge;
}

/// The last line with something on it, for a reason.
static std::string lastLine(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return "";
  llvm::StringRef text = (*buffer)->getBuffer().rtrim();
  llvm::StringRef line = text.substr(text.rfind('\n') + 1);
  return line.empty() ? "" : ": " + line.take_back(200).str();
}

std::optional<double> Judge::findMetric(std::string &problem) const {
  auto buffer = llvm::MemoryBuffer::getFile(tree.getScratch("command.out"));
  if (!buffer) {
    problem = "its output cannot be read: " + buffer.getError().message();
    return std::nullopt;
  }
  std::string found;
  bool hasMatch = false;
  for (llvm::line_iterator line(**buffer); !line.is_at_eof(); ++line) {
    llvm::SmallVector<llvm::StringRef, 2> groups;
    if (!metric.match(*line, &groups))
      continue;
    hasMatch = true;
    found = groups[groups.size() > 1 ? 1 : 0].str();
  }
  double value;
  if (!hasMatch) {
    problem = "no line that it prints matches the metric";
    return std::nullopt;
  }
  if (llvm::StringRef(found).trim().getAsDouble(value) ||
      !std::isfinite(value)) {
    problem = "the metric is '" + found + "', which is no number";
    return std::nullopt;
  }
  return value;
}

/// One word is for the shell, several are a program and its arguments.
static std::vector<std::string>
makeWords(const std::vector<std::string> &command) {
  if (command.size() > 1)
    return command;
  return {"/bin/sh", "-c", command.front()};
}

std::optional<Judge::NoRun> Judge::runOnce(Step &step) {
  ProcessRequest request;
  request.directory = tree.getPath();
  request.words = makeWords(options.command);
  request.output = request.errors = tree.getScratch("command.out");
  request.timeoutSeconds = options.timeoutSeconds;
  request.lifeline = lifeline.get();
  Outcome outcome = runProcess(request, isInterrupted);
  bool isCrash = outcome.kind == Outcome::Crashed;
  bool hasEnded = isCrash || (outcome.kind == Outcome::Exited &&
                              outcome.code != cannotJudge);
  bool isFailure = isCrash || outcome.code != 0;
  if (!hasEnded || (isFailure && !options.metric.empty()))
    return NoRun{"the command " + outcome.describe() + lastLine(request.output),
                 hasEnded};
  if (options.metric.empty()) {
    ++step.runs;
    step.failures += isFailure;
    return std::nullopt;
  }
  std::string problem;
  std::optional<double> value = findMetric(problem);
  if (!value)
    return NoRun{"the command: " + problem, true};
  ++step.runs;
  step.samples.push_back(*value);
  return std::nullopt;
}

void Judge::runRepeatedly(Step &step) {
  unsigned left = mostRepeated;
  for (unsigned run = 0; step.reason.empty() && run < options.getRepeat();) {
    std::optional<NoRun> problem = runOnce(step);
    if (!problem) {
      ++run;
      continue;
    }
    if (!problem->mayPass || !left) {
      step.reason = problem->reason;
      return;
    }
    --left;
    ++step.repeated;
  }
}

Step Judge::measure(llvm::StringRef commit) {
  Step step;
  step.commit = commit.str();
  if (auto subject = tree.git({"log", "-1", "--format=%s", step.commit, "--"}))
    step.subject = *subject;
  else
    llvm::consumeError(subject.takeError());
  if (llvm::Error error = tree.checkOut(commit)) {
    step.reason = "cannot be checked out: " + llvm::toString(std::move(error));
    return step;
  }
  if (!options.build.empty()) {
    ProcessRequest request;
    request.directory = tree.getPath();
    request.words = makeWords({options.build});
    request.output = request.errors = tree.getScratch("build.out");
    request.timeoutSeconds = options.timeoutSeconds;
    request.lifeline = lifeline.get();
    Outcome outcome = runProcess(request, isInterrupted);
    if (!outcome.succeeded()) {
      step.reason =
          "the build " + outcome.describe() + lastLine(request.output);
      return step;
    }
  }
  runRepeatedly(step);
  return step;
}

void Judge::compareEnds(BisectResult &result) const {
  const Step &good = result.good, &bad = result.bad;
  if (options.metric.empty()) {
    bool goodFails = 2 * good.failures > good.runs;
    bool badFails = 2 * bad.failures > bad.runs;
    result.isRegression = !goodFails && badFails;
    if (goodFails)
      result.problem = "the command fails at the good commit too";
    else if (!badFails)
      result.problem = "the command succeeds at the bad commit too";
    for (const Step *end : {&good, &bad})
      if (end->failures && end->failures != end->runs)
        result.warnings.push_back(
            llvm::formatv("of {0} runs of {1}, {2} fail: the command is flaky",
                          end->runs, end->commit, end->failures));
    return;
  }
  double from = getMedian(good.samples), to = getMedian(bad.samples);
  double worse = options.higherIsBetter ? from - to : to - from;
  double noise = getSpread(good.samples) + getSpread(bad.samples);
  double scale = std::abs(from);
  if (scale == 0) {
    result.problem =
        "the metric is 0 at the good commit; a change of it has no "
        "percentage";
    return;
  }
  result.boundary = from / 2 + to / 2;
  result.percent = 100 * worse / scale;
  result.neededPercent = std::max(options.threshold, 100 * noise / scale);
  result.isRegression =
      worse > 0 && result.percent >= result.neededPercent && worse > noise;
  if (!result.isRegression)
    result.problem = llvm::formatv(
        "the bad commit is {0:f1} % worse; {1:f1} % are needed, the larger one "
        "of the threshold and of what the samples of both ends scatter",
        result.percent, result.neededPercent);
  if (worse > 0 && worse / scale < clockNoiseShare)
    result.warnings.push_back(llvm::formatv(
        "{0:f1} % are less than the {1:f0} % by which clocks alone may move a "
        "result: fix the clocks, or repeat more",
        result.percent, 100 * clockNoiseShare));
}

void Judge::decide(Step &step, const BisectResult &ends) {
  if (!step.reason.empty()) {
    step.verdict = Verdict::Skipped;
    return;
  }
  if (options.metric.empty()) {
    step.verdict = 2 * step.failures > step.runs ? Verdict::Bad : Verdict::Good;
    return;
  }
  auto distance = [&] { return getMedian(step.samples) - ends.boundary; };
  // A few samples may lie close to each other by chance: a commit is not taken
  // for quieter than the ends are.
  double floor =
      (getSpread(ends.good.samples) + getSpread(ends.bad.samples)) / 2;
  auto deviations = [&] {
    double error = std::max(getMedianError(step.samples),
                            getMedianError(floor, step.samples.size()));
    return error > 0 ? std::abs(distance()) / error
                     : std::numeric_limits<double>::infinity();
  };
  for (unsigned round = 1; round < mostRounds && deviations() < sureDeviations;
       ++round)
    runRepeatedly(step);
  if (step.reason.empty() && deviations() < leastDeviations)
    step.reason = llvm::formatv(
        "its median {0} of {1} samples is too close to {2} to judge",
        llvm::format("%.6g", getMedian(step.samples)), step.samples.size(),
        llvm::format("%.6g", ends.boundary));
  if (!step.reason.empty()) {
    step.verdict = Verdict::Skipped;
    return;
  }
  bool isBad = options.higherIsBetter ? distance() < 0 : distance() > 0;
  step.verdict = isBad ? Verdict::Bad : Verdict::Good;
}
