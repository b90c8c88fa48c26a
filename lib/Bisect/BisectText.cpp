//===- BisectText.cpp - The result for people and as JSON -----------------===//
#include "fly/Bisect/Bisect.h"
#include "fly/Support/Samples.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::bisect;
using llvm::formatv;

static void printStep(llvm::raw_ostream &os, const Step &step) {
  os << formatv("  {0} {1} ", step.commit.substr(0, 12),
                llvm::left_justify(getName(step.verdict), 8));
  if (!step.reason.empty())
    os << step.reason;
  else if (!step.samples.empty())
    os << formatv("median {0}, spread {1}, {2} samples",
                  llvm::format("%.6g", getMedian(step.samples)),
                  llvm::format("%.3g", getSpread(step.samples)),
                  step.samples.size());
  else
    os << formatv("{0} of {1} runs fail", step.failures, step.runs);
  if (step.repeated)
    os << formatv(", {0} failed run{1} repeated", step.repeated,
                  step.repeated == 1 ? "" : "s");
  os << "  " << step.subject << '\n';
}

void fly::bisect::print(llvm::raw_ostream &os, const BisectResult &result) {
  printStep(os, result.good);
  for (const Step &step : result.steps)
    printStep(os, step);
  printStep(os, result.bad);
  if (result.hasMetric && result.isRegression)
    os << formatv("{0:f1} % worse ({1:f1} % are needed); {2} than {3} is "
                  "bad\n",
                  result.percent, result.neededPercent,
                  result.higherIsBetter ? "less" : "more",
                  llvm::format("%.6g", result.boundary));
  for (const std::string &warning : result.warnings)
    os << "warning: " << warning << '\n';
  if (!result.isRegression) {
    os << "no regression: " << result.problem << '\n';
    return;
  }
  if (!result.isFound()) {
    os << formatv("one of these {0} commits is the first bad one; those before "
                  "the last cannot be judged:\n",
                  result.candidates.size());
    for (const std::string &commit : result.candidates)
      os << "  " << commit << '\n';
    return;
  }
  os << result.candidates.front() << " is the first bad commit\n\n"
     << result.description << "\n\n"
     << result.stat << "\n\n"
     << result.patch << '\n';
}

/// JSON is UTF-8; commits and patches may be anything.
static std::string valid(llvm::StringRef text) {
  return llvm::json::fixUTF8(text);
}

static llvm::json::Value toJSON(const Step &step) {
  llvm::json::Object object{{"commit", step.commit},
                            {"subject", valid(step.subject)},
                            {"verdict", getName(step.verdict)}};
  if (!step.samples.empty()) {
    object["samples"] = llvm::json::Array(step.samples);
    object["median"] = getMedian(step.samples);
    object["spread"] = getSpread(step.samples);
  } else if (step.runs) {
    object["runs"] = int64_t(step.runs);
    object["failures"] = int64_t(step.failures);
  }
  if (step.repeated)
    object["repeated"] = int64_t(step.repeated);
  if (!step.reason.empty())
    object["reason"] = valid(step.reason);
  return object;
}

llvm::json::Value fly::bisect::toJSON(const BisectResult &result) {
  llvm::json::Array steps;
  for (const Step &step : result.steps)
    steps.push_back(::toJSON(step));
  llvm::json::Object object{
      {"regression", result.isRegression},
      {"good", ::toJSON(result.good)},
      {"bad", ::toJSON(result.bad)},
      {"steps", std::move(steps)},
      {"warnings", llvm::json::Array(result.warnings)},
      {"candidates", llvm::json::Array(result.candidates)}};
  if (!result.isRegression)
    object["problem"] = result.problem;
  if (result.hasMetric) {
    object["percent"] = result.percent;
    object["needed_percent"] = result.neededPercent;
    object["boundary"] = result.boundary;
  }
  if (result.isFound()) {
    object["first_bad"] = result.candidates.front();
    object["description"] = valid(result.description);
    object["stat"] = valid(result.stat);
    object["patch"] = valid(result.patch);
  }
  return object;
}
