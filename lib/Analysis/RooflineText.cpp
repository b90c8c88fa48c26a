//===- RooflineText.cpp - Rooflines for people and as JSON ----------------===//
#include "fly/Analysis/Roofline.h"
#include "fly/Plan/Machine.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;

/// "[MEM] data sheet of the MI300X (PRODUCT-SHEETS)".
template <typename T>
static std::string sourceOf(const arch::Fact<T> &fact) {
  std::string text = fact.source();
  if (*fact.assumption())
    text += " (assumption " + std::string(fact.assumption()) + ")";
  return text;
}

static void printMeasured(llvm::raw_ostream &os, const RooflineReport &report) {
  const Measured &measured = *report.measured;
  double bytes = measured.bytes.value_or(report.work.bytes);
  os << formatv("  {0} {1:f2} us:", measured.source, measured.microseconds);
  if (report.peak)
    os << formatv(" {0:f2} TFLOPS, {1:f1} % of the peak;",
                  report.work.flop / measured.microseconds / 1e6,
                  100 * report.computeShare());
  os << formatv(" {0:f1} GB/s, {1:f1} % of the peak{2}",
                bytes / measured.microseconds / 1e3, 100 * report.memoryShare(),
                measured.bytes ? " (bytes of HBM)" : "");
  if (measured.mfmaBusy)
    os << formatv("; matrix units of the machine busy {0:f1} %",
                  100 * *measured.mfmaBusy);
  os << '\n';
  if (measured.bytes)
    os << formatv("  HBM gives and takes {0:f2} times the ideal bytes; what "
                  "caches give again, the L2s and the Infinity Cache, does not "
                  "count\n",
                  *measured.bytes / report.work.bytes);
  if (report.isImpossible())
    os << "  IMPOSSIBLE: more than 100 % of a peak; the time, the sizes, the "
          "type or the product are not those of this run\n";
}

void fly::analysis::print(llvm::raw_ostream &os, const RooflineReport &report) {
  const Work &work = report.work;
  os << formatv("{0}  {1} ({2})\n", work.name, report.product->name,
                arch::ArchInfo::get(report.product->chip).name);
  os << formatv("  work  {0}{1:f0} FLOP = {2}{3}\n",
                work.isAtMost ? "at most " : "", work.flop, work.flopFormula,
                work.isAtMost ? "; memory tells how much of it is done" : "")
     << formatv("  bytes {0:f0} = {1}\n", work.bytes, work.bytesFormula)
     << formatv("  intensity {0:f2} FLOP a byte", report.intensity());
  if (report.crossover())
    os << formatv(", crossover {0:f1}", *report.crossover());
  os << ": "
     << (report.regime == Regime::Idle
             ? std::string("not bound by the kernel")
             : std::string(getName(report.regime)) + "-bound")
     << ", since " << report.reason << '\n';
  if (report.peak)
    os << formatv("  peak {0:f1} TFLOPS of {1} and {2}: {3}\n", *report.peak,
                  arch::elementTypeName(work.types->first),
                  arch::elementTypeName(work.types->second),
                  sourceOf(report.peak));
  os << formatv("  peak {0} GB/s: {1}\n", *report.bandwidth,
                sourceOf(report.bandwidth));
  if (report.reached)
    os << formatv("  reads reach {0} GB/s: {1}\n", *report.reached,
                  sourceOf(report.reached));
  os << formatv(
      "  at least {0:f2} us: {1:f2} of matrix work, {2:f2} of "
      "memory\n",
      std::max(report.computeMicroseconds(), report.memoryMicroseconds()),
      report.computeMicroseconds(), report.memoryMicroseconds());
  if (report.measured)
    printMeasured(os, report);
  if (work.rows)
    os << formatv(
        "  the guide's rule of thumb: {0} rows, {1} {2}: "
        "{3}-bound\n",
        *work.rows, *work.rows <= plan::fewRows ? "at most" : "more than",
        plan::fewRows, *work.rows <= plan::fewRows ? "memory" : "compute");
}

template <typename T>
static llvm::json::Value factJSON(const arch::Fact<T> &fact) {
  if (!fact)
    return nullptr;
  llvm::json::Object object{{"value", double(*fact)},
                            {"source", fact.source()}};
  if (*fact.assumption())
    object["assumption"] = fact.assumption();
  return object;
}

llvm::json::Value fly::analysis::toJSON(const RooflineReport &report) {
  const Work &work = report.work;
  llvm::json::Object object{
      {"name", llvm::json::fixUTF8(work.name)},
      {"product", report.product->name},
      {"chip", arch::ArchInfo::get(report.product->chip).name},
      {"flop", work.flop},
      {"bytes", work.bytes},
      {"flop_formula", work.flopFormula},
      {"bytes_formula", work.bytesFormula},
      {"intensity", report.intensity()},
      {"crossover", report.crossover() ? llvm::json::Value(*report.crossover())
                                       : llvm::json::Value(nullptr)},
      {"regime", getName(report.regime)},
      {"reason", report.reason},
      {"peak_tera_ops", factJSON(report.peak)},
      {"bandwidth_gbs", factJSON(report.bandwidth)},
      {"reached_gbs", factJSON(report.reached)},
      {"compute_us", report.computeMicroseconds()},
      {"memory_us", report.memoryMicroseconds()}};
  if (work.isAtMost)
    object["at_most"] = true;
  if (work.rows)
    object["guide_regime"] = *work.rows <= plan::fewRows ? "memory" : "compute";
  if (report.measured) {
    llvm::json::Object measured{{"microseconds", report.measured->microseconds},
                                {"source", report.measured->source},
                                {"compute_share", report.computeShare()},
                                {"memory_share", report.memoryShare()},
                                {"impossible", report.isImpossible()}};
    if (report.measured->mfmaBusy)
      measured["mfma_util"] = 100 * *report.measured->mfmaBusy;
    if (report.measured->grid) {
      measured["workgroups"] = report.measured->grid->workgroups;
      measured["active_cus"] = report.measured->grid->activeUnits;
    }
    if (report.measured->bytes)
      measured["bytes"] = *report.measured->bytes;
    object["measured"] = std::move(measured);
  }
  return object;
}
