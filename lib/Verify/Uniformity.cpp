//===- Uniformity.cpp - Where the waves of a workgroup part ---------------===//
//
// Scalar loads from equal addresses are taken as equal, vector loads and LDS
// reads never: that the data of all waves is the same is not seen here.
//
//===----------------------------------------------------------------------===//
#include "Uniformity.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;
using isa::RegisterRange;
namespace reg = isa::reg;

Uniformity::Uniformity(const KernelCode &code) : code(code) {
  size_t count = code.flow.blocks().size();
  in.assign(count, llvm::BitVector(reg::count));
  branchVaries.assign(count, false);
  partingBlock.assign(count, -1);
  findPostDominators();
  for (unsigned entry : code.flow.entryBlocks())
    in[entry].set(reg::vgpr, reg::vectors);
  // Parted waves make more registers vary, which parts more of them.
  do {
    while (propagate())
      ;
  } while (partWaves());
}

void Uniformity::findPostDominators() {
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  postDominators.assign(blocks.size(), llvm::BitVector(blocks.size(), true));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : llvm::reverse(code.flow.order())) {
      llvm::BitVector meet(blocks.size(), !blocks[number].successors.empty());
      for (unsigned next : blocks[number].successors)
        meet &= postDominators[next];
      meet.set(number);
      if (meet != postDominators[number]) {
        postDominators[number] = std::move(meet);
        changed = true;
      }
    }
  }
}

static bool anyOf(const llvm::BitVector &varying, RegisterRange range) {
  for (unsigned i = 0; i != range.count; ++i)
    if (varying[range.first + i])
      return true;
  return false;
}

llvm::BitVector Uniformity::transfer(unsigned block, llvm::BitVector varying,
                                     bool &lastVaries) const {
  const isa::Block &range = code.flow.blocks()[block];
  bool isParted = partingBlock[block] >= 0;
  for (size_t i = range.begin; i != range.end; ++i) {
    const Instruction &inst = code.instructions()[i];
    bool varies = false;
    forEachRead(inst, [&](const isa::RegisterRead &read) {
      varies |= anyOf(varying, read.range);
    });
    lastVaries = varies;
    bool readsMemory = isVectorMemory(inst) || inst.format == Format::DS;
    forEachWrite(inst, [&](RegisterRange written) {
      bool value = varies || readsMemory || isParted;
      for (unsigned r = 0; r != written.count; ++r)
        varying[written.first + r] = value;
    });
  }
  return varying;
}

bool Uniformity::propagate() {
  bool changed = false;
  for (unsigned number : code.flow.order()) {
    bool lastVaries = false;
    llvm::BitVector out = transfer(number, in[number], lastVaries);
    const isa::Block &block = code.flow.blocks()[number];
    branchVaries[number] = lastVaries && block.successors.size() > 1;
    for (unsigned next : block.successors) {
      if (!out.test(in[next])) // Nothing in `out` that is not in `in`.
        continue;
      in[next] |= out;
      changed = true;
    }
  }
  return changed;
}

llvm::SmallVector<unsigned> Uniformity::blocksApart(unsigned number) const {
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  llvm::SmallVector<unsigned> result;
  std::vector<unsigned> open(blocks[number].successors.begin(),
                             blocks[number].successors.end());
  llvm::BitVector seen(blocks.size());
  while (!open.empty()) {
    unsigned block = open.back();
    open.pop_back();
    bool isJoin = block != number && postDominators[number][block];
    if (isJoin || seen[block])
      continue;
    seen.set(block);
    result.push_back(block);
    llvm::append_range(open, blocks[block].successors);
  }
  return result;
}

bool Uniformity::partWaves() {
  bool changed = false;
  for (unsigned number : code.flow.order()) {
    if (!branchVaries[number])
      continue;
    for (unsigned block : blocksApart(number))
      if (partingBlock[block] < 0) {
        partingBlock[block] = int(number);
        changed = true;
      }
  }
  return changed;
}

std::optional<size_t> Uniformity::partedBy(size_t index) const {
  int block = partingBlock[code.flow.blockOf(index)];
  if (block < 0)
    return std::nullopt;
  return code.flow.blocks()[unsigned(block)].end - 1;
}
