//===- Roofline.cpp - What binds a kernel, and how near it is -------------===//
#include "fly/Analysis/Roofline.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace fly;
using namespace fly::analysis;

const char *fly::analysis::getName(Regime regime) {
  switch (regime) {
  case Regime::Compute:
    return "compute";
  case Regime::Memory:
    return "memory";
  case Regime::Latency:
    return "latency";
  case Regime::Idle:
    return "idle";
  }
  return "";
}

std::optional<double> RooflineReport::crossover() const {
  if (!peak)
    return std::nullopt;
  return *peak * 1e3 / *bandwidth;
}

double RooflineReport::computeMicroseconds() const {
  return peak ? work.flop / (*peak * 1e6) : 0;
}

double RooflineReport::memoryMicroseconds() const {
  return work.bytes / (*bandwidth * 1e3);
}

double RooflineReport::computeShare() const {
  return measured ? computeMicroseconds() / measured->microseconds : 0;
}

double RooflineReport::memoryShare() const {
  if (!measured)
    return 0;
  double bytes = measured->bytes.value_or(work.bytes);
  return bytes / (*bandwidth * 1e3) / measured->microseconds;
}

bool RooflineReport::isImpossible() const {
  // Where the kernel may do less, only what was counted proves anything.
  bool isBytesKnown = !work.isAtMost || (measured && measured->bytes);
  return (!work.isAtMost && computeShare() > 1) ||
         (isBytesKnown && memoryShare() > 1);
}

/// Whether the ideal traffic or the work takes longer; what a time adds.
static void decide(RooflineReport &report) {
  std::optional<double> crossover = report.crossover();
  bool isCompute = crossover && report.intensity() >= *crossover;
  report.regime = isCompute ? Regime::Compute : Regime::Memory;
  if (!report.measured) {
    report.reason =
        crossover ? llvm::formatv("{0:f2} FLOP a byte are {1} the crossover",
                                  report.intensity(),
                                  isCompute ? "at least" : "below")
                        .str()
                  : "there is no matrix work";
    return;
  }
  double compute = report.measured->mfmaBusy.value_or(report.computeShare());
  // Reads of all of memory reach less than the data sheet says.
  double near = report.reached
                    ? busyShare * *report.reached / double(*report.bandwidth)
                    : busyShare;
  double memory = report.memoryShare();
  auto percent = [](double share) {
    return llvm::formatv("{0:f1} %", 100 * share).str();
  };
  if (compute >= busyShare || memory >= near) {
    bool isBusy = compute / busyShare >= memory / near;
    report.regime = isBusy ? Regime::Compute : Regime::Memory;
    report.reason = isBusy ? "the matrix units are busy for " + percent(compute)
                           : "memory moves " + percent(memory) + " of its peak";
    return;
  }
  std::string shares = "matrix units " + percent(compute) + " (busy from " +
                       percent(busyShare) + "), memory " + percent(memory) +
                       " (busy from " + percent(near) + ")";
  const std::optional<Measured::Grid> &grid = report.measured->grid;
  const arch::Fact<unsigned> &units = report.product->computeUnits;
  if (grid && units && grid->activeUnits < busyShare * *units) {
    report.regime = Regime::Idle;
    report.reason =
        llvm::formatv("compute units are idle: the grid of {0} workgroup{1} "
                      "gives work to {2} of {3}; {4}",
                      grid->workgroups, grid->workgroups == 1 ? "" : "s",
                      grid->activeUnits, *units, shares);
    return;
  }
  report.regime = Regime::Latency;
  report.reason = "nothing is near its peak: " + shares;
}

llvm::Expected<RooflineReport>
fly::analysis::reportRoofline(const arch::Product &product, Work work,
                              std::optional<Measured> measured) {
  RooflineReport report;
  report.product = &product;
  report.bandwidth = product.hbmGBs;
  report.reached = product.hbmReadGBs;
  if (!report.bandwidth)
    return llvm::createStringError(
        llvm::formatv("the bandwidth of {0} is unknown", product.name));
  if (!(work.bytes > 0))
    return llvm::createStringError(work.name + " moves no bytes");
  if (work.types) {
    auto [a, b] = *work.types;
    report.peak = arch::peakTeraOps(product, a, b);
    if (!report.peak)
      return llvm::createStringError(llvm::formatv(
          "{0} has no matrix instruction for {1} and {2}, so that there is no "
          "peak to compare with",
          product.name, arch::elementTypeName(a), arch::elementTypeName(b)));
  }
  if (measured && !(measured->microseconds > 0))
    return llvm::createStringError("the time must be positive");
  report.work = std::move(work);
  report.measured = std::move(measured);
  decide(report);
  return report;
}
