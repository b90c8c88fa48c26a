//===- Delivery.cpp - registers before their values arrive ----------------===//

#include "Delivery.h"

#include "llvm/ADT/bit.h"

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;
namespace reg = isa::reg;

/// Whether two in-order results of one unit may go to one register, and which
/// bits of it the instruction writes.
static uint32_t bitsWritten(const isa::Instruction &inst) {
  if (!inst.mnemonic.contains("_d16"))
    return ~uint32_t(0);
  return inst.mnemonic.ends_with("_hi") ? 0xffff0000u : 0xffffu;
}

void DeliveryCheck::reportUse(const MemoryOp &owner, unsigned index,
                              bool isRead, uint64_t lanes,
                              const isa::Instruction &inst,
                              const WaveState &wave, const MemoryOps &ops) {
  int lane = index < reg::vectors ? int(llvm::countr_zero(lanes)) : -1;
  log.report(Check::Delivery, wave, inst, lane, owner.inst, [&] {
    return isa::registerName(index) +
           (isRead ? " is read before its value is sure to have arrived"
                   : " is overwritten while a result for it is outstanding") +
           ", s_waitcnt " + ops.waitFor(owner) + " is missing";
  });
}

void DeliveryCheck::checkUses(const InstructionFacts &facts,
                              const isa::Instruction &inst, WaveState &wave,
                              const PendingRegisters &pending,
                              const MemoryOps &ops) {
  auto visit = [&](isa::RegisterRange range, bool isRead, uint64_t lanes,
                   bool mayFollow) {
    for (unsigned i = range.first, e = range.first + range.count; i != e; ++i) {
      if (!pending.set.has(i))
        continue;
      const MemoryOp &owner = *pending.owner[i];
      if (mayFollow && ops.isInOrderWith(owner, facts.issue))
        continue;
      uint64_t hit = i < reg::vectors ? owner.lanes & lanes : ~uint64_t(0);
      if (hit)
        return reportUse(owner, i, isRead, hit, inst, wave, ops);
    }
  };
  uint64_t lanes = facts.lanesRead(inst, wave);
  for (const isa::RegisterRead &read : facts.reads)
    visit(read.range, true, lanes, read.kind == isa::ReadKind::Tied);
  for (isa::RegisterRange range : facts.writes)
    visit(range, false, lanes, true);
}

/// Registers that a memory instruction delivers.
static isa::RegisterRange destinationOf(const isa::Instruction &inst) {
  return inst.numDst ? isa::rangeOf(inst.dst[0]) : isa::RegisterRange();
}

/// Lanes of a vector register, or one scalar.
static llvm::MutableArrayRef<uint32_t> contents(WaveState &wave,
                                                unsigned index) {
  if (index < reg::vectors)
    return {wave.vectorFile + size_t(index) * waveLanes, waveLanes};
  return wave.sgpr[index - reg::sgpr];
}

void DeliveryCheck::saveDestination(const isa::Instruction &inst,
                                    WaveState &wave) {
  saved.clear();
  isa::RegisterRange range = destinationOf(inst);
  for (unsigned i = 0; i != range.count; ++i) {
    llvm::ArrayRef<uint32_t> old = contents(wave, range.first + i);
    saved.insert(saved.end(), old.begin(), old.end());
  }
}

void DeliveryCheck::withhold(MemoryOp &op, const isa::Instruction &inst,
                             WaveState &wave, const AccessLog &accesses,
                             PendingRegisters &pending) {
  op.destination = destinationOf(inst);
  op.registerBits = bitsWritten(inst);
  op.results.clear();
  op.isDelivered = false;
  const uint32_t *old = saved.data();
  for (unsigned i = 0; i != op.destination.count; ++i) {
    unsigned index = op.destination.first + i;
    llvm::MutableArrayRef<uint32_t> now = contents(wave, index);
    op.results.insert(op.results.end(), now.begin(), now.end());
    std::memcpy(now.data(), old, now.size() * sizeof(uint32_t));
    old += now.size();
    if (pending.set.has(index))
      op.lanes |= pending.owner[index]->lanes;
    pending.set.add(index);
    pending.owner[index] = &op;
  }
  op.ldsBytes.clear();
  if (!op.isLdsDma)
    return;
  for (const LaneAccess &access : accesses) {
    if (access.space != MemorySpace::Lds)
      continue;
    uint8_t *host = wave.workgroup->ldsAt(access.address, access.bytes);
    op.ldsBytes.insert(op.ldsBytes.end(), host, host + access.bytes);
    std::memcpy(host, access.old, access.bytes);
  }
}

void DeliveryCheck::writeResults(MemoryOp &op, WaveState &wave) {
  op.isDelivered = true;
  const uint32_t *result = op.results.data();
  for (unsigned i = 0; i != op.destination.count; ++i) {
    llvm::MutableArrayRef<uint32_t> to =
        contents(wave, op.destination.first + i);
    bool isVector = to.size() != 1;
    for (size_t lane = 0; lane != to.size(); ++lane, ++result)
      if (!isVector || (op.enabled >> lane) & 1)
        to[lane] = (to[lane] & ~op.registerBits) | (*result & op.registerBits);
  }
  const uint8_t *bytes = op.ldsBytes.data();
  if (!op.ldsBytes.empty())
    for (const LdsRange &range : op.ldsRanges) {
      std::memcpy(wave.workgroup->ldsAt(range.address, range.bytes), bytes,
                  range.bytes);
      bytes += range.bytes;
    }
}

void DeliveryCheck::deliver(MemoryOp &op, WaveState &wave,
                            PendingRegisters &pending) {
  if (!op.isDelivered)
    writeResults(op, wave);
  for (unsigned i = 0; i != op.destination.count; ++i) {
    unsigned index = op.destination.first + i;
    if (pending.owner[index] != &op)
      continue;
    pending.owner[index] = nullptr;
    pending.set.remove(index);
  }
}

void DeliveryCheck::deliverSome(WaveState &wave, MemoryOps &ops) {
  if (!isSeeded || random() % 8 != 0)
    return;
  if (MemoryOp *op = ops.oldestUndelivered(random()))
    writeResults(*op, wave);
}
