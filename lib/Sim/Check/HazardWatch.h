//===- HazardWatch.h - distances that hardware does not keep ----*- C++ -*-===//
//
// What problem: between some dependent instructions the hardware keeps no
// distance (fly/Arch/Hazards.h); what is executed shows which pairs meet.
// What idea: each wave remembers its last instructions, as far as the longest
// distance reaches, and asks the table about each of them and the next one. The
// answer depends on the way that led there, not on values: it is asked once for
// a place and the branches taken in front of it.
// What it refuses: values are not delayed; the finding is all.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_HAZARDWATCH_H
#define FLY_LIB_SIM_CHECK_HAZARDWATCH_H

#include "fly/Isa/HazardRoles.h"

#include <array>

#include "../Listener.h"
#include "FindingLog.h"

namespace fly::sim {

class LoadedProgram;

/// The last instructions of one wave.
struct RecentInstructions {
  static constexpr unsigned capacity = 32; ///< A power of two.
  static_assert(capacity > arch::maxHazardWaitStates);
  struct Entry {
    uint32_t slot = 0;
    /// Wait states of the wave up to behind it.
    uint64_t end = 0;
  };
  std::array<Entry, capacity> entries;
  uint64_t count = 0;
  uint64_t waitStates = 0;
  /// The slot behind the last instruction, where no branch leads elsewhere.
  size_t nextSlot = 0;
  /// Identifies the branches taken within reach; 0: none.
  uint64_t way = 0;
  uint64_t wayEnds = 0; ///< Wait states at which they are out of reach.
};

class HazardWatch {
public:
  HazardWatch(FindingLog &log, const LoadedProgram &program);

  void startWave(RecentInstructions &recent) const;
  /// Before an instruction executes.
  void step(const isa::Instruction &inst, size_t slot, const WaveState &wave,
            RecentInstructions &recent) {
    if (LLVM_UNLIKELY(slot != recent.nextSlot))
      turn(slot, recent);
    else if (LLVM_UNLIKELY(recent.way != 0) &&
             recent.waitStates >= recent.wayEnds)
      recent.way = 0;
    Place &place = places[slot];
    if (place.hasUses && place.asked[0] != recent.way &&
        place.asked[1] != recent.way)
      ask(inst, slot, wave, recent);
    recent.waitStates += place.waitStates;
    recent.entries[recent.count++ % RecentInstructions::capacity] = {
        uint32_t(slot), recent.waitStates};
    recent.nextSlot = slot + place.dwords;
  }

private:
  struct Place {
    /// Ways that have been asked about.
    uint64_t asked[2] = {~uint64_t(0), ~uint64_t(0)};
    uint8_t waitStates = 1, dwords = 1;
    bool hasUses = false;
  };
  void turn(size_t slot, RecentInstructions &recent) const;
  void ask(const isa::Instruction &inst, size_t slot, const WaveState &wave,
           const RecentInstructions &recent);

  FindingLog &log;
  const LoadedProgram &program;
  arch::Chip chip;
  std::vector<Place> places; ///< One a slot.
  std::vector<isa::HazardRoles> roles;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_HAZARDWATCH_H
