//===- Symptoms.cpp - From what a trace shows to what to change -----------===//
//
// The tuning guide's table (section 9), row by row, what its section 0 says of
// LDS reads and scalar loads, and rows for accesses and matrix instructions
// that can not issue. A row applies where its share of the waves' time reaches
// the threshold: what a wave hardly waits for is no bottleneck, however large
// its part of the waiting. It names the worst instruction and the numbers.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "HotspotParts.h"
#include "ScheduleEdits.h"

using namespace fly;
using namespace fly::analysis;
using isa::InstructionKind;
using llvm::StringRef;

namespace {
/// A row of the table: which instructions it is about, and what it says.
struct Rule {
  const char *symptom, *bottleneck, *action;
  bool (*matches)(const HotspotReport &report, size_t index);
};
} // namespace

static StallType typeAt(const HotspotReport &report, size_t index) {
  return report.types[index].type;
}

/// Instructions that are looked at around one.
static constexpr unsigned farthest = 400;

/// The kind of the last LDS access or matrix instruction before \p index, or
/// after it, within its kernel.
static InstructionKind nearest(const HotspotReport &report, size_t index,
                               int step,
                               llvm::function_ref<bool(InstructionKind)> isIt) {
  size_t i = index + step;
  for (unsigned far = 0; far < farthest && i < report.types.size();
       ++far, i += step) {
    if (report.trace.instructions[i].isComment())
      break;
    if (isIt(report.types[i].kind))
      return report.types[i].kind;
  }
  return InstructionKind::Other;
}

static bool isLdsAccess(InstructionKind kind) {
  return kind == InstructionKind::LdsRead || kind == InstructionKind::LdsWrite;
}
static bool isNoNop(InstructionKind kind) {
  return kind != InstructionKind::Nop;
}

static bool waitsForGlobal(const HotspotReport &report, size_t index) {
  return typeAt(report, index) == StallType::GlobalWait ||
         typeAt(report, index) == StallType::MixedWait;
}
/// True if matrix instructions follow before memory is waited for again: of
/// operands that go through LDS by registers, writes, waits and reads of LDS
/// come between.
static bool waitsForGlobalBeforeMfma(const HotspotReport &report,
                                     size_t index) {
  if (!waitsForGlobal(report, index))
    return false;
  llvm::ArrayRef<profile::TracedInstruction> rows = report.trace.instructions;
  for (size_t i = index + 1; i < rows.size() && i <= index + farthest; ++i) {
    if (rows[i].isComment() || waitsForGlobal(report, i))
      return false;
    if (report.types[i].kind == InstructionKind::Mfma)
      return true;
  }
  return false;
}

static const Rule rules[] = {
    {"s_waitcnt vmcnt before MFMA", "global-load latency exposed",
     "improve the overlap of prefetch (" FLY_EDIT_STAGES ", " FLY_EDIT_ASYNC
     "), larger tile_k",
     waitsForGlobalBeforeMfma},
    {"s_waitcnt vmcnt", "global-load latency exposed",
     "load earlier, more waves a SIMD; of stores: write later, or less",
     [](const HotspotReport &report, size_t index) {
       return waitsForGlobal(report, index) &&
              !waitsForGlobalBeforeMfma(report, index);
     }},
    {"s_waitcnt lgkmcnt after ds_write", "LDS write to read latency exposed",
     "insert independent work between the write and the wait",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::LdsWait &&
              nearest(report, index, -1, isLdsAccess) ==
                  InstructionKind::LdsWrite;
     }},
    {"s_waitcnt lgkmcnt after ds_read", "LDS read to use latency exposed",
     "read the next operands before the MFMAs of these (prefetch from LDS)",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::LdsWait &&
              nearest(report, index, -1, isLdsAccess) !=
                  InstructionKind::LdsWrite;
     }},
    {"s_waitcnt lgkmcnt after scalar loads", "scalar-load latency exposed",
     "load scalars before the loop, arguments preloaded into registers",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::ScalarWait;
     }},
    {"ds_read or ds_write with much stall",
     "LDS bank conflicts, or more accesses than the LDS takes: counters or a "
     "simulation tell which",
     "of conflicts: apply the XOR swizzle (" FLY_EDIT_SWIZZLE
     "), or pad; else fewer and wider accesses",
     [](const HotspotReport &report, size_t index) {
       return isLdsAccess(report.types[index].kind);
     }},
    {"global accesses with much stall", "vector memory takes no more requests",
     "wider accesses (16 bytes a lane), coalesced; fewer of them",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::GlobalIssue;
     }},
    {"much stall on s_barrier", "synchronisation",
     "fewer barriers (" FLY_EDIT_STAGES "); hoist loads into the wait",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::Barrier;
     }},
    {"much stall on MFMAs",
     "the matrix unit at work, or operands that are late",
     "a busy unit is what to aim at; else put other MFMAs between those that "
     "depend on each other (" FLY_EDIT_HOT_LOOP ")",
     [](const HotspotReport &report, size_t index) {
       return typeAt(report, index) == StallType::Mfma;
     }},
};

