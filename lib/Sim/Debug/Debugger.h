//===- Debugger.h - tells of what a launch was asked for --------*- C++ -*-===//
//
// The listener of DebugOptions. Each kind of question tells a bounded number of
// times, so that a loop does not drown the first answer.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_DEBUG_DEBUGGER_H
#define FLY_LIB_SIM_DEBUG_DEBUGGER_H

#include "fly/Sim/Debug.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Error.h"

#include "../Listener.h"

namespace fly::sim {

struct LaunchState;

/// The options in terms of one launch.
struct DebugPlan {
  struct Range {
    uint64_t address = 0, bytes = 0;
    std::string text;
  };
  std::vector<Range> watches;
  llvm::BitVector breakSlots;
  bool firstNan = false;
  std::optional<uint64_t> dumpLds;

  /// An error says which place or allocation does not exist.
  static llvm::Expected<DebugPlan> make(const LaunchState &launch,
                                        const DebugOptions &options);
};

/// A dword as a float, in the fewest digits: "0.5".
std::string floatText(uint32_t bits);

class Debugger : public ExecutionListener {
public:
  Debugger(const LaunchState &launch, const DebugPlan &plan);

  void startWorkgroup(WorkgroupState &workgroup) override;
  void before(const isa::Instruction &inst, size_t slot,
              WaveState &wave) override;
  void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
             const AccessLog &accesses) override;
  void releaseBarrier(WorkgroupState &) override {}
  void endWorkgroup(WorkgroupState &workgroup) override;

private:
  void tell(const WaveState &wave, const isa::Instruction &inst, int lane,
            std::string what);
  void watch(const isa::Instruction &inst, const WaveState &wave,
             const AccessLog &accesses);
  void tellState(const isa::Instruction &inst, WaveState &wave);
  void findNan(const isa::Instruction &inst, WaveState &wave);

  const LaunchState &launch;
  const DebugPlan &plan;
  /// Bytes of each watch as they were last seen.
  std::vector<std::vector<uint8_t>> lastSeen;
  std::vector<unsigned> watchCounts;
  unsigned breakCount = 0;
  unsigned nanWorkgroups = 0;
  bool hasNan = false; ///< Of this workgroup.
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_DEBUG_DEBUGGER_H
