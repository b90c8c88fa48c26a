//===- Probe.h - experiments that settle assumptions ------------*- C++ -*-===//
//
// What problem: what is inferred or recalled of a chip stands in the ledger of
// assumptions; somebody with the chip must be able to settle it.
// What idea: for every id of the ledger small kernels, assembled on the spot,
// whose results differ where the assumption is wrong. A probe gives quantities
// that hardware has too: the time of a launch, a counter, an instruction trace,
// what a kernel left in memory. Each is printed beside what the assumption
// predicts, from its own words and not from the model's tables. On the
// simulator, which is built on the assumptions, they agree; what the model does
// not have is said to be so.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_PROBE_H
#define FLY_BENCH_PROBE_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace fly::bench {

/// One quantity of a probe.
struct ProbeRow {
  std::string assumption; ///< Id in the ledger.
  arch::Chip chip = arch::Chip::Gfx942;
  std::string what;
  std::string unit;
  std::string means;        ///< "launch time", "SQ_LDS_BANK_CONFLICT", ...
  double low = 0, high = 0; ///< What the assumption predicts.
  double measured = 0;
  std::string note; ///< What was found instead; may be empty.
  /// Whether the simulator's model has what the row is about. Else its figure
  /// says nothing here, and a lot on hardware.
  bool isModelled = true;

  bool agrees() const { return measured >= low && measured <= high; }
  /// Whether it speaks against the assumption, or against the model.
  bool differs() const { return isModelled && !agrees(); }
};

/// Ids of the ledger that have a probe, ascending.
std::vector<std::string> probedAssumptions();

/// Runs the probes whose id contains `match`, on the simulator.
llvm::Expected<std::vector<ProbeRow>> runProbes(llvm::StringRef match);

/// A heading for each assumption with the tests that rest on it, its rows, and
/// a line of counts.
void print(llvm::raw_ostream &os, llvm::ArrayRef<ProbeRow> rows);
llvm::json::Value toJSON(llvm::ArrayRef<ProbeRow> rows);

} // namespace fly::bench

#endif // FLY_BENCH_PROBE_H
