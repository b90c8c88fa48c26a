//===- LaneExchange.h - Codes of exchanges between lanes --------*- C++ -*-===//
//
// Control codes of DPP and of ds_swizzle_b32 that move a value to the lane
// whose number differs in one bit. Both chips have them; the codes are those of
// the instruction set manuals (DPP_CTRL, DS_SWIZZLE_B32 bit mode) [AMD] and of
// LLVM's SIDefines.h [LLVM22].
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ARCH_LANEEXCHANGE_H
#define FLY_ARCH_LANEEXCHANGE_H

#include <cstdint>

namespace fly::arch {

/// DPP_CTRL of quad_perm: lane i of a quad reads lane `from[i]`.
constexpr uint32_t dppQuadPerm(uint32_t from0, uint32_t from1, uint32_t from2,
                               uint32_t from3) {
  return from0 | from1 << 2 | from2 << 4 | from3 << 6;
}
/// Rotation of a row of 16 lanes to the right by `count` of 1 to 15.
constexpr uint32_t dppRowRor(uint32_t count) { return 0x120 + count; }
/// Lane i of 8 reads lane 7 - i.
inline constexpr uint32_t dppRowHalfMirror = 0x141;
/// All rows and all banks take part.
inline constexpr uint32_t dppAllRows = 0xf, dppAllBanks = 0xf;

/// Offset of ds_swizzle_b32 in bit mode: lane i of 32 reads lane
/// ((i & and) | or) ^ xor, here with and = 31, or = 0.
constexpr uint32_t dsSwizzleXor(uint32_t mask) { return 0x1f | mask << 10; }

} // namespace fly::arch

#endif // FLY_ARCH_LANEEXCHANGE_H
