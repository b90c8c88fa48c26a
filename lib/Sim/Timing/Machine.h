//===- Machine.h - parameters of the timing engine --------------*- C++ -*-===//
//
// What idea: plain numbers, filled from the chip's tables once, so that the
// engine has no table of its own and a what-if can change one. Times are in
// ticks of a quarter cycle, since a port's time is no whole number of cycles.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_MACHINE_H
#define FLY_LIB_SIM_TIMING_MACHINE_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/Products.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::sim {

/// Quarter cycles of the shader clock.
using Ticks = uint64_t;
constexpr Ticks ticksPerCycle = 4;
constexpr Ticks never = ~Ticks(0);

struct Machine {
  arch::Chip chip = arch::Chip::Gfx942;
  const arch::ArchInfo *arch = nullptr;
  const arch::Product *product = nullptr;

  unsigned simds = 4, xcds = 1, cusPerXcd = 1, shaderEnginesPerXcd = 1;
  // Cycles.
  unsigned slot = 4, valu = 4, transcendental = 16, fp64 = 4, nopUnit = 4;
  unsigned mfmaPass = 4, mfmaCoIssue = 4;
  unsigned valuToMemory = 0, takenBranch = 0, fetchNextLine = 0;
  unsigned coldStart = 0, warmStart = 0, waveInterval = 0, end = 0;
  unsigned fetchLineBytes = 64, fetchCacheBytes = 0;
  unsigned vmLimit = 63, lgkmLimit = 15;

  // LDS. Latency: from the end of the port's work to the result.
  Ticks ldsLatency = 0, ldsOverhead = 0, ldsSameSimd = 0, ldsSameWave = 0;
  unsigned ldsPorts = 2, ldsReadBytes = 64, ldsInputBytes = 64;
  unsigned ldsWritePhase = 1, ldsQueue = 4, ldsArrayBytes = 128;

  // Vector memory: cycles from the address unit to the result.
  unsigned l1Latency = 0, l2Latency = 0, mallLatency = 0, memoryLatency = 0;
  unsigned translation = 0;     ///< Added by the first access to a page.
  unsigned translationMiss = 0; ///< By one whose translation is far.
  uint64_t translationReach = 0;
  unsigned missSpread = 0, vmemQueue = 16, requestsPerCycle = 1;
  unsigned requestBytes = 64, returnBytes = 64;
  unsigned l1Bytes = 0, l1Ways = 64;
  uint64_t l2Bytes = 0, mallBytes = 0, pageBytes = 0;
  unsigned l2Ways = 16, mallWays = 16;
  // Bytes a cycle of an XCD's L2, and of the memory behind all of them.
  double l2BytesPerCycle = 0, mallBytesPerCycle = 0, memoryReadBytes = 0,
         memoryWriteBytes = 0;

  // Scalar memory.
  unsigned scalarBytes = 0, scalarLineBytes = 64, scalarWays = 4;
  unsigned scalarHit = 0, scalarL2 = 0, scalarCold = 0;

  /// Ids of the assumptions behind these numbers, sorted.
  std::vector<std::string> assumptions;

  /// The machine of a product, or of the chip's default one. Fails for chips
  /// without figures, and for products of other chips.
  static llvm::Expected<Machine> of(llvm::StringRef chip,
                                    llvm::StringRef product = "");
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_MACHINE_H
