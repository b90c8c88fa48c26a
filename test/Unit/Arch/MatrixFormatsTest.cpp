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

TEST(MatrixFormats, ChooseWhatIsMultiplied) {
  const MfmaRow *many = lookupMfmaByMnemonic("v_mfma_f32_16x16x128_f8f6f4"),
                *one = lookupMfmaByMnemonic("v_mfma_f32_16x16x16_bf16");
  ASSERT_TRUE(many && one);
  EXPECT_EQ(multipliedTypes(*many, 4, 1),
            std::pair(ElementType::Fp4, ElementType::Bf8));
  EXPECT_EQ(multipliedTypes(*many, 7, 0),
            std::pair(ElementType::F8F6F4, ElementType::Fp8));
  // Other fields of other instructions.
  EXPECT_EQ(multipliedTypes(*one, 4, 1),
            std::pair(ElementType::Bf16, ElementType::Bf16));
}
