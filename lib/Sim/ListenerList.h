//===- ListenerList.h - several listeners to one execution ------*- C++ -*-===//

#ifndef FLY_LIB_SIM_LISTENERLIST_H
#define FLY_LIB_SIM_LISTENERLIST_H

#include "llvm/ADT/SmallVector.h"

#include "Listener.h"

namespace fly::sim {

/// Passes everything on, in the order in which listeners were added.
class ListenerList : public ExecutionListener {
public:
  void add(ExecutionListener &listener) { list.push_back(&listener); }
  /// Who has to hear of everything: nobody, the only one, or the list.
  ExecutionListener *whole() {
    if (list.size() > 1)
      return this;
    return list.empty() ? nullptr : list.front();
  }

  void startWorkgroup(WorkgroupState &workgroup) override {
    for (ExecutionListener *listener : list)
      listener->startWorkgroup(workgroup);
  }
  void before(const isa::Instruction &inst, size_t slot,
              WaveState &wave) override {
    for (ExecutionListener *listener : list)
      listener->before(inst, slot, wave);
  }
  void after(const isa::Instruction &inst, size_t slot, WaveState &wave,
             const AccessLog &accesses) override {
    for (ExecutionListener *listener : list)
      listener->after(inst, slot, wave, accesses);
  }
  void releaseBarrier(WorkgroupState &workgroup) override {
    for (ExecutionListener *listener : list)
      listener->releaseBarrier(workgroup);
  }
  void endWorkgroup(WorkgroupState &workgroup) override {
    for (ExecutionListener *listener : list)
      listener->endWorkgroup(workgroup);
  }

private:
  llvm::SmallVector<ExecutionListener *, 3> list;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_LISTENERLIST_H
