//===- Recorder.h - the trace of a launch -----------------------*- C++ -*-===//
//
// What idea: a listener writes down what its workgroup does; finished traces go
// to the launch's collection, in dispatch order whatever the host threads did.
// A plan says beforehand which workgroups are recorded, and of which only the
// blocks of memory that they touch: those feed the caches of the others.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_RECORDER_H
#define FLY_LIB_SIM_TIMING_RECORDER_H

#include "fly/Arch/LdsModel.h"
#include "fly/Sim/Memory.h"
#include "fly/Sim/Timing.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <mutex>

#include "../Listener.h"
#include "TimedInstruction.h"
#include "Trace.h"

namespace fly::sim {

struct LaunchState;

/// How much of a workgroup is recorded.
enum class TraceDepth : uint8_t { None, Blocks, Full };

/// The traces of one launch.
class LaunchTrace {
public:
  /// Of a time slice: time depends on what an allocation holds; stores to it
  /// are dropped.
  enum RegionUse : uint8_t { Needed = 1, Dropped = 2 };

  LaunchTrace(const Machine &machine, const LoadedProgram &program)
      : machine(machine), program(program, machine) {}

  const Machine &machine;
  const TimedProgram program;
  /// By workgroup in dispatch order; set before the launch.
  std::vector<TraceDepth> plan;
  bool countsBanks = false; ///< TimingOptions::ldsBanks

  bool records(uint64_t workgroup) const {
    return workgroup < plan.size() && plan[workgroup] != TraceDepth::None;
  }
  void add(WorkgroupTrace &&trace) {
    std::lock_guard<std::mutex> lock(mutex);
    traces[trace.workgroup] = std::move(trace);
  }
  const WorkgroupTrace *find(uint64_t workgroup) const {
    auto it = traces.find(workgroup);
    return it == traces.end() ? nullptr : &it->second;
  }

  /// False if the allocation is used in both ways now.
  bool noteUse(const MemoryRegion *region, RegionUse use) {
    std::lock_guard<std::mutex> lock(mutex);
    return (uses[region] |= use) != (Needed | Dropped);
  }

  /// Adds what banks served, which has no order.
  void add(const std::map<uint32_t, LdsBankTiming> &banks);
  /// Of all workgroups that are recorded in full, ascending by instruction.
  std::vector<LdsBankTiming> ldsBanks() const;

private:
  std::mutex mutex;
  std::map<uint64_t, WorkgroupTrace> traces;
  llvm::DenseMap<const MemoryRegion *, unsigned> uses;
  std::map<uint32_t, LdsBankTiming> banksOf; ///< By number of instruction.
};

/// Records the workgroups of one host thread.
class Recorder : public ExecutionListener {
public:
  explicit Recorder(LaunchTrace &trace);

  void startWorkgroup(WorkgroupState &workgroup) override;
  void before(const isa::Instruction &, size_t, WaveState &) override {}
  void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
             const AccessLog &accesses) override;
  void releaseBarrier(WorkgroupState &) override {}
  void endWorkgroup(WorkgroupState &workgroup) override;

private:
  /// The blocks that the lanes touch.
  BlockRun recordBlocks(const TimedInstruction &timed,
                        const AccessLog &accesses, const WaveState &wave);
  BlockRun recordAlike(const PatternAccess &access, BlockAccess::Kind kind,
                       const LaunchState &launch);
  void addBytes(uint64_t address, unsigned bytes, BlockAccess::Kind kind);
  void sortBlocks();
  BlockRun shareList();
  uint64_t timedAddress(uint64_t address, const LaunchState &launch);
  void noteUses(const isa::Instruction &inst, const TimedInstruction &timed,
                uint32_t slot, WaveState &wave, const AccessLog &accesses);
  BankCycles recordBanks(uint32_t number, const TimedInstruction &timed,
                         const AccessLog &accesses);

  LaunchTrace &trace;
  const unsigned halfShift; ///< Of the bytes of half a block.
  TraceDepth depth = TraceDepth::None;
  WorkgroupTrace current;
  std::vector<BlockAccess> blocks; ///< Of the instruction.
  /// Lists of blocks that instructions share.
  std::shared_ptr<llvm::BumpPtrAllocator> lists;
  llvm::StringMap<BlockRun> sharedLists; ///< By what they hold, from 0 on.
  /// By pattern of lanes, and where in a block its offset 0 is.
  llvm::DenseMap<std::pair<unsigned, unsigned>, BlockRun> knownRuns;
  const MemoryRegion *region = nullptr; ///< Of the address before.
  llvm::DenseMap<const MemoryRegion *, unsigned> uses; ///< Noted ones.
  /// An address pattern that was seen: loops repeat them.
  struct KnownPattern {
    BankCycles cycles;
    unsigned banks = 0; ///< That are counted.
    uint32_t load = 0;  ///< Index in `loads`.
  };
  void countBanks(uint32_t number, unsigned banks,
                  const arch::LdsBankLoad &load);
  llvm::DenseMap<uint64_t, KnownPattern> knownPatterns;
  std::vector<arch::LdsBankLoad> loads;
  std::map<uint32_t, LdsBankTiming> banksOf; ///< By number of instruction.
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_RECORDER_H
