//===- Workgroup.h - one running workgroup ----------------------*- C++ -*-===//
//
// What problem: memory, LDS, barriers and faults are shared by the waves of a
// workgroup, and executors reach them through WaveState::workgroup.
// What idea: one object a host thread, reused for each workgroup that thread
// runs: registers and LDS are reset, not reallocated.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_WORKGROUP_H
#define FLY_LIB_SIM_WORKGROUP_H

#include "fly/Sim/Memory.h"
#include "fly/Sim/Options.h"
#include "fly/Sim/Result.h"
#include "fly/Sim/Simulator.h"
#include "fly/Sim/WaveState.h"

#include <memory>
#include <random>
#include <vector>

#include "Exec/LanePatterns.h"
#include "Listener.h"

namespace fly::sim {

class TimeSlice;

/// What every workgroup of a launch has in common; built once.
struct LaunchState {
  const LoadedProgram *program = nullptr;
  const isa::Kernel *kernel = nullptr;
  const DeviceMemory *memory = nullptr;
  SimOptions options;
  std::array<uint32_t, 3> workgroups = {1, 1, 1};
  std::array<uint32_t, 3> workgroupSize = {64, 1, 1};
  uint32_t flatWorkgroupSize = 64;
  uint32_t wavesPerWorkgroup = 1;
  /// Declared; without the check of bounds a multiple of the granule.
  uint32_t ldsBytes = 0;
  uint32_t privateBytes = 0; ///< Scratch of a lane.
  uint32_t xcds = 1;         ///< Of the chip's default product.
  uint64_t entry = 0;        ///< Device address of the first instruction.
  uint64_t kernargAddress = 0;
  uint64_t dispatchPacketAddress = 0;
  uint64_t queueAddress = 0;
  /// User SGPRs, kernarg preload included; system SGPRs follow.
  std::vector<uint32_t> userSgprs;
  /// What is executed, where time alone is asked for; else null.
  const TimeSlice *slice = nullptr;
};

/// Addresses with these upper halves reach LDS and scratch through flat_*
/// instructions, as the runtime configures gfx9.
/// [MEM: SIM-APERTURES]
constexpr uint64_t sharedApertureBase = uint64_t(0x10000) << 32;
constexpr uint64_t privateApertureBase = uint64_t(0x20000) << 32;

/// The workgroup that a host thread currently runs.
class WorkgroupState {
public:
  explicit WorkgroupState(const LaunchState &launch,
                          ExecutionListener *listener = nullptr);

  /// What a step has come to.
  enum class Progress { Running, Ended, Faulted };

  /// Prepares workgroup (x, y, z).
  void start(std::array<uint32_t, 3> id);
  /// Gives each wave its turn, or, with a seed, one of them some instructions.
  Progress step();
  /// Counts what has run; behind the last step.
  void finish();

  /// The wave that faulted in the last run().
  const WaveState &faultedWave() const { return waves[faulted]; }
  std::array<uint32_t, 3> id() const { return workgroupId; }
  /// How many waves waited when a barrier could not be met, for the message.
  unsigned waitingWaves() const { return waitingAtFault; }

  /// How many wait at a barrier now.
  unsigned countWaiting() const;

  /// Instructions that a wave has executed, the only clock of this engine.
  uint64_t instructionsOf(const WaveState &wave) const {
    return executed[wave.waveIndex];
  }
  /// Position of the workgroup in dispatch order.
  uint64_t linearId() const {
    return workgroupId[0] +
           uint64_t(launch.workgroups[0]) *
               (workgroupId[1] +
                uint64_t(launch.workgroups[1]) * workgroupId[2]);
  }

  // Used by executors.
  const LaunchState &launch;
  Result counts;

  /// Host bytes of a device range; null if it is not inside one allocation.
  uint8_t *global(uint64_t address, uint64_t bytes) {
    bool isInLast = address >= last.base && bytes <= last.size &&
                    address - last.base <= last.size - bytes;
    if (LLVM_UNLIKELY(!isInLast) && !find(address, bytes))
      return nullptr;
    return last.host + (address - last.base);
  }
  /// Where stores to such bytes, at most 16, go: nowhere in a time slice.
  uint8_t *written(uint8_t *host) {
    if (LLVM_UNLIKELY(launch.slice != nullptr))
      return dropped + reinterpret_cast<uintptr_t>(host) % 16;
    return host;
  }
  /// Host bytes of an LDS range; null if outside the allocation.
  uint8_t *ldsAt(uint64_t address, uint32_t bytes) {
    if (address + bytes > lds.size() || address > lds.size())
      return nullptr;
    return lds.data() + address;
  }
  /// Host bytes of a lane's scratch; null if outside.
  uint8_t *scratchAt(const WaveState &wave, unsigned lane, uint64_t offset,
                     uint32_t bytes) {
    if (offset > launch.privateBytes || offset + bytes > launch.privateBytes)
      return nullptr;
    return scratch.data() +
           (size_t(wave.waveIndex) * waveLanes + lane) * launch.privateBytes +
           offset;
  }

  /// Tells the listener, if there is one, of a lane's access.
  void note(MemorySpace space, uint64_t address, uint32_t bytes, unsigned lane,
            bool isWrite, unsigned part, const uint8_t *host) {
    if (LLVM_UNLIKELY(listener != nullptr))
      accesses.add(space, address, bytes, lane, isWrite, part, host);
  }

  /// The same of an access of each lane of a pattern, found by `patterns`.
  void note(const PatternAccess &access) {
    if (LLVM_UNLIKELY(listener != nullptr))
      accesses.addAlike(access);
  }
  LanePatterns patterns;

  llvm::MutableArrayRef<WaveState> allWaves() { return waves; }

private:
  /// What a kernel may access of one allocation.
  struct Accessible {
    uint64_t base = 0, size = 0;
    uint8_t *host = nullptr;
  };
  /// Makes the allocation that holds the range the last one.
  bool find(uint64_t address, uint64_t bytes);
  void reset(std::array<uint32_t, 3> id);
  void initialiseWave(WaveState &wave);
  /// Runs until the wave stops or has executed so many instructions.
  void runWave(WaveState &wave, uint64_t slice) {
    listener ? runWaveAs<true>(wave, slice) : runWaveAs<false>(wave, slice);
  }
  template <bool isWatched>
  void runWaveAs(WaveState &wave, uint64_t slice);
  /// The wave that gets the next turn, null if none can run.
  WaveState *drawWave();
  Progress stop();
  void executeWatched(const isa::Instruction &inst, ExecFn execute, size_t slot,
                      WaveState &wave);
  /// Called when no wave can run. True if some can again.
  bool releaseBarrier();

  ExecutionListener *const listener;
  /// What to call: those of the program, or a slice of them.
  const LoadedProgram::Slot *slots;
  AccessLog accesses;
  std::array<uint32_t, 3> workgroupId = {0, 0, 0};
  std::vector<WaveState> waves;
  std::vector<uint64_t> executed; ///< Instructions of each wave.
  std::unique_ptr<LaneBuffer[]> registers;
  std::vector<uint8_t> lds;
  std::vector<uint8_t> scratch;
  Accessible last;
  alignas(16) uint8_t dropped[32] = {};
  /// Draws turns; seeded for each workgroup.
  std::minstd_rand random;
  unsigned faulted = 0;
  unsigned waitingAtFault = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_WORKGROUP_H
