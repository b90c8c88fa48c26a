//===- Listener.h - who watches the execution -------------------*- C++ -*-===//
//
// What problem: checks (and whatever else looks at a launch) need every
// instruction and every lane's address, while executors should know of none of
// them.
// What idea: the loop that runs a wave tells one listener before and after each
// instruction; where memory is resolved, accesses go to a log that the listener
// reads. Without a listener the loop is another instance that has no calls.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_LISTENER_H
#define FLY_LIB_SIM_LISTENER_H

#include "fly/Sim/WaveState.h"

#include <cassert>

namespace fly::sim {

struct LanePattern;

enum class MemorySpace : uint8_t { Global, Lds, Scratch };

/// One access of one lane; accesses that the hardware drops are none.
struct LaneAccess {
  uint64_t address = 0; ///< Device address; of LDS the byte in the allocation.
  uint16_t bytes = 0;
  uint8_t lane = 0;
  MemorySpace space = MemorySpace::Global;
  /// First register of the lane's data that the access moves.
  uint8_t part = 0;
  bool isWrite = false; ///< Atomics are writes.
  /// Of writes to LDS: what was there before.
  uint8_t old[16] = {};
};

/// One access of each of the lanes of a pattern, all inside of one allocation
/// of global memory.
struct PatternAccess {
  const LanePattern *pattern = nullptr; ///< Null: there is none.
  uint64_t base = 0;  ///< Device address of offset 0 of the pattern.
  uint32_t bytes = 0; ///< Of each lane.
};

/// The accesses of one instruction: those of lanes one by one, or a pattern of
/// them, which only address-only execution gives.
class AccessLog {
public:
  void clear() {
    count = 0;
    lanesAlike.pattern = nullptr;
  }
  /// `host` is where the bytes are before the access.
  void add(MemorySpace space, uint64_t address, uint32_t bytes, unsigned lane,
           bool isWrite, unsigned part, const uint8_t *host) {
    assert(count != capacity && "no instruction has so many accesses");
    LaneAccess &entry = entries[count++];
    entry.address = address;
    entry.bytes = uint16_t(bytes);
    entry.lane = uint8_t(lane);
    entry.space = space;
    entry.part = uint8_t(part);
    entry.isWrite = isWrite;
    if (space == MemorySpace::Lds && isWrite)
      std::memcpy(entry.old, host, bytes);
  }
  const LaneAccess *begin() const { return entries; }
  const LaneAccess *end() const { return entries + count; }
  bool empty() const { return count == 0; }
  void addAlike(const PatternAccess &access) { lanesAlike = access; }
  const PatternAccess &alike() const { return lanesAlike; }

private:
  /// A copy of 16 bytes to LDS has five a lane.
  static constexpr unsigned capacity = 5 * waveLanes;
  LaneAccess entries[capacity];
  unsigned count = 0;
  PatternAccess lanesAlike;
};

/// Hears of everything that one workgroup does. An instance belongs to one
/// host thread.
class ExecutionListener {
public:
  virtual ~ExecutionListener() = default;

  /// Waves and registers hold what they start with.
  virtual void startWorkgroup(WorkgroupState &workgroup) = 0;
  /// Before execution. `slot` is the dword of the instruction in the program,
  /// or noSlot where index mode has changed the operands. wave.pc is behind it.
  virtual void before(const isa::Instruction &inst, size_t slot,
                      WaveState &wave) = 0;
  /// After execution, unless the wave faulted.
  virtual void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
                     const AccessLog &accesses) = 0;
  /// All waves that wait at a barrier go on.
  virtual void releaseBarrier(WorkgroupState &workgroup) = 0;
  virtual void endWorkgroup(WorkgroupState &workgroup) = 0;

  static constexpr size_t noSlot = ~size_t(0);
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_LISTENER_H
