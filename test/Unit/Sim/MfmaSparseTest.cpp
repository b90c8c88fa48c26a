//===- MfmaSparseTest.cpp - matrix instructions with a sparse A -----------===//

#include "MfmaCases.h"

using namespace fly;
using namespace fly::test;

namespace {

class SparseOnChip : public ::testing::TestWithParam<const char *> {};

// Two of every four k, chosen by the lane's indices.
TEST_P(SparseOnChip, MultipliesSparseA) {
  struct Sparse {
    const char *text;
    unsigned dim, depth;
    Kind kind;
    unsigned set; ///< Which index set of the register counts.
  };
  const Sparse cases[] = {
      {"v_smfmac_f32_16x16x32_f16 v[64:67], v[0:1], v[16:19], v30\n", 16, 32,
       Kind::F16, 0},
      {"v_smfmac_f32_16x16x32_bf16 v[64:67], v[0:1], v[16:19], v30 abid:2\n",
       16, 32, Kind::BF16, 2},
      {"v_smfmac_f32_32x32x16_f16 v[64:79], v[0:1], v[16:19], v30 abid:3\n", 32,
       16, Kind::F16, 3},
      {"v_smfmac_f32_32x32x16_f16 v[64:79], v[0:1], v[16:19], v30 cbsz:1 "
       "abid:3\n",
       32, 16, Kind::F16, 0},
      {"v_smfmac_i32_16x16x64_i8 v[64:67], v[0:1], v[16:19], v30 abid:1\n", 16,
       64, Kind::I8, 1},
      {"v_smfmac_i32_32x32x32_i8 v[64:79], v[0:1], v[16:19], v30\n", 32, 32,
       Kind::I8, 0},
  };
  SeededRandom random(31);
  for (const Sparse &c : cases) {
    AssembledCode code(c.text, GetParam());
    ASSERT_EQ(code.size(), 1u);
    BareWave wave;
    Shape s = {c.text, c.dim, 1, c.depth, c.kind, c.kind, "both"};
    unsigned perLane = c.dim * c.depth / 64, width = widthOf(c.kind);
    std::vector<int> dense(c.dim * c.depth, 0); // A, [row][k]
    for (unsigned lane = 0; lane != 64; ++lane) {
      unsigned row = lane % c.dim, first = perLane * (lane / c.dim);
      wave.v(30, lane) = random.bits();
      for (unsigned t = 0; t != perLane; ++t)
        putElement(wave, 16, lane, t, width,
                   encode(c.kind, elementB(0, row, first + t)));
      for (unsigned pair = 0; pair != perLane / 4; ++pair) {
        // Two different places, in order, in the set's four bits.
        unsigned low = random.below(3);
        unsigned high = low + 1 + random.below(3 - low);
        unsigned shift = c.set * perLane + 4 * pair;
        wave.v(30, lane) &= ~(15u << shift);
        wave.v(30, lane) |= (low | high << 2) << shift;
        for (unsigned t = 0; t != 2; ++t) {
          unsigned k = first + 4 * pair + (t ? high : low);
          dense[row * c.depth + k] = elementA(0, row, k);
          putElement(wave, 0, lane, 2 * pair + t, width,
                     encode(c.kind, elementA(0, row, k)));
        }
      }
    }
    placeC(wave, s, 64);
    wave.run(code);
    for (unsigned i = 0; i != c.dim; ++i)
      for (unsigned j = 0; j != c.dim; ++j) {
        int sum = elementC(0, i, j);
        for (unsigned k = 0; k != c.depth; ++k)
          sum += dense[i * c.depth + k] * elementB(0, j, k);
        auto [reg, lane] = placeOfD(s, 0, i, j);
        ASSERT_EQ(wave.v(64 + reg, lane), resultBits(s, sum))
            << c.text << " D[" << i << "][" << j << "]";
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SparseOnChip,
                         ::testing::Values("gfx942", "gfx950"),
                         [](const auto &info) { return info.param; });

} // namespace
