//===- Checklist.h - The tuning guide's checklist ---------------*- C++ -*-===//
//
// What problem: the guide ends with ten checks; whether a kernel passes each is
// seen in different places: its schedule, its code, a simulation, a trace,
// counters.
// What idea: whatever there is gives evidence for the rows that it can tell of:
// a number, where it is from, whether the check holds by it. Rows that fail
// come first, by what the simulator says that their cause costs. What it
// refuses: to guess. A row without evidence says what would tell it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_CHECKLIST_H
#define FLY_ANALYSIS_CHECKLIST_H

#include "fly/Analysis/CounterReport.h"
#include "fly/Analysis/Hotspots.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// The rows of the guide's section 11, in its order.
enum class Check : uint8_t {
  FillsMachine,    ///< Enough workgroups for all compute units.
  TileFitsLds,     ///< tile_k * element bytes within half of the LDS.
  BankConflicts,   ///< Stall of LDS accesses.
  GlobalLatency,   ///< Stall on vector memory before matrix instructions.
  DoubleBuffer,    ///< Two stages in LDS.
  Bubbles,         ///< s_nop and the like between matrix instructions.
  CoalescedStores, ///< Width of stores.
  Registers,       ///< Both kinds of vector registers together.
  MfmaShare,       ///< Matrix instructions of the hot loop.
  CacheBalance,    ///< L2 hits, balance of channels.
};
constexpr unsigned checkCount = unsigned(Check::CacheBalance) + 1;

/// What one input tells of a row.
struct Evidence {
  std::string input; ///< "gemm.hsaco"
  std::string text;  ///< "252 of 256 registers a lane"
  bool holds = false;
};

struct ChecklistRow {
  Check check = Check::FillsMachine;
  std::vector<Evidence> evidence;
  /// Share of the time that the simulator saves where the cause is free.
  std::optional<double> gain;
  bool isTold() const { return !evidence.empty(); }
  bool holds() const;
};
/// "Tiling", "enough blocks to fill the GPU", "reduce the tile size", and which
/// inputs can tell the row.
llvm::StringRef stage(Check check);
llvm::StringRef title(Check check);
llvm::StringRef fix(Check check);
llvm::StringRef toldBy(Check check);

/// Collects what inputs tell.
class Checklist {
public:
  Checklist();
  void add(Check check, llvm::StringRef input, const llvm::Twine &text,
           bool holds);
  /// A what-if of the simulator: \p share of the time goes with the cause.
  void addGain(Check check, double share);
  void noteInput(llvm::StringRef input) { inputs.push_back(input.str()); }

  /// A code object of any compiler; \p kernel alone, or all of them.
  llvm::Error addObject(llvm::StringRef input, llvm::StringRef bytes,
                        llvm::StringRef kernel);
  void addTrace(llvm::StringRef input, const HotspotReport &report);
  void addCounters(llvm::StringRef input, const KernelCounters &counters);
  /// What fly-run --timing --json printed.
  llvm::Error addSimulation(llvm::StringRef path);

  /// Failing rows first, those with more gain before those with less; then
  /// rows that hold, then rows that nobody told.
  std::vector<ChecklistRow> sorted() const;
  bool hasFailures() const;
  const std::vector<std::string> &inputNames() const { return inputs; }

private:
  std::array<ChecklistRow, checkCount> rows;
  std::vector<std::string> inputs;
};

void print(llvm::raw_ostream &os, const Checklist &checklist);
llvm::json::Value toJSON(const Checklist &checklist);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_CHECKLIST_H
