//===- AddressSlice.cpp - arithmetic that only makes addresses ------------===//
//
// What idea: backwards over what a wave executed, with the registers that are
// still needed for something else than an address. Arithmetic that writes none
// of them is address arithmetic, and so is what it reads in turn.
// What it leaves out: a vector write under a partial EXEC counts as a whole
// one.
//
//===----------------------------------------------------------------------===//

#include "AddressSlice.h"

#include "fly/Isa/InstructionClass.h"

#include <bitset>

using namespace fly;
using namespace fly::sim;

namespace {

using Registers = std::bitset<isa::reg::count>;

/// What a static instruction does to the set of needed registers.
struct Flow {
  llvm::SmallVector<isa::RegisterRange, 3> writes;
  llvm::SmallVector<isa::RegisterRange, 4> dataReads;
  bool isArithmetic = false;
  bool keepsOld = false; ///< The old value of the result is an input.
};

} // namespace

/// True for sources that say where, not what.
static bool isAddress(const TimedInstruction &timed,
                      const isa::RegisterRead &read) {
  if (timed.kind == TimedKind::ScalarLoad)
    return true;
  if (read.kind == isa::ReadKind::Implied)
    return read.range.first == isa::reg::m0;
  if (read.kind != isa::ReadKind::Source)
    return false;
  if (timed.kind == TimedKind::Lds)
    return read.source == isa::MemAddr;
  return read.source != isa::MemData;
}

static Flow flowOf(const TimedInstruction &timed) {
  Flow flow;
  flow.isArithmetic =
      timed.kind == TimedKind::Plain && !timed.isBranch &&
      (timed.category == IssueCategory::Valu ||
       (timed.category == IssueCategory::Scalar && isa::isSalu(*timed.inst)));
  flow.keepsOld = timed.inst->readsDst;
  bool isMemory = timed.isMemory || timed.kind == TimedKind::Lds;
  isa::forEachWrite(*timed.inst, [&](isa::RegisterRange range) {
    flow.writes.push_back(range);
  });
  isa::forEachRead(*timed.inst, [&](const isa::RegisterRead &read) {
    if (!isMemory || !isAddress(timed, read))
      flow.dataReads.push_back(read.range);
  });
  return flow;
}

std::vector<bool> fly::sim::findAddressArithmetic(const TimedProgram &program,
                                                  const WaveTrace &trace) {
  std::vector<Flow> flows;
  for (uint32_t i = 0; i != program.size(); ++i)
    flows.push_back(flowOf(program.numbered(i)));
  std::vector<bool> marks(trace.slots.size());
  Registers needed;
  for (size_t at = trace.slots.size(); at-- != 0;) {
    const Flow &flow = flows[program.numberOf(trace.slots[at])];
    bool isNeeded = !flow.isArithmetic;
    for (isa::RegisterRange range : flow.writes)
      for (unsigned i = 0; i != range.count && !isNeeded; ++i)
        isNeeded = needed[range.first + i];
    if (!isNeeded) {
      marks[at] = true;
      continue;
    }
    if (!flow.keepsOld)
      for (isa::RegisterRange range : flow.writes)
        for (unsigned i = 0; i != range.count; ++i)
          needed.reset(range.first + i);
    for (isa::RegisterRange range : flow.dataReads)
      for (unsigned i = 0; i != range.count; ++i)
        needed.set(range.first + i);
  }
  return marks;
}
