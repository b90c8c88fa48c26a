//===- Checklist.cpp - The tuning guide's checklist -----------------------===//
//
// Its rows as a table, their order, and how they are printed. What tells them
// is in ChecklistInputs.cpp and SimulationChecks.cpp.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "ScheduleEdits.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

namespace {
struct RowText {
  StringRef stage, title, fix, toldBy, limit;
};
#define FLY_STALL_LIMIT                                                        \
  "below 5 % of the waves' time (ours: less than that is within what clocks "  \
  "and other waves make of a launch)"
constexpr RowText texts[checkCount] = {
    {"Tiling", "enough blocks to fill the GPU",
     "reduce the tile size (" FLY_EDIT_SMALL_TILE ")",
     "a kernel with the values of its arguments, a simulation, or a kernel "
     "trace with its chip",
     "a workgroup for each compute unit"},
    {"Tiling", "tile_k * elem_bytes <= LDS/2",
     "reduce tile_k (" FLY_EDIT_SMALL_K ")", "a kernel",
     "the guide's, and all of LDS within the chip's"},
    {"LDS", "bank-conflict stall on LDS accesses",
     "apply the XOR swizzle (" FLY_EDIT_SWIZZLE "), or pad",
     "a trace, counters, or a simulation",
     "stall " FLY_STALL_LIMIT "; conflicts below 5 % of the cycles of LDS "
     "accesses (ours, alike), which decides where it is told"},
    {"Prefetch", "VMEM stall before MFMA",
     "prefetch further ahead (" FLY_EDIT_STAGES
     "), spread the loads (" FLY_EDIT_INTERLEAVE
     "), or copy past the registers (" FLY_EDIT_ASYNC ")",
     "a trace, or a simulation", "stall " FLY_STALL_LIMIT},
    {"Pipeline", "two stages in LDS",
     "double-buffer (" FLY_EDIT_STAGES "), unless registers spill", "a kernel",
     "the guide's two stages"},
    {"Scheduler", "s_nop or bubbles between MFMAs",
     "tune the hot loop (" FLY_EDIT_HOT_LOOP ")", "a code object, or a trace",
     "no s_nop in the code of the hot loop; in a trace " FLY_STALL_LIMIT},
    {"Epilogue", "coalesced output stores",
     "go through LDS (" FLY_EDIT_CSHUFFLE ") where the tile is wide",
     "a kernel, a code object, or counters of writes",
     "stretches of 64 bytes, the block in which memory is written (ours: a "
     "part of one costs as much); by code alone 4 bytes a lane (ours: 16 lanes "
     "of a row of the result then cover a block); half of the writes whole "
     "blocks (ours)"},
    {"Registers", "arch + accum VGPRs <= 256",
     "fewer buffers (" FLY_EDIT_ONE_STAGE
     "), or copies past the registers (" FLY_EDIT_ASYNC ")",
     "a code object, a kernel trace, a database, or a trace with its kernel "
     "trace",
     "the guide's 256"},
    {"ISA", "MFMA >= 40 % of the hot loop",
     "cut what is no MFMA: larger matrix instructions (" FLY_EDIT_WIDE_MFMA
     "), wider accesses",
     "a code object, a trace, or a simulation",
     "the guide's 40 %, of the loop that executes most MFMAs"},
    {"Memory", "L2 hits and balance of channels",
     "walk the grid by XCD (" FLY_EDIT_XCD "), or in groups (" FLY_EDIT_GROUPS
     ")",
     "counters, or a simulation",
     "half of the accesses hit (ours: of a tile that two workgroups of an XCD "
     "share, the second finds it; each XCD must miss once for its own copy, so "
     "small grids may stay below); the fullest channel at most 1.25 times the "
     "mean (ours: it alone then costs a fifth of the bandwidth)"},
};
#undef FLY_STALL_LIMIT
} // namespace

StringRef fly::analysis::stage(Check check) {
  return texts[unsigned(check)].stage;
}
StringRef fly::analysis::title(Check check) {
  return texts[unsigned(check)].title;
}
StringRef fly::analysis::fix(Check check) { return texts[unsigned(check)].fix; }
StringRef fly::analysis::toldBy(Check check) {
  return texts[unsigned(check)].toldBy;
}

StringRef fly::analysis::limit(Check check) {
  return texts[unsigned(check)].limit;
}

std::optional<bool> ChecklistRow::verdict() const {
  for (bool isDirect : {true, false}) {
    std::optional<bool> all;
    for (const Evidence &each : evidence)
      if (each.isDirect == isDirect && each.holds)
        all = all.value_or(true) && *each.holds;
    if (all)
      return all;
  }
  return std::nullopt;
}

