//===- SaluUnary.cpp - one-source scalar maths, SOP1 ---------------------===//
//
// Meaning: [AMD] CDNA3 instruction set document.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include "SaluOperands.h"

using namespace fly::sim;
using namespace fly::sim::salu;

/// Position of the first bit that differs from the sign, from the top; -1 if
/// there is none.
static uint32_t signedHighBit(uint64_t value, unsigned bits) {
  bool sign = (value >> (bits - 1)) & 1;
  for (unsigned i = 1; i != bits; ++i)
    if (bool((value >> (bits - 1 - i)) & 1) != sign)
      return i;
  return ~0u;
}

/// Each bit becomes four: any bit set in a group of four.
template <typename T>
static T quadMask(T value, unsigned bits) {
  T result = 0;
  for (unsigned i = 0; i != bits; i += 4)
    if ((value >> i) & 15)
      result |= T(1) << (i / 4);
  return result;
}
template <typename T>
static T wholeQuadMask(T value, unsigned bits) {
  T result = 0;
  for (unsigned i = 0; i != bits; i += 4)
    if ((value >> i) & 15)
      result |= T(15) << i;
  return result;
}

/// D = EXEC, EXEC = f(S0, EXEC), SCC = EXEC != 0.
#define SAVEEXEC(name, expression)                                             \
  {                                                                            \
    name, FLY_SALU_OP(uint64_t s = wide0(i, w); uint64_t e = w.exec();         \
                      put64(i, w, e); w.setExec(expression);                   \
                      w.scc = w.exec() != 0)                                   \
  }
/// EXEC = f(S0, EXEC), D = EXEC, SCC = EXEC != 0.
#define WREXEC(name, expression)                                               \
  {                                                                            \
    name, FLY_SALU_OP(uint64_t s = wide0(i, w); uint64_t e = w.exec();         \
                      w.setExec(expression); put64(i, w, w.exec());            \
                      w.scc = w.exec() != 0)                                   \
  }

