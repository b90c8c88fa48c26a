//===- TimingText.cpp - the timing of a launch on one screen --------------===//
#include "fly/Reports/Timing/TimingReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace fly;
using namespace fly::reports;
using namespace fly::sim;

/// Reasons and instructions that are listed.
static constexpr size_t listed = 5;

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * double(part) / double(whole) : 0;
}

/// "issue 31.2 %, wait-vmem 40.1 %, barrier 12.0 %" of the waves' lives.
static void printShares(llvm::raw_ostream &os, const TimingResult &timing) {
  uint64_t life = timing.issueCycles + totalStall(timing.stalls);
  std::vector<std::pair<uint64_t, StallReason>> reasons;
  for (unsigned i = 0; i != stallReasonCount; ++i)
    if (timing.stalls[i])
      reasons.push_back({timing.stalls[i], StallReason(i)});
  llvm::sort(reasons, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  os << llvm::formatv("    of the waves' lives: issue {0:f1} %",
                      percent(timing.issueCycles, life));
  for (size_t i = 0; i != std::min(listed, reasons.size()); ++i)
    os << llvm::formatv(", {0} {1:f1} %", stallReasonName(reasons[i].second),
                        percent(reasons[i].first, life));
  os << '\n';
}

/// Of the whole launch.
static void printMemory(llvm::raw_ostream &os, const TimingResult &timing) {
  const TimingCounters &c = timing.launchCounters;
  const CacheTraffic &traffic = timing.launchTraffic;
  os << llvm::formatv(
      "    of the launch: LDS conflicts {0} of {1} cycles; L1 "
      "hits {2:f1} %, L2 hits {3:f1} %; memory {4} KiB read, "
      "{5} KiB written\n",
      c.ldsBankConflict, c.ldsIndexActive, percent(c.l1Hits, c.l1Requests),
      percent(c.l2Hits, c.l2Hits + c.l2Misses), traffic.loadedBytes() / 1024,
      traffic.storedBytes() / 1024);
}

/// The instructions that wait most.
static void printHotspots(llvm::raw_ostream &os, const TimingResult &timing) {
  std::vector<const InstructionTiming *> rows;
  for (const InstructionTiming &row : timing.instructions)
    if (totalStall(row.stalls))
      rows.push_back(&row);
  llvm::sort(rows, [](const auto *a, const auto *b) {
    uint64_t first = totalStall(a->stalls), second = totalStall(b->stalls);
    return first != second ? first > second : a->pc < b->pc;
  });
  uint64_t all = totalStall(timing.stalls);
  for (size_t i = 0; i != std::min(listed, rows.size()); ++i) {
    const InstructionTiming &row = *rows[i];
    size_t most =
        size_t(std::max_element(row.stalls.begin(), row.stalls.end()) -
               row.stalls.begin());
    os << llvm::formatv(
        "    {0,5:f1} % of stalls  0x{1:x-}  {2}  ({3}{4}{5})\n",
        percent(totalStall(row.stalls), all), row.pc, row.text,
        stallReasonName(StallReason(most)), row.source.empty() ? "" : ", ",
        row.source);
  }
}

/// What each resource costs; beside it what an edit makes of the launch.
static void printWhatIf(llvm::raw_ostream &os, const TimingResult &timing) {
  for (const WhatIf &entry : timing.whatIf) {
    if (entry.cycles >= timing.cycles)
      continue;
    os << llvm::formatv("    {0} cycles less ({1:f1} %) with free {2}",
                        timing.cycles - entry.cycles,
                        percent(timing.cycles - entry.cycles, timing.cycles),
                        freeResourceName(entry.resource));
    if (!entry.edit.empty())
      os << llvm::formatv("; {0}: {1} -> {2} cycles", entry.edit, timing.cycles,
                          entry.editCycles);
    os << '\n';
  }
}

void fly::reports::print(llvm::raw_ostream &os, const TimingResult &timing) {
  os << llvm::formatv(
      "  timing model: {0} cycles, {1:f2} us at {2} MHz on {3}; "
      "MFMA busy {4:f1} % of the machine, {5:f1} % of the units at work\n",
      timing.cycles, timing.microseconds(), timing.clockMhz, timing.product,
      timing.mfmaUtil(), 100 * timing.mfmaBusyShare);
  os << llvm::formatv(
      "    {0} workgroups a compute unit ({1} waves a SIMD, "
      "limited by {2}{3}), {4} of {5} units at work\n",
      timing.workgroupsPerCu, timing.wavesPerSimd,
      timing.occupancy.isLimitedByPadding ? "the padding of " : "",
      timing.occupancyLimiter, timing.activeCus, timing.computeUnits);
  printShares(os, timing);
  printMemory(os, timing);
  printHotspots(os, timing);
  printWhatIf(os, timing);
  for (const std::string &line : timing.extrapolated)
    os << "    " << line << '\n';
  os << "    a model: signs and orders are promised, not these cycles; it "
        "rests "
        "on "
     << timing.assumptions.size() << " assumptions (--json lists them)\n";
}
