//===- WaitLinks.cpp - What waits of a wave waited for --------------------===//
//
// LDS and scalar memory share a counter. Scalar memory comes back in any order,
// so that compilers wait for all of both; walked as a queue the links are right
// there, too. A generic (flat) access counts in both counters.
//
//===----------------------------------------------------------------------===//
#include "WaitLinks.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/InstructionKind.h"

using namespace fly;
using namespace fly::reports;
using isa::Format;

void WaitLinks::drain(std::deque<uint32_t> &queue, unsigned leave,
                      uint32_t wait) {
  for (; queue.size() > leave; queue.pop_front())
    found[wait].insert(queue.front());
}

void WaitLinks::execute(const isa::Instruction &inst, uint32_t line) {
  if (kindOf(inst) == isa::InstructionKind::Wait) {
    arch::WaitCount wait = waitOf(inst);
    // The largest value of a field does not wait.
    if (wait.vm < arch::WaitCount::maxVm)
      drain(vectors, wait.vm, line);
    if (wait.lgkm < arch::WaitCount::maxLgkm)
      drain(locals, wait.lgkm, line);
    return;
  }
  bool isAtomic = inst.mnemonic.contains("_atomic_");
  if (isVectorMemory(inst) &&
      (isLoad(inst) || isStore(inst) || isAtomic || isLdsDma(inst)))
    vectors.push_back(line);
  if (inst.format == Format::DS || inst.format == Format::SMEM || isFlat(inst))
    locals.push_back(line);
}

std::vector<profile::WaitLink> WaitLinks::links() const {
  std::vector<profile::WaitLink> result;
  for (const auto &[wait, sources] : found)
    result.push_back({wait, {sources.begin(), sources.end()}});
  return result;
}
