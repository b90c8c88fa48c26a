// The codes of CBSZ and BLGP, as the ISA document of CDNA4 has them.

#include "fly/Arch/MatrixFormats.h"

#include <gtest/gtest.h>

using namespace fly::arch;

TEST(MatrixFormats, AreNumberedAsInTheIsaDocument) {
  EXPECT_EQ(elementTypeOfFormat(0), ElementType::Fp8);
  EXPECT_EQ(elementTypeOfFormat(1), ElementType::Bf8);
  EXPECT_EQ(elementTypeOfFormat(2), ElementType::Fp6);
  EXPECT_EQ(elementTypeOfFormat(3), ElementType::Bf6);
  EXPECT_EQ(elementTypeOfFormat(4), ElementType::Fp4);
  EXPECT_EQ(elementTypeOfFormat(5), std::nullopt);
}
