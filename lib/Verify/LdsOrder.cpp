//===- LdsOrder.cpp - LDS is written before it is read --------------------===//
//
// What problem: waves exchange data through LDS. A write must be finished in
// front of the barrier behind which others read, a read in front of the
// barrier behind which others overwrite, and a copy from memory must have come
// before even its own wave reads it. Nothing in the hardware enforces that.
// What idea: addresses are computed for all lanes of the workgroup
// (LaneValues), so that each access is a set of bytes for each wave
// (LdsInstances). Data flow carries the accesses that no barrier has ordered
// (PendingAccesses), apart for each combination of addresses (PathStates). An
// access that meets one of another wave on the same bytes, one of them writing,
// is a race (LdsRaces). This file is the walk.
//
// What is proved, if all addresses are known and all waves pass the same
// barriers, or as many: between two accesses of different waves to the same
// byte, one of them a write, lie a wait that finishes the first and then a
// barrier; between a copy to LDS and an access of the same wave to its bytes
// lies a wait. All work items of the largest allowed workgroup are taken to
// run. What it leaves open, as a note: addresses that depend on arguments or
// data, or differ in each iteration; accesses under an unknown EXEC; flat
// accesses.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Isa/InstructionClass.h"

#include "LdsRaces.h"
#include "PathStates.h"
#include "WaveBranches.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;
namespace reg = isa::reg;

/// Visits of blocks, times their number, after which the analysis gives up:
/// kernels with three stages need less than twenty.
static constexpr size_t maxVisits = 200;

namespace {

class LdsOrderCheck {
public:
  LdsOrderCheck(const KernelCode &code, const Uniformity &uniformity,
                unsigned items)
      : code(code), uniformity(uniformity), partings(code, uniformity),
        demand(code, partings), values(items, *code.arch.waveSize),
        leads(values.waves()), instances(values),
        order(code.arch, instances, leads), races(code, instances, order),
        states(code.flow.blocks().size(), demand, order) {}

  CheckResult run(bool knowsWorkItemIds, StaggerVerdict &verdict);

private:
  LaneRegisters atEntry(bool knowsWorkItemIds);
  void runBlock(Visit visit);
  void runInstruction(size_t index, LaneRegisters &registers,
                      PendingSet &pending, uint16_t lead);
  LaneRegisters withoutSkipped(unsigned block, LaneRegisters registers) const;
  void reportUnequal(size_t index, uint16_t lead);
  bool followParting(const Parting &parting, const Instruction &branch,
                     const LaneRegisters &registers, PendingSet pending,
                     uint16_t lead);
  std::optional<uint32_t> instanceOf(size_t index,
                                     const LaneRegisters &registers);
  void addNotes();

  const KernelCode &code;
  const Uniformity &uniformity;
  Partings partings;
  AddressDemand demand;
  LaneValues values;
  Leads leads;
  LdsInstances instances;
  AccessOrder order;
  LdsRaces races;
  PathStates states;

  StaggerVerdict stagger;
  /// Every branch on which waves part was followed by counting.
  bool isFollowed = true;
  llvm::DenseSet<size_t> unequalEnds;
};

} // namespace

/// What is written is unknown from now on.
static void forget(const Instruction &inst, LaneRegisters &registers) {
  forEachWrite(inst, [&](isa::RegisterRange range) {
    for (unsigned r = 0; r != range.count; ++r)
      registers.values[range.first + r] = unknownValue;
  });
}

/// The number of the access at its present address, if that is known.
std::optional<uint32_t>
LdsOrderCheck::instanceOf(size_t index, const LaneRegisters &registers) {
  const std::optional<LdsAccess> &access = demand.access(index);
  if (!access) {
    if (isFlat(code.instructions()[index]))
      races.addUnknown(index, "may touch LDS by a flat address");
    return std::nullopt;
  }
  ValueId address = access->address.count
                        ? registers.values[access->address.first]
                        : unknownValue;
  if (address == unknownValue || values.isMask(address)) {
    races.addUnknown(index, "touches LDS at an address that is not "
                            "known");
    return std::nullopt;
  }
  return instances.number(index, *access, address, registers.values[reg::exec]);
}

