//===- AddressDemand.cpp - What LDS addresses are made of -----------------===//
#include "AddressDemand.h"

#include "LaneValues.h"

using namespace fly;
using namespace fly::verify;
using isa::RegisterRange;
namespace reg = isa::reg;

AddressDemand::AddressDemand(const KernelCode &code, const Partings &partings)
    : code(code), partings(partings),
      in(code.flow.blocks().size(), llvm::BitVector(reg::count)),
      needed(code.instructions().size()) {
  for (const isa::Instruction &inst : code.instructions()) {
    evaluable.push_back(isEvaluable(inst));
    accesses.push_back(ldsAccessOf(inst));
  }
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : llvm::reverse(code.flow.order())) {
      llvm::BitVector live(reg::count);
      for (unsigned next : blocks[number].successors)
        live |= in[next];
      live = transfer(number, std::move(live));
      if (live != in[number]) {
        in[number] = std::move(live);
        changed = true;
      }
    }
  }
}

llvm::BitVector AddressDemand::transfer(unsigned block, llvm::BitVector live) {
  const isa::Block &range = code.flow.blocks()[block];
  auto add = [&](RegisterRange registers) {
    live.set(registers.first, registers.first + registers.count);
  };
  for (size_t i = range.end; i-- != range.begin;) {
    const isa::Instruction &inst = code.instructions()[i];
    live.set(reg::exec, reg::exec + 2);
    bool isLive = false;
    forEachWrite(inst, [&](RegisterRange written) {
      for (unsigned r = 0; r != written.count; ++r)
        isLive |= live[written.first + r];
    });
    needed[i] = needed[i] || isLive;
    forEachWrite(inst, [&](RegisterRange written) {
      live.reset(written.first, written.first + written.count);
    });
    if (isLive && evaluable[i])
      forEachRead(inst,
                  [&](const isa::RegisterRead &read) { add(read.range); });
    if (inst.mnemonic.starts_with("s_cbranch_vcc"))
      add({reg::vcc, 2});
    if (partings.isBranch(i) && inst.mnemonic.starts_with("s_cbranch_scc"))
      add({reg::scc, 1});
    if (accesses[i] && accesses[i]->address.count)
      add(accesses[i]->address);
  }
  live.set(reg::exec, reg::exec + 2);
  return live;
}
