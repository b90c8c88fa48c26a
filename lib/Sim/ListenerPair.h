//===- ListenerPair.h - two listeners to one execution ----------*- C++ -*-===//
#ifndef FLY_LIB_SIM_LISTENERPAIR_H
#define FLY_LIB_SIM_LISTENERPAIR_H

#include "Listener.h"

namespace fly::sim {

/// Tells the first, then the second. The first must not change the wave, since
/// the second hears of what was executed.
class ListenerPair : public ExecutionListener {
public:
  ListenerPair(ExecutionListener &first, ExecutionListener &second)
      : first(first), second(second) {}

  void startWorkgroup(WorkgroupState &workgroup) override {
    first.startWorkgroup(workgroup);
    second.startWorkgroup(workgroup);
  }
  void before(const isa::Instruction &inst, size_t slot,
              WaveState &wave) override {
    first.before(inst, slot, wave);
    second.before(inst, slot, wave);
  }
  void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
             const AccessLog &accesses) override {
    first.after(inst, slot, wave, accesses);
    second.after(inst, slot, wave, accesses);
  }
  void releaseBarrier(WorkgroupState &workgroup) override {
    first.releaseBarrier(workgroup);
    second.releaseBarrier(workgroup);
  }
  void endWorkgroup(WorkgroupState &workgroup) override {
    first.endWorkgroup(workgroup);
    second.endWorkgroup(workgroup);
  }

private:
  ExecutionListener &first, &second;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_LISTENERPAIR_H
