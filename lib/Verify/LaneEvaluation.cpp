//===- LaneEvaluation.cpp - Integer instructions on all lanes -------------===//
//
// The integer arithmetic that compilers form LDS addresses with, by mnemonic.
// Scalar and vector instructions of one meaning share a function. Results that
// lanes outside of EXEC keep are unknown, unless all lanes are known to take
// part.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include "LaneValues.h"

using namespace fly;
using namespace fly::verify;
using isa::Instruction;
using isa::Operand;
using llvm::StringRef;
namespace reg = isa::reg;

namespace {

using Function = uint32_t (*)(uint32_t, uint32_t, uint32_t);

struct Operation {
  llvm::StringLiteral name;
  unsigned sources;
  Function function;
};

/// Comparisons, for scalar and vector instructions alike.
struct Comparison {
  llvm::StringLiteral name; ///< "eq_u32"
  bool (*function)(uint32_t, uint32_t);
};

} // namespace

#define FN(...)                                                                \
  [](uint32_t a, uint32_t b, uint32_t c) -> uint32_t {                         \
    (void)a;                                                                   \
    (void)b;                                                                   \
    (void)c;                                                                   \
    return (__VA_ARGS__);                                                      \
  }

static uint32_t field(uint32_t value, uint32_t offset, uint32_t width) {
  offset &= 31;
  width = std::min<uint32_t>(width & 31, 32);
  return (value >> offset) & llvm::maskTrailingOnes<uint32_t>(width);
}

/// The low bits as a signed number; of none, 0.
static uint32_t signExtend(uint32_t value, uint32_t bits) {
  if (bits == 0)
    return 0;
  uint32_t sign = 1u << (bits - 1);
  value &= llvm::maskTrailingOnes<uint32_t>(bits);
  return (value ^ sign) - sign;
}

static constexpr Operation operations[] = {
    {"s_mov_b32", 1, FN(a)},
    {"s_movk_i32", 1, FN(a)},
    {"v_mov_b32", 1, FN(a)},
    {"s_not_b32", 1, FN(~a)},
    {"v_not_b32", 1, FN(~a)},
    {"s_add_u32", 2, FN(a + b)},
    {"s_add_i32", 2, FN(a + b)},
    {"v_add_u32", 2, FN(a + b)},
    {"v_add_co_u32", 2, FN(a + b)},
    {"s_sub_u32", 2, FN(a - b)},
    {"s_sub_i32", 2, FN(a - b)},
    {"v_sub_u32", 2, FN(a - b)},
    {"v_sub_co_u32", 2, FN(a - b)},
    {"v_subrev_u32", 2, FN(b - a)},
    {"s_mul_i32", 2, FN(a * b)},
    {"v_mul_lo_u32", 2, FN(a * b)},
    {"v_mul_u32_u24", 2, FN((a & 0xffffff) * (b & 0xffffff))},
    {"v_mad_u32_u24", 3, FN((a & 0xffffff) * (b & 0xffffff) + c)},
    {"s_mul_hi_u32", 2, FN(uint32_t(uint64_t(a) * b >> 32))},
    {"v_mul_hi_u32", 2, FN(uint32_t(uint64_t(a) * b >> 32))},
    {"s_lshl_b32", 2, FN(a << (b & 31))},
    {"s_lshr_b32", 2, FN(a >> (b & 31))},
    {"s_ashr_i32", 2, FN(uint32_t(int32_t(a) >> (b & 31)))},
    {"v_lshlrev_b32", 2, FN(b << (a & 31))},
    {"v_lshrrev_b32", 2, FN(b >> (a & 31))},
    {"v_ashrrev_i32", 2, FN(uint32_t(int32_t(b) >> (a & 31)))},
    {"s_lshl1_add_u32", 2, FN((a << 1) + b)},
    {"s_lshl2_add_u32", 2, FN((a << 2) + b)},
    {"s_lshl3_add_u32", 2, FN((a << 3) + b)},
    {"s_lshl4_add_u32", 2, FN((a << 4) + b)},
    {"s_and_b32", 2, FN(a & b)},
    {"v_and_b32", 2, FN(a & b)},
    {"s_or_b32", 2, FN(a | b)},
    {"v_or_b32", 2, FN(a | b)},
    {"s_xor_b32", 2, FN(a ^ b)},
    {"v_xor_b32", 2, FN(a ^ b)},
    {"s_andn2_b32", 2, FN(a & ~b)},
    {"s_orn2_b32", 2, FN(a | ~b)},
    {"s_addk_i32", 2, FN(a + b)},
    {"s_mulk_i32", 2, FN(a * b)},
    {"v_mul_i32_i24", 2, FN(signExtend(a, 24) * signExtend(b, 24))},
    {"v_mad_i32_i24", 3, FN(signExtend(a, 24) * signExtend(b, 24) + c)},
    {"v_xnor_b32", 2, FN(~(a ^ b))},
    {"s_xnor_b32", 2, FN(~(a ^ b))},
    {"s_bfe_i32", 2, FN(signExtend(field(a, b, b >> 16), (b >> 16) & 31))},
    {"v_bfe_i32", 3, FN(signExtend(field(a, b, c), c & 31))},
    {"s_bfe_u32", 2, FN(field(a, b, b >> 16))},
    {"v_bfe_u32", 3, FN(field(a, b, c))},
    {"v_bfi_b32", 3, FN((a & b) | (~a & c))},
    {"v_add3_u32", 3, FN(a + b + c)},
    {"v_lshl_add_u32", 3, FN((a << (b & 31)) + c)},
    {"v_add_lshl_u32", 3, FN((a + b) << (c & 31))},
    {"v_lshl_or_b32", 3, FN((a << (b & 31)) | c)},
    {"v_and_or_b32", 3, FN((a & b) | c)},
    {"v_or3_b32", 3, FN(a | b | c)},
    {"v_xad_u32", 3, FN((a ^ b) + c)},
    {"s_min_u32", 2, FN(std::min(a, b))},
    {"v_min_u32", 2, FN(std::min(a, b))},
    {"s_max_u32", 2, FN(std::max(a, b))},
    {"v_max_u32", 2, FN(std::max(a, b))},
    {"s_min_i32", 2, FN(uint32_t(std::min(int32_t(a), int32_t(b))))},
    {"v_min_i32", 2, FN(uint32_t(std::min(int32_t(a), int32_t(b))))},
    {"s_max_i32", 2, FN(uint32_t(std::max(int32_t(a), int32_t(b))))},
    {"v_max_i32", 2, FN(uint32_t(std::max(int32_t(a), int32_t(b))))},
};