const ExecEntry sop1Table[] = {
    {"s_mov_b32", FLY_SALU_OP(put(i, w, src0(i, w)))},
    {"s_mov_b64", FLY_SALU_OP(put64(i, w, wide0(i, w)))},
    {"s_cmov_b32", FLY_SALU_OP(if (w.scc) put(i, w, src0(i, w)))},
    {"s_cmov_b64", FLY_SALU_OP(if (w.scc) put64(i, w, wide0(i, w)))},
    {"s_not_b32", FLY_SALU_OP(putNonZero(i, w, ~src0(i, w)))},
    {"s_not_b64", FLY_SALU_OP(putNonZero64(i, w, ~wide0(i, w)))},
    {"s_wqm_b32", FLY_SALU_OP(putNonZero(i, w, wholeQuadMask(src0(i, w), 32)))},
    {"s_wqm_b64",
     FLY_SALU_OP(putNonZero64(i, w, wholeQuadMask(wide0(i, w), 64)))},
    {"s_quadmask_b32", FLY_SALU_OP(putNonZero(i, w, quadMask(src0(i, w), 32)))},
    {"s_quadmask_b64",
     FLY_SALU_OP(putNonZero64(i, w, quadMask(wide0(i, w), 64)))},
    {"s_brev_b32", FLY_SALU_OP(put(i, w, llvm::reverseBits(src0(i, w))))},
    {"s_brev_b64", FLY_SALU_OP(put64(i, w, llvm::reverseBits(wide0(i, w))))},
    {"s_bcnt0_i32_b32",
     FLY_SALU_OP(putNonZero(i, w, uint32_t(llvm::popcount(~src0(i, w)))))},
    {"s_bcnt0_i32_b64",
     FLY_SALU_OP(putNonZero(i, w, uint32_t(llvm::popcount(~wide0(i, w)))))},
    {"s_bcnt1_i32_b32",
     FLY_SALU_OP(putNonZero(i, w, uint32_t(llvm::popcount(src0(i, w)))))},
    {"s_bcnt1_i32_b64",
     FLY_SALU_OP(putNonZero(i, w, uint32_t(llvm::popcount(wide0(i, w)))))},
    {"s_ff0_i32_b32",
     FLY_SALU_OP(uint32_t v = ~src0(i, w);
                 put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff0_i32_b64",
     FLY_SALU_OP(uint64_t v = ~wide0(i, w);
                 put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff1_i32_b32",
     FLY_SALU_OP(uint32_t v = src0(i, w);
                 put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff1_i32_b64",
     FLY_SALU_OP(uint64_t v = wide0(i, w);
                 put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_flbit_i32_b32",
     FLY_SALU_OP(uint32_t v = src0(i, w);
                 put(i, w, v ? uint32_t(llvm::countl_zero(v)) : ~0u))},
    {"s_flbit_i32_b64",
     FLY_SALU_OP(uint64_t v = wide0(i, w);
                 put(i, w, v ? uint32_t(llvm::countl_zero(v)) : ~0u))},
    {"s_flbit_i32", FLY_SALU_OP(put(i, w, signedHighBit(src0(i, w), 32)))},
    {"s_flbit_i32_i64", FLY_SALU_OP(put(i, w, signedHighBit(wide0(i, w), 64)))},
    {"s_sext_i32_i8",
     FLY_SALU_OP(put(i, w, uint32_t(int32_t(int8_t(src0(i, w))))))},
    {"s_sext_i32_i16",
     FLY_SALU_OP(put(i, w, uint32_t(int32_t(int16_t(src0(i, w))))))},
    {"s_abs_i32", FLY_SALU_OP(uint32_t v = src0(i, w);
                              putNonZero(i, w, int32_t(v) < 0 ? 0 - v : v))},
    {"s_bitset0_b32",
     FLY_SALU_OP(w.setScalar(i.dst[0],
                             w.scalar(i.dst[0]) & ~(1u << (src0(i, w) & 31))))},
    {"s_bitset1_b32",
     FLY_SALU_OP(
         w.setScalar(i.dst[0], w.scalar(i.dst[0]) | 1u << (src0(i, w) & 31)))},
    {"s_bitset0_b64", FLY_SALU_OP(w.setScalar64(
                          i.dst[0], w.scalar64(i.dst[0]) &
                                        ~(uint64_t(1) << (src0(i, w) & 63))))},
    {"s_bitset1_b64",
     FLY_SALU_OP(w.setScalar64(
         i.dst[0], w.scalar64(i.dst[0]) | uint64_t(1) << (src0(i, w) & 63)))},
    {"s_bitreplicate_b64_b32",
     FLY_SALU_OP(uint32_t v = src0(i, w); uint64_t r = 0;
                 for (unsigned b = 0; b != 32; ++b) if ((v >> b) & 1) r |=
                 uint64_t(3) << (2 * b);
                 put64(i, w, r))},
    {"s_movrels_b32",
     FLY_SALU_OP(w.setScalar(i.dst[0], w.sgpr[(i.src[0].reg + w.m0()) & 127]))},
    {"s_movreld_b32",
     FLY_SALU_OP(w.sgpr[(i.dst[0].reg + w.m0()) & 127] = src0(i, w))},
    {"s_movrels_b64", FLY_SALU_OP(unsigned r = (i.src[0].reg + w.m0()) & 126;
                                  put64(i, w, w.sgpr64(r)))},
    {"s_movreld_b64", FLY_SALU_OP(unsigned r = (i.dst[0].reg + w.m0()) & 126;
                                  w.setSgpr64(r, wide0(i, w)))},
    SAVEEXEC("s_and_saveexec_b64", s &e),
    SAVEEXEC("s_or_saveexec_b64", s | e),
    SAVEEXEC("s_xor_saveexec_b64", s ^ e),
    SAVEEXEC("s_andn2_saveexec_b64", s & ~e),
    SAVEEXEC("s_orn2_saveexec_b64", s | ~e),
    SAVEEXEC("s_nand_saveexec_b64", ~(s &e)),
    SAVEEXEC("s_nor_saveexec_b64", ~(s | e)),
    SAVEEXEC("s_xnor_saveexec_b64", ~(s ^ e)),
    SAVEEXEC("s_andn1_saveexec_b64", ~s &e),
    SAVEEXEC("s_orn1_saveexec_b64", ~s | e),
    WREXEC("s_andn1_wrexec_b64", ~s &e),
    WREXEC("s_andn2_wrexec_b64", s & ~e),
};

ExecFn fly::sim::salu::findUnary(llvm::StringRef mnemonic) {
  return findExec(sop1Table, mnemonic);
}
