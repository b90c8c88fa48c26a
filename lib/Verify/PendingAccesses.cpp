//===- PendingAccesses.cpp - Accesses no barrier has ordered --------------===//
#include "PendingAccesses.h"

#include "fly/Isa/InstructionClass.h"

using namespace fly;
using namespace fly::verify;
using isa::Instruction;

static void finish(Pending &state, uint16_t lead) {
  if (state.isFinished())
    return;
  state.age = Pending::finished;
  state.lead = lead;
}

void AccessOrder::wait(PendingSet &pending, const arch::WaitCount &count,
                       uint16_t lead) const {
  for (auto &[number, state] : pending) {
    bool isDma = instances[number].access.isDma;
    unsigned left = isDma ? count.vm : count.lgkm;
    if (left < (isDma ? vmLimit : lgkmLimit) && state.age >= left)
      finish(state, lead);
  }
}

void AccessOrder::issue(const Instruction &inst, PendingSet &pending,
                        uint16_t lead) const {
  bool isVm =
      isVectorMemory(inst) && !isFlat(inst) && inst.mnemonic != "buffer_inv";
  bool isLds = inst.format == isa::Format::DS && !inst.gds;
  if (!isVm && !isLds)
    return;
  for (auto &[number, state] : pending)
    if (!state.isFinished() && instances[number].access.isDma == isVm &&
        ++state.age >= (isVm ? vmLimit : lgkmLimit))
      finish(state, lead);
}

void AccessOrder::passBarriers(PendingSet &pending, unsigned count) const {
  for (auto it = pending.begin(); it != pending.end();) {
    Pending &state = it->second;
    state.crossedBarrier |= count != 0;
    if (state.isFinished())
      state.crossed = uint8_t(std::min(state.crossed + count, maxLead + 1));
    bool isOrdered = state.isFinished() &&
                     state.crossed > *llvm::max_element(leads[state.lead]);
    it = isOrdered ? pending.erase(it) : std::next(it);
  }
}

bool AccessOrder::merge(Pending &into, const Pending &from) const {
  Pending before = into;
  into.crossedBarrier |= from.crossedBarrier;
  if (into.isFinished() && from.isFinished()) {
    into.crossed = std::min(into.crossed, from.crossed);
    into.lead = leads.join(into.lead, from.lead);
  } else {
    into.age = std::min(into.age, from.age);
    into.crossed = 0;
    into.lead = 0;
  }
  return !(into == before);
}

unsigned AccessOrder::missingBarriers(llvm::ArrayRef<uint32_t> meetings,
                                      const Pending &state,
                                      uint16_t lead) const {
  unsigned missing = 0;
  const Lead &then = leads[state.isFinished() ? state.lead : 0];
  const Lead &now = leads[lead];
  for (size_t first = 0; first != meetings.size(); ++first)
    for (size_t second = 0; second != meetings.size(); ++second) {
      if (first == second || !(meetings[first] >> second & 1))
        continue;
      unsigned needed = 1 + then[first], passed = state.crossed + now[second];
      if (!state.isFinished() || passed < needed)
        missing = std::max(missing, passed < needed ? needed - passed : 1);
    }
  return missing;
}
