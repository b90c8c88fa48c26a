//===- NeededRegisters.cpp - what paths and addresses depend on -----------===//

#include "NeededRegisters.h"

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::sim;
using isa::Format;
using isa::Instruction;
using llvm::StringRef;
namespace reg = isa::reg;

/// Whether a vector instruction leaves nothing of its destination's old value
/// in the lanes it writes. Says no where a part of a register may stay.
static bool replacesRegisters(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  if (isa::isMfma(inst))
    return true;
  if (inst.isDpp || inst.isSdwa || (inst.opSel & 8) ||
      name.starts_with("v_writelane") || name.starts_with("v_permlane"))
    return false;
  for (StringRef whole : {"v_pk_", "v_cvt_f32_", "v_cvt_f64_", "v_cvt_u32_",
                          "v_cvt_i32_", "v_cvt_pk_bf16_", "v_cvt_pk_f16_",
                          "v_cvt_pkrtz_", "v_cmp_", "v_accvgpr_"})
    if (name.starts_with(whole))
      return true;
  for (StringRef part : {"16", "8", "fp4", "fp6", "bf6", "mix"})
    if (name.contains(part))
      return false;
  return true;
}

/// Changes nothing but its destinations. The others decide where the wave goes
/// or what arithmetic means.
static bool isPlainScalar(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  return isa::isSalu(inst) && !name.starts_with("s_setreg") &&
         !name.starts_with("s_cbranch");
}

/// Writes its destination in some cases only, or a part of it.
static bool isConditional(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  return name.starts_with("s_cmov") || name.starts_with("s_bitset") ||
         name.starts_with("s_movrel");
}

/// Bit of MODE that makes instructions index their registers.
static constexpr unsigned indexModeBit = 27;

static bool changesIndexMode(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  if (name.starts_with("s_set_gpr_idx") || name.starts_with("s_movrel"))
    return true;
  if (!name.starts_with("s_setreg"))
    return false;
  unsigned id = inst.simm16 & 63, first = (inst.simm16 >> 6) & 31,
           bits = ((inst.simm16 >> 11) & 31) + 1;
  return id == 1 && first <= indexModeBit && indexModeBit < first + bits;
}

static bool readsLdsDirect(const Instruction &inst) {
  return llvm::any_of(inst.src, [](const isa::Operand &source) {
    return source.kind == isa::OperandKind::Special && source.reg == 254;
  });
}

/// True for sources that say what an instruction stores, not where.
static bool isData(const Instruction &inst, const isa::RegisterRead &read) {
  if (inst.format == Format::SMEM || read.kind != isa::ReadKind::Source)
    return false;
  if (inst.format == Format::DS)
    return read.source != isa::MemAddr || isa::isLdsPermutation(inst);
  return read.source == isa::MemData;
}

static void fillSpaces(NeedFlow &flow, const Instruction &inst) {
  StringRef name = inst.mnemonic;
  uint8_t spaces = NeedFlow::Global;
  if (inst.format == Format::DS)
    spaces = NeedFlow::Lds;
  else if (inst.format == Format::Scratch)
    spaces = NeedFlow::Scratch;
  else if (isa::isFlat(inst))
    spaces = NeedFlow::Lds | NeedFlow::Scratch | NeedFlow::Global;
  if (inst.numDst || isa::isLdsDma(inst))
    flow.loads = spaces;
  // By what they do and not by their names, so that atomics count.
  bool isPlainLoad = isa::isLoad(inst) && !name.contains("_atomic_");
  if (!isPlainLoad && inst.format != Format::SMEM)
    flow.stores = spaces;
  if (isa::isLdsDma(inst))
    flow.stores = NeedFlow::Lds;
  flow.isLds = inst.format == Format::DS;
}

NeedFlow NeedFlow::of(const Instruction &inst) {
  NeedFlow flow;
  bool isMemory = inst.format == Format::SMEM || isa::isVectorMemory(inst) ||
                  (inst.format == Format::DS && !isa::isLdsPermutation(inst));
  bool isVector = isa::isValu(inst) || isa::isLdsPermutation(inst);
  flow.isRefused = changesIndexMode(inst) || readsLdsDirect(inst) || inst.gds ||
                   inst.format == Format::MTBUF;
  isa::forEachWrite(
      inst, [&](isa::RegisterRange range) { flow.writes.push_back(range); });
  flow.isOptional =
      isVector && llvm::none_of(flow.writes, [](isa::RegisterRange range) {
        return range.overlaps({uint16_t(reg::exec), 2});
      });
  bool isOnlyResults = flow.isOptional || isPlainScalar(inst);
  isa::forEachRead(inst, [&](const isa::RegisterRead &read) {
    if (isOnlyResults || (isMemory && read.kind == isa::ReadKind::Tied))
      flow.inputs.push_back(read.range);
    else if (isMemory && isData(inst, read))
      flow.stored.push_back(read.range);
    else
      flow.always.push_back(read.range);
  });
  if (isMemory)
    fillSpaces(flow, inst);
  flow.ignoresExec = isa::isMfma(inst);
  flow.replaces = !inst.readsDst && !isConditional(inst) &&
                  (isa::isValu(inst) ? replacesRegisters(inst)
                                     : !inst.mnemonic.contains("d16"));
  return flow;
}

//===----------------------------------------------------------------------===//
// EXEC
//===----------------------------------------------------------------------===//

