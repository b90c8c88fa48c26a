//===- CounterReport.cpp - What hardware counters say ---------------------===//
#include "fly/Analysis/CounterReport.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

#include "CounterTotals.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

bool KernelCounters::hasImpossible() const {
  return !impossible.empty() ||
         llvm::any_of(figures, [](const CounterFigure &figure) {
           return !figure.impossible.empty();
         });
}

bool CounterReport::hasImpossible() const {
  return llvm::any_of(kernels, [](const KernelCounters &kernel) {
    return kernel.hasImpossible();
  });
}

/// The product that was named, or that stands for the chip; nothing where
/// neither is known.
static llvm::Expected<const arch::Product *>
findProduct(const CounterOptions &options, const KernelCounters &kernel) {
  if (!options.product.empty()) {
    if (const arch::Product *product = arch::lookupProduct(options.product))
      return product;
    return llvm::createStringError(
        "unknown product '" + options.product +
        "', expected one of: " + arch::knownProductNames());
  }
  // A kernel that ran on two kinds of chips has no number of units.
  StringRef name = !options.chip.empty()      ? StringRef(options.chip)
                   : kernel.chips.size() == 1 ? StringRef(kernel.chips[0])
                                              : StringRef();
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(name);
  if (!chip && !options.chip.empty())
    return llvm::createStringError(
        "unknown chip '" + name +
        "', expected one of: " + arch::knownChipNames());
  return chip ? arch::defaultProduct(chip->chip) : nullptr;
}

llvm::Expected<CounterReport>
fly::analysis::reportCounters(llvm::ArrayRef<std::string> inputs,
                              const CounterOptions &options) {
  llvm::Expected<std::vector<std::string>> files =
      profile::listCounterFiles(inputs);
  if (!files)
    return files.takeError();
  CounterCollector collector;
  std::string names; // Of other kernels, for the message.
  for (auto [index, path] : llvm::enumerate(*files)) {
    llvm::Error error = profile::forEachCounter(
        path,
        [&, input = unsigned(index),
         &path = path](const profile::Dispatch &dispatch,
                       const profile::CounterValue &value) -> llvm::Error {
          if (!options.kernel.empty() && dispatch.kernel != options.kernel) {
            if (names.size() < 400 &&
                !StringRef(names).contains("'" + dispatch.kernel + "'"))
              names += (names.empty() ? "'" : ", '") + dispatch.kernel + "'";
            return llvm::Error::success();
          }
          if (llvm::Error error = collector.add(input, dispatch, value))
            return llvm::createStringError(
                "'" + path + "': " + llvm::toString(std::move(error)));
          return llvm::Error::success();
        });
    if (error)
      return std::move(error);
  }
  CounterReport report;
  report.kernels = collector.take();
  if (report.kernels.empty())
    return llvm::createStringError("'" + llvm::join(inputs, "', '") +
                                   "': no kernel '" + options.kernel +
                                   "', but: " + names);
  std::set<std::string> unknown;
  for (KernelCounters &kernel : report.kernels) {
    llvm::Expected<const arch::Product *> product =
        findProduct(options, kernel);
    if (!product)
      return product.takeError();
    addFigures(kernel, *product, options.idealBytes);
    for (const auto &[name, total] : kernel.counters)
      if (!total.isKnown)
        unknown.insert(name);
  }
  report.unknown.assign(unknown.begin(), unknown.end());
  return report;
}

static void printFigure(llvm::raw_ostream &os, const CounterFigure &figure) {
  os << llvm::formatv("  {0,-28} ", figure.name);
  if (!figure.value) {
    os << "not told without " << figure.notTold << '\n';
    return;
  }
  if (figure.unit == "bytes")
    os << llvm::formatv("{0,14:f0} bytes", *figure.value);
  else
    os << llvm::formatv("{0,10:f2} {1}", *figure.value, figure.unit);
  os << "  (" << figure.evidence << ")\n";
  if (!figure.impossible.empty())
    os << "    impossible: " << figure.impossible << '\n';
}

void fly::analysis::print(llvm::raw_ostream &os, const CounterReport &report) {
  for (const KernelCounters &kernel : report.kernels) {
    os << kernel.name << ": " << kernel.dispatches << " dispatches, "
       << kernel.counters.size() << " counters\n";
    for (const CounterFigure &figure : kernel.figures)
      printFigure(os, figure);
    for (const std::string &text : kernel.impossible)
      os << "  impossible: " << text << '\n';
  }
  if (!report.unknown.empty())
    os << "unknown counters, in no figure: " << llvm::join(report.unknown, ", ")
       << '\n';
}

llvm::json::Value fly::analysis::toJSON(const CounterReport &report) {
  using llvm::json::Array;
  using llvm::json::Object;
  using llvm::json::Value;
  Array kernels;
  for (const KernelCounters &kernel : report.kernels) {
    Array figures;
    for (const CounterFigure &figure : kernel.figures) {
      Object row{
          {"name", figure.name},
          {"unit", figure.unit},
          {"value", figure.value ? Value(*figure.value) : Value(nullptr)},
          {"evidence", llvm::json::fixUTF8(figure.evidence)}};
      if (!figure.notTold.empty())
        row["not_told"] = llvm::json::fixUTF8(figure.notTold);
      if (!figure.impossible.empty())
        row["impossible"] = llvm::json::fixUTF8(figure.impossible);
      figures.push_back(std::move(row));
    }
    Object counters;
    for (const auto &[name, total] : kernel.counters)
      counters[llvm::json::fixUTF8(name)] =
          Object{{"value", total.value},
                 {"rows", total.rows},
                 {"dispatches", total.dispatches}};
    Array impossible;
    for (const std::string &text : kernel.impossible)
      impossible.push_back(llvm::json::fixUTF8(text));
    kernels.push_back(Object{{"name", llvm::json::fixUTF8(kernel.name)},
                             {"dispatches", kernel.dispatches},
                             {"figures", std::move(figures)},
                             {"counters", std::move(counters)},
                             {"impossible", std::move(impossible)}});
  }
  Array unknown;
  for (const std::string &name : report.unknown)
    unknown.push_back(llvm::json::fixUTF8(name));
  return Object{{"kernels", std::move(kernels)},
                {"unknown", std::move(unknown)}};
}
