//===- Hotspots.h - Where the waves of a trace wait -------------*- C++ -*-===//
//
// What problem: a thread trace says of each instruction how long waves stood at
// it; what to change about the kernel is another step.
// What idea: shares of the stall by instruction, line and type, where types
// follow from the instruction that the wait is booked on; how far accesses are
// ahead of the waits for them, from the waves' own files; and the guide's table
// from symptom to action, each row with the numbers that make it apply.
// What it refuses: to tell what the files do not hold. Such a figure is empty,
// and the report says which file or option would give it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_HOTSPOTS_H
#define FLY_ANALYSIS_HOTSPOTS_H

#include "fly/Arch/Occupancy.h"
#include "fly/Isa/InstructionKind.h"
#include "fly/Profile/Dispatch.h"
#include "fly/Profile/ThreadTrace.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// What waves wait for at an instruction, as a thread trace books it: on the
/// instruction that can not issue.
enum class StallType : uint8_t {
  GlobalWait,  ///< s_waitcnt on vmcnt.
  LdsWait,     ///< s_waitcnt on lgkmcnt, last behind an LDS instruction.
  ScalarWait,  ///< The same behind a scalar load.
  MixedWait,   ///< s_waitcnt on both counters.
  OtherWait,   ///< A wait that names neither.
  Barrier,     ///< s_barrier.
  LdsIssue,    ///< Bank conflicts, a full queue, addresses of LDS accesses: a
               ///< trace does not tell them apart, counters do.
  GlobalIssue, ///< A full queue, addresses of vector memory accesses.
  ScalarIssue, ///< Scalar memory.
  Mfma,        ///< Operands of a matrix instruction, or the unit at work.
  Valu,        ///< Operands of a vector instruction, or the unit at work.
  Salu,        ///< The scalar unit, branches.
  Nop,         ///< s_nop.
  Other,
};
constexpr unsigned stallTypeCount = unsigned(StallType::Other) + 1;
/// "vmcnt wait", "barrier", ...
llvm::StringRef name(StallType type);

/// What an instruction is, and what waves wait for at it. Comment rows have
/// the defaults.
struct TypedInstruction {
  isa::InstructionKind kind = isa::InstructionKind::Other;
  StallType type = StallType::Other;
  /// On the kernel's first line, to which compilers book what belongs to no
  /// line of the source.
  bool isCompilerMade = false;
};

/// Instructions of one line of the source.
struct HotLine {
  std::string place; ///< "file:line", innermost; "" where none is known.
  uint64_t latency = 0, stall = 0;
  unsigned instructions = 0;
  bool isCompilerMade = false;
};

/// Sums of a type of stall or a kind of instruction.
struct Share {
  unsigned instructions = 0;
  uint64_t hits = 0, latency = 0, stall = 0;
};

/// The matrix unit in a trace.
struct MatrixUse {
  uint64_t hits = 0;
  /// Of all executed instructions, 0 to 1.
  double shareOfInstructions = 0;
  /// Of those of the loop that executes most of them; empty without a loop.
  std::optional<double> shareOfLoop;
  /// Cycles of the unit for a wave, of the wave's cycles. Empty where a matrix
  /// instruction is in no table, or chips that are possible differ.
  std::optional<double> shareOfWave;
  /// Of the unit's cycles while the SIMD has waves: from wave files.
  std::optional<double> busy;
};

/// How far an access is ahead of the wait for it, over all executions.
struct WaitDistance {
  uint32_t wait = 0, access = 0; ///< Lines of the trace.
  uint64_t count = 0;
  uint64_t leastCycles = UINT64_MAX;
  double cycles = 0;       ///< Mean, from the issue to the wait's attempt.
  double instructions = 0; ///< Mean number between the two.
  double mfma = 0;         ///< Of these.
  double stall = 0;        ///< Mean cycles that the wait still stood.
};

/// The occupancy of a dispatch on the chips that it may have run on.
struct TracedOccupancy {
  std::string source; ///< The file that told the resources.
  profile::DispatchResources resources;
  /// The same for the tables of chips, with the registers that the trace's
  /// instructions name as those in use.
  arch::KernelResources kernel;
  struct OnChip {
    std::string chip;
    std::optional<arch::Occupancy> occupancy;
    std::string problem; ///< Why there is none.
    std::string next;    ///< "LDS 40960 -> 32768 bytes", may be empty.
  };
  std::vector<OnChip> chips;
};

/// A row of the guide's table that applies.
struct Symptom {
  std::string symptom, bottleneck, action;
  std::string evidence; ///< With numbers and lines.
  double share = 0;     ///< Of the stall, 0 to 1.
  /// Of the waves' time: from where on a row applies, and what they are sorted
  /// by.
  double timeShare = 0;
};

struct HotspotReport {
  profile::ThreadTrace trace;
  std::vector<TypedInstruction> types; ///< Of trace.instructions.
  uint64_t hits = 0, latency = 0, stall = 0, idle = 0; ///< Sums.
  unsigned instructions = 0;  ///< Comments do not count.
  std::vector<size_t> ranked; ///< With stall, most first; indices.
  std::vector<HotLine> lines; ///< Most stall first.
  std::array<Share, stallTypeCount> byType;
  std::array<Share, isa::instructionKindCount> byKind;
  MatrixUse matrix;
  std::vector<WaitDistance> distances; ///< Most stall first.
  std::string distancesNotTold;        ///< Why there are none.
  std::optional<TracedOccupancy> occupancy;
  std::string occupancyNotTold;
  std::vector<Symptom> symptoms;

  double shareOfStall(uint64_t cycles) const {
    return stall ? double(cycles) / double(stall) : 0;
  }
  /// Of what the waves lived while they were traced.
  double shareOfTime(uint64_t cycles) const {
    double life = double(latency) + double(idle);
    return life > 0 ? double(cycles) / life : 0;
  }
};

struct HotspotOptions {
  /// The chip that was traced; "" if unknown: what differs between the chips
  /// that are possible is then told for each, or not at all.
  std::string chip;
  /// Shares of the waves' time from which rows of the guide's table apply; the
  /// guide has no number, this one is ours.
  double threshold = 0.05;
};

/// Analyzes what profile::readThreadTrace gave.
llvm::Expected<HotspotReport> findHotspots(profile::ThreadTrace trace,
                                           const HotspotOptions &options);
/// The same of a directory, with its wave files and the kernel trace beside it.
llvm::Expected<HotspotReport> findHotspots(llvm::StringRef directory,
                                           const HotspotOptions &options);

/// What is printed of a report.
struct HotspotView {
  size_t top = 10;
  bool byInstruction = true, bySource = true;
  /// Instructions, and lines of the source, around each hot one.
  unsigned context = 0;
};
void print(llvm::raw_ostream &os, const HotspotReport &report,
           const HotspotView &view);
llvm::json::Value toJSON(const HotspotReport &report, const HotspotView &view);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_HOTSPOTS_H