#define COMPARE(...) [](uint32_t a, uint32_t b) -> bool { return __VA_ARGS__; }

static constexpr Comparison comparisons[] = {
    {"eq_u32", COMPARE(a == b)},
    {"eq_i32", COMPARE(a == b)},
    {"ne_u32", COMPARE(a != b)},
    {"ne_i32", COMPARE(a != b)},
    {"lg_u32", COMPARE(a != b)},
    {"lg_i32", COMPARE(a != b)},
    {"lt_u32", COMPARE(a < b)},
    {"le_u32", COMPARE(a <= b)},
    {"gt_u32", COMPARE(a > b)},
    {"ge_u32", COMPARE(a >= b)},
    {"lt_i32", COMPARE(int32_t(a) < int32_t(b))},
    {"le_i32", COMPARE(int32_t(a) <= int32_t(b))},
    {"gt_i32", COMPARE(int32_t(a) > int32_t(b))},
    {"ge_i32", COMPARE(int32_t(a) >= int32_t(b))},
};

static const Operation *findOperation(StringRef name) {
  for (const Operation &operation : operations)
    if (name == operation.name)
      return &operation;
  return nullptr;
}

static const Comparison *findComparison(StringRef name) {
  if (!name.consume_front("v_cmp_") && !name.consume_front("s_cmp_") &&
      !name.consume_front("s_cmpk_"))
    return nullptr;
  for (const Comparison &comparison : comparisons)
    if (name == comparison.name)
      return &comparison;
  return nullptr;
}

/// Logic on masks of lanes, by the name's root; unknown roots give nothing.
static std::optional<bool> maskLogic(StringRef root, bool a, bool b) {
  if (root == "and")
    return a && b;
  if (root == "or")
    return a || b;
  if (root == "xor")
    return a != b;
  if (root == "andn2")
    return a && !b;
  if (root == "orn2")
    return a || !b;
  return std::nullopt;
}

/// "and" of "s_and_b64" and of "s_and_saveexec_b64", else nothing.
static StringRef maskRoot(StringRef name) {
  if (!name.consume_front("s_") || !name.consume_back("_b64"))
    return "";
  name.consume_back("_saveexec");
  return maskLogic(name, false, false) ? name : "";
}

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
