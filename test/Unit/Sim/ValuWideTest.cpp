//===- ValuWideTest.cpp - wide forms over all of their operands -----------===//
//
// Forms of their own for hosts with wider vectors (conversions by the host's
// instructions, short forms, shuffles) against the one-lane functions: over all
// f16 values where one is an operand, over f32 values of every exponent, and
// over all mantissas where a form must round rightly.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/bit.h"

#include <array>
#include <gtest/gtest.h>

#include "../../../lib/Sim/Exec/ValuMoves.h"
#include "../../../lib/Sim/Exec/ValuTable.h"
#include "BareWave.h"

using namespace fly;
using namespace fly::test;
using sim::VectorLevel;
using sim::waveLanes;

namespace {

constexpr uint32_t defaultMode = 0x3F0;

class ValuWide : public ::testing::Test {
protected:
  void SetUp() override {
    for (VectorLevel level : {VectorLevel::Avx2, VectorLevel::Avx512})
      if (sim::hostVectorLevel() >= level)
        levels.push_back(level);
    if (levels.empty())
      GTEST_SKIP() << "the host has the baseline alone";
    wave.state.setExec(~uint64_t(0));
    wave.state.mode.bits = defaultMode;
  }

  /// Runs one instruction on v1.. by all levels and compares v0.
  void compare(const isa::Instruction &inst, sim::ChipKind chip) {
    std::array<uint32_t, waveLanes> before, expected;
    std::memcpy(before.data(), &wave.v(0, 0), sizeof(before));
    sim::lookupValuAt(inst, chip, VectorLevel::Generic)(inst, wave.state);
    std::memcpy(expected.data(), &wave.v(0, 0), sizeof(expected));
    for (VectorLevel level : levels) {
      std::memcpy(&wave.v(0, 0), before.data(), sizeof(before));
      sim::lookupValuAt(inst, chip, level)(inst, wave.state);
      for (unsigned lane = 0; lane != waveLanes; ++lane)
        ASSERT_EQ(wave.v(0, lane), expected[lane])
            << inst.text.str() << " of " << std::hex << wave.v(1, lane) << ", "
            << wave.v(2, lane) << ", " << wave.v(3, lane) << " at level "
            << int(level);
    }
  }

  /// Every instruction on values of v1 from `first`, all lanes, `count` times.
  template <typename Value>
  void sweep(const AssembledCode &code, uint64_t count, Value value) {
    for (size_t i = 0; i != code.size(); ++i)
      for (uint64_t at = 0; at < count && !HasFatalFailure(); at += waveLanes) {
        for (unsigned lane = 0; lane != waveLanes; ++lane)
          wave.v(1, lane) = value(at + lane);
        compare(code[i], code.chip());
      }
  }

  std::vector<VectorLevel> levels;
  SeededRandom random{11};
  BareWave wave;
};

TEST_F(ValuWide, EveryHalfOfOneOperand) {
  AssembledCode code("v_cvt_f32_f16 v0, v1\nv_exp_f16 v0, v1\n"
                     "v_log_f16 v0, v1\nv_rcp_f16 v0, v1\nv_rsq_f16 v0, v1\n"
                     "v_sqrt_f16 v0, v1\nv_sin_f16 v0, v1\nv_cos_f16 v0, v1\n"
                     "v_cvt_u16_f16 v0, v1\nv_cvt_i16_f16 v0, v1\n"
                     "v_cvt_f16_u16 v0, v1\nv_cvt_f16_i16 v0, v1\n"
                     "v_floor_f16 v0, v1\n",
                     "gfx942");
  sweep(code, 1 << 16, [](uint64_t i) { return uint32_t(i); });
}

TEST_F(ValuWide, EveryHalfWithOthers) {
  AssembledCode code("v_add_f16 v0, v1, v2\nv_sub_f16 v0, v1, v2\n"
                     "v_subrev_f16 v0, v1, v2\nv_mul_f16 v0, v1, v2\n"
                     "v_max_f16 v0, v1, v2\nv_fma_f16 v0, v1, v2, v3\n"
                     "v_mad_f16 v0, v1, v2, v3\nv_med3_f16 v0, v1, v2, v3\n"
                     "v_pk_fma_f16 v0, v1, v2, v3\n"
                     "v_pk_add_f16 v0, v1, v2\n",
                     "gfx942");
  for (unsigned round = 0; round != 12; ++round) {
    wave.fill(2, 2, [&] {
      return random.halfBits() | uint32_t(random.halfBits()) << 16;
    });
    sweep(code, 1 << 16,
          [](uint64_t i) { return uint32_t(i) | uint32_t(i) << 16; });
  }
}

/// Sums that lie close to the middle between two f16 numbers.
TEST_F(ValuWide, HalfSumsNearTies) {
  AssembledCode code("v_fma_f16 v0, v1, v2, v3\n", "gfx942");
  for (unsigned round = 0; round != 20000; ++round) {
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      wave.v(2, lane) = random.halfBits();
      // Far below or above the product, or about as large.
      wave.v(3, lane) = random.below(3) ? random.halfBits() : random.below(4);
    }
    sweep(code, waveLanes, [&](uint64_t) { return random.bits() & 0xFFFF; });
  }
}

