//===- Checker.h - the checks of one host thread ----------------*- C++ -*-===//
//
// The listener that holds what the checks share (outstanding memory
// instructions of each wave) and asks each check that is switched on.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_CHECKER_H
#define FLY_LIB_SIM_CHECK_CHECKER_H

#include "fly/Sim/Options.h"

#include "Definedness.h"
#include "Delivery.h"
#include "HazardWatch.h"
#include "LdsRaces.h"
#include "Visibility.h"

namespace fly::sim {

struct LaunchState;

class Checker : public ExecutionListener {
public:
  Checker(const LaunchState &launch, const FactTable &facts,
          StoreHistory &stores);

  void startWorkgroup(WorkgroupState &workgroup) override;
  void before(const isa::Instruction &inst, size_t slot,
              WaveState &wave) override;
  void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
             const AccessLog &accesses) override;
  void releaseBarrier(WorkgroupState &workgroup) override;
  void endWorkgroup(WorkgroupState &workgroup) override;

  FindingLog &findings() { return log; }

private:
  /// What is known of one wave.
  struct WaveChecks {
    MemoryOps ops;
    PendingRegisters pending;
    DefinedRegisters defined;
    RecentInstructions recent;
  };

  const InstructionFacts &factsOf(const isa::Instruction &inst, size_t slot);
  void issue(const InstructionFacts &facts, const isa::Instruction &inst,
             size_t slot, WaveState &wave, const AccessLog &accesses);
  void complete(MemoryOp &op, WaveState &wave);

  const FactTable &facts;
  const CheckSet checks;
  FindingLog log;
  DeliveryCheck delivery;
  std::optional<DefinednessCheck> definedness;
  std::optional<LdsRaces> races;
  std::optional<HazardWatch> hazards;
  std::optional<VisibilityCheck> visibility;
  std::vector<WaveChecks> waves;
  /// Facts of an instruction that index mode has changed.
  std::optional<InstructionFacts> shifted;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_CHECKER_H
