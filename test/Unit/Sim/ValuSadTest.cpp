//===- ValuSadTest.cpp - sums of differences, faces of a cube -------------===//
//
// References follow the pseudocode of the ISA document line by line.
//
//===----------------------------------------------------------------------===//

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;

namespace {

using U32 = uint32_t;
using U64 = uint64_t;
using Lane = const LaneView &;

U64 byteOf(U64 value, unsigned index) { return (value >> (8 * index)) & 0xFF; }

U32 sad(U64 a, U64 b, U64 c, bool masked) {
  U64 sum = U32(c);
  for (unsigned i = 0; i != 4; ++i)
    if (!masked || byteOf(b, i) != 0)
      sum += U64(std::abs(int(byteOf(a, i)) - int(byteOf(b, i))));
  return U32(sum);
}

/// V_QSAD_PK_U16_U8 and V_MQSAD_PK_U16_U8.
U64 quadSad(Lane l, bool masked) {
  U64 b = U32(l.b);
  U64 first = sad(l.a & 0xFFFFFFFF, b, l.c & 0xFFFF, masked) & 0xFFFF;
  U64 second = sad(l.a >> 8, b, (l.c >> 16) & 0xFFFF, masked) & 0xFFFF;
  U64 third = sad(l.a >> 16, b, (l.c >> 32) & 0xFFFF, masked) & 0xFFFF;
  U64 fourth = sad(l.a >> 24, b, l.c >> 48, masked) & 0xFFFF;
  return first | second << 16 | third << 32 | fourth << 48;
}

/// Bytes that are 0 in a quarter of the places, for masks.
void byteOperands(SeededRandom &random, BareWave &wave, unsigned lane) {
  for (unsigned reg = 10; reg != 16; ++reg) {
    U32 bits = random.bits();
    for (unsigned i = 0; i != 4; ++i)
      if (random.below(4) == 0)
        bits &= ~(0xFFu << (8 * i));
    wave.v(reg, lane) = bits;
  }
}

TEST(ValuSad, AddsDifferences) {
  runCases(
      {
          {"v_sad_u8 v20, v10, v12, v14",
           [](Lane l) { return U64(sad(l.a, l.b, l.c, false)); }},
          {"v_msad_u8 v20, v10, v12, v14",
           [](Lane l) { return U64(sad(l.a, l.b, l.c, true)); }},
          {"v_sad_hi_u8 v20, v10, v12, v14",
           [](Lane l) {
             return U64(U32((U64(sad(l.a, l.b, 0, false)) << 16) + l.c));
           }},
          {"v_sad_u16 v20, v10, v12, v14",
           [](Lane l) {
             int low = int(l.a & 0xFFFF) - int(l.b & 0xFFFF);
             int high = int(U32(l.a) >> 16) - int(U32(l.b) >> 16);
             return U64(U32(std::abs(low) + std::abs(high) + l.c));
           }},
          {"v_qsad_pk_u16_u8 v[20:21], v[10:11], v12, v[14:15]",
           [](Lane l) { return quadSad(l, false); }, true},
          {"v_mqsad_pk_u16_u8 v[20:21], v[10:11], v12, v[14:15]",
           [](Lane l) { return quadSad(l, true); }, true},
      },
      "gfx942", byteOperands, 131);
}

// By hand: |1-9|+|2-8|+|3-0|+|4-6| = 19 from bytes 0, then from byte 1
// |2-9|+|3-8|+|4-0|+|5-6| = 17, and without the byte of b that is 0: 16, 13.
TEST(ValuSad, SlidesBytes) {
  AssembledCode code("v_qsad_pk_u16_u8 v[20:21], v[10:11], v12, v[14:15]\n"
                     "v_mqsad_pk_u16_u8 v[22:23], v[10:11], v12, v[14:15]\n"
                     "v_mqsad_u32_u8 v[24:27], v[10:11], v12, v[14:17]\n",
                     "gfx950");
  BareWave wave;
  wave.state.setExec(1);
  wave.setV64(10, 0, 0x0807060504030201);
  wave.v(12, 0) = 0x06000809;
  // 65535 wraps in words, and does not in dwords.
  wave.setV64(14, 0, 0x000100020003FFFF);
  wave.setV64(16, 0, 0xFFFFFFFF00000000);
  wave.run(code);
  auto sum = [](std::initializer_list<int> a, bool masked) {
    const int b[] = {9, 8, 0, 6};
    int result = 0, i = 0;
    for (int byte : a) {
      if (!masked || b[i] != 0)
        result += std::abs(byte - b[i]);
      ++i;
    }
    return result;
  };
  EXPECT_EQ(sum({1, 2, 3, 4}, false), 19);
  EXPECT_EQ(sum({2, 3, 4, 5}, true), 13);
  EXPECT_EQ(wave.v(20, 0), U32((19 - 1) | (17 + 3) << 16));
  EXPECT_EQ(wave.v(21, 0), U32((sum({3, 4, 5, 6}, false) + 2) |
                               (sum({4, 5, 6, 7}, false) + 1) << 16));
  EXPECT_EQ(wave.v(22, 0), U32((16 - 1) | (13 + 3) << 16));
  EXPECT_EQ(wave.v(23, 0), U32((sum({3, 4, 5, 6}, true) + 2) |
                               (sum({4, 5, 6, 7}, true) + 1) << 16));
  EXPECT_EQ(wave.v(24, 0), 0x0003FFFFu + 16);
  EXPECT_EQ(wave.v(25, 0), 0x00010002u + 13);
  EXPECT_EQ(wave.v(26, 0), U32(sum({3, 4, 5, 6}, true)));
  EXPECT_EQ(wave.v(27, 0), U32(sum({4, 5, 6, 7}, true) - 1));
  EXPECT_EQ(wave.v(24, 1), 0u) << "a disabled lane";
}

struct Direction {
  float x, y, z;
  float face, across, down, twice;
};

// The six faces, ties (z before y before x) and the signs of zeros.
TEST(ValuCube, FacesAndCoordinates) {
  const Direction directions[] = {
      {3, 1, 2, 0, -2, -1, 6},
      {-3, 1, 2, 1, 2, -1, -6},
      {1, 3, 2, 2, 1, 2, 6},
      {1, -3, 2, 3, 1, -2, -6},
      {1, 2, 3, 4, 1, -2, 6},
      {1, 2, -3, 5, -1, -2, -6},
      {2, -2, 2, 4, 2, 2, 4},
      {-2, 2, 1, 2, -2, 1, 4},
      {-2, -2, -2, 5, 2, 2, -4},
      {0.5f, 0, 0, 0, -0.0f, -0.0f, 1},
      {-0.0f, 0, 0, 4, -0.0f, -0.0f, 0},
  };
  AssembledCode code("v_cubeid_f32 v20, v10, v12, v14\n"
                     "v_cubesc_f32 v21, v10, v12, v14\n"
                     "v_cubetc_f32 v22, v10, v12, v14\n"
                     "v_cubema_f32 v23, v10, v12, v14\n"
                     "v_cubeid_f32 v24, -v10, |v12|, -v14\n",
                     "gfx942");
  BareWave wave;
  wave.state.mode.bits = 0x3F0;
  wave.state.setExec(~U64(0));
  unsigned lane = 0;
  for (const Direction &d : directions) {
    wave.v(10, lane) = bitsOf(d.x);
    wave.v(12, lane) = bitsOf(d.y);
    wave.v(14, lane++) = bitsOf(d.z);
  }
  wave.run(code);
  lane = 0;
  for (const Direction &d : directions) {
    EXPECT_EQ(wave.v(20, lane), bitsOf(d.face)) << lane;
    EXPECT_EQ(wave.v(21, lane), bitsOf(d.across)) << lane;
    EXPECT_EQ(wave.v(22, lane), bitsOf(d.down)) << lane;
    EXPECT_EQ(wave.v(23, lane), bitsOf(d.twice)) << lane;
    ++lane;
  }
  // The opposite faces of x and z, the positive one of y.
  EXPECT_EQ(wave.f(24, 0), 1);
  EXPECT_EQ(wave.f(24, 3), 2);
  EXPECT_EQ(wave.f(24, 4), 5);
}

} // namespace
