//===- LaneEvaluation.cpp - Integer instructions on all lanes -------------===//
//
// Results that lanes outside of EXEC keep are unknown, unless all lanes are
// known to take part.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include "LaneOperations.h"
#include "LaneValues.h"

using namespace fly;
using namespace fly::verify;
using isa::Instruction;
using isa::Operand;
using llvm::StringRef;
namespace reg = isa::reg;

bool fly::verify::isEvaluable(const Instruction &inst) {
  if (inst.isDpp || inst.isSdwa || inst.clamp)
    return false;
  StringRef name = inst.mnemonic;
  return findOperation(name) || findComparison(name) ||
         !maskRoot(name).empty() || name == "s_mov_b64" ||
         name == "s_not_b64" || name == "v_mov_b64" ||
         name == "v_readfirstlane_b32" || name == "s_cselect_b32" ||
         name == "v_cndmask_b32" || name == "v_bitop3_b32" ||
         name == "v_mbcnt_lo_u32_b32" || name == "v_mbcnt_hi_u32_b32";
}

namespace {

/// One instruction on one set of registers.
class Evaluation {
public:
  Evaluation(const Instruction &inst, LaneRegisters &registers,
             LaneValues &values)
      : inst(inst), registers(registers), values(values) {}
  void run();

private:
  ValueId source(unsigned index, unsigned dword = 0);
  ValueId map(unsigned count, llvm::function_ref<uint32_t(const uint32_t *)> f);
  ValueId maskOf(llvm::function_ref<std::optional<bool>(bool, bool)> logic,
                 ValueId a, ValueId b);
  ValueId select(ValueId condition, ValueId ifSet, ValueId ifClear);
  ValueId firstLane(ValueId value);
  ValueId compare(const Comparison &comparison);
  ValueId compute();
  void set(isa::RegisterRange range, ValueId value);

  const Instruction &inst;
  LaneRegisters &registers;
  LaneValues &values;
};

} // namespace

/// A scalar instruction with a constant reads its destination first.
ValueId Evaluation::source(unsigned index, unsigned dword) {
  bool isFirstTied = inst.format == isa::Format::SOPK && inst.readsDst;
  const Operand &operand =
      isFirstTied ? (index ? inst.src[0] : inst.dst[0]) : inst.src[index];
  if (operand.kind == isa::OperandKind::Immediate)
    return values.constant(uint32_t(operand.imm >> (dword ? 32 : 0)));
  isa::RegisterRange range = isa::rangeOf(operand);
  return range.count > dword ? registers.values[range.first + dword]
                             : unknownValue;
}

/// `f` of the first `count` sources in each work item.
ValueId Evaluation::map(unsigned count,
                        llvm::function_ref<uint32_t(const uint32_t *)> f) {
  ValueId ids[3] = {};
  for (unsigned i = 0; i != count; ++i) {
    ids[i] = source(i);
    if (ids[i] == unknownValue || values.isMask(ids[i]))
      return unknownValue;
  }
  std::vector<uint32_t> result(values.items());
  for (unsigned item = 0; item != values.items(); ++item) {
    uint32_t operands[3] = {};
    for (unsigned i = 0; i != count; ++i)
      operands[i] = values.at(ids[i], item);
    result[item] = f(operands);
  }
  return values.lanes(std::move(result));
}

ValueId
Evaluation::maskOf(llvm::function_ref<std::optional<bool>(bool, bool)> logic,
                   ValueId a, ValueId b) {
  a = values.asMask(a);
  b = values.asMask(b);
  if (a == unknownValue || b == unknownValue)
    return unknownValue;
  std::vector<uint32_t> bits(values.items());
  for (unsigned item = 0; item != values.items(); ++item)
    bits[item] = *logic(values.at(a, item), values.at(b, item));
  return values.mask(std::move(bits));
}

ValueId Evaluation::select(ValueId condition, ValueId ifSet, ValueId ifClear) {
  if (condition == unknownValue || ifSet == unknownValue ||
      ifClear == unknownValue || values.isMask(ifSet) || values.isMask(ifClear))
    return unknownValue;
  std::vector<uint32_t> result(values.items());
  for (unsigned item = 0; item != values.items(); ++item)
    result[item] =
        values.at(values.at(condition, item) ? ifSet : ifClear, item);
  return values.lanes(std::move(result));
}

/// Of each wave's first lane; only under a full EXEC.
ValueId Evaluation::firstLane(ValueId value) {
  if (value == unknownValue || registers.values[reg::exec] != values.allLanes())
    return unknownValue;
  std::vector<uint32_t> result(values.items());
  for (unsigned item = 0; item != values.items(); ++item)
    result[item] = values.at(value, item - item % values.waveSize());
  return values.lanes(std::move(result));
}

