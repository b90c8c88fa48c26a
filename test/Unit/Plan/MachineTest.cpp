// Grids on machines and rooflines, worked out by hand.

#include "fly/Plan/Machine.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::plan;

TEST(Machine, RoundsAndTheLastOne) {
  const arch::Product &product = *arch::lookupProduct("MI300X");
  Fill fill = *fillMachine(product, 1024, 1);
  EXPECT_EQ(fill.slots, 304u);
  EXPECT_EQ(fill.rounds, 4u);
  EXPECT_EQ(fill.lastRound, 1024u - 3 * 304);
  EXPECT_DOUBLE_EQ(fill.share(), 1024.0 / 1216);
  // Full rounds, and fewer workgroups than compute units.
  EXPECT_EQ(fillMachine(product, 608, 2)->lastRound, 608u);
  EXPECT_EQ(fillMachine(product, 608, 2)->rounds, 1u);
  EXPECT_EQ(fillMachine(product, 16, 2)->busy(), 16u);
  EXPECT_EQ(fillMachine(product, 0, 2)->rounds, 0u);
}

TEST(Machine, FewRowsOfEightBitsAreBoundByMemory) {
  // M = 16, N = K = 4096: A, B, C of bf16, scales of rows and columns.
  double flop = 2.0 * 16 * 4096 * 4096;
  double bytes = 16 * 4096 + 4096 * 4096 + 16 * 4096 * 2 + (16 + 4096) * 4;
  EXPECT_EQ(flop, 536870912);
  EXPECT_EQ(bytes, 16990272);
  Roofline roofline =
      *makeRoofline(*arch::lookupProduct("MI300X"), arch::ElementType::Fp8,
                    arch::ElementType::Fp8, flop, bytes);
  EXPECT_NEAR(roofline.intensity(), 31.60, 0.005);
  // 2614.9 TFLOPS at 5.3 TB/s.
  EXPECT_NEAR(roofline.crossover(), 493.4, 0.1);
  EXPECT_FALSE(roofline.isComputeBound());
  EXPECT_NEAR(roofline.leastMicroseconds(), 16990272 / 5.3e6, 1e-9);
}
