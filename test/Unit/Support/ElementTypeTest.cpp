//===- ElementTypeTest.cpp - Element types of buffers ---------------------===//
#include "fly/Support/ElementType.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace fly;
using llvm::APFloat;

static ElementType type(llvm::StringRef name) {
  return llvm::cantFail(ElementType::parse(name));
}

static const llvm::StringRef kNarrow[] = {
    "f4E2M1FN",   "f8E4M3FN",  "f8E4M3FNUZ", "f8E5M2",
    "f8E5M2FNUZ", "f8E8M0FNU", "f16",        "bf16"};

TEST(ElementType, ListsKnownTypesForAnUnknownOne) {
  std::string message =
      llvm::toString(ElementType::parse("f8E4M3").takeError());
  EXPECT_NE(message.find("unknown element type 'f8E4M3'"), std::string::npos);
  EXPECT_NE(message.find("f8E4M3FNUZ"), std::string::npos);
}

TEST(ElementType, EveryCodeSurvivesDecodeAndEncode) {
  for (llvm::StringRef name : kNarrow) {
    ElementType t = type(name);
    for (uint64_t code = 0; code < uint64_t(1) << t.bits(); ++code) {
      double value = t.decode(code);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(t.decode(t.encode(value)))) << name.str();
        continue;
      }
      ASSERT_EQ(t.encode(value), code) << name.str();
    }
  }
}

// APFloat is the second opinion on the hand-written 16-bit rounding.
TEST(ElementType, RoundsSixteenBitsAsApFloat) {
  std::mt19937_64 random(1);
  for (llvm::StringRef name : {"f16", "bf16"}) {
    ElementType t = type(name);
    for (int i = 0; i < 200000; ++i) {
      // Doubles around the format's range, and ties of it.
      double value =
          std::ldexp(double(int64_t(random() % (1 << 14)) - (1 << 13)),
                     int(random() % 330) - 165);
      if (i % 2)
        value = std::nextafter(value, i % 4 == 1 ? 1e300 : -1e300);
      APFloat narrow(value);
      bool losesInfo;
      narrow.convert(t.semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      ASSERT_EQ(t.encode(value), narrow.bitcastToAPInt().getZExtValue())
          << name.str() << " of " << value;
    }
  }
}

TEST(ElementType, TiesGoToEven) {
  ElementType bf16 = type("bf16");
  EXPECT_EQ(bf16.round(257), 256); // Between 256 and 258.
  EXPECT_EQ(bf16.round(259), 260);
  EXPECT_EQ(type("f16").round(2049), 2048);
  EXPECT_EQ(type("f8E4M3FN").round(17), 16);
  EXPECT_EQ(type("f8E4M3FN").round(19), 20);
}

TEST(ElementType, OverflowFollowsTheFormat) {
  EXPECT_TRUE(std::isinf(type("f16").round(1e6)));
  EXPECT_TRUE(std::isnan(type("f8E4M3FN").round(1e6)));
  EXPECT_EQ(type("f8E4M3FN").round(1e6, /*saturate=*/true), 448);
  EXPECT_EQ(type("f8E4M3FNUZ").round(-1e6, /*saturate=*/true), -240);
  EXPECT_EQ(type("f16").round(1e6, /*saturate=*/true), 65504);
}

TEST(ElementType, IntegersWrapAtTheirWidth) {
  EXPECT_EQ(type("i8").wrap(200), -56);
  EXPECT_EQ(type("i32").wrap(int64_t(1) << 31),
            std::numeric_limits<int32_t>::min());
  EXPECT_EQ(type("i1").wrap(-1), 1);
}

TEST(ElementType, PacksElementsBelowAByte) {
  ElementType f4 = type("f4E2M1FN");
  EXPECT_EQ(f4.bytesFor(3), 2u);
  uint8_t memory[2] = {0xff, 0xff};
  f4.storeBits(memory, 0, 0x3);
  f4.storeBits(memory, 1, 0x0);
  EXPECT_EQ(memory[0], 0x03);
  EXPECT_EQ(memory[1], 0xff);
  EXPECT_EQ(f4.loadBits(memory, 2), 0xfu);
}
