//===- Occupancy.h - Waves that fit on a compute unit -----------*- C++ -*-===//
//
// How many waves a kernel may have resident, and what limits it: combined
// vector registers in their granule, scalar registers, LDS in its granule,
// wave slots, workgroup slots. LLVM's own occupancy comment does not round LDS;
// this does.
// The hardware allots what the kernel's descriptor says. Compilers pad that to
// the most that the waves which they plan for leave room for, so that it may be
// far more than what is used: such padding counts for the number of waves, but
// it is not named as the limit where what is used would not give more.
// [LLVM22] AMDGPUAsmPrinter, NumVGPRsForWavesPerEU: at least getMinNumVGPRs().
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_OCCUPANCY_H
#define FLY_ARCH_OCCUPANCY_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace fly::arch {

/// What a kernel uses and is allotted.
struct KernelResources {
  unsigned archVgprs = 0; ///< Architectural vector registers, used.
  unsigned accVgprs = 0;  ///< Accumulation vector registers, used.
  /// Vector registers of both kinds that the kernel's descriptor asks for; 0:
  /// what those above need.
  unsigned allottedVgprs = 0;
  /// A profiler recorded the registers, which are those that were allotted: how
  /// many of them are used is not known.
  bool isAllotment = false;
  unsigned sgprs = 0;    ///< Scalar registers, VCC and the like included.
  unsigned ldsBytes = 0; ///< Static and dynamic.
  /// Work items of a workgroup. 0 asks for the limits of registers alone, wave
  /// by wave.
  unsigned workgroupThreads = 0;
};

enum class OccupancyLimiter : uint8_t { Waves, Vgpr, Lds, Sgpr, Workgroups };

/// "VGPR", "LDS", "SGPR", "workgroups", "waves".
const char *limiterName(OccupancyLimiter limiter);

struct Occupancy {
  unsigned wavesPerSimd = 0;    ///< On the fullest SIMD.
  unsigned workgroupsPerCu = 0; ///< 0 where workgroupThreads was 0.
  OccupancyLimiter limiter = OccupancyLimiter::Waves;
  unsigned allocatedVgprs = 0; ///< After alignment and granule, a wave.
  /// Of these what is used, after alignment and granule; the rest is padding.
  unsigned neededVgprs = 0;
  /// Without the padding there would be more waves.
  bool isLimitedByPadding = false;
  unsigned allocatedLdsBytes = 0; ///< After the granule, a workgroup.
  /// Waves a SIMD that the vector, or scalar, registers alone would allow; and
  /// that the vector registers in use alone would.
  unsigned wavesByVgpr = 0;
  unsigned wavesByUsedVgpr = 0;
  unsigned wavesBySgpr = 0;
  /// Workgroups a compute unit that the LDS alone would allow.
  unsigned workgroupsByLds = 0;
};

/// Vector registers that a wave is given: the architectural ones aligned to
/// the accumulation base, both together to the granule.
unsigned allocatedVgprs(const ArchInfo &arch, unsigned archVgprs,
                        unsigned accVgprs);
/// Whether \p allotted vector registers are the fewest that allow no more waves
/// than they do: what compilers pad to.
bool isPaddedCount(const ArchInfo &arch, unsigned allotted);
/// \p bytes of LDS rounded up to the granule.
unsigned allocatedLdsBytes(const ArchInfo &arch, unsigned bytes);

/// The occupancy of a kernel. Errors: unknown figures of the chip, and
/// resources that a single workgroup does not find on the chip.
llvm::Expected<Occupancy> computeOccupancy(const ArchInfo &arch,
                                           const KernelResources &kernel);

/// A resource that keeps the next workgroup (without a workgroup's size: the
/// next wave a SIMD) off the compute unit.
struct OccupancyStep {
  OccupancyLimiter resource;
  unsigned used; ///< By the kernel, in granules.
  unsigned most; ///< What it may use for the step.
};

/// What must shrink for one more workgroup a compute unit than \p occupancy
/// has, of what is used; nothing where slots or padding are the limit.
llvm::SmallVector<OccupancyStep> nextOccupancy(const ArchInfo &arch,
                                               const KernelResources &kernel,
                                               const Occupancy &occupancy);

} // namespace fly::arch

#endif // FLY_ARCH_OCCUPANCY_H
