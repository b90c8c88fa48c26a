//===- CompareRunsText.cpp - How a comparison of runs is printed ----------===//
#include "fly/Analysis/CompareRuns.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include "JsonTexts.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;

static void printList(llvm::raw_ostream &os, llvm::StringRef title,
                      const std::vector<std::string> &keys) {
  if (keys.empty())
    return;
  os << title << '\n';
  for (const std::string &key : keys)
    os << "  " << key << '\n';
}

void fly::analysis::print(llvm::raw_ostream &os,
                          const RunComparison &comparison) {
  os << comparison.before << " -> " << comparison.after << '\n';
  size_t width = 0;
  for (const ComparedRow &row : comparison.rows)
    width = std::max(width, row.key.size());
  for (const ComparedRow &row : comparison.rows) {
    os << "  " << llvm::left_justify(row.key, unsigned(width)) << "  "
       << llvm::format("%10.4g -> %10.4g ", row.before, row.after)
       << row.metric;
    if (row.ratio)
      os << llvm::format("  ratio %.3f  delta %+.4g (%+.1f %%)", *row.ratio,
                         row.delta(), 100 * (*row.ratio - 1));
    os << "  " << getName(row.change);
    if (row.samplesBefore > 1 || row.samplesAfter > 1)
      os << llvm::format(" (%llu and %llu samples, noise %.1f %%)",
                         (unsigned long long)row.samplesBefore,
                         (unsigned long long)row.samplesAfter,
                         row.noisePercent);
    os << '\n';
    if (row.variantBefore != row.variantAfter)
      os << "    " << row.variantBefore << " -> " << row.variantAfter << '\n';
  }
  printList(os, "missing in " + comparison.after + ":", comparison.missing);
  printList(os, "new in " + comparison.after + ":", comparison.added);
  printList(os, "not compared:", comparison.unmeasured);
  for (const std::string &warning : comparison.warnings)
    os << "warning: " << warning << '\n';
  os << formatv("{0} worse, {1} better, {2} the same, {3} missing\n",
                comparison.count(Change::Worse),
                comparison.count(Change::Better),
                comparison.count(Change::Same), comparison.missing.size());
  if (comparison.rows.empty())
    os << "nothing was compared: no row is in both and has a value in both\n";
  if (comparison.failAbove)
    os << formatv("{0} worse by more than {1} %: {2}\n",
                  comparison.failures().size(),
                  llvm::format("%g", *comparison.failAbove),
                  comparison.hasFailed() ? "failed" : "passed");
}

llvm::json::Value fly::analysis::toJSON(const RunComparison &comparison) {
  auto variant = [](const std::string &text) {
    return text.empty() ? llvm::json::Value(nullptr)
                        : llvm::json::Value(llvm::json::fixUTF8(text));
  };
  llvm::json::Array rows;
  for (const ComparedRow &row : comparison.rows)
    rows.push_back(
        llvm::json::Object{{"key", llvm::json::fixUTF8(row.key)},
                           {"variant_before", variant(row.variantBefore)},
                           {"variant_after", variant(row.variantAfter)},
                           {"metric", llvm::json::fixUTF8(row.metric)},
                           {"higher_is_better", row.higherIsBetter},
                           {"before", row.before},
                           {"after", row.after},
                           {"samples_before", int64_t(row.samplesBefore)},
                           {"samples_after", int64_t(row.samplesAfter)},
                           {"ratio", row.ratio ? llvm::json::Value(*row.ratio)
                                               : llvm::json::Value(nullptr)},
                           {"delta", row.delta()},
                           {"worse_percent", row.worsePercent()},
                           {"noise_percent", row.noisePercent},
                           {"change", getName(row.change)}});
  llvm::json::Object object{{"before", llvm::json::fixUTF8(comparison.before)},
                            {"after", llvm::json::fixUTF8(comparison.after)},
                            {"rows", std::move(rows)},
                            {"missing", texts(comparison.missing)},
                            {"added", texts(comparison.added)},
                            {"not_compared", texts(comparison.unmeasured)},
                            {"warnings", texts(comparison.warnings)}};
  if (comparison.failAbove || comparison.rows.empty())
    object["failed"] = comparison.hasFailed();
  return object;
}
