//===- OccupancyReport.h - What keeps waves off a compute unit --*- C++ -*-===//
//
// What problem: a kernel has too few waves; which resource is it, and how much
// of it must go before there is one more?
// What idea: each resource is looked at alone, with its granule, for the waves
// that it would allow and for the next step; then what one more workgroup needs
// of all of them together. Registers that are allotted and not used are told
// apart: the row says what both would allow, and steps are in what is used.
// What it leaves open: chips of which only some figures are known. Their rows
// hold what can be said, and the report lists what cannot.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_OCCUPANCYREPORT_H
#define FLY_ANALYSIS_OCCUPANCYREPORT_H

#include "fly/Arch/Occupancy.h"
#include "fly/Plan/DotTile.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// One resource, as if the others were without end.
struct OccupancyRow {
  arch::OccupancyLimiter resource;
  /// Vector registers a lane (both kinds together), scalar registers a wave, or
  /// bytes of LDS a workgroup; and what counts: with the granule, or as the
  /// kernel's descriptor asks for.
  unsigned used = 0, allocated = 0;
  unsigned granule = 1;
  unsigned capacity = 0; ///< Of a SIMD, or of the compute unit for LDS.
  /// What it allows; no workgroups where their size is unknown, neither where
  /// nothing of it is used.
  std::optional<unsigned> wavesPerSimd, workgroupsPerCu;
  /// What is used alone would allow, where the rest that is allotted costs
  /// waves.
  std::optional<unsigned> wavesByUsed;
  /// How much less of what is used allows more, and how many waves a SIMD then.
  struct Step {
    unsigned fewer = 0, wavesPerSimd = 0;
  };
  std::optional<Step> next;
};

struct OccupancyReport {
  const arch::ArchInfo *chip = nullptr;
  std::string kernel; ///< May be empty.
  arch::KernelResources used;
  /// Absent where figures are unknown or a workgroup does not fit; `problem`
  /// says so.
  std::optional<arch::Occupancy> occupancy;
  std::string problem;
  /// Whether the kernel cannot be launched at all.
  bool isImpossible = false;
  std::vector<OccupancyRow> rows;
  /// What must shrink together for one more workgroup (wave, where its size is
  /// unknown), and the waves a SIMD that there are then.
  std::vector<OccupancyRow::Step> together;
  std::vector<arch::OccupancyLimiter> togetherOf;
  /// Figures of the chip that nobody knows.
  std::vector<std::string> unknown;
};

OccupancyReport reportOccupancy(const arch::ArchInfo &chip, std::string kernel,
                                const arch::KernelResources &used);

/// An error with the reason where a limit of \p most vector registers a lane
/// cannot be had: it spills, and where the kernel accumulates in accumulation
/// registers, moves every result of a matrix instruction twice.
llvm::Error checkRegisterLimit(const arch::KernelResources &used,
                               const arch::ArchInfo &chip, unsigned most);

/// The tuning guide's rough estimate for a GEMM's tile (its section 7), a lane.
struct GuideRegisters {
  int64_t accumulators = 0; ///< m_repeat * num_acc_n * 4
  int64_t bTile = 0;        ///< k_unroll * 2 * num_acc_n * 2
  int64_t aPrefetch = 4;
  int64_t aTile = 0; ///< num_a_loads * 4
  int64_t leastAddresses = 10, mostAddresses = 20;

  int64_t leastArch() const {
    return bTile + aPrefetch + aTile + leastAddresses;
  }
  int64_t mostArch() const { return bTile + aPrefetch + aTile + mostAddresses; }
};
GuideRegisters estimateByGuide(const plan::DotTile &tile);

/// For people; with the guide's estimate of \p tile beside the figures.
void print(llvm::raw_ostream &os, const OccupancyReport &report,
           const plan::DotTile *tile = nullptr);
/// Its keys are in docs/Guide/Occupancy.md.
llvm::json::Value toJSON(const OccupancyReport &report,
                         const plan::DotTile *tile = nullptr);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_OCCUPANCYREPORT_H
