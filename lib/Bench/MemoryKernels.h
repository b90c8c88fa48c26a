//===- MemoryKernels.h - pointer chases and streams -------------*- C++ -*-===//
//
// What problem: latencies and bandwidths of every level of the memory system
// are measured the same way, for published rows and for probes.
// What idea: one lane, or groups of lanes, that load the offset of their next
// load; and all compute units reading and writing kilobytes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BENCH_MEMORYKERNELS_H
#define FLY_LIB_BENCH_MEMORYKERNELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

#include "MicroKernel.h"

namespace fly::bench {

/// A chase through a buffer.
struct Chase {
  uint64_t bytes = 0; ///< Of the buffer.
  /// Offsets that are visited one after the other, and round again.
  std::vector<uint32_t> offsets;
  /// Loads that only warm up, and those that count; multiples of 32.
  unsigned warm = 32, counted = 32;
  /// Neighbouring offsets that the wave's lanes start from, in equal groups;
  /// each load moves all of them on by so many.
  unsigned lines = 1;
  /// By scalar loads.
  bool isScalar = false;
};

/// Cycles a load.
llvm::Expected<double> chaseLatency(arch::Chip chip, const Chase &chase);

/// Multiples of `stride`.
std::vector<uint32_t> strided(unsigned count, unsigned stride);
/// The lines of strided() over pages of 2 MB, a page's next one when all pages
/// had their turn.
std::vector<uint32_t> pageByPage(unsigned pages, unsigned count,
                                 unsigned stride);
/// A line of each page first, then lines that nobody has touched, page after
/// page.
std::vector<uint32_t> freshLines(unsigned pages, unsigned lines);
/// The first line and others of `bytes` that are drawn by the seed, `count` in
/// all.
std::vector<uint32_t> drawnLines(unsigned count, uint64_t bytes,
                                 unsigned seed = 1);

/// All compute units read or write.
struct Stream {
  std::string body;
  unsigned bytes = 0;    ///< A wave and iteration.
  uint64_t perGroup = 0; ///< Distance of workgroups.
  uint64_t step = 0;     ///< Of an iteration.
  uint64_t window = 1;   ///< After which it starts again.
  unsigned waves = 4;
  unsigned less = 8, more = 24; ///< Iterations.
};

/// Bytes a cycle of the chip's default product.
llvm::Expected<double> streamBytesPerCycle(arch::Chip chip,
                                           const Stream &stream);

/// Bodies of streams: 4 KB a wave and iteration of reads, as many of writes,
/// and 12 KB of a triad.
std::string readStream();
std::string writeStream();
std::string triadStream();

} // namespace fly::bench

#endif // FLY_LIB_BENCH_MEMORYKERNELS_H
