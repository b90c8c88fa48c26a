//===- ValuWideMoves.h - Sources of other lanes and bits --------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that DPP names come from a buffer; the bits that SDWA and op_sel name
// are shifted into place as a block reads them.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUWIDEMOVES_H
#define FLY_SIM_EXEC_VALUWIDEMOVES_H

#include "ValuWideLanes.h"

namespace fly::sim {

/// One source with DPP, SDWA or op_sel.
template <typename T, VectorLevel Level>
class MovedSource {
public:
  static constexpr OperandType type = operandTypeOf<T>();

  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, WideBuffers &buffers) {
    source.template read<true>(inst, wave, index, buffers);
    if (index >= inst.numSrc)
      return;
    if (inst.isDpp && index == 0)
      source.template permute<Level>(inst, wave, buffers);
    if (inst.isSdwa && index < 2)
      select(index == 0 ? inst.sdwa.src0Sel : inst.sdwa.src1Sel,
             (inst.sext >> index) & 1);
    if (isHalf(type) && (inst.opSel >> index) & 1)
      down += 16; // Op_sel and SDWA exclude each other.
  }
  MovedSource from(unsigned lane) const {
    MovedSource rest = *this;
    rest.source = source.from(lane);
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE T get(unsigned lane) const {
    if constexpr (isWide(type))
      return source.template get<HasSigns>(lane);
    uint32_t field = source.lowDword(lane) << up >> down;
    return source.template ofLast<HasSigns>(lane, (field ^ sign) - sign);
  }

private:
  /// Byte (0..3), word (4..5) or dword (6).
  FLY_INLINE void select(unsigned which, bool signExtend) {
    if (which >= 6)
      return;
    unsigned width = which < 4 ? 8 : 16;
    unsigned shift = which < 4 ? 8 * which : 16 * (which - 4);
    up = 32 - width - shift;
    down = 32 - width;
    sign = signExtend ? 1u << (width - 1) : 0;
  }

  WideSource<T> source;
  uint32_t up = 0, down = 0, sign = 0;
};

/// What no modifier moves.
template <typename T>
struct StillSource : WideSource<T> {
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, WideBuffers &buffers) {
    WideSource<T>::template read<true>(inst, wave, index, buffers);
  }
};
template <VectorLevel Level>
class MovedSource<bool, Level> : public StillSource<bool> {};
template <VectorLevel Level>
class MovedSource<LaneIndex, Level> : public StillSource<LaneIndex> {};
template <VectorLevel Level>
class MovedSource<const ModeRegister &, Level>
    : public StillSource<const ModeRegister &> {};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUWIDEMOVES_H
