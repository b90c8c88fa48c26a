//===- LaneOperations.cpp - Integer instructions by mnemonic --------------===//
#include "LaneOperations.h"

#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::verify;
using llvm::StringRef;

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

const Operation *fly::verify::findOperation(StringRef name) {
  for (const Operation &operation : operations)
    if (name == operation.name)
      return &operation;
  return nullptr;
}

const Comparison *fly::verify::findComparison(StringRef name) {
  if (!name.consume_front("v_cmp_") && !name.consume_front("s_cmp_") &&
      !name.consume_front("s_cmpk_"))
    return nullptr;
  for (const Comparison &comparison : comparisons)
    if (name == comparison.name)
      return &comparison;
  return nullptr;
}

std::optional<bool> fly::verify::maskLogic(StringRef root, bool a, bool b) {
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

StringRef fly::verify::maskRoot(StringRef name) {
  if (!name.consume_front("s_") || !name.consume_back("_b64"))
    return "";
  name.consume_back("_saveexec");
  return maskLogic(name, false, false) ? name : "";
}