/// Waves part and meet again, some with more barriers passed than others; false
/// if that is not known, or they are farther apart than is followed.
bool LdsOrderCheck::followParting(const Parting &parting,
                                  const Instruction &branch,
                                  const LaneRegisters &registers,
                                  PendingSet pending, uint16_t lead) {
  auto passed = countBarriers(parting, branch, registers, leads[lead], values);
  isFollowed &= passed.has_value();
  if (!passed)
    return false;
  unsigned least = *llvm::min_element(*passed);
  if (*llvm::max_element(*passed) - least > maxLead) {
    isFollowed = false;
    return false;
  }
  Lead ahead;
  for (unsigned barriers : *passed)
    ahead.push_back(uint8_t(barriers - least));
  uint16_t next = leads.number(std::move(ahead));
  order.passBarriers(pending, least);
  // Behind the barriers, wherever between them they stand.
  order.wait(pending, parting.wait, next);
  LaneRegisters after = registers;
  for (size_t index : parting.instructions)
    forget(code.instructions()[index], after);
  states.enter(parting.join, after, pending, next);
  return true;
}

/// The kernel ends at `index` for waves that have passed more or fewer barriers
/// than others.
void LdsOrderCheck::reportUnequal(size_t index, uint16_t lead) {
  if (!unequalEnds.insert(index).second)
    return;
  Finding finding;
  finding.rule = Rule::Barriers;
  finding.place = code.place(index);
  finding.what = "is reached by waves that have not passed the same number of "
                 "barriers";
  finding.expected = "as many by each wave";
  std::string ahead;
  for (auto [wave, more] : llvm::enumerate(leads[lead]))
    if (more)
      ahead += (ahead.empty() ? "" : ", ") + std::to_string(more) +
               " more by wave " + std::to_string(wave);
  finding.actual = std::move(ahead);
  stagger.findings.push_back(std::move(finding));
}

void LdsOrderCheck::runInstruction(size_t index, LaneRegisters &registers,
                                   PendingSet &pending, uint16_t lead) {
  const Instruction &inst = code.instructions()[index];
  if (inst.mnemonic == "s_waitcnt")
    return order.wait(pending, arch::WaitCount::decode(uint16_t(inst.simm16)),
                      lead);
  if (inst.mnemonic == "s_barrier")
    return order.passBarriers(pending, 1);
  if (inst.format == Format::DS || isVectorMemory(inst)) {
    std::optional<uint32_t> instance = instanceOf(index, registers);
    if (instance)
      races.check(*instance, pending, lead);
    order.issue(inst, pending, lead);
    if (instance)
      pending[*instance] = Pending();
  }
  if (demand.isNeeded(index))
    evaluate(inst, registers, values);
  else
    forget(inst, registers);
}

/// What registers hold where waves have jumped over the blocks behind a branch
/// on EXEC. Those that have not jumped have written there, so that what was in
/// front is not what all hold.
LaneRegisters LdsOrderCheck::withoutSkipped(unsigned block,
                                            LaneRegisters registers) const {
  if (!uniformity.parts(block))
    return registers;
  ValueId exec = registers.values[reg::exec];
  for (unsigned skipped : uniformity.blocksApart(block)) {
    const isa::Block &range = code.flow.blocks()[skipped];
    for (size_t i = range.begin; i != range.end; ++i)
      forget(code.instructions()[i], registers);
  }
  registers.values[reg::exec] = exec;
  return registers;
}

void LdsOrderCheck::runBlock(Visit visit) {
  LaneRegisters registers;
  for (auto [r, value] : visit.environment.registers)
    registers.values[r] = value;
  uint16_t lead = visit.environment.lead;
  const isa::Block &block = code.flow.blocks()[visit.block];
  for (size_t i = block.begin; i != block.end; ++i)
    runInstruction(i, registers, visit.pending, lead);
  const Instruction &last = code.instructions()[block.end - 1];
  if (const Parting *parting = partings.at(visit.block))
    if (followParting(*parting, last, registers, visit.pending, lead))
      return;
  if (block.successors.empty() && lead)
    reportUnequal(block.end - 1, lead);
  std::optional<bool> isTaken = knowsBranch(last, registers, values);
  for (unsigned next : block.successors) {
    bool isTarget = code.flow.blocks()[next].begin != block.end;
    if (isTaken && *isTaken != isTarget)
      continue;
    if (!isTaken && isSkip(last, isTarget))
      states.enter(next, withoutSkipped(visit.block, registers), visit.pending,
                   lead);
    else
      states.enter(next, registers, visit.pending, lead);
  }
}

