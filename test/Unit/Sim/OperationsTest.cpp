//===- OperationsTest.cpp - clang's kernels against clang's host code -----===//
//
// What problem: a simulator that agrees with its author's reading of a manual
// proves little.
// What idea: test/Sim/Kernels/Operations.inc is compiled by clang for the host
// here and for the GPU at test time, optimised and not; results must agree bit
// for bit. Unoptimised code brings scratch memory and calls.
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

using u8 = unsigned char;
using i8 = signed char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using half = _Float16;
using short2v = short __attribute__((ext_vector_type(2)));
using half2v = half __attribute__((ext_vector_type(2)));
using float2v = float __attribute__((ext_vector_type(2)));

/// The host has no bf16 arithmetic that can be relied on.
struct bf16 { // NOLINT(readability-identifier-naming)
  uint16_t bits = 0;
  bf16() = default;
  explicit bf16(float value)
      : bits(std::isnan(value) ? 0x7fc0 : test::toBf16(value)) {}
  operator float() const { return test::fromBf16(bits); }
};

/// How NaNs show in a result.
enum class Kind { Integer, Float, Double, Half, Bfloat };

struct Value {
  ulong bits;
  Kind kind;
  unsigned count = 1; ///< Elements, packed from the low bits.
};

template <typename To, typename From>
static To cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

template <typename T>
static Value toValue(T result) {
  if constexpr (std::is_same_v<T, float>)
    return {cast<uint>(result), Kind::Float};
  else if constexpr (std::is_same_v<T, double>)
    return {cast<ulong>(result), Kind::Double};
  else
    return {ulong(result), Kind::Integer};
}
static Value toValue2(bf16 low, bf16 high) {
  return {low.bits | ulong(high.bits) << 16, Kind::Bfloat, 2};
}

#define ISNAN(x) __builtin_isnan(x)
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define F(x) cast<float>(uint(x))
#define D(x) cast<double>(ulong(x))
#define H(x) cast<half>(ushort(x))
#define B(x) cast<bf16>(ushort(x))
#define S2(x) cast<short2v>(uint(x))
#define H2(x) cast<half2v>(uint(x))
#define F2(x, y)                                                               \
  float2v { F(x), F(y) }
#define R(x) toValue(x)
#define RH(x)                                                                  \
  Value { cast<ushort>(half(x)), Kind::Half }
#define RB(x)                                                                  \
  Value { (x).bits, Kind::Bfloat }
#define R2S(x)                                                                 \
  Value { cast<uint>(short2v(x)), Kind::Integer }
#define R2H(x) Value{cast<uint>(half2v(x)), Kind::Half, 2}
#define R2F(x) Value{cast<ulong>(float2v(x)), Kind::Float, 2}
#define R2B(x, y) toValue2(x, y)

struct Operation {
  const char *name;
  Value (*evaluate)(ulong a, ulong b, ulong c);
};

#define OP(name, expression)                                                   \
  {#name, [](ulong a, ulong b, ulong c) -> Value {                             \
     (void)a, (void)b, (void)c;                                                \
     return expression;                                                        \
   }},
const Operation operations[] = {
#include "../../Sim/Kernels/Operations.inc"
};

static bool isNan(ulong bits, Kind kind) {
  switch (kind) {
  case Kind::Integer:
    return false;
  case Kind::Float:
    return std::isnan(cast<float>(uint(bits)));
  case Kind::Double:
    return std::isnan(cast<double>(bits));
  case Kind::Half:
    return (bits & 0x7fff) > 0x7c00;
  case Kind::Bfloat:
    return (bits & 0x7fff) > 0x7f80;
  }
  return false;
}

static unsigned bitsOf(Kind kind) {
  return kind == Kind::Float ? 32 : kind == Kind::Double ? 64 : 16;
}

static bool agree(const Value &expected, ulong actual) {
  if (expected.bits == actual || expected.kind == Kind::Integer)
    return expected.bits == actual;
  unsigned width = bitsOf(expected.kind);
  ulong mask = width == 64 ? ~ulong(0) : (ulong(1) << width) - 1;
  for (unsigned i = 0; i != expected.count; ++i) {
    ulong a = expected.bits >> (i * width) & mask,
          b = actual >> (i * width) & mask;
    if (a != b && !(isNan(a, expected.kind) && isNan(b, expected.kind)))
      return false;
  }
  return expected.count * width == 64 ||
         actual >> (expected.count * width) == 0;
}

/// Random numbers, with floats of moderate size and special values among them.
static std::vector<ulong> makeInputs(size_t count) {
  std::mt19937_64 random(123456789);
  const ulong special[] = {0,
                           1,
                           0x80000000,
                           0x7fffffff,
                           0xffffffff,
                           0x3f800000,
                           0xbf800000,
                           0x7f800000,
                           0xff800000,
                           0x7fc00000,
                           0x00000123,
                           0x807fffff,
                           0x3c00,
                           0x7c00,
                           0x0001,
                           0x8000000000000000,
                           0x7fffffffffffffff,
                           0xffffffffffffffff,
                           0x3ff0000000000000,
                           0x7ff0000000000000,
                           0x7ff8000000000000,
                           0x000fffffffffffff,
                           0x3ff000003f803c00};
  std::vector<ulong> values(count);
  for (ulong &value : values) {
    ulong bits = random();
    switch (random() % 6) {
    case 0:
      value = special[bits % (sizeof(special) / sizeof(special[0]))];
      break;
    case 1: // A float near 1, a double near 1 above it.
      value = (bits & 0x800fffff807fffff) | 0x3ff0000000000000 |
              ((ulong)(120 + (bits >> 32) % 16) << 23);
      break;
    case 2: // Halves of moderate size.
      value = (bits & 0x83ff83ff83ff83ff) | 0x3c003c0038003c00;
      break;
    case 3:
      value = bits % 200;
      break;
    default:
      value = bits;
    }
  }
  return values;
}

class Operations : public testing::TestWithParam<ClangTarget> {};

TEST_P(Operations, AgreeWithHost) {
  KernelRun run =
      KernelRun::ofSource("Operations.cl", GetParam().chip, GetParam().options);
  ASSERT_FALSE(run.failed()) << run.message;
  const unsigned count = 1000;
  std::vector<ulong> inputs = makeInputs(3 * count);
  uint64_t in = run.bufferOf(inputs), out = run.buffer(count * 8);
  run.params.workgroupSize = {128, 1, 1};
  run.params.workgroups = {(count + 127) / 128, 1, 1};
  for (const Operation &operation : operations) {
    run.params.kernel = operation.name;
    run.setArguments({out, in, count});
    std::string error = run.launchError();
    if (!error.empty()) {
      ADD_FAILURE() << error;
      continue;
    }
    std::vector<ulong> results = run.read<ulong>(out, count);
    unsigned wrong = 0;
    for (unsigned i = 0; i != count && wrong < 2; ++i) {
      ulong a = inputs[3 * i], b = inputs[3 * i + 1], c = inputs[3 * i + 2];
      Value expected = operation.evaluate(a, b, c);
      if (agree(expected, results[i]))
        continue;
      ++wrong;
      ADD_FAILURE() << operation.name << std::hex << "(" << a << ", " << b
                    << ", " << c << ") = " << results[i] << ", expected "
                    << expected.bits;
    }
  }
  EXPECT_TRUE(run.guardsIntact());
}

INSTANTIATE_TEST_SUITE_P(Clang, Operations, testing::ValuesIn(openClTargets),
                         targetName);

} // namespace
