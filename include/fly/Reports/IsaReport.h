//===- IsaReport.h - What a code object is made of --------------*- C++ -*-===//
//
// What problem: whether a kernel is good is seen in its machine code:
// registers, spills, and what the hot loop holds beside matrix instructions.
// What idea: count on the final bytes, whoever made them. The hot loop is the
// innermost loop (a backward branch without another one inside) with most
// matrix instructions, of equal ones that with fewest instructions.
// What it leaves open: time. `pipeCover` is a bound from issue slots and
// unloaded latencies, not a prediction.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_ISAREPORT_H
#define FLY_REPORTS_ISAREPORT_H

#include "fly/Arch/Occupancy.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace fly::reports {

/// How far accesses of one kind are ahead of the wait for them, in matrix
/// instructions between the two; in the steady state of a loop.
struct Distance {
  unsigned accesses = 0; ///< In a round.
  unsigned least = 0;
  double mean = 0;
};

/// What hides the latency of memory in a loop: LDS reads before the wait that
/// their use needs, LDS writes before the wait of their barrier, and the same
/// of loads and copies from global memory.
struct LoopDistances {
  Distance ldsRead, ldsWrite, global;
};

/// Instructions of one loop, each counted in one class; scalar loads in none.
struct LoopReport {
  uint64_t begin = 0, end = 0; ///< Addresses: first instruction, past the last.
  unsigned instructions = 0;
  unsigned mfma = 0;
  unsigned dsRead = 0, dsWrite = 0;
  unsigned vmemLoad = 0, vmemStore = 0;
  /// Of those the ones of scratch, for spilled registers.
  unsigned scratchLoad = 0, scratchStore = 0;
  unsigned ldsDma = 0; ///< Copies from global memory to LDS.
  unsigned valu = 0;   ///< Without matrix instructions and acc moves.
  unsigned salu = 0;   ///< Branches included.
  unsigned wait = 0, barrier = 0, nop = 0;
  unsigned accMove = 0; ///< v_accvgpr_*
  /// Loops in it that walk the lanes of a wave for one access; counted are the
  /// instructions of one round of each.
  unsigned laneLoops = 0;
  /// Bytes a lane of the narrowest LDS or vector memory access; 0 without any.
  unsigned accessBytes = 0;
  /// LDS and vector memory accesses of less than the widest one's 16 bytes.
  unsigned narrowAccesses = 0;
  /// K tiles an iteration, where the caller of the report said how many
  /// multiply-adds a wave does for one.
  std::optional<double> kTiles;
  /// MFMA cycles / max(MFMA cycles, issue cycles + exposed waits); see
  /// IsaReport.cpp.
  double pipeCover = 0;
  /// Share of the time in which the matrix unit works while the waves of a
  /// workgroup that share a SIMD walk the loop in order; see LoopWalk.cpp.
  std::optional<double> walkedCover;
  /// MFMA / (MFMA + memory instructions): what no schedule can exceed.
  double mfmaShareCeiling = 0;
  /// Multiply-adds of a wave in one iteration.
  uint64_t macs = 0;
  LoopDistances distances;

  /// LDS and vector memory accesses.
  unsigned countMemory() const {
    return dsRead + dsWrite + vmemLoad + vmemStore + ldsDma;
  }
  /// What is neither matrix instruction nor memory access: waits, scalar and
  /// vector arithmetic, moves, nops, barriers, branches.
  unsigned countOthers() const { return instructions - mfma - countMemory(); }
};

/// Instructions of a class, and those of them that the line tables place on a
/// line other than the kernel's first one.
struct PlacedCount {
  unsigned all = 0, placed = 0;
  void count(bool isPlaced) {
    ++all;
    placed += isPlaced;
  }
};

/// How much of a kernel's code knows its line of the source.
struct LineReport {
  PlacedCount all, mfma, memory, lds;
};

