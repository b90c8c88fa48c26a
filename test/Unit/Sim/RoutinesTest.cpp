//===- RoutinesTest.cpp - clang's HIP kernels without matrices ------------===//
//
// test/Sim/Kernels/Routines.hip, compiled at several levels, with and without
// preloaded arguments, against host loops.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <random>

#include "ClangTarget.h"
#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class Routines : public testing::TestWithParam<ClangTarget> {
protected:
  void SetUp() override {
    run = KernelRun::ofSource("Routines.hip", GetParam().chip,
                              GetParam().options);
    ASSERT_FALSE(run.failed()) << run.message;
    std::mt19937 random(7);
    input.resize(5120);
    for (uint32_t &value : input)
      value = uint32_t(random());
    in = run.bufferOf(input, "in");
    out = run.buffer(outputBytes, "out");
  }
  void launch(const char *kernel, uint32_t groups, uint32_t size,
              std::vector<uint64_t> arguments) {
    run.params.kernel = kernel;
    run.params.workgroups = {groups, 1, 1};
    run.params.workgroupSize = {size, 1, 1};
    run.setArguments(std::move(arguments));
    ASSERT_EQ(run.launchError(), "");
    EXPECT_TRUE(run.guardsIntact());
  }
  template <typename T>
  std::vector<T> results() {
    return run.read<T>(out, outputBytes / sizeof(T));
  }

  static constexpr size_t outputBytes = 65536;
  KernelRun run;
  std::vector<uint32_t> input;
  uint64_t in = 0, out = 0;
};

TEST_P(Routines, Layernorm) {
  const unsigned n = 700;
  std::vector<uint16_t> x(3 * n);
  for (unsigned i = 0; i != x.size(); ++i)
    x[i] = test::toBf16(float(int(input[i] % 2001) - 1000) / 64);
  launch("layernorm", 3, 256, {out, run.bufferOf(x), n});
  std::vector<float> result = results<float>();
  for (unsigned row = 0; row != 3; ++row) {
    double mean = 0, square = 0;
    for (unsigned i = 0; i != n; ++i)
      mean += test::fromBf16(x[row * n + i]) / double(n);
    for (unsigned i = 0; i != n; ++i)
      square += std::pow(test::fromBf16(x[row * n + i]) - mean, 2.0);
    for (unsigned i = 0; i != n; ++i)
      ASSERT_NEAR(result[row * n + i],
                  2 * (test::fromBf16(x[row * n + i]) - mean) /
                      std::sqrt(square / n + 0.0625),
                  1e-5);
  }
}

