//===- NarrowConvertTest.cpp - fast conversions are the general ones ------===//
//
// The branch-free conversions of loops over lanes against the general encoder
// and decoder, on every code, and on every f32 that can round differently: what
// lies below the rounding bit counts only as zero or not zero.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Sim/Exec/NarrowConvert.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace fly::sim;

namespace {

template <const FloatFormat &Format>
void compareEncoding() {
  for (Overflow overflow : {Overflow::Ieee, Overflow::Saturate})
    for (uint32_t upper = 0; upper != 1u << 16; ++upper)
      for (uint32_t lower : {0u, 1u}) {
        auto value = bitCast<float>(upper << 16 | lower);
        ASSERT_EQ(
            floatToNarrow<Format>(value, overflow),
            encodeFloat(Format, value, RoundingMode::NearestEven, overflow))
            << value;
      }
}

template <const FloatFormat &Format>
void compareFormat() {
  for (uint32_t code = 0; code != 256; ++code) {
    auto expected = static_cast<float>(decodeFloat(Format, code));
    ASSERT_EQ(bitCast<uint32_t>(byteToFloat<Format>(code)),
              bitCast<uint32_t>(expected))
        << code;
  }
  compareEncoding<Format>();
}

TEST(NarrowConvert, BytesAgreeWithTheGeneralConversions) {
  compareFormat<kFloat8E4M3FN>();
  compareFormat<kFloat8E5M2>();
  compareFormat<kFloat8E4M3FNUZ>();
  compareFormat<kFloat8E5M2FNUZ>();
}

TEST(NarrowConvert, FormatsOfNumbersAloneAgreeWithTheGeneralConversion) {
  compareEncoding<kFloat6E2M3>();
  compareEncoding<kFloat6E3M2>();
  compareEncoding<kFloat4E2M1>();
}

TEST(NarrowConvert, HalvesTowardZeroAgreeWithTheGeneralConversion) {
  for (uint32_t upper = 0; upper != 1u << 19; ++upper)
    for (uint32_t lower : {0u, 1u}) {
      auto value = bitCast<float>(upper << 13 | lower);
      uint16_t half = floatToHalfTowardZero(value);
      if (std::isnan(value))
        ASSERT_EQ(half, floatToHalf(value));
      else
        ASSERT_EQ(half, encodeFloat(kFloat16, value, RoundingMode::TowardZero))
            << value;
    }
}

} // namespace
