// The MFMA rows against the fact sheet, and the lane maps: each operand element
// of a block is held exactly once.
//
// Rests on the assumption MFMA-BLOCK-ORDER.

#include "fly/Arch/MfmaTable.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace fly::arch;
using E = ElementType;

TEST(MfmaTable, ShapesPassesAndElements) {
  struct Golden {
    const char *mnemonic, *suffix;
    unsigned passes942, passes950, aElements, aRegisters, cRegisters;
  };
  const Golden golden[] = {
      {"v_mfma_f32_16x16x16_bf16", "mfma.f32.16x16x16bf16.1k", 4, 4, 4, 2, 4},
      {"v_mfma_f32_32x32x8_f16", "mfma.f32.32x32x8f16", 8, 8, 4, 2, 16},
      {"v_mfma_f32_16x16x32_fp8_fp8", "mfma.f32.16x16x32.fp8.fp8", 4, 4, 8, 2,
       4},
      {"v_mfma_i32_32x32x16_i8", "mfma.i32.32x32x16.i8", 8, 8, 8, 2, 16},
      {"v_mfma_f32_16x16x8_xf32", "mfma.f32.16x16x8.xf32", 4, 0, 2, 2, 4},
      {"v_mfma_f32_16x16x4_f32", "mfma.f32.16x16x4f32", 8, 8, 1, 1, 4},
      {"v_mfma_f32_32x32x2_f32", "mfma.f32.32x32x2f32", 16, 16, 1, 1, 16},
      {"v_mfma_f64_16x16x4_f64", "mfma.f64.16x16x4f64", 8, 16, 1, 2, 8},
      {"v_mfma_f64_4x4x4_4b_f64", "mfma.f64.4x4x4f64", 4, 4, 1, 2, 2},
      {"v_mfma_f32_4x4x4_16b_f16", "mfma.f32.4x4x4f16", 2, 2, 4, 2, 4},
      {"v_mfma_f32_16x16x32_bf16", "mfma.f32.16x16x32.bf16", 0, 4, 8, 4, 4},
      {"v_mfma_f32_32x32x16_f16", "mfma.f32.32x32x16.f16", 0, 8, 8, 4, 16},
      {"v_mfma_i32_16x16x64_i8", "mfma.i32.16x16x64.i8", 0, 4, 16, 4, 4},
  };
  for (const Golden &g : golden) {
    const MfmaRow *row = lookupMfmaByMnemonic(g.mnemonic);
    ASSERT_NE(row, nullptr) << g.mnemonic;
    EXPECT_STREQ(row->suffix, g.suffix);
    EXPECT_EQ(row->passesOn(Chip::Gfx942), g.passes942) << g.mnemonic;
    EXPECT_EQ(row->passesOn(Chip::Gfx950), g.passes950) << g.mnemonic;
    EXPECT_EQ(row->aElements, g.aElements) << g.mnemonic;
    EXPECT_EQ(row->aRegisters(), g.aRegisters) << g.mnemonic;
    EXPECT_EQ(row->cRegisters(), g.cRegisters) << g.mnemonic;
  }
}

TEST(MfmaTable, F8F6F4RegistersAndPasses) {
  const MfmaRow *row = lookupMfma(Chip::Gfx950, 16, 16, 128, E::Fp4, E::Fp6);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->aRegisters(E::Fp8), 8u);
  EXPECT_EQ(row->aRegisters(E::Fp6), 6u);
  EXPECT_EQ(row->aRegisters(E::Fp4), 4u);
  EXPECT_EQ(row->passesOn(Chip::Gfx950), 8u);
  EXPECT_EQ(row->passesOn(Chip::Gfx950, /*narrow=*/true), 4u);
  EXPECT_EQ(row->passesOn(Chip::Gfx1250), 0u);
  EXPECT_EQ(lookupMfma(Chip::Gfx942, 16, 16, 128, E::Fp4, E::Fp4), nullptr);
}

