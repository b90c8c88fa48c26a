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

// Every sparse form of both chips: a dense product of twice the stored depth.
TEST(MatrixWork, OfAllSparseForms) {
  struct Form {
    const char *result, *source;
    MatrixCounter counter;
    unsigned depth; ///< Of 16x16 on gfx942; gfx950 has twice as much, too.
  };
  const Form forms[] = {{"f32", "f16", MatrixCounter::F16, 32},
                        {"f32", "bf16", MatrixCounter::Bf16, 32},
                        {"i32", "i8", MatrixCounter::I8, 64},
                        {"f32", "fp8_fp8", MatrixCounter::F8, 64},
                        {"f32", "fp8_bf8", MatrixCounter::F8, 64},
                        {"f32", "bf8_fp8", MatrixCounter::F8, 64},
                        {"f32", "bf8_bf8", MatrixCounter::F8, 64}};
  for (const Form &form : forms)
    for (unsigned times : {1u, 2u})
      for (unsigned side : {16u, 32u}) {
        unsigned depth = form.depth * times * 16 / side;
        std::string name = std::string("v_smfmac_") + form.result + "_" +
                           std::to_string(side) + "x" + std::to_string(side) +
                           "x" + std::to_string(depth) + "_" + form.source;
        auto work = matrixWork(name, /*isNarrow=*/false);
        ASSERT_TRUE(work) << name;
        EXPECT_EQ(work->counter, form.counter) << name;
        EXPECT_EQ(work->operations, 2 * side * side * depth) << name;
      }
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
