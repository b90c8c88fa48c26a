//===- Occupancy.h - Waves that fit on a compute unit -----------*- C++ -*-===//
//
// How many waves a kernel may have resident, and what limits it: combined
// vector registers in their granule, scalar registers, LDS in its granule,
// wave slots, workgroup slots. LLVM's own occupancy comment does not round LDS;
// this does.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_OCCUPANCY_H
#define FLY_ARCH_OCCUPANCY_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace fly::arch {

/// What a kernel uses.
struct KernelResources {
  unsigned archVgprs = 0; ///< Architectural vector registers.
  unsigned accVgprs = 0;  ///< Accumulation vector registers.
  unsigned sgprs = 0;     ///< Scalar registers, VCC and the like included.
  unsigned ldsBytes = 0;  ///< Static and dynamic.
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
  unsigned allocatedVgprs = 0;    ///< After alignment and granule, a wave.
  unsigned allocatedLdsBytes = 0; ///< After the granule, a workgroup.
  /// Waves a SIMD that the vector, or scalar, registers alone would allow.
  unsigned wavesByVgpr = 0;
  unsigned wavesBySgpr = 0;
  /// Workgroups a compute unit that the LDS alone would allow.
  unsigned workgroupsByLds = 0;
};

/// Vector registers that a wave is given: the architectural ones aligned to
/// the accumulation base, both together to the granule.
unsigned allocatedVgprs(const ArchInfo &arch, unsigned archVgprs,
                        unsigned accVgprs);
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
  unsigned used; ///< By the kernel, as allocated.
  unsigned most; ///< What it may use for the step.
};

/// What must shrink for one more workgroup a compute unit than \p occupancy
/// has; nothing where wave or workgroup slots are the limit.
llvm::SmallVector<OccupancyStep> nextOccupancy(const ArchInfo &arch,
                                               const KernelResources &kernel,
                                               const Occupancy &occupancy);

} // namespace fly::arch

#endif // FLY_ARCH_OCCUPANCY_H