TEST(MfmaTable, LookUps) {
  EXPECT_EQ(lookupMfma(Chip::Gfx942, 16, 16, 64, E::I8, E::I8), nullptr);
  EXPECT_EQ(legalMfmaK(Chip::Gfx942, 16, 16, E::I8, E::I8),
            (llvm::SmallVector<unsigned>{32}));
  EXPECT_EQ(legalMfmaK(Chip::Gfx950, 16, 16, E::I8, E::I8),
            (llvm::SmallVector<unsigned>{32, 64}));
  EXPECT_EQ(legalMfmaK(Chip::Gfx950, 16, 16, E::Fp8, E::Fp8),
            (llvm::SmallVector<unsigned>{32, 128}));
  EXPECT_TRUE(legalMfmaK(Chip::Gfx942, 16, 16, E::Fp4, E::Fp4).empty());
  for (const MfmaRow &row : mfmaTable()) {
    EXPECT_EQ(lookupMfmaByMnemonic(row.mnemonic), &row);
    EXPECT_EQ(lookupMfmaByIntrinsic(row.intrinsic()), &row);
  }
  const MfmaRow *bf16 = lookupMfmaByMnemonic("v_mfma_f32_16x16x16_bf16");
  EXPECT_EQ(lookupMfmaByMnemonic("v_mfma_f32_16x16x16_bf16_vgprcd_e64"), bf16);
  EXPECT_EQ(lookupMfmaByMnemonic("v_mfma_f32_16x16x16_bf16_mac_e64"), bf16);
  EXPECT_STREQ(
      lookupMfmaByMnemonic("v_mfma_scale_f32_16x16x128_f8f6f4")->mnemonic,
      "v_mfma_f32_16x16x128_f8f6f4");
  EXPECT_EQ(lookupMfmaByMnemonic("v_add_f32"), nullptr);
  EXPECT_NE(lookupMfmaByIntrinsic(
                "llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v4i32"),
            nullptr);
}

TEST(MfmaTable, LaneMapsCoverEachElementOnce) {
  for (const MfmaRow &row : mfmaTable()) {
    for (E type : {E::Fp8, E::Fp4}) {
      E a = row.a == E::F8F6F4 ? type : row.a;
      std::set<std::tuple<unsigned, unsigned, unsigned>> input, output;
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned e = 0; e < row.aElements; ++e) {
          LaneCoordinate c = inputCoordinate(row, lane, e, a);
          EXPECT_LT(c.row, row.m);
          EXPECT_LT(c.col, row.k);
          EXPECT_LT(c.block, row.blocks);
          input.insert({c.block, c.row, c.col});
        }
        for (unsigned e = 0; e < row.cElements; ++e) {
          LaneCoordinate c = outputCoordinate(row, lane, e);
          EXPECT_LT(c.row, row.m);
          EXPECT_LT(c.col, row.n);
          EXPECT_LT(c.block, row.blocks);
          output.insert({c.block, c.row, c.col});
        }
      }
      EXPECT_EQ(input.size(), size_t(row.m) * row.k * row.blocks)
          << row.mnemonic;
      EXPECT_EQ(output.size(), size_t(row.m) * row.n * row.blocks)
          << row.mnemonic;
    }
  }
}

