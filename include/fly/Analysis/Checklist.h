//===- Checklist.h - The tuning guide's checklist ---------------*- C++ -*-===//
//
// What problem: the guide ends with ten checks; whether a kernel passes each is
// seen in different places: its schedule, its code, a simulation, a trace,
// counters.
// What idea: whatever there is gives evidence for the rows that it can tell of:
// a number, where it is from, whether the check holds by it. Rows that fail
// come first, by what the simulator says that their cause costs. What it
// refuses: to guess. A row without evidence says what would tell it, and a
// limit that the guide does not have is printed as ours, with its reason.
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
  CoalescedStores, ///< Stretches of memory that stores cover.
  Registers,       ///< Both kinds of vector registers together.
  MfmaShare,       ///< Matrix instructions of the hot loop.
  CacheBalance,    ///< L2 hits, balance of channels.
};
constexpr unsigned checkCount = unsigned(Check::CacheBalance) + 1;

/// Stretches of memory that coalesced stores cover at least: the block in
/// which memory is written.
inline constexpr unsigned leastStretchBytes = 64;

/// What one input tells of a row.
struct Evidence {
  std::string input; ///< "gemm.hsaco"
  std::string text;  ///< "252 of 256 registers a lane"
  /// Empty where the numbers leave it open.
  std::optional<bool> holds;
  /// Of what the row is about itself. Other evidence, of a sign of it, counts
  /// only where there is none: a trace shows that LDS accesses stand, counters
  /// whether it is conflicts that they stand for.
  bool isDirect = true;
};

/// What the time would be without the cause of a row.
struct Gain {
  double share = 0; ///< Of the time that goes.
  /// The most that can go, by how many units have work; else simulated.
  bool isBound = false;
  std::string input;
  /// An edit that the simulator has tried, and the share that goes with it,
  /// which may be negative; "" if none.
  std::string edit;
  double editShare = 0;
};

struct ChecklistRow {
  Check check = Check::FillsMachine;
  std::vector<Evidence> evidence;
  std::optional<Gain> gain;
  bool isTold() const { return !evidence.empty(); }
  /// What the evidence that counts says; empty where it leaves the row open.
  std::optional<bool> verdict() const;
  bool fails() const { return !verdict().value_or(true); }
  bool holds() const { return verdict().value_or(false); }
};
/// "Tiling", "enough blocks to fill the GPU", "reduce the tile size", which
/// inputs can tell the row, and from where on it fails with the reason for a
/// limit that is ours.
llvm::StringRef stage(Check check);
llvm::StringRef title(Check check);
llvm::StringRef fix(Check check);
llvm::StringRef toldBy(Check check);
llvm::StringRef limit(Check check);

/// Collects what inputs tell.
class Checklist {
public:
  Checklist();
  void add(Check check, llvm::StringRef input, const llvm::Twine &text,
           std::optional<bool> holds, bool isDirect = true);
  /// Of several gains of a row the largest is kept.
  void addGain(Check check, Gain gain);
  void noteInput(llvm::StringRef input) { inputs.push_back(input.str()); }

  /// A code object of any compiler; \p kernel alone, or all of them.
  llvm::Error addObject(llvm::StringRef input, llvm::StringRef bytes,
                        llvm::StringRef kernel);
  void addTrace(llvm::StringRef input, const HotspotReport &report);
  void addCounters(llvm::StringRef input, const KernelCounters &counters);
  /// What fly-run --timing --json printed.
  llvm::Error addSimulation(llvm::StringRef path);
  /// What dispatches of a kernel trace or a database were allotted; those of
  /// \p kernel alone, or all. \p chip is for files that name none; "" if
  /// unknown.
  llvm::Error addDispatches(llvm::StringRef path, llvm::StringRef chip,
                            llvm::StringRef kernel);

  /// Failing rows first, then those that are open and have a gain, each with
  /// more gain before less; then rows that hold, then those that nobody told.
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
