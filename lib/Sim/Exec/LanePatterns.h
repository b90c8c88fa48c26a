//===- LanePatterns.h - offsets of lanes that come again --------*- C++ -*-===//
//
// What problem: whoever asks where a memory instruction goes, and not for its
// data, looks at 64 addresses, and in loops they lie as they did before.
// What idea: each instruction keeps the patterns of offsets that it was seen
// with. Offsets that are all the same number away from one are found by
// comparing, which the host does many at a time; what was found out of a
// pattern then holds for them too.
// What it leaves out: more than a few patterns an instruction, as those of
// gathers.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_EXEC_LANEPATTERNS_H
#define FLY_LIB_SIM_EXEC_LANEPATTERNS_H

#include "fly/Sim/WaveState.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fly::sim {

/// Offsets in bytes of the lanes of one instruction.
struct LanePattern {
  unsigned number = 0;          ///< Among those of a LanePatterns.
  uint64_t lanes = 0;           ///< That take part; at least one.
  unsigned firstLane = 0;       ///< Of these.
  uint32_t least = 0, most = 0; ///< Of their offsets.
  uint32_t offsets[waveLanes] = {};
};

/// The patterns that one host thread has seen.
class LanePatterns {
public:
  struct Match {
    const LanePattern *pattern = nullptr; ///< Null: too many were seen.
    int64_t shift = 0; ///< Each lane's offset is that of the pattern plus this.
  };
  /// The pattern that the offsets of `lanes`, at least one, follow, which may
  /// be new. `instruction` is a number that is small and its own.
  Match find(size_t instruction, uint64_t lanes, const uint32_t *offsets);

private:
  static constexpr unsigned mostOfInstruction = 16;
  std::vector<std::vector<std::unique_ptr<LanePattern>>> known;
  unsigned count = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_LANEPATTERNS_H
