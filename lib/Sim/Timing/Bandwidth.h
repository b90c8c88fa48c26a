//===- Bandwidth.h - a resource that moves so many bytes a cycle -*- C++ -*-==//
//
// What problem: requests are placed at the time their data can come, which is
// not the order they are made in; a single time "free from" would make early
// data wait behind late.
// What idea: buckets of time with what is left of their bytes. A request takes
// from the first bucket that has some, and from the following ones.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_BANDWIDTH_H
#define FLY_LIB_SIM_TIMING_BANDWIDTH_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Machine.h"

namespace fly::sim {

class Bandwidth {
public:
  /// 0 bytes a cycle: no limit.
  explicit Bandwidth(double bytesPerCycle)
      : perBucket(uint64_t(bytesPerCycle * bucketCycles * unit)) {}

  /// Moves `bytes` from `start` on; the time when the last one has moved.
  Ticks reserve(Ticks start, uint64_t bytes) {
    if (perBucket == 0)
      return start;
    uint64_t bucket = start / bucketTicks, left = bytes * unit;
    uint64_t taken = 0;
    while (true) {
      uint64_t &used = at(bucket);
      uint64_t part = std::min(left, perBucket - used);
      used += part;
      left -= part;
      taken = used;
      if (left == 0)
        break;
      bucket = nextFree(bucket + 1);
    }
    Ticks end = bucket * bucketTicks + taken * bucketTicks / perBucket;
    Ticks alone = start + bytes * unit * bucketTicks / perBucket;
    return std::max(end, alone);
  }

private:
  static constexpr uint64_t bucketCycles = 32, unit = 1024;
  static constexpr uint64_t bucketTicks = bucketCycles * ticksPerCycle;

  uint64_t &at(uint64_t bucket) {
    if (bucket >= used.size())
      used.resize(bucket + 1024, 0);
    return used[bucket];
  }
  /// The first bucket from `bucket` on that is not full. Buckets fill from
  /// below for the most part, so that the first free one is remembered.
  uint64_t nextFree(uint64_t bucket) {
    while (bucket < used.size() && used[bucket] >= perBucket)
      ++bucket;
    return bucket;
  }

  uint64_t perBucket;
  std::vector<uint64_t> used;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_BANDWIDTH_H
