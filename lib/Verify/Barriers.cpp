//===- Barriers.cpp - All lanes and waves pass the same barriers ----------===//
//
// What problem: a barrier that not all waves of a workgroup pass the same
// number of times hangs, or lets waves run ahead. Hardware counts waves, so a
// barrier under a lane's condition is passed by a wave as soon as one of its
// lanes takes part, which is rarely meant.
// What idea: EXEC holds the lanes that the wave started with in front of each
// barrier, or has been restored; and no branch on a value that may differ
// between waves leads to it past others, unless the barriers of all waves could
// be counted (LdsOrder.cpp) and match in number. What fails is a note, numbers
// that do not match are a finding.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"

#include "Stagger.h"

using namespace fly;
using namespace fly::verify;
using isa::Instruction;
namespace reg = isa::reg;

namespace {

/// Registers that hold all lanes that the wave started with, on all paths, and
/// where EXEC lost some.
struct State {
  llvm::BitVector full = llvm::BitVector(reg::count, true);
  size_t narrowedAt = 0;

  bool merge(const State &from) {
    bool wasFull = full[reg::exec];
    llvm::BitVector before = full;
    full &= from.full;
    if (wasFull && !full[reg::exec])
      narrowedAt = from.narrowedAt;
    return full != before;
  }
};

} // namespace

/// True if the operand is known to be all lanes.
static bool isFull(const isa::Operand &operand, const State &state) {
  if (operand.kind == isa::OperandKind::Immediate)
    return int64_t(operand.imm) == -1;
  isa::RegisterRange range = isa::rangeOf(operand);
  return range.count == 2 && state.full[range.first];
}

static void step(const Instruction &inst, size_t index, State &state) {
  llvm::StringRef name = inst.mnemonic;
  bool execBefore = state.full[reg::exec];
  bool result = false, savesExec = name.contains("saveexec");
  if (name == "s_mov_b64")
    result = isFull(inst.src[0], state);
  else if (name == "s_or_b64")
    result = isFull(inst.src[0], state) || isFull(inst.src[1], state);
  else if (name == "s_and_b64")
    result = isFull(inst.src[0], state) && isFull(inst.src[1], state);
  else if (name == "s_or_saveexec_b64")
    result = isFull(inst.src[0], state) || execBefore;
  else if (name == "s_and_saveexec_b64")
    result = isFull(inst.src[0], state) && execBefore;
  forEachWrite(inst, [&](isa::RegisterRange range) {
    bool isExec = range.first == reg::exec;
    bool value = savesExec && !isExec ? execBefore : result;
    state.full.reset(range.first, range.first + range.count);
    if (value && range.count == 2)
      state.full.set(range.first);
    if (range.first / 2 == reg::exec / 2 && execBefore && !value)
      state.narrowedAt = index;
  });
}

CheckResult fly::verify::checkBarriers(const KernelCode &code,
                                       const Uniformity &uniformity,
                                       const StaggerVerdict &stagger) {
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  std::vector<State> in(blocks.size());
  for (unsigned entry : code.flow.entryBlocks()) {
    in[entry].full.reset();
    in[entry].full.set(reg::exec);
  }
  CheckResult result;
  result.findings = stagger.findings;
  auto note = [&](size_t index, size_t producer, llvm::StringRef what) {
    Finding finding;
    finding.rule = Rule::Barriers;
    finding.place = code.place(index);
    finding.producer = code.place(producer);
    finding.what = what.str();
    result.notes.push_back(std::move(finding));
  };
  auto runBlock = [&](unsigned number, bool isReporting) {
    State state = in[number];
    for (size_t i = blocks[number].begin; i != blocks[number].end; ++i) {
      const Instruction &inst = code.instructions()[i];
      if (isReporting && inst.mnemonic == "s_barrier" && !state.full[reg::exec])
        note(i, state.narrowedAt,
             "is passed with fewer lanes than the wave has, without EXEC "
             "restored");
      step(inst, i, state);
    }
    return state;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : code.flow.order()) {
      State out = runBlock(number, /*isReporting=*/false);
      for (unsigned next : blocks[number].successors)
        changed |= in[next].merge(out);
    }
  }
  for (unsigned number : code.flow.order()) {
    runBlock(number, /*isReporting=*/true);
    if (stagger.isFollowed)
      continue;
    for (size_t i = blocks[number].begin; i != blocks[number].end; ++i)
      if (code.instructions()[i].mnemonic == "s_barrier")
        if (std::optional<size_t> branch = uniformity.partedBy(i))
          note(i, *branch,
               "is behind a branch on which waves may differ, some of them may "
               "not pass it");
  }
  return result;
}