namespace {

/// Scalar registers that are known to hold ones alone.
class KnownOnes {
public:
  explicit KnownOnes(bool all = false) {
    if (all)
      ones.set();
  }
  bool isFull() const { return has({uint16_t(reg::exec), 2}); }
  void set(isa::RegisterRange range, bool value) {
    for (unsigned i = 0; i != range.count; ++i)
      if (range.first + i >= reg::sgpr)
        ones.set(range.first + i - reg::sgpr, value);
  }
  /// True if that has changed something.
  bool meet(const KnownOnes &other) {
    auto old = ones;
    ones &= other.ones;
    return ones != old;
  }
  void execute(const Instruction &inst);

private:
  bool has(isa::RegisterRange range) const {
    for (unsigned i = 0; i != range.count; ++i)
      if (range.first + i < reg::sgpr || !ones[range.first + i - reg::sgpr])
        return false;
    return range.count != 0;
  }
  bool has(const isa::Operand &operand, unsigned dwords) const {
    if (operand.kind == isa::OperandKind::Immediate)
      return dwords == 2 ? operand.imm == ~uint64_t(0)
                         : uint32_t(operand.imm) == ~uint32_t(0);
    return operand.kind == isa::OperandKind::SGPR && has(isa::rangeOf(operand));
  }

  std::bitset<reg::count - reg::sgpr> ones;
};

} // namespace

void KnownOnes::execute(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  bool was = isFull(), result = false;
  bool savesExec = name.ends_with("_saveexec_b64");
  if (name == "s_mov_b64" || name == "s_mov_b32")
    result = has(inst.src[0], name == "s_mov_b64" ? 2 : 1);
  else if (name == "s_or_b64")
    result = has(inst.src[0], 2) || has(inst.src[1], 2);
  else if (name == "s_and_b64")
    result = has(inst.src[0], 2) && has(inst.src[1], 2);
  else if (savesExec)
    result = was;
  bool isStillFull =
      name == "s_or_saveexec_b64" && (was || has(inst.src[0], 2));
  isa::forEachWrite(inst, [&](isa::RegisterRange range) { set(range, false); });
  if (result)
    set(isa::rangeOf(inst.dst[0]), true);
  if (savesExec)
    set({uint16_t(reg::exec), 2}, isStillFull);
}

void NeededRegisters::findFullExec(bool startsFull) {
  llvm::ArrayRef<isa::Block> blocks = flow.blocks();
  std::vector<KnownOnes> before(blocks.size(), KnownOnes(true));
  KnownOnes start;
  start.set({uint16_t(reg::exec), 2}, startsFull);
  for (unsigned entry : flow.entryBlocks())
    before[entry].meet(start);
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (unsigned number : flow.order()) {
      KnownOnes state = before[number];
      for (size_t i = blocks[number].begin; i != blocks[number].end; ++i) {
        isFull[i] = state.isFull();
        state.execute(flow.instructions()[i]);
      }
      for (unsigned successor : blocks[number].successors)
        hasChanged |= before[successor].meet(state);
    }
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

NeededRegisters::NeededRegisters(const isa::ControlFlow &flow,
                                 llvm::ArrayRef<NeedFlow> flows,
                                 bool startsFull, bool needsLds)
    : flow(flow), flows(flows), needsLds(needsLds), isFull(flows.size()),
      runs(flows.size(), true), feeds(flows.size()), moves(flows.size()) {
  findFullExec(startsFull);
  run();
}

/// From what is needed behind an instruction to what is needed before it.
void NeededRegisters::step(size_t index, Registers &needed) {
  const NeedFlow &it = flows[index];
  bool isResultNeeded = false;
  for (isa::RegisterRange range : it.writes)
    for (unsigned i = 0; i != range.count && !isResultNeeded; ++i)
      isResultNeeded = needed[range.first + i];
  bool isStoreNeeded = it.stores & cells;
  bool mustRun = isResultNeeded || isStoreNeeded ||
                 !(it.isOptional || (it.isLds && !needsLds));
  runs[index] = mustRun;
  moves[index] = isResultNeeded || isStoreNeeded;
  if (!mustRun)
    return;
  auto add = [&](llvm::ArrayRef<isa::RegisterRange> ranges) {
    for (isa::RegisterRange range : ranges)
      for (unsigned i = 0; i != range.count; ++i)
        needed.set(range.first + i);
  };
  if (it.replaces)
    for (isa::RegisterRange range : it.writes)
      if (range.first >= reg::vectors || it.ignoresExec || isFull[index])
        for (unsigned i = 0; i != range.count; ++i)
          needed.reset(range.first + i);
  add(it.always);
  if (isStoreNeeded)
    add(it.stored);
  if (isResultNeeded) {
    add(it.inputs);
    cells |= it.loads & (NeedFlow::Lds | NeedFlow::Scratch);
  }
  bool isLoadNeeded = isResultNeeded || (isStoreNeeded && it.writes.empty());
  if (isLoadNeeded && (it.loads & NeedFlow::Global)) {
    feeds[index] = true;
    // What such a store leaves is dropped, and with it what it would give.
    valid &= !(it.stores & NeedFlow::Global);
  }
}

void NeededRegisters::run() {
  llvm::ArrayRef<isa::Block> blocks = flow.blocks();
  std::vector<Registers> before(blocks.size());
  for (bool hasChanged = true; hasChanged;) {
    uint8_t oldCells = cells;
    hasChanged = false;
    for (unsigned number : llvm::reverse(flow.order())) {
      Registers needed;
      for (unsigned successor : blocks[number].successors)
        needed |= before[successor];
      for (size_t i = blocks[number].end; i-- != blocks[number].begin;)
        step(i, needed);
      hasChanged |= needed != before[number];
      before[number] = needed;
    }
    hasChanged |= cells != oldCells;
  }
}
