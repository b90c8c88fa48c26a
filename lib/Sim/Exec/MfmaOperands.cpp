//===- MfmaOperands.cpp - Matrix operands from registers ------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MfmaOperands.h"

#include "fly/Sim/Numeric/HalfConvert.h"

#include <array>

using namespace fly;
using namespace fly::sim;

namespace {

/// Formats of a byte: sign, `Exponent` bits, the rest mantissa. Written like
/// halfToFloat, so that it becomes vector code. For OCP E4M3 NanFrom is the
/// only magnitude that is not a number; for E5M2 magnitudes above it are NaN
/// too.
template <unsigned Mantissa, int Bias, bool Fnuz, unsigned SpecialFrom>
float byteToFloat(uint32_t code) {
  uint32_t magnitude = code & 0x7Fu;
  uint32_t sign = (code & 0x80u) << 24;
  uint32_t shifted = magnitude << (23 - Mantissa);
  uint32_t normal = shifted + (uint32_t(127 - Bias) << 23);
  float subnormal = bitCast<float>(shifted + (uint32_t(128 - Bias) << 23)) -
                    bitCast<float>(uint32_t(128 - Bias) << 23);
  uint32_t bits =
      magnitude < (1u << Mantissa) ? bitCast<uint32_t>(subnormal) : normal;
  if (Fnuz) {
    bits = code == 0x80u ? 0x7FC00000u : bits | sign;
  } else {
    bool isInfinity = Mantissa == 2 && magnitude == SpecialFrom;
    uint32_t special = isInfinity ? 0x7F800000u : 0x7FC00000u;
    bits = (magnitude >= SpecialFrom ? special : bits) | sign;
  }
  return bitCast<float>(bits);
}

template <typename Convert>
void unpackBytes(const uint32_t *registers, unsigned count, float *out,
                 Convert convert) {
  for (unsigned element = 0; element != count; ++element) {
    const uint32_t *row = registers + element / 4 * waveLanes;
    unsigned shift = element % 4 * 8;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      out[element * waveLanes + lane] = convert((row[lane] >> shift) & 0xFFu);
  }
}

template <typename Convert>
void unpackWords(const uint32_t *registers, unsigned count, float *out,
                 Convert convert) {
  for (unsigned element = 0; element != count; ++element) {
    const uint32_t *row = registers + element / 2 * waveLanes;
    unsigned shift = element % 2 * 16;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      out[element * waveLanes + lane] =
          convert(static_cast<uint16_t>(row[lane] >> shift));
  }
}

/// Elements of fewer than 8 bits, by a table; one may straddle two registers.
void unpackNarrow(const FloatFormat &format, const uint32_t *registers,
                  unsigned count, float *out) {
  std::array<float, 64> values{};
  unsigned width = format.width();
  uint32_t mask = (1u << width) - 1;
  for (uint32_t code = 0; code <= mask; ++code)
    values[code] = static_cast<float>(decodeFloat(format, code));
  for (unsigned element = 0; element != count; ++element) {
    unsigned bit = element * width;
    const uint32_t *low = registers + bit / 32 * waveLanes;
    bool straddles = bit % 32 + width > 32;
    const uint32_t *high = straddles ? low + waveLanes : low;
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      uint64_t pair = low[lane] | (uint64_t(high[lane]) << 32);
      out[element * waveLanes + lane] = values[(pair >> (bit % 32)) & mask];
    }
  }
}

} // namespace

void fly::sim::unpackMatrixOperand(MatrixElement type,
                                   const uint32_t *registers, unsigned count,
                                   float *out) {
  switch (type) {
  case MatrixElement::F32:
    std::memcpy(out, registers, sizeof(float) * count * waveLanes);
    return;
  case MatrixElement::XF32:
    for (unsigned i = 0; i != count * waveLanes; ++i)
      out[i] = truncateToXf32(bitCast<float>(registers[i]));
    return;
  case MatrixElement::F16:
    return unpackWords(registers, count, out, halfToFloat);
  case MatrixElement::BF16:
    return unpackWords(registers, count, out, bfloatToFloat);
  case MatrixElement::Fp8Fnuz:
    return unpackBytes(registers, count, out, byteToFloat<3, 8, true, 0>);
  case MatrixElement::Bf8Fnuz:
    return unpackBytes(registers, count, out, byteToFloat<2, 16, true, 0>);
  case MatrixElement::Fp8:
    return unpackBytes(registers, count, out, byteToFloat<3, 7, false, 0x7F>);
  case MatrixElement::Bf8:
    return unpackBytes(registers, count, out, byteToFloat<2, 15, false, 0x7C>);
  case MatrixElement::Fp6:
    return unpackNarrow(kFloat6E2M3, registers, count, out);
  case MatrixElement::Bf6:
    return unpackNarrow(kFloat6E3M2, registers, count, out);
  case MatrixElement::Fp4:
    return unpackNarrow(kFloat4E2M1, registers, count, out);
  case MatrixElement::I8:
    return unpackBytes(registers, count, out, [](uint32_t byte) {
      return static_cast<float>(static_cast<int8_t>(byte));
    });
  }
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
