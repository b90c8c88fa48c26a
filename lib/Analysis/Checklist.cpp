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

#include "ScheduleEdits.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

namespace {
struct RowText {
  StringRef stage, title, fix, toldBy;
};
constexpr RowText texts[checkCount] = {
    {"Tiling", "enough blocks to fill the GPU",
     "reduce the tile size (" FLY_EDIT_SMALL_TILE ")",
     "a kernel with the values of its arguments, or a simulation"},
    {"Tiling", "tile_k * elem_bytes <= LDS/2",
     "reduce tile_k (" FLY_EDIT_SMALL_K ")", "a kernel"},
    {"LDS", "bank-conflict stall on LDS accesses",
     "apply the XOR swizzle (" FLY_EDIT_SWIZZLE "), or pad",
     "a trace, counters, or a simulation"},
    {"Prefetch", "VMEM stall before MFMA",
     "prefetch further ahead (" FLY_EDIT_STAGES
     "), spread the loads (" FLY_EDIT_INTERLEAVE
     "), or copy past the registers (" FLY_EDIT_ASYNC ")",
     "a trace, or a simulation"},
    {"Pipeline", "two stages in LDS",
     "double-buffer (" FLY_EDIT_STAGES "), unless registers spill", "a kernel"},
    {"Scheduler", "s_nop or bubbles between MFMAs",
     "tune the hot loop (" FLY_EDIT_HOT_LOOP ")", "a code object, or a trace"},
    {"Epilogue", "output stores of 4 bytes a lane and more",
     "go through LDS (" FLY_EDIT_CSHUFFLE ") where the tile is wide",
     "a code object"},
    {"Registers", "arch + accum VGPRs <= 256",
     "fewer buffers (" FLY_EDIT_ONE_STAGE
     "), or copies past the registers (" FLY_EDIT_ASYNC ")",
     "a code object, or a trace with its kernel trace"},
    {"ISA", "MFMA >= 40 % of the hot loop",
     "cut what is no MFMA: larger matrix instructions (" FLY_EDIT_WIDE_MFMA
     "), wider accesses",
     "a code object, a trace, or a simulation"},
    {"Memory", "L2 hits and balance of channels",
     "walk the grid by XCD (" FLY_EDIT_XCD "), or in groups (" FLY_EDIT_GROUPS
     ")",
     "counters, or a simulation"},
};
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

bool ChecklistRow::holds() const {
  return llvm::all_of(evidence,
                      [](const Evidence &each) { return each.holds; });
}

Checklist::Checklist() {
  for (unsigned i = 0; i < checkCount; ++i)
    rows[i].check = Check(i);
}

void Checklist::add(Check check, StringRef input, const llvm::Twine &text,
                    bool holds) {
  rows[unsigned(check)].evidence.push_back({input.str(), text.str(), holds});
}

void Checklist::addGain(Check check, double share) {
  std::optional<double> &gain = rows[unsigned(check)].gain;
  gain = std::max(gain.value_or(0), share);
}

bool Checklist::hasFailures() const {
  return llvm::any_of(rows, [](const ChecklistRow &row) {
    return row.isTold() && !row.holds();
  });
}

std::vector<ChecklistRow> Checklist::sorted() const {
  std::vector<ChecklistRow> result(rows.begin(), rows.end());
  auto rank = [](const ChecklistRow &row) {
    unsigned group = !row.isTold() ? 2 : row.holds() ? 1 : 0;
    return std::tuple(group, -row.gain.value_or(0), unsigned(row.check));
  };
  llvm::sort(result, [&](const ChecklistRow &a, const ChecklistRow &b) {
    return rank(a) < rank(b);
  });
  return result;
}

void fly::analysis::print(llvm::raw_ostream &os, const Checklist &checklist) {
  std::string inputs = llvm::join(checklist.inputNames(), ", ");
  os << "checklist, by " << inputs << '\n';
  for (const ChecklistRow &row : checklist.sorted()) {
    if (!row.isTold()) {
      os << llvm::formatv("  -      {0}: {1}: not told by {2}; told by {3}\n",
                          stage(row.check), title(row.check), inputs,
                          toldBy(row.check));
      continue;
    }
    os << llvm::formatv("  {0}  {1}: {2}", row.holds() ? "holds" : "FAILS",
                        stage(row.check), title(row.check));
    if (row.gain)
      os << llvm::formatv("  (without its cause {0:f1} % of the time less)",
                          100 * *row.gain);
    os << '\n';
    for (const Evidence &each : row.evidence)
      os << "           " << each.text << " (" << each.input << ")\n";
    if (!row.holds())
      os << "           -> " << fix(row.check) << '\n';
  }
}

llvm::json::Value fly::analysis::toJSON(const Checklist &checklist) {
  using llvm::json::Array;
  using llvm::json::Object;
  using llvm::json::Value;
  Array rows, inputs;
  for (const ChecklistRow &row : checklist.sorted()) {
    Array evidence;
    for (const Evidence &each : row.evidence)
      evidence.push_back(Object{{"input", llvm::json::fixUTF8(each.input)},
                                {"text", llvm::json::fixUTF8(each.text)},
                                {"holds", each.holds}});
    rows.push_back(
        Object{{"stage", stage(row.check)},
               {"check", title(row.check)},
               {"holds", row.isTold() ? Value(row.holds()) : Value(nullptr)},
               {"gain", row.gain ? Value(*row.gain) : Value(nullptr)},
               {"fix", fix(row.check)},
               {"told_by", toldBy(row.check)},
               {"evidence", std::move(evidence)}});
  }
  for (const std::string &input : checklist.inputNames())
    inputs.push_back(llvm::json::fixUTF8(input));
  return Object{{"inputs", std::move(inputs)}, {"rows", std::move(rows)}};
}