/// The row's symptom, if it applies.
static std::optional<Symptom>
apply(const Rule &rule, const HotspotReport &report, double threshold) {
  uint64_t stall = 0;
  unsigned count = 0;
  std::optional<size_t> worst;
  for (size_t index : report.ranked) {
    if (!rule.matches(report, index))
      continue;
    stall += report.trace.instructions[index].stall;
    ++count;
    if (!worst)
      worst = index;
  }
  double share = report.shareOfStall(stall);
  double timeShare = report.shareOfTime(stall);
  if (!worst || timeShare < threshold)
    return std::nullopt;
  return Symptom{
      rule.symptom,
      rule.bottleneck,
      rule.action,
      llvm::formatv(
          "{0:f1} % of the stall ({1} cycles), {2:f1} % of the waves' "
          "time, on {3} instruction{4}, most on {5}",
          100 * share, stall, 100 * timeShare, count, count == 1 ? "" : "s",
          describe(report.trace.instructions[*worst]))
          .str(),
      share,
      timeShare};
}

/// The matrix unit below half: from wave files, or where even the most waves
/// that the SIMD holds would not fill it.
static std::optional<Symptom> applyMatrix(const HotspotReport &report) {
  static constexpr double enough = 0.5;
  if (!report.matrix.hits)
    return std::nullopt;
  std::string evidence;
  if (report.matrix.busy) {
    if (*report.matrix.busy >= enough)
      return std::nullopt;
    evidence = llvm::formatv("the matrix unit works {0:f1} % of the time that "
                             "its SIMD has waves",
                             100 * *report.matrix.busy);
  } else if (report.matrix.shareOfWave && report.occupancy) {
    unsigned waves = 0;
    for (const TracedOccupancy::OnChip &chip : report.occupancy->chips)
      if (chip.occupancy)
        waves = std::max(waves, chip.occupancy->wavesPerSimd);
    double most = *report.matrix.shareOfWave * waves;
    if (!waves || most >= enough)
      return std::nullopt;
    evidence =
        llvm::formatv("MFMAs take {0:f1} % of a wave's life, at most "
                      "{1:f1} % of the unit with {2} waves a SIMD",
                      100 * *report.matrix.shareOfWave, 100 * most, waves);
  } else {
    return std::nullopt;
  }
  return Symptom{"MFMA utilization below 50 %",
                 "bound by memory or latency",
                 "larger tile; prefetch harder",
                 evidence,
                 0,
                 0};
}

NopCycles fly::analysis::nopsBetweenMfmas(const HotspotReport &report) {
  NopCycles nops;
  for (auto [index, row] : llvm::enumerate(report.trace.instructions)) {
    if (row.isComment() || report.types[index].kind != InstructionKind::Nop)
      continue;
    if (nearest(report, index, -1, isNoNop) != InstructionKind::Mfma ||
        nearest(report, index, 1, isNoNop) != InstructionKind::Mfma)
      continue;
    nops.cycles += row.latency;
    nops.stall += row.stall;
    ++nops.count;
  }
  return nops;
}

static std::optional<Symptom> applyNops(const HotspotReport &report,
                                        double threshold) {
  NopCycles nops = nopsBetweenMfmas(report);
  double share = report.shareOfTime(nops.cycles);
  if (!nops.count || share < threshold)
    return std::nullopt;
  return Symptom{"s_nop between MFMAs",
                 "bubbles in the matrix pipe",
                 "tune the schedule of the hot loop (" FLY_EDIT_HOT_LOOP ")",
                 llvm::formatv("{0:f1} % of the waves' time ({1} cycles) on "
                               "{2} s_nop",
                               100 * share, nops.cycles, nops.count),
                 report.shareOfStall(nops.stall),
                 share};
}

void fly::analysis::addSymptoms(HotspotReport &report, double threshold) {
  auto add = [&](std::optional<Symptom> symptom) {
    if (symptom)
      report.symptoms.push_back(std::move(*symptom));
  };
  for (const Rule &rule : rules)
    add(apply(rule, report, threshold));
  add(applyNops(report, threshold));
  llvm::sort(report.symptoms, [](const Symptom &a, const Symptom &b) {
    return a.timeShare != b.timeShare ? a.timeShare > b.timeShare
                                      : a.symptom < b.symptom;
  });
  add(applyMatrix(report)); // Of the whole kernel: behind what explains it.
}