/// What one way of code generation came to for a kernel, by its machine code;
/// the loop is the hot loop of Reports, figures of it are 0 without one.
struct CodegenFigures {
  std::string form;    ///< By its name in schedules.
  bool failed = false; ///< LLVM could not compile it so.
  /// Whether the code was proved. Forms that lose by what follows are not.
  bool proved = false;
  /// What the proofs found: violations for which the compiler refuses the code,
  /// and those of the order of LDS, of which it warns.
  unsigned refused = 0, races = 0;
  unsigned spills = 0;       ///< Vector and scalar registers.
  unsigned accMoves = 0;     ///< In a round of the loop.
  unsigned laneLoops = 0;    ///< That walk the lanes, in a round of the loop.
  unsigned instructions = 0; ///< In a round of the loop.
  unsigned others = 0;       ///< Neither MFMA nor memory accesses.
  unsigned wavesPerSimd = 0;
  double pipeCover = 0;              ///< 0 to 1; see LoopReport.
  std::optional<double> walkedCover; ///< 0 to 1; see LoopReport.
  LoopDistances distances;

  /// Nothing wrong, and nothing that costs registers or time where none need
  /// be.
  bool isClean() const {
    return !failed && !refused && !races && !spills && !accMoves && !laneLoops;
  }
};

struct KernelReport {
  std::string name;
  /// The form of code generation and those that were tried, where the caller of
  /// the report knows them.
  std::string codegen;
  std::vector<CodegenFigures> tried;
  /// The real order of the hot loop, where that is known: "pingpong", and why
  /// it was chosen.
  std::string order;
  unsigned vgpr = 0; ///< Architectural, used.
  unsigned agpr = 0; ///< Accumulation, used.
  /// Of both kinds that the kernel's descriptor asks for; more than what is
  /// used and its granule is padding.
  unsigned allottedVgprs = 0;
  bool hasPadding = false;
  unsigned sgpr = 0;
  unsigned ldsBytes = 0;        ///< Static.
  unsigned dynamicLdsBytes = 0; ///< Of the launch, if one was given.
  unsigned scratchBytes = 0;    ///< A lane.
  unsigned vgprSpills = 0, sgprSpills = 0;
  unsigned codeBytes = 0;
  unsigned wavesPerSimd = 0;
  unsigned workgroupsPerCu = 0; ///< 0 where the workgroup's size is unknown.
  std::string occupancyLimiter; ///< "VGPR", "LDS", ...
  /// Without the padding of its registers it would have more waves.
  bool isPadded = false;
  arch::KernelResources resources; ///< What the occupancy is computed from.
  std::array<uint32_t, 3> workgroupSize = {0, 0, 0}; ///< 0 where not required.
  std::optional<LoopReport> hotLoop;
  std::optional<LineReport> lines; ///< Of objects with line tables.
};

struct ObjectReport {
  std::string chip;
  std::vector<KernelReport> kernels;
};

/// What a launch adds to what an object says, for the occupancy.
struct LaunchResources {
  unsigned dynamicLdsBytes = 0;
  /// Work items of a workgroup where the object requires no number; 0 if
  /// unknown.
  unsigned workgroupThreads = 0;
};

/// Reports on the kernels of an object.
llvm::Expected<ObjectReport> reportObject(llvm::StringRef elf,
                                          const LaunchResources &launch = {});

/// Sets `kTiles` of a hot loop, given the multiply-adds that one wave does for
/// one K tile.
void setKTiles(KernelReport &kernel, uint64_t macsPerWave);

/// "LDS reads 3.5 (least 1), LDS writes 12 (least 4)": matrix instructions from
/// an access to its wait, on average and at least; kinds without any are left
/// out.
std::string describe(const LoopDistances &distances);

/// "refused for 3 faults, 1 races in LDS, ": what the proofs found; empty where
/// that is nothing.
std::string describeProofs(const CodegenFigures &form);
/// "pipe cover 100 %, 81 % walked", the latter where it is known.
std::string describeCovers(const CodegenFigures &form);

/// The report's JSON form; see docs or `fly-compile --help` for its keys.
llvm::json::Value toJSON(const ObjectReport &report);
/// Names \p chosen among \p tried in the report of a kernel.
void setCodegen(KernelReport &kernel, std::string chosen,
                std::vector<CodegenFigures> tried);

/// For people, a few lines a kernel.
void print(llvm::raw_ostream &os, const ObjectReport &report);
void print(llvm::raw_ostream &os, const KernelReport &kernel);

} // namespace fly::reports

#endif // FLY_REPORTS_ISAREPORT_H
