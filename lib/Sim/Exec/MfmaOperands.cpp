//===- MfmaOperands.cpp - Matrix operands from registers ------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are written once, branch-free, and compiled for several instruction
// sets, since unpacking costs as much as the products on a plain x86-64.
//
//===----------------------------------------------------------------------===//

#include "MfmaOperands.h"

#include "NarrowConvert.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// Elements of `Width` bits; one may straddle two registers.
template <unsigned Width, typename Convert>
FLY_INLINE void unpackElements(const uint32_t *registers, unsigned count,
                               float *out, Convert convert) {
  constexpr uint32_t mask = Width == 32 ? ~0u : (1u << (Width % 32)) - 1;
  for (unsigned element = 0; element != count; ++element) {
    unsigned bit = element * Width;
    unsigned shift = bit % 32;
    const uint32_t *low = registers + bit / 32 * waveLanes;
    float *row = out + element * waveLanes;
    if (shift + Width <= 32) {
      for (unsigned lane = 0; lane != waveLanes; ++lane)
        row[lane] = convert((low[lane] >> shift) & mask);
      continue;
    }
    const uint32_t *high = low + waveLanes;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      row[lane] =
          convert(((low[lane] >> shift) | (high[lane] << (32 - shift))) & mask);
  }
}

FLY_INLINE void unpackAny(MatrixElement type, const uint32_t *registers,
                          unsigned count, float *out) {
  switch (type) {
  case MatrixElement::F32:
    return unpackElements<32>(registers, count, out,
                              [](uint32_t v) { return bitCast<float>(v); });
  case MatrixElement::XF32:
    return unpackElements<32>(registers, count, out, [](uint32_t v) {
      return truncateToXf32(bitCast<float>(v));
    });
  case MatrixElement::F16:
    return unpackElements<16>(registers, count, out, [](uint32_t v) {
      return halfToFloat(static_cast<uint16_t>(v));
    });
  case MatrixElement::BF16:
    return unpackElements<16>(registers, count, out, [](uint32_t v) {
      return bfloatToFloat(static_cast<uint16_t>(v));
    });
  case MatrixElement::Fp8Fnuz:
    return unpackElements<8>(registers, count, out,
                             narrowToFloat<8, 3, 8, Specials::MinusZero>);
  case MatrixElement::Bf8Fnuz:
    return unpackElements<8>(registers, count, out,
                             narrowToFloat<8, 2, 16, Specials::MinusZero>);
  case MatrixElement::Fp8:
    return unpackElements<8>(registers, count, out,
                             narrowToFloat<8, 3, 7, Specials::OneNan>);
  case MatrixElement::Bf8:
    return unpackElements<8>(registers, count, out,
                             narrowToFloat<8, 2, 15, Specials::Infinity>);
  case MatrixElement::Fp6:
    return unpackElements<6>(registers, count, out,
                             narrowToFloat<6, 3, 1, Specials::None>);
  case MatrixElement::Bf6:
    return unpackElements<6>(registers, count, out,
                             narrowToFloat<6, 2, 3, Specials::None>);
  case MatrixElement::Fp4:
    return unpackElements<4>(registers, count, out,
                             narrowToFloat<4, 1, 1, Specials::None>);
  case MatrixElement::I8:
    return unpackElements<8>(registers, count, out, [](uint32_t v) {
      return static_cast<float>(static_cast<int32_t>(v ^ 0x80) - 0x80);
    });
  }
}

void unpackGeneric(MatrixElement type, const uint32_t *registers,
                   unsigned count, float *out) {
  unpackAny(type, registers, count, out);
}

FLY_TARGET_AVX2 void unpackAvx2(MatrixElement type, const uint32_t *registers,
                                unsigned count, float *out) {
  unpackAny(type, registers, count, out);
}

FLY_TARGET_AVX512 void unpackAvx512(MatrixElement type,
                                    const uint32_t *registers, unsigned count,
                                    float *out) {
  unpackAny(type, registers, count, out);
}

} // namespace

UnpackFn fly::sim::unpackAt(VectorLevel level) {
  switch (level) {
  case VectorLevel::Avx512:
    return unpackAvx512;
  case VectorLevel::Avx2:
    return unpackAvx2;
  case VectorLevel::Generic:
    break;
  }
  return unpackGeneric;
}

void fly::sim::unpackMatrixOperand(MatrixElement type,
                                   const uint32_t *registers, unsigned count,
                                   float *out) {
  static const UnpackFn unpack = unpackAt(hostVectorLevel());
  unpack(type, registers, count, out);
}

void fly::sim::permuteLaneGroups(unsigned pattern, const uint32_t *registers,
                                 unsigned count, uint32_t *out) {
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    unsigned from = lane;
    switch (pattern) {
    case 1:
    case 2:
      from = lane % 32 + 32 * (pattern - 1);
      break;
    case 3:
      from = (lane + 16) % waveLanes;
      break;
    case 4:
    case 5:
    case 6:
    case 7:
      from = lane % 16 + 16 * (pattern - 4);
      break;
    default:
      break;
    }
    for (unsigned index = 0; index != count; ++index)
      out[index * waveLanes + lane] = registers[index * waveLanes + from];
  }
}

void fly::sim::moveAccumulator(const isa::Instruction &inst, WaveState &wave,
                               unsigned registerCount) {
  const isa::Operand &c = inst.src[2];
  uint32_t *d = wave.lanes(inst.dst[0]);
  if (c.isVector()) {
    const uint32_t *from = wave.lanes(c);
    if (from != d)
      std::memmove(d, from, sizeof(uint32_t) * registerCount * waveLanes);
    return;
  }
  uint32_t value = wave.scalar(c);
  for (unsigned i = 0; i != registerCount * waveLanes; ++i)
    d[i] = value;
}