Checklist::Checklist() {
  for (unsigned i = 0; i < checkCount; ++i)
    rows[i].check = Check(i);
}

void Checklist::add(Check check, StringRef input, const llvm::Twine &text,
                    std::optional<bool> holds, bool isDirect) {
  rows[unsigned(check)].evidence.push_back(
      {input.str(), text.str(), holds, isDirect});
}

void Checklist::addGain(Check check, Gain gain) {
  std::optional<Gain> &kept = rows[unsigned(check)].gain;
  if (!kept || gain.share > kept->share)
    kept = std::move(gain);
}

bool Checklist::hasFailures() const {
  return llvm::any_of(rows,
                      [](const ChecklistRow &row) { return row.fails(); });
}

std::vector<ChecklistRow> Checklist::sorted() const {
  std::vector<ChecklistRow> result(rows.begin(), rows.end());
  auto rank = [](const ChecklistRow &row) {
    double gain = row.gain ? row.gain->share : 0;
    unsigned group = row.fails()                ? 0
                     : row.holds()              ? 2
                     : gain > 0 || row.isTold() ? 1
                                                : 3;
    return std::tuple(group, -gain, unsigned(row.check));
  };
  llvm::sort(result, [&](const ChecklistRow &a, const ChecklistRow &b) {
    return rank(a) < rank(b);
  });
  return result;
}

/// "  (without its cause 20.0 % of the time less)"
static std::string describe(const Gain &gain) {
  return llvm::formatv("  ({0} {1:f1} % of the time less)",
                       gain.isBound ? "with all units at work at most"
                                    : "without its cause",
                       100 * gain.share)
      .str();
}

/// "--schedule=a.swizzle=xor: 20.0 % of the time less (sim.json)"
static std::string describeEdit(const Gain &gain) {
  return llvm::formatv("{0}: {1:f1} % of the time {2} ({3})", gain.edit,
                       100 * std::abs(gain.editShare),
                       gain.editShare < 0 ? "more" : "less", gain.input)
      .str();
}

void fly::analysis::print(llvm::raw_ostream &os, const Checklist &checklist) {
  std::string inputs = llvm::join(checklist.inputNames(), ", ");
  os << "checklist, by " << inputs << '\n';
  for (const ChecklistRow &row : checklist.sorted()) {
    std::optional<bool> verdict = row.verdict();
    os << (verdict ? *verdict ? "  holds  " : "  FAILS  " : "  -      ")
       << stage(row.check) << ": " << title(row.check);
    if (!row.isTold())
      os << ": not told by " << inputs << "; told by " << toldBy(row.check);
    if (row.gain)
      os << describe(*row.gain);
    os << '\n';
    for (const Evidence &each : row.evidence)
      os << "           " << each.text << " (" << each.input << ")\n";
    if (row.gain && !row.gain->edit.empty())
      os << "           tried: " << describeEdit(*row.gain) << '\n';
    if (!row.fails())
      continue;
    os << "           limit: " << limit(row.check) << '\n';
    os << "           -> " << fix(row.check) << '\n';
  }
}

llvm::json::Value fly::analysis::toJSON(const Checklist &checklist) {
  using llvm::json::Array;
  using llvm::json::Object;
  using llvm::json::Value;
  auto toValue = [](std::optional<bool> flag) {
    return flag ? Value(*flag) : Value(nullptr);
  };
  Array rows, inputs;
  for (const ChecklistRow &row : checklist.sorted()) {
    Array evidence;
    for (const Evidence &each : row.evidence)
      evidence.push_back(Object{{"input", llvm::json::fixUTF8(each.input)},
                                {"text", llvm::json::fixUTF8(each.text)},
                                {"holds", toValue(each.holds)},
                                {"direct", each.isDirect}});
    const std::optional<Gain> &gain = row.gain;
    bool hasEdit = gain && !gain->edit.empty();
    rows.push_back(
        Object{{"stage", stage(row.check)},
               {"check", title(row.check)},
               {"holds", toValue(row.verdict())},
               {"gain", gain ? Value(gain->share) : Value(nullptr)},
               {"gain_is_bound", gain && gain->isBound},
               {"edit", hasEdit ? Value(llvm::json::fixUTF8(gain->edit))
                                : Value(nullptr)},
               {"edit_gain", hasEdit ? Value(gain->editShare) : Value(nullptr)},
               {"limit", limit(row.check)},
               {"fix", fix(row.check)},
               {"told_by", toldBy(row.check)},
               {"evidence", std::move(evidence)}});
  }
  for (const std::string &input : checklist.inputNames())
    inputs.push_back(llvm::json::fixUTF8(input));
  return Object{{"inputs", std::move(inputs)}, {"rows", std::move(rows)}};
}
