//===- ValuPacked.cpp - Packed vector arithmetic --------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function on two parts of a lane: the halves of a dword for 16-bit types,
// the two dwords for f32 (ValuPackedWide.h).
//
//===----------------------------------------------------------------------===//

#include "ValuFused.h"
#include "ValuHalf.h"
#include "ValuInt16.h"
#include "ValuMinMax.h"
#include "ValuPackedWide.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

float add32(float a, float b) { return a + b; }
float mul32(float a, float b) { return a * b; }

/// Dword op_sel[0] of the first source and dword op_sel[1] of the second.
void movePair(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer buffers[2];
  LaneBuffer values[2];
  for (unsigned part = 0; part != 2; ++part)
    std::memcpy(
        values[part].lane,
        wave.source(inst.src[part], (inst.opSel >> part) & 1, buffers[part]),
        sizeof(values[part].lane));
  for (unsigned part = 0; part != 2; ++part)
    wave.store(inst.dst[0], part, values[part].lane);
}

template <auto Fn, unsigned Flags = kPlain>
constexpr ValuRow packed(const char *mnemonic,
                         ValuChips chips = ValuChips::Both) {
  ExecFn execute = PackedExecutor<Fn, Flags>::execute;
  bool isFloat = ValuExecutor<Fn, Flags>::isFloatResult;
  ValuRow row = {mnemonic, execute, execute, isFloat ? execute : nullptr,
                 chips};
  using Wide = PackedWide<Fn, Flags>;
  row.avx2.any = CustomWide<Wide>::avx2;
  row.avx512.any = CustomWide<Wide>::avx512;
  return row;
}
template <auto Fn, auto Saturating>
constexpr ValuRow packedSaturating(const char *mnemonic) {
  ValuRow row = packed<Fn>(mnemonic);
  row.clamped = PackedExecutor<Saturating, kPlain>::execute;
  return row;
}

using I16 = int16_t;
using U16 = uint16_t;

constexpr ValuRow kRows[] = {
    packed<add32, kRounds>("v_pk_add_f32"),
    packed<mul32, kRounds>("v_pk_mul_f32"),
    packed<fusedMultiplyAdd32, kRounds>("v_pk_fma_f32"),
    custom("v_pk_mov_b32", movePair),

    packed<addHalf, kHalfArithmetic>("v_pk_add_f16"),
    packed<mulHalf, kHalfArithmetic>("v_pk_mul_f16"),
    packed<fusedHalf, kHalfArithmetic>("v_pk_fma_f16"),
    packed<fusedHalf, kHalfArithmetic>("v_pk_fmac_f16"),
    packed<minimumNumber<Half>, kFlushes>("v_pk_min_f16"),
    packed<maximumNumber<Half>, kFlushes>("v_pk_max_f16"),
    packed<minimumPropagating3<Half>, kFlushes>("v_pk_minimum3_f16",
                                                ValuChips::Gfx950),
    packed<maximumPropagating3<Half>, kFlushes>("v_pk_maximum3_f16",
                                                ValuChips::Gfx950),

    packedSaturating<add16<U16>, add16Saturating<U16>>("v_pk_add_u16"),
    packedSaturating<sub16<U16>, sub16Saturating<U16>>("v_pk_sub_u16"),
    packedSaturating<add16<I16>, add16Saturating<I16>>("v_pk_add_i16"),
    packedSaturating<sub16<I16>, sub16Saturating<I16>>("v_pk_sub_i16"),
    packedSaturating<mad16<U16>, mad16Saturating<U16>>("v_pk_mad_u16"),
    packedSaturating<mad16<I16>, mad16Saturating<I16>>("v_pk_mad_i16"),
    packed<mul16<U16>>("v_pk_mul_lo_u16"),
    packed<shiftLeft16>("v_pk_lshlrev_b16"),
    packed<shiftRight16<U16>>("v_pk_lshrrev_b16"),
    packed<shiftRight16<I16>>("v_pk_ashrrev_i16"),
    packed<min16<I16>>("v_pk_min_i16"),
    packed<max16<I16>>("v_pk_max_i16"),
    packed<min16<U16>>("v_pk_min_u16"),
    packed<max16<U16>>("v_pk_max_u16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuPackedRows() { return kRows; }