TEST_P(Routines, WaveSum) {
  launch("wave_sum", 5, 64, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  for (unsigned i = 0; i != 5 * 64; ++i) {
    uint32_t sum = 0;
    for (unsigned lane = 0; lane != 64; ++lane)
      sum += input[i / 64 * 64 + lane];
    EXPECT_EQ(result[i], sum) << i;
  }
}

TEST_P(Routines, ActiveLanes) {
  launch("active_lanes", 1, 64, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  uint32_t most = 0, least = ~0u, count = 0, first = 63;
  for (unsigned lane = 63; lane < 64; lane -= 2) {
    most = std::max(most, input[lane]);
    least = std::min(least, input[lane]);
    if (input[lane] % 3 == 0) {
      ++count;
      first = lane;
    }
  }
  for (unsigned lane = 1; lane < 64; lane += 2) {
    unsigned leader = 1;
    while (input[leader] % 5 != input[lane] % 5)
      leader += 2;
    EXPECT_EQ(result[64 + lane], most);
    EXPECT_EQ(result[128 + lane], least);
    EXPECT_EQ(result[192 + lane], count);
    EXPECT_EQ(result[256 + lane], first);
    EXPECT_EQ(result[320 + lane], input[1]);
    EXPECT_EQ(result[384 + lane], input[leader]);
    EXPECT_EQ(result[64 + lane - 1], 0u);
  }
}

/// Waves run one after the other, so the second one continues the first.
TEST_P(Routines, CounterOfActiveLanes) {
  launch("counter", 1, 128, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  uint32_t appended[3] = {1000, 1000, 1000}, consumed[2] = {};
  for (unsigned lane = 0; lane != 128; ++lane)
    for (unsigned wave = lane / 64 + 1; wave != 3; ++wave)
      appended[wave] += input[lane] % 3 == 0;
  consumed[0] = consumed[1] = appended[2];
  uint32_t rest = appended[2];
  for (unsigned lane = 0; lane != 128; ++lane) {
    rest -= input[lane] & 1;
    if (lane < 64)
      consumed[1] -= input[lane] & 1;
  }
  for (unsigned lane = 0; lane != 128; ++lane) {
    EXPECT_EQ(result[lane], input[lane] % 3 == 0 ? appended[lane / 64] : 0u);
    EXPECT_EQ(result[128 + lane], input[lane] & 1 ? consumed[lane / 64] : 0u);
  }
  EXPECT_EQ(result[256], rest);
  EXPECT_EQ(result[257], 2000u);
}

static int both(int x) { return int(uint32_t(~x) * 3 + uint32_t(~x)); }

TEST_P(Routines, CallsThroughTables) {
  launch("calls", 4, 256, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  const int offsets[] = {11, -7, 1000, 5};
  for (unsigned i = 0; i != 1024; ++i) {
    uint32_t x = input[i], called = 0;
    switch (x & 3) {
    case 0:
    case 3:
      called = 3 * x;
      break;
    case 1:
      called = ~x;
      break;
    case 2:
      called = uint32_t(both(int(x)));
    }
    uint32_t area = x & 4 ? x * x : x * (i % 256);
    EXPECT_EQ(result[i], called + uint32_t(offsets[(x >> 3) & 3]) + 40 + area)
        << i;
  }
}

TEST_P(Routines, GenericPointers) {
  launch("generic", 1, 128, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  for (unsigned lane = 0; lane != 128; ++lane) {
    uint32_t own[24], sum = 0;
    for (unsigned i = 0; i != 24; ++i)
      own[(i * 7 + lane) % 24] = input[(lane + i) % 128];
    for (unsigned i = 0; i != 24; i += 2)
      sum = sum * 31 + (lane % 3 == 0   ? own[i]
                        : lane % 3 == 1 ? input[lane % 16 + i] + 1
                                        : input[lane % 16 + i]);
    EXPECT_EQ(result[lane], sum) << lane;
  }
}

TEST_P(Routines, WideIntegers) {
  const unsigned count = 256;
  std::vector<uint64_t> values(2 * count);
  std::mt19937_64 random(3);
  for (uint64_t &value : values)
    value = random();
  launch("wide", count / 64, 64, {out, run.bufferOf(values)});
  std::vector<uint64_t> result = results<uint64_t>();
  for (unsigned i = 0; i != count; ++i) {
    uint64_t a = values[2 * i], b = values[2 * i + 1] >> (i % 61) | 1;
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t bytes = 0, bits = 0;
    for (unsigned bit = 0; bit != 64; ++bit) {
      bits |= (a >> bit & 1) << (63 - bit);
      bytes |= (b >> bit & 1) << ((7 - bit / 8) * 8 + bit % 8);
    }
    EXPECT_EQ(result[10 * i], uint64_t(product >> 64));
    EXPECT_EQ(result[10 * i + 1], a / b);
    EXPECT_EQ(result[10 * i + 2], a % b);
    EXPECT_EQ(result[10 * i + 3], uint64_t(int64_t(a) / int64_t(b)));
    EXPECT_EQ(result[10 * i + 4], uint64_t(int64_t(a) % int64_t(b)));
    EXPECT_EQ(result[10 * i + 5], uint64_t((product << (a & 127)) >> 64));
    EXPECT_EQ(result[10 * i + 6], uint64_t(__int128(product) >> (b & 127)));
    EXPECT_EQ(result[10 * i + 7],
              uint64_t(__builtin_popcountll(a) + 100 * __builtin_clzll(b) +
                       10000 * __builtin_ctzll(b)));
    EXPECT_EQ(result[10 * i + 8], bits ^ bytes);
    EXPECT_EQ(result[10 * i + 9], uint64_t(int64_t(double(int64_t(a)) * 0.5)) +
                                      uint64_t(double(b >> 1)));
  }
}

TEST_P(Routines, Doubles) {
  const unsigned count = 128;
  std::vector<double> values(2 * count);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> range(-60000, 60000);
  for (double &value : values)
    value = range(random);
  launch("doubles", count / 64, 64, {out, run.bufferOf(values)});
  std::vector<double> result = results<double>();
  for (unsigned i = 0; i != count; ++i) {
    double x = values[2 * i], y = values[2 * i + 1];
    EXPECT_EQ(result[6 * i], ((x * 0.25 + y) * x - 3.0) / y);
    EXPECT_EQ(result[6 * i + 1], std::sqrt(x * x + y * y));
    EXPECT_EQ(result[6 * i + 2],
              std::floor(x) + std::nearbyint(y) + std::trunc(x * y));
    EXPECT_EQ(result[6 * i + 3],
              double(float(x)) + double(int(y)) + double(uint32_t(x * x)));
    EXPECT_EQ(result[6 * i + 4], x < y ? x : y > 1 ? -y : x + y);
    EXPECT_EQ(result[6 * i + 5], std::fma(x, y, 1.0) + std::ldexp(x, 5));
  }
}

struct Totals {
  uint32_t sum, most, least, bits, toggled, wrapped;
  uint32_t swapped;
  int32_t signedMost;
  uint64_t sum64, most64;
  double sumDouble, mostDouble;
  float sumFloat, largest;
};

TEST_P(Routines, Atomics) {
  Totals expected = {};
  std::vector<Totals> start(1, expected);
  start[0].least = expected.least = ~0u;
  uint64_t totals = run.bufferOf(start, "totals");
  const unsigned count = 4 * 256;
  launch("atomics", 4, 256, {totals, in, out});
  for (unsigned i = 0; i != count; ++i) {
    uint32_t x = input[i];
    ++expected.sum;
    expected.most = std::max(expected.most, x);
    expected.least = std::min(expected.least, x);
    expected.bits |= x & 0xff00;
    expected.toggled ^= x;
    expected.signedMost = std::max(expected.signedMost, int32_t(x));
    expected.most64 = std::max(expected.most64, uint64_t(x) << 20);
    expected.wrapped = expected.wrapped >= 99 ? 0 : expected.wrapped + 1;
    expected.sumDouble += x % 1000;
    expected.mostDouble = std::max(expected.mostDouble, double(x));
    expected.sumFloat += float(x % 8);
    expected.largest = std::max(expected.largest, float(x % 5000) * 0.5f);
    expected.sum64 += uint64_t(x) + x % 4 + x % 16;
  }
  expected.swapped = 123;
  Totals given = run.read<Totals>(totals, 1)[0];
#define SAME(field) EXPECT_EQ(given.field, expected.field)
  SAME(sum);
  SAME(most);
  SAME(least);
  SAME(bits);
  SAME(toggled);
  SAME(wrapped);
  SAME(swapped);
  SAME(signedMost);
  SAME(sum64);
  SAME(most64);
  SAME(sumDouble);
  SAME(mostDouble);
  SAME(sumFloat);
  SAME(largest);
#undef SAME
  std::vector<uint32_t> old = run.read<uint32_t>(out, count);
  std::sort(old.begin(), old.end());
  for (unsigned i = 0; i != count; ++i)
    ASSERT_EQ(old[i], i);
}

TEST_P(Routines, LastGroupSums) {
  uint64_t partial = run.buffer(7 * 8), arrived = run.buffer(4), sum = 0;
  for (unsigned i = 0; i != 5000; ++i)
    sum += input[i];
  run.params.options.threads = 2;
  launch("last_group", 7, 128, {out, in, partial, arrived});
  EXPECT_EQ(results<uint64_t>()[0], sum);
}

static uint32_t machine(uint32_t x) {
  uint32_t window[16] = {}, state = x & 7;
  for (uint32_t trips = 0; trips < 40; ++trips) {
    // The kernel's shift of a signed number.
    window[(x >> 4) & 15] += trips;
    switch (state) {
    case 0:
      x += 3;
      state = x & 7;
      break;
    case 1:
      x = x * 5 + 1;
      state = (x >> 3) & 7;
      break;
    case 2:
      x ^= uint32_t(int32_t(x) >> 7);
      state = 3;
      break;
    case 3:
      x = x << 1 | x >> 31;
      state = 4 + (x & 3);
      break;
    case 4:
      x -= trips;
      state = 1;
      break;
    case 5:
      x = ~x;
      state = 6;
      break;
    case 6:
      x += window[x & 15];
      state = x & 1 ? 7 : 2;
      break;
    case 7:
      trips += 2;
      state = 0;
      break;
    }
  }
  return x + window[x & 15];
}

TEST_P(Routines, StateMachine) {
  launch("machine", 8, 64, {out, in});
  std::vector<uint32_t> result = results<uint32_t>();
  for (unsigned i = 0; i != 512; ++i)
    EXPECT_EQ(result[i], machine(input[i])) << i;
}

/// Values that e4m3 and e2m1 hold exactly at the scale come back unchanged.
TEST_P(Routines, ScaledConversions) {
  if (llvm::StringRef(GetParam().chip) != "gfx950")
    GTEST_SKIP() << "gfx950 only";
  const float grid[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  std::vector<float> values(128);
  for (unsigned i = 0; i != 128; ++i)
    values[i] = 8 * (input[i] & 8 ? -1.0f : 1.0f) * grid[input[i] & 7];
  uint64_t data = run.bufferOf(values);
  launch("scaled", 1, 64, {out, data, 0x41000000});
  std::vector<float> result = results<float>();
  for (unsigned i = 0; i != 128; ++i) {
    EXPECT_EQ(result[i / 2 * 4 + i % 2], values[i]) << i;
    EXPECT_EQ(result[i / 2 * 4 + 2 + i % 2], values[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Hip, Routines, testing::ValuesIn(hipTargets),
                         targetName);

} // namespace
