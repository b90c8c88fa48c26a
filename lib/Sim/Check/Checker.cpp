//===- Checker.cpp - the checks of one host thread ------------------------===//

#include "Checker.h"

#include "fly/Isa/InstructionClass.h"

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;

Checker::Checker(const LaunchState &launch, const FactTable &facts,
                 StoreHistory &stores)
    : facts(facts), checks(launch.options.checks),
      delivery(log, launch.options.deliverySeed),
      waves(launch.wavesPerWorkgroup) {
  if (checks.has(Check::Races))
    races.emplace(log, *launch.program, launch.ldsBytes,
                  launch.wavesPerWorkgroup);
  if (checks.has(Check::Init))
    definedness.emplace(log, launch);
  if (checks.has(Check::Hazards))
    hazards.emplace(log, *launch.program);
  if (checks.has(Check::Visibility))
    visibility.emplace(log, *launch.program, stores);
}

void Checker::startWorkgroup(WorkgroupState &workgroup) {
  for (auto [wave, known] : llvm::zip(workgroup.allWaves(), waves)) {
    known.pending.set.clear();
    known.defined.partial.clear();
    known.defined.spilledBits.clear();
    if (definedness)
      definedness->startWave(wave, known.defined);
    if (hazards)
      hazards->startWave(known.recent);
  }
  if (definedness)
    definedness->startWorkgroup();
  if (races)
    races->startWorkgroup();
  if (visibility)
    visibility->startWorkgroup(workgroup.linearId());
}

const InstructionFacts &Checker::factsOf(const isa::Instruction &inst,
                                         size_t slot) {
  return slot != noSlot ? facts.at(slot) : *shifted;
}

void Checker::before(const isa::Instruction &inst, size_t slot,
                     WaveState &wave) {
  if (slot == noSlot)
    shifted.emplace(inst);
  const InstructionFacts &known = factsOf(inst, slot);
  WaveChecks &state = waves[wave.waveIndex];
  if (LLVM_UNLIKELY(known.footprint.meets(state.pending.set)))
    delivery.checkUses(known, inst, wave, state.pending, state.ops);
  if (LLVM_UNLIKELY(known.footprint.meets(state.defined.partial)))
    definedness->propagate(known, inst, wave, state.defined);
  // Index mode moves registers: what was asked about the place is not of them.
  if (hazards && slot != noSlot)
    hazards->step(inst, slot, wave, state.recent);
  if (isMemory(known.issue)) {
    delivery.saveDestination(inst, wave);
    if (visibility && known.issue != IssueKind::Lds)
      visibility->announce(inst);
  }
}

void Checker::after(const isa::Instruction &inst, size_t slot, WaveState &wave,
                    const AccessLog &accesses) {
  const InstructionFacts &known = factsOf(inst, slot);
  switch (known.issue) {
  case IssueKind::None:
    break;
  case IssueKind::CacheControl:
    if (visibility)
      visibility->control(inst, wave);
    return;
  case IssueKind::Wait:
    if (visibility)
      visibility->wait(known.wait, wave);
    waves[wave.waveIndex].ops.wait(known.wait,
                                   [&](MemoryOp &op) { complete(op, wave); });
    return;
  default:
    issue(known, inst, slot, wave, accesses);
    return;
  }
  if (races && wave.status == WaveStatus::AtBarrier)
    races->arrive(wave, waves[wave.waveIndex].ops);
  if (wave.status == WaveStatus::Ended)
    waves[wave.waveIndex].ops.completeAll(
        [&](MemoryOp &op) { complete(op, wave); });
}

void Checker::issue(const InstructionFacts &known, const isa::Instruction &inst,
                    size_t slot, WaveState &wave, const AccessLog &accesses) {
  WaveChecks &state = waves[wave.waveIndex];
  MemoryOp &op = state.ops.issue(known.issue,
                                 [&](MemoryOp &full) { complete(full, wave); });
  op.inst = &inst;
  op.slot = uint32_t(slot);
  op.enabled = op.lanes = wave.exec();
  op.isLdsDma = isa::isLdsDma(inst);
  for (const LaneAccess &access : accesses) {
    if (access.space != MemorySpace::Lds)
      continue;
    LdsRange range{uint32_t(access.address), access.bytes, access.lane};
    if (access.isWrite && known.issue == IssueKind::Lds)
      range.changesNothing =
          std::memcmp(access.old,
                      wave.workgroup->ldsAt(access.address, access.bytes),
                      access.bytes) == 0;
    op.ldsRanges.push_back(range);
  }
  if (races)
    races->access(op, wave, state.ops);
  if (definedness)
    definedness->access(inst, slot, wave, accesses, state.defined);
  if (visibility)
    visibility->access(inst, slot, wave, accesses);
  if (checks.has(Check::Delivery)) {
    delivery.withhold(op, inst, wave, accesses, state.pending);
    delivery.deliverSome(wave, state.ops);
  }
}

void Checker::complete(MemoryOp &op, WaveState &wave) {
  delivery.deliver(op, wave, waves[wave.waveIndex].pending);
  if (races)
    races->complete(op, wave);
}

void Checker::releaseBarrier(WorkgroupState &) {
  if (races)
    races->releaseBarrier();
  if (visibility)
    visibility->releaseBarrier();
}
void Checker::endWorkgroup(WorkgroupState &) {
  // A workgroup that faulted leaves operations behind.
  for (WaveChecks &known : waves)
    known.ops.completeAll([&](MemoryOp &) {});
}
