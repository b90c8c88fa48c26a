//===- SaluOperands.h - sources and results of scalar maths -----*- C++ -*-===//
//
// What idea: each scalar instruction is one captureless lambda in a table by
// mnemonic; these helpers read its sources and write its result and SCC.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_EXEC_SALUOPERANDS_H
#define FLY_LIB_SIM_EXEC_SALUOPERANDS_H

#include "ExecTable.h"

namespace fly::sim::salu {

using isa::Instruction;

inline uint32_t src0(const Instruction &inst, const WaveState &wave) {
  return wave.scalar(inst.src[0]);
}
inline uint32_t src1(const Instruction &inst, const WaveState &wave) {
  return wave.scalar(inst.src[1]);
}
/// 64-bit sources. A 32-bit literal is zero-extended, an inline integer
/// sign-extended; the decoder gives both as 64-bit values.
inline uint64_t wide0(const Instruction &inst, const WaveState &wave) {
  return wave.scalar64(inst.src[0]);
}
inline uint64_t wide1(const Instruction &inst, const WaveState &wave) {
  return wave.scalar64(inst.src[1]);
}

inline void put(const Instruction &inst, WaveState &wave, uint32_t value) {
  wave.setScalar(inst.dst[0], value);
}
inline void put64(const Instruction &inst, WaveState &wave, uint64_t value) {
  wave.setScalar64(inst.dst[0], value);
}
/// Result with SCC = (result != 0).
inline void putNonZero(const Instruction &inst, WaveState &wave,
                       uint32_t value) {
  put(inst, wave, value);
  wave.scc = value != 0;
}
inline void putNonZero64(const Instruction &inst, WaveState &wave,
                         uint64_t value) {
  put64(inst, wave, value);
  wave.scc = value != 0;
}

/// Sum with carry out, and with signed overflow, in SCC.
inline void putUnsignedSum(const Instruction &inst, WaveState &wave, uint32_t a,
                           uint32_t b, uint32_t carry) {
  uint64_t sum = uint64_t(a) + b + carry;
  put(inst, wave, uint32_t(sum));
  wave.scc = uint32_t(sum >> 32);
}
inline void putUnsignedDifference(const Instruction &inst, WaveState &wave,
                                  uint32_t a, uint32_t b, uint32_t borrow) {
  put(inst, wave, a - b - borrow);
  wave.scc = uint64_t(a) < uint64_t(b) + borrow;
}
inline void putSignedSum(const Instruction &inst, WaveState &wave, uint32_t a,
                         uint32_t b) {
  uint32_t sum = a + b;
  put(inst, wave, sum);
  wave.scc = (~(a ^ b) & (a ^ sum)) >> 31;
}

inline uint32_t bitfieldUnsigned(uint32_t value, uint32_t control) {
  unsigned offset = control & 31, width = (control >> 16) & 127;
  value >>= offset;
  return width >= 32 ? value : value & ((uint32_t(1) << width) - 1);
}
inline uint32_t bitfieldSigned(uint32_t value, uint32_t control) {
  unsigned offset = control & 31, width = (control >> 16) & 127;
  if (width == 0)
    return 0;
  int32_t shifted = int32_t(value) >> offset;
  if (width + offset >= 32)
    return uint32_t(shifted);
  return uint32_t(int32_t(uint32_t(shifted) << (32 - width)) >> (32 - width));
}
inline uint64_t bitfieldUnsigned64(uint64_t value, uint32_t control) {
  unsigned offset = control & 63, width = (control >> 16) & 127;
  value >>= offset;
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}
inline uint64_t bitfieldSigned64(uint64_t value, uint32_t control) {
  unsigned offset = control & 63, width = (control >> 16) & 127;
  if (width == 0)
    return 0;
  int64_t shifted = int64_t(value) >> offset;
  if (width + offset >= 64)
    return uint64_t(shifted);
  return uint64_t(int64_t(uint64_t(shifted) << (64 - width)) >> (64 - width));
}

/// A table's executor: \p i is the instruction, \p w the wave.
#define FLY_SALU_OP(...)                                                       \
  [](const Instruction &i, WaveState &w) {                                     \
    (void)i;                                                                   \
    __VA_ARGS__;                                                               \
  }

/// The tables of one format each; null for unknown mnemonics.
ExecFn findBinary(llvm::StringRef mnemonic);
ExecFn findUnary(llvm::StringRef mnemonic);
ExecFn findCompare(llvm::StringRef mnemonic);
ExecFn findConstant(llvm::StringRef mnemonic);

} // namespace fly::sim::salu

#endif // FLY_LIB_SIM_EXEC_SALUOPERANDS_H