TEST_F(ValuWide, FloatsOfEveryExponent) {
  AssembledCode code("v_exp_f32 v0, v1\nv_log_f32 v0, v1\nv_rcp_f32 v0, v1\n"
                     "v_rsq_f32 v0, v1\nv_sqrt_f32 v0, v1\nv_sin_f32 v0, v1\n"
                     "v_cos_f32 v0, v1\nv_cvt_f16_f32 v0, v1\n"
                     "v_cvt_pk_f16_f32 v0, v1, v1\nv_cvt_u32_f32 v0, v1\n"
                     "v_cvt_pk_bf16_f32 v0, v1, v1\n"
                     "v_cvt_pkrtz_f16_f32 v0, v1, v3\n"
                     "v_cvt_i32_f32 v0, v1\nv_ldexp_f32 v0, v1, v2\n"
                     "v_max3_f32 v0, v1, v2, v3\nv_med3_f32 v0, v1, v2, v3\n",
                     "gfx950");
  for (unsigned round = 0; round != 8; ++round) {
    wave.fill(2, 1, [&] { return random.below(600) - 300; });
    wave.fill(3, 1, [&] { return random.floatBits(); });
    // The last places are random, or all zeros or ones.
    sweep(code, 1 << 16, [&](uint64_t i) {
      uint32_t low = random.below(3) ? random.bits() : 0 - random.below(2);
      return uint32_t(i) << 16 | (low & 0xFFFF);
    });
  }
}

TEST_F(ValuWide, RoundsEveryReciprocalRoot) {
  AssembledCode code("v_rsq_f32 v0, v1\n", "gfx942");
  // 0.5 to 2: all mantissas of an odd and of an even exponent.
  sweep(code, 1 << 24, [](uint64_t i) { return 0x3F000000u + uint32_t(i); });
}

TEST_F(ValuWide, EveryByteSelector) {
  AssembledCode code("v_perm_b32 v0, v1, v2, v3\n", "gfx942");
  for (unsigned limit : {8u, 14u, 256u})
    for (unsigned round = 0; round != 500; ++round) {
      wave.fill(2, 1, [&] { return random.bits(); });
      wave.fill(3, 1, [&] {
        return random.below(limit) | random.below(limit) << 8 |
               random.below(limit) << 16 | random.below(limit) << 24;
      });
      sweep(code, waveLanes, [&](uint64_t) { return random.bits(); });
    }
}

/// Scales near what brings the elements into the range, and all others.
TEST_F(ValuWide, ScaledPairs) {
  AssembledCode two(
      "v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3\n"
      "v_cvt_scalef32_pk_bf8_f32 v0, v1, v2, v3\n"
      "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3\n"
      "v_cvt_scalef32_pk_fp4_f32 v0, -v1, |v2|, v3 op_sel:[0,0,1,1]\n",
      "gfx950");
  AssembledCode one("v_cvt_scalef32_pk_fp8_f16 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_bf8_bf16 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_fp4_f16 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_fp4_bf16 v0, v1, v2\n"
                    "v_cvt_scalef32_f32_fp8 v0, v1, v2\n"
                    "v_cvt_scalef32_f16_bf8 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_f16_fp8 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_bf16_bf8 v0, v1, v2\n"
                    "v_cvt_scalef32_pk_bf16_fp4 v0, v1, v2\n",
                    "gfx950");
  for (unsigned round = 0; round != 400; ++round) {
    wave.state.mode.bits = defaultMode | (round % 4 == 0 ? 1u << 23 : 0);
    unsigned around = 24 + random.below(200), spread = round % 2 ? 1 : 24;
    auto finite = [&] {
      unsigned exponent = around - spread + random.below(2 * spread);
      return (random.bits() & 0x807FFFFFu) | exponent << 23;
    };
    wave.fill(2, 1, finite);
    wave.fill(3, 1,
              [&] { return (around - 20 + random.below(40)) % 255 << 23; });
    sweep(two, waveLanes, [&](uint64_t) { return finite(); });
    bool isAnywhere = round % 3 == 0;
    wave.fill(2, 1, [&] {
      return (isAnywhere ? random.below(255) : 117 + random.below(20)) << 23;
    });
    sweep(one, waveLanes, [&](uint64_t) {
      return random.halfBits() | uint32_t(random.halfBits()) << 16;
    });
  }
}

TEST_F(ValuWide, MasksOfMovedLanes) {
  for (unsigned ctrl = 0; ctrl != 512; ++ctrl)
    for (unsigned round = 0; round != 8; ++round) {
      uint64_t exec = round == 0 ? ~uint64_t(0) : random.execMask();
      uint64_t expected = 0;
      for (unsigned lane = 0; lane != waveLanes; ++lane) {
        int from = sim::dppSourceLane(ctrl, lane);
        if (from >= 0 && (exec >> from) & 1)
          expected |= uint64_t(1) << lane;
      }
      ASSERT_EQ(sim::dppValidLanes(ctrl, exec), expected) << ctrl;
    }
  for (unsigned masks = 0; masks != 256; ++masks) {
    uint64_t expected = 0;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      if ((masks >> (lane / 16)) & (masks >> (4 + lane % 16 / 4)) & 1)
        expected |= uint64_t(1) << lane;
    ASSERT_EQ(sim::dppEnabledLanes(masks & 15, masks >> 4), expected) << masks;
  }
}

} // namespace