/// SCC as 0 or 1, or the mask of lanes that take part.
ValueId Evaluation::compare(const Comparison &comparison) {
  ValueId result = map(2, [&](const uint32_t *operands) {
    return uint32_t(comparison.function(operands[0], operands[1]));
  });
  if (inst.mnemonic.starts_with("s_") || result == unknownValue)
    return result;
  ValueId exec = registers.values[reg::exec];
  if (exec == unknownValue)
    return unknownValue;
  std::vector<uint32_t> bits(values.items());
  for (unsigned item = 0; item != values.items(); ++item)
    bits[item] = values.at(result, item) & values.at(exec, item);
  return values.mask(std::move(bits));
}

ValueId Evaluation::compute() {
  StringRef name = inst.mnemonic;
  if (const Operation *operation = findOperation(name))
    return map(operation->sources, [&](const uint32_t *operands) {
      return operation->function(operands[0], operands[1], operands[2]);
    });
  if (const Comparison *comparison = findComparison(name))
    return compare(*comparison);
  if (name == "s_cselect_b32")
    return select(registers.values[reg::scc], source(0), source(1));
  if (name == "v_cndmask_b32") // src1 where the mask is set.
    return select(values.asMask(source(2)), source(1), source(0));
  if (name == "v_readfirstlane_b32")
    return firstLane(source(0));
  if (name == "v_bitop3_b32") // The truth table, as the decoder leaves it.
    return map(3, [&](const uint32_t *operands) {
      unsigned table = inst.omod << 6 | inst.abs << 3 | inst.neg;
      uint32_t result = 0;
      for (unsigned row = 0; row != 8; ++row)
        if ((table >> row) & 1)
          result |= (row & 4 ? operands[0] : ~operands[0]) &
                    (row & 2 ? operands[1] : ~operands[1]) &
                    (row & 1 ? operands[2] : ~operands[2]);
      return result;
    });
  if (name == "v_mbcnt_lo_u32_b32" || name == "v_mbcnt_hi_u32_b32") {
    // Lanes below this one in half of the mask, which is all ones.
    if (source(0) != values.constant(~0u) || source(1) == unknownValue)
      return unknownValue;
    std::vector<uint32_t> result(values.items());
    for (unsigned item = 0; item != values.items(); ++item) {
      unsigned lane = item % values.waveSize();
      unsigned below = name == "v_mbcnt_lo_u32_b32" ? std::min(lane, 32u)
                       : lane > 32                  ? lane - 32
                                                    : 0;
      result[item] = below + values.at(source(1), item);
    }
    return values.lanes(std::move(result));
  }
  return unknownValue;
}

/// Lanes outside of EXEC keep what they have.
void Evaluation::set(isa::RegisterRange range, ValueId value) {
  bool isPartial = range.first < reg::vectors &&
                   registers.values[reg::exec] != values.allLanes();
  for (unsigned i = 0; i != range.count; ++i)
    registers.values[range.first + i] =
        i == 0 && !isPartial ? value : unknownValue;
}

void Evaluation::run() {
  StringRef name = inst.mnemonic, root = maskRoot(name);
  if (!root.empty()) {
    bool savesExec = name.contains("saveexec");
    ValueId exec = registers.values[reg::exec];
    ValueId result =
        maskOf([&](bool a, bool b) { return maskLogic(root, a, b); }, source(0),
               savesExec ? exec : source(1));
    forEachWrite(inst,
                 [&](isa::RegisterRange range) { set(range, unknownValue); });
    set(isa::rangeOf(inst.dst[0]), savesExec ? exec : result);
    if (savesExec)
      set({reg::exec, 2}, result);
    return;
  }
  if (name == "s_mov_b64" || name == "v_mov_b64") {
    // Copies keep both halves; a constant of all ones is a full mask.
    ValueId low = source(0), high = source(0, 1);
    isa::RegisterRange range = isa::rangeOf(inst.dst[0]);
    if (range.first == reg::exec)
      low = values.asMask(low);
    set(range, low);
    if (range.count == 2 && registers.values[range.first] != unknownValue)
      registers.values[range.first + 1] = high;
    return;
  }
  ValueId result = isEvaluable(inst) ? compute() : unknownValue;
  forEachWrite(inst,
               [&](isa::RegisterRange range) { set(range, unknownValue); });
  if (result == unknownValue)
    return;
  if (name.starts_with("s_cmp"))
    set({reg::scc, 1}, result);
  else if (inst.numDst && isa::rangeOf(inst.dst[0]).count)
    set(isa::rangeOf(inst.dst[0]), result);
}

void fly::verify::evaluate(const Instruction &inst, LaneRegisters &registers,
                           LaneValues &values) {
  Evaluation(inst, registers, values).run();
}
