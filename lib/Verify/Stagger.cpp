//===- Stagger.cpp - Waves that pass barriers of their own ----------------===//
//
// A side is a chain of blocks up to the join. The join is the first block that
// both chains come to; one of them may be empty.
//
// Values are followed along paths, as if all waves took each of them. So a
// condition may not be made of what a path wrote that only some waves take.
//
//===----------------------------------------------------------------------===//
#include "Stagger.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"

using namespace fly;
using namespace fly::verify;

/// The blocks from `block` on, each the only successor of the one before.
static llvm::SmallVector<unsigned, 4> chainFrom(const KernelCode &code,
                                                unsigned block) {
  llvm::SmallVector<unsigned, 4> chain = {block};
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  while (blocks[chain.back()].successors.size() == 1) {
    unsigned next = blocks[chain.back()].successors.front();
    if (llvm::is_contained(chain, next))
      break;
    chain.push_back(next);
  }
  return chain;
}

static std::optional<Parting> findParting(const KernelCode &code,
                                          unsigned number) {
  const isa::Block &block = code.flow.blocks()[number];
  llvm::StringRef branch = code.instructions()[block.end - 1].mnemonic;
  if (block.successors.size() != 2 || (!branch.starts_with("s_cbranch_scc") &&
                                       !branch.starts_with("s_cbranch_vcc")))
    return std::nullopt;
  // The first successor is the next instruction; see isa::ControlFlow.
  llvm::SmallVector<unsigned, 4> other = chainFrom(code, block.successors[0]);
  llvm::SmallVector<unsigned, 4> taken = chainFrom(code, block.successors[1]);
  const auto *join = llvm::find_if(
      other, [&](unsigned each) { return llvm::is_contained(taken, each); });
  if (join == other.end())
    return std::nullopt;
  Parting result;
  result.join = *join;
  auto walk = [&](llvm::ArrayRef<unsigned> chain, unsigned &barriers,
                  arch::WaitCount &wait) {
    for (unsigned each : chain) {
      if (each == result.join)
        return true;
      const isa::Block &side = code.flow.blocks()[each];
      for (size_t i = side.begin; i != side.end; ++i) {
        const isa::Instruction &inst = code.instructions()[i];
        if (inst.format == isa::Format::DS || isVectorMemory(inst))
          return false;
        barriers += inst.mnemonic == "s_barrier";
        if (inst.mnemonic == "s_waitcnt") {
          auto own = arch::WaitCount::decode(uint16_t(inst.simm16));
          wait.vm = std::min(wait.vm, own.vm);
          wait.lgkm = std::min(wait.lgkm, own.lgkm);
        }
        result.instructions.push_back(i);
      }
    }
    return false;
  };
  arch::WaitCount wait;
  if (!walk(other, result.other, result.wait) ||
      !walk(taken, result.taken, wait))
    return std::nullopt;
  result.wait.vm = std::max(result.wait.vm, wait.vm);
  result.wait.lgkm = std::max(result.wait.lgkm, wait.lgkm);
  return result;
}

/// Whether some condition is made of a value that is written where waves have
/// parted: liveness, backwards from the branches.
bool Partings::dependOnPartedWaves(const KernelCode &code,
                                   const Uniformity &uniformity) const {
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  std::vector<llvm::BitVector> in(blocks.size(),
                                  llvm::BitVector(isa::reg::count));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : llvm::reverse(code.flow.order())) {
      llvm::BitVector live(isa::reg::count);
      for (unsigned next : blocks[number].successors)
        live |= in[next];
      for (size_t i = blocks[number].end; i-- != blocks[number].begin;) {
        const isa::Instruction &inst = code.instructions()[i];
        bool isLive = false;
        forEachWrite(inst, [&](isa::RegisterRange written) {
          for (unsigned r = 0; r != written.count; ++r)
            isLive |= live[written.first + r];
          live.reset(written.first, written.first + written.count);
        });
        if (isLive && uniformity.partedBy(i))
          return true;
        if (isLive || isBranch(i))
          forEachRead(inst, [&](const isa::RegisterRead &read) {
            live.set(read.range.first, read.range.first + read.range.count);
          });
      }
      // EXEC is what the wave began with, or its value is not known.
      live.reset(isa::reg::exec, isa::reg::exec + 2);
      if (live != in[number]) {
        in[number] = std::move(live);
        changed = true;
      }
    }
  }
  return false;
}

/// Whether the waves that go different ways at `block` pass barriers there.
static bool hasBarriersApart(const KernelCode &code,
                             const Uniformity &uniformity, unsigned block) {
  return llvm::any_of(uniformity.blocksApart(block), [&](unsigned apart) {
    const isa::Block &range = code.flow.blocks()[apart];
    return llvm::any_of(
        code.instructions().slice(range.begin, range.end - range.begin),
        [](const auto &inst) { return inst.mnemonic == "s_barrier"; });
  });
}

Partings::Partings(const KernelCode &code, const Uniformity &uniformity) {
  for (unsigned block : code.flow.order()) {
    if (!uniformity.parts(block) || !hasBarriersApart(code, uniformity, block))
      continue;
    std::optional<Parting> parting = findParting(code, block);
    isComplete &= parting.has_value();
    if (!parting)
      continue;
    branches.insert(code.flow.blocks()[block].end - 1);
    byBlock[block] = std::move(*parting);
  }
  if (byBlock.empty() || !dependOnPartedWaves(code, uniformity))
    return;
  isComplete = false;
  byBlock.clear();
  branches.clear();
}