/// Barriers that not all waves may pass.
void LdsOrderCheck::addNotes() {
  races.tellUnknown();
  if (stagger.isFollowed)
    return;
  for (size_t i = 0; i != code.instructions().size(); ++i) {
    if (code.instructions()[i].mnemonic != "s_barrier" ||
        !uniformity.partedBy(i))
      continue;
    Finding note;
    note.rule = Rule::LdsOrder;
    note.place = code.place(i);
    note.what = "orders nothing between waves that may not all pass it";
    races.result.notes.push_back(std::move(note));
    return;
  }
}

/// What registers hold where the kernel begins.
LaneRegisters LdsOrderCheck::atEntry(bool knowsWorkItemIds) {
  LaneRegisters registers;
  registers.values[reg::exec] = values.allLanes();
  if (!knowsWorkItemIds)
    return registers;
  // Without a required size the ids of x alone count; see checkLdsOrder().
  std::array<uint32_t, 3> size = code.kernel.requiredWorkgroupSize;
  uint32_t width = size[0] ? size[0] : values.items();
  uint32_t height = std::max(1u, size[1]);
  std::vector<uint32_t> ids(values.items());
  for (unsigned item = 0; item != values.items(); ++item) {
    // [LLVM22] AMDGPUUsage: ids of x, y and z at bits 0, 10 and 20.
    uint32_t x = item % width;
    uint32_t y = item / width % height;
    uint32_t z = item / width / height;
    unsigned dims = code.kernel.descriptor.workitemIdDims();
    ids[item] = x | (dims > 0 ? y << 10 : 0) | (dims > 1 ? z << 20 : 0);
  }
  registers.values[reg::vgpr] = values.lanes(std::move(ids));
  return registers;
}

CheckResult LdsOrderCheck::run(bool knowsWorkItemIds, StaggerVerdict &verdict) {
  LaneRegisters registers = atEntry(knowsWorkItemIds);
  for (unsigned entry : code.flow.entryBlocks())
    states.enter(entry, registers, {}, /*lead=*/0);
  size_t visits = 0;
  while (std::optional<Visit> visit = states.next()) {
    if (++visits > maxVisits * code.flow.blocks().size()) {
      Finding note;
      note.rule = Rule::LdsOrder;
      note.place = code.place(code.flow.blocks()[visit->block].begin);
      note.what = "is reached with more combinations of addresses than are "
                  "followed";
      races.result.notes.push_back(std::move(note));
      isFollowed = false;
      break;
    }
    runBlock(std::move(*visit));
  }
  stagger.isFollowed = isFollowed && partings.coverBarriers();
  // Where one branch was not counted, the others say nothing.
  if (!stagger.isFollowed)
    stagger.findings.clear();
  if (!stagger.isFollowed)
    races.leaveOpen();
  addNotes();
  verdict = std::move(stagger);
  return std::move(races.result);
}

/// Work items of a workgroup: what the kernel requires, or the most it allows.
static unsigned workgroupItems(const isa::Kernel &kernel) {
  const std::array<uint32_t, 3> &size = kernel.requiredWorkgroupSize;
  uint64_t items = uint64_t(size[0]) * size[1] * size[2];
  if (!items)
    items = kernel.maxFlatWorkgroupSize;
  return unsigned(std::clamp<uint64_t>(items, 1, arch::maxWorkgroupThreads));
}

CheckResult fly::verify::checkLdsOrder(const KernelCode &code,
                                       const Uniformity &uniformity,
                                       StaggerVerdict &stagger) {
  bool touchesLds = llvm::any_of(code.instructions(), [](const auto &inst) {
    return ldsAccessOf(inst).has_value();
  });
  bool partsAtBarrier = false;
  for (size_t i = 0; i != code.instructions().size(); ++i)
    partsAtBarrier |= code.instructions()[i].mnemonic == "s_barrier" &&
                      uniformity.partedBy(i);
  if (!touchesLds && !partsAtBarrier)
    return {};
  bool knowsShape = code.kernel.requiredWorkgroupSize[0] != 0 ||
                    code.kernel.descriptor.workitemIdDims() == 0;
  CheckResult result =
      LdsOrderCheck(code, uniformity, workgroupItems(code.kernel))
          .run(knowsShape, stagger);
  return touchesLds ? std::move(result) : CheckResult();
}
