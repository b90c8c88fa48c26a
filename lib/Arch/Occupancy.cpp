//===- Occupancy.cpp - Waves that fit on a compute unit -------------------===//
//
// Whole workgroups are placed: each limit is turned into workgroups a compute
// unit, and the smallest one wins. Among equal limits the wave slots come
// first, so that a kernel at full occupancy is not called limited.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/Occupancy.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fly::arch;

const char *fly::arch::limiterName(OccupancyLimiter limiter) {
  switch (limiter) {
  case OccupancyLimiter::Waves:
    return "waves";
  case OccupancyLimiter::Vgpr:
    return "VGPR";
  case OccupancyLimiter::Lds:
    return "LDS";
  case OccupancyLimiter::Sgpr:
    return "SGPR";
  case OccupancyLimiter::Workgroups:
    return "workgroups";
  }
  return "";
}

unsigned fly::arch::allocatedVgprs(const ArchInfo &arch, unsigned archVgprs,
                                   unsigned accVgprs) {
  // Without accumulation registers there is no base to align.
  unsigned base =
      accVgprs ? llvm::alignTo(archVgprs, *arch.registers.accumOffsetGranule)
               : archVgprs;
  unsigned total = std::max(base + accVgprs, 1u);
  return llvm::alignTo(total, *arch.registers.vgprGranule);
}

bool fly::arch::isPaddedCount(const ArchInfo &arch, unsigned allotted) {
  const RegisterFile &regs = arch.registers;
  if (!regs.vgprsPerSimd || !regs.vgprGranule || allotted == 0)
    return false;
  unsigned granule = *regs.vgprGranule;
  unsigned total = llvm::alignTo(allotted, granule);
  auto wavesOf = [&](unsigned registers) {
    return std::min(*arch.workgroups.maxWavesPerSimd,
                    *regs.vgprsPerSimd / registers);
  };
  return total > granule && wavesOf(total) < wavesOf(total - granule);
}

unsigned fly::arch::allocatedLdsBytes(const ArchInfo &arch, unsigned bytes) {
  return llvm::alignTo(bytes, *arch.lds.granuleBytes);
}

static llvm::Error tooMany(const ArchInfo &arch, const char *what,
                           unsigned needed, unsigned limit) {
  return llvm::createStringError(
      llvm::formatv("one workgroup needs {0} {1} on {2}, limit is {3}", needed,
                    what, arch.name, limit));
}

namespace {
/// What a resource allows: workgroups a compute unit, or waves a SIMD.
struct Limit {
  OccupancyLimiter limiter;
  unsigned amount;
};
} // namespace

/// The smallest limit for workgroups of so many waves (0: wave by wave), where
/// vector registers allow this many waves a SIMD.
static Limit findLimit(const ArchInfo &arch, const Occupancy &by,
                       unsigned wavesByVgpr, unsigned waves) {
  auto smallest = [](llvm::ArrayRef<Limit> limits) {
    return *llvm::min_element(limits, [](const Limit &a, const Limit &b) {
      return a.amount < b.amount;
    });
  };
  unsigned simds = *arch.simdsPerCu, slots = *arch.workgroups.maxWavesPerSimd;
  if (waves == 0)
    return smallest({{OccupancyLimiter::Waves, slots},
                     {OccupancyLimiter::Vgpr, wavesByVgpr},
                     {OccupancyLimiter::Sgpr, by.wavesBySgpr}});
  return smallest({{OccupancyLimiter::Waves, slots * simds / waves},
                   {OccupancyLimiter::Vgpr, wavesByVgpr * simds / waves},
                   {OccupancyLimiter::Lds, by.workgroupsByLds},
                   {OccupancyLimiter::Sgpr, by.wavesBySgpr * simds / waves},
                   {OccupancyLimiter::Workgroups,
                    waves == 1 ? *arch.workgroups.maxSingleWave
                               : *arch.workgroups.barriers}});
}

