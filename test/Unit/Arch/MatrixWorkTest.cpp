// What matrix instructions count, of every dense row and of some sparse ones.

#include "fly/Arch/MatrixWork.h"

#include "fly/Arch/MfmaTable.h"

#include <gtest/gtest.h>

using namespace fly::arch;

TEST(MatrixWork, OfAllDenseForms) {
  for (const MfmaRow &row : mfmaTable()) {
    auto work = matrixWork(row.mnemonic, /*isNarrow=*/false);
    ASSERT_TRUE(work) << row.mnemonic;
    EXPECT_EQ(work->operations, 2 * row.m * row.n * row.k * row.blocks)
        << row.mnemonic;
    MatrixCounter expected = MatrixCounter::F8;
    switch (row.a) {
    case ElementType::F64:
      expected = MatrixCounter::F64;
      break;
    case ElementType::F32:
      expected = MatrixCounter::F32;
      break;
    case ElementType::Xf32:
      expected = MatrixCounter::Xf32;
      break;
    case ElementType::F16:
      expected = MatrixCounter::F16;
      break;
    case ElementType::Bf16:
      expected = MatrixCounter::Bf16;
      break;
    case ElementType::I8:
      expected = MatrixCounter::I8;
      break;
    default:
      break;
    }
    EXPECT_EQ(work->counter, expected) << row.mnemonic;
  }
}

TEST(MatrixWork, OfNarrowAndSparseForms) {
  auto narrow = matrixWork("v_mfma_scale_f32_16x16x128_f8f6f4", true);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->counter, MatrixCounter::F6F4);
  EXPECT_EQ(narrow->operations, 65536u);
  auto sparse = matrixWork("v_smfmac_f32_32x32x32_bf8_fp8", false);
  ASSERT_TRUE(sparse);
  EXPECT_EQ(sparse->counter, MatrixCounter::F8);
  EXPECT_EQ(sparse->operations, 65536u);
  auto integers = matrixWork("v_smfmac_i32_16x16x64_i8", false);
  ASSERT_TRUE(integers);
  EXPECT_EQ(integers->counter, MatrixCounter::I8);
}

TEST(MatrixWork, OfOthersIsNone) {
  for (const char *mnemonic :
       {"", "v_mfma_", "v_mfma_f32", "v_mfma_f32_16x16_f16",
        "v_mfma_f32_16x16x16", "v_mfma_f32_16x16x16_f99",
        "v_mfma_f32_axbxc_f16", "v_mfma_f32_4x4x4_xb_f16", "v_dot2_f32_f16",
        "v_add_f32"})
    EXPECT_FALSE(matrixWork(mnemonic, false)) << mnemonic;
}

TEST(MatrixWork, NamesEndAsTheCountersDo) {
  EXPECT_STREQ(matrixCounterName(MatrixCounter::F16), "F16");
  EXPECT_STREQ(matrixCounterName(MatrixCounter::Bf16), "BF16");
  EXPECT_STREQ(matrixCounterName(MatrixCounter::F6F4), "F6F4");
  EXPECT_STREQ(matrixCounterName(MatrixCounter::Xf32), "XF32");
}