TEST(MfmaTable, LaneMapsOfTheFactSheet) {
  const MfmaRow &small = *lookupMfmaByMnemonic("v_mfma_f32_16x16x16_f16");
  LaneCoordinate a = inputCoordinate(small, 37, 3, E::F16);
  EXPECT_EQ(a.row, 37u % 16);
  EXPECT_EQ(a.col, 4u * (37 / 16) + 3);
  LaneCoordinate d = outputCoordinate(small, 37, 3);
  EXPECT_EQ(d.row, 4u * (37 / 16) + 3);
  EXPECT_EQ(d.col, 37u % 16);

  const MfmaRow &big = *lookupMfmaByMnemonic("v_mfma_f32_32x32x8_f16");
  d = outputCoordinate(big, 45, 9);
  EXPECT_EQ(d.row, 8u * (9 / 4) + 4 * (45 / 32) + 9 % 4);
  EXPECT_EQ(d.col, 45u % 32);

  const MfmaRow &f64 = *lookupMfmaByMnemonic("v_mfma_f64_16x16x4_f64");
  d = outputCoordinate(f64, 37, 2);
  EXPECT_EQ(d.row, 4u * 2 + 37 / 16);

  const MfmaRow &fp8 = *lookupMfmaByMnemonic("v_mfma_f32_16x16x128_f8f6f4");
  EXPECT_EQ(inputCoordinate(fp8, 17, 20, E::Fp8).col, 64u + 16 * 1 + 4);
  EXPECT_EQ(inputCoordinate(fp8, 17, 20, E::Fp4).col, 32u * 1 + 20);
  const MfmaRow &fp8Big = *lookupMfmaByMnemonic("v_mfma_f32_32x32x64_f8f6f4");
  EXPECT_EQ(inputCoordinate(fp8Big, 40, 18, E::Fp8).col, 32u + 16 * 1 + 2);
}

TEST(MfmaTable, MlirSpellings) {
  EXPECT_STREQ(mlirTypeName(E::Fp8, Fp8Flavour::Fnuz), "f8E4M3FNUZ");
  EXPECT_STREQ(mlirTypeName(E::Bf8, Fp8Flavour::Ocp), "f8E5M2");
  EXPECT_STREQ(mlirTypeName(E::Bf16, Fp8Flavour::Ocp), "bf16");
  EXPECT_EQ(elementTypeOfMlir("f8E4M3FN", Fp8Flavour::Ocp), E::Fp8);
  EXPECT_EQ(elementTypeOfMlir("f8E4M3FN", Fp8Flavour::Fnuz), std::nullopt);
  EXPECT_EQ(elementTypeOfMlir("f4E2M1FN", Fp8Flavour::Ocp), E::Fp4);
  EXPECT_EQ(elementTypeOfMlir("", Fp8Flavour::Ocp), std::nullopt);
}

TEST(MfmaTable, ChoosesTheFewestPassesAnElementOfK) {
  auto choose = [](Chip chip, unsigned side, E a, E b, uint64_t k,
                   bool scaled = false) -> std::string {
    const MfmaRow *row = chooseMfma(chip, side, a, b, k, scaled);
    return row ? row->mnemonic : "";
  };
  EXPECT_EQ(choose(Chip::Gfx942, 16, E::Bf16, E::Bf16, 64),
            "v_mfma_f32_16x16x16_bf16");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Bf16, E::Bf16, 64),
            "v_mfma_f32_16x16x32_bf16");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Bf16, E::Bf16, 16),
            "v_mfma_f32_16x16x16_bf16");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::I8, E::I8, 64),
            "v_mfma_i32_16x16x64_i8");
  // Two passes for 32 of K against one; with a K of 64 there is no choice.
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Fp8, E::Bf8, 128),
            "v_mfma_f32_16x16x128_f8f6f4");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Fp8, E::Bf8, 64),
            "v_mfma_f32_16x16x32_fp8_bf8");
  EXPECT_EQ(choose(Chip::Gfx950, 32, E::Fp8, E::Fp8, 64),
            "v_mfma_f32_32x32x64_f8f6f4");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Fp8, E::Fp4, 64, true), "");
  EXPECT_EQ(choose(Chip::Gfx950, 16, E::Fp6, E::Fp4, 256, true),
            "v_mfma_f32_16x16x128_f8f6f4");
  EXPECT_EQ(choose(Chip::Gfx942, 16, E::Fp4, E::Fp4, 128, true), "");
  EXPECT_EQ(choose(Chip::Gfx942, 32, E::Xf32, E::Xf32, 4),
            "v_mfma_f32_32x32x4_xf32");
  EXPECT_EQ(choose(Chip::Gfx950, 32, E::Xf32, E::Xf32, 4), "");
  EXPECT_EQ(choose(Chip::Gfx942, 32, E::F64, E::F64, 4), "");
}