llvm::Expected<Occupancy>
fly::arch::computeOccupancy(const ArchInfo &arch,
                            const KernelResources &kernel) {
  const RegisterFile &regs = arch.registers;
  if (!regs.vgprsPerSimd || !arch.lds.granuleBytes || !arch.simdsPerCu)
    return llvm::createStringError(llvm::formatv(
        "occupancy of {0}: register and LDS granules are unknown", arch.name));

  Occupancy result;
  unsigned simds = *arch.simdsPerCu, slots = *arch.workgroups.maxWavesPerSimd;
  result.neededVgprs = allocatedVgprs(arch, kernel.archVgprs, kernel.accVgprs);
  result.allocatedVgprs = result.neededVgprs;
  if (kernel.allottedVgprs) {
    result.allocatedVgprs =
        llvm::alignTo(kernel.allottedVgprs, *regs.vgprGranule);
    result.neededVgprs = std::min(result.neededVgprs, result.allocatedVgprs);
  }
  if (result.allocatedVgprs > *regs.vgprsPerSimd)
    return tooMany(arch, "vector registers a lane", result.allocatedVgprs,
                   *regs.vgprsPerSimd);
  result.allocatedLdsBytes = allocatedLdsBytes(arch, kernel.ldsBytes);
  if (kernel.ldsBytes > *arch.lds.bytes)
    return tooMany(arch, "bytes of LDS", kernel.ldsBytes, *arch.lds.bytes);

  result.wavesByVgpr =
      std::min(slots, *regs.vgprsPerSimd / result.allocatedVgprs);
  result.wavesByUsedVgpr =
      std::min(slots, *regs.vgprsPerSimd / result.neededVgprs);
  // [MEM] LLVM: up to 100 scalar registers 8 waves, above 7. Profilers round
  // up to more than a wave can have; no count allows fewer waves than that.
  unsigned mostSgprs =
      llvm::alignTo(*regs.maxSgprs + *regs.extraSgprs, *regs.sgprGranule);
  result.wavesBySgpr =
      kernel.sgprs ? std::min(slots, *regs.sgprsPerSimd /
                                         std::min(kernel.sgprs, mostSgprs))
                   : slots;
  result.workgroupsByLds = result.allocatedLdsBytes
                               ? *arch.lds.bytes / result.allocatedLdsBytes
                               : ~0u;

  unsigned waves =
      kernel.workgroupThreads
          ? unsigned(llvm::divideCeil(kernel.workgroupThreads, *arch.waveSize))
          : 0;
  Limit limit = findLimit(arch, result, result.wavesByVgpr, waves);
  Limit byUse = findLimit(arch, result, result.wavesByUsedVgpr, waves);
  result.isLimitedByPadding = byUse.amount > limit.amount;
  result.limiter = result.isLimitedByPadding ? limit.limiter : byUse.limiter;
  if (waves == 0) {
    result.wavesPerSimd = limit.amount;
    return result;
  }
  if (limit.amount == 0)
    return tooMany(arch, "waves", waves,
                   std::min(result.wavesByVgpr, result.wavesBySgpr) * simds);
  result.workgroupsPerCu = limit.amount;
  result.wavesPerSimd = llvm::divideCeil(limit.amount * waves, simds);
  return result;
}

llvm::SmallVector<OccupancyStep>
fly::arch::nextOccupancy(const ArchInfo &arch, const KernelResources &kernel,
                         const Occupancy &occupancy) {
  const RegisterFile &regs = arch.registers;
  bool isPlaced = kernel.workgroupThreads != 0;
  unsigned waves =
      isPlaced ? llvm::divideCeil(kernel.workgroupThreads, *arch.waveSize) : 1;
  unsigned workgroups = occupancy.workgroupsPerCu + 1;
  unsigned perSimd =
      isPlaced ? llvm::divideCeil(workgroups * waves, *arch.simdsPerCu)
               : occupancy.wavesPerSimd + 1;
  unsigned slots =
      waves == 1 ? *arch.workgroups.maxSingleWave : *arch.workgroups.barriers;
  if (perSimd > *arch.workgroups.maxWavesPerSimd ||
      (isPlaced && workgroups > slots))
    return {};
  llvm::SmallVector<OccupancyStep> steps;
  auto add = [&](OccupancyLimiter resource, unsigned used, unsigned most) {
    if (used > most)
      steps.push_back({resource, used, most});
  };
  add(OccupancyLimiter::Vgpr, occupancy.neededVgprs,
      llvm::alignDown(*regs.vgprsPerSimd / perSimd, *regs.vgprGranule));
  if (isPlaced)
    add(OccupancyLimiter::Lds, occupancy.allocatedLdsBytes,
        llvm::alignDown(*arch.lds.bytes / workgroups, *arch.lds.granuleBytes));
  add(OccupancyLimiter::Sgpr, kernel.sgprs, *regs.sgprsPerSimd / perSimd);
  return steps;
}
