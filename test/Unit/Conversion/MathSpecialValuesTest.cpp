//===- MathSpecialValuesTest.cpp - Infinities, zeros, NaN of functions ----===//
//
// What IEEE 754 and C99 say of special arguments, in all types.
// Errors at ordinary arguments are measured by fly-math-table.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/ElementType.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "ConversionRun.h"

using namespace fly;
using namespace fly::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr size_t elements = 1024;

/// A function and its values at some arguments.
struct Case {
  const char *operation;
  struct Point {
    double x, y, expected;
  };
  std::vector<Point> points;
};

std::string kernelOf(const std::string &name, const std::string &operation) {
  return "gpu.func @" + name + R"mlir((%X: !fly.ptr<T>, %Y: !fly.ptr<T>,
      %Z: !fly.ptr<T>, %n: i32) kernel attributes {fly.waves = 4 : i32} {
    %x = fly.view %X[%n] : !fly.view<?xT>
    %y = fly.view %Y[%n] : !fly.view<?xT>
    %z = fly.view %Z[%n] : !fly.view<?xT>
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %v = fly.read %x[%i] in_bounds [true] align 4 : !fly.view<?xT> -> vector<4xT>
    %w = fly.read %y[%i] in_bounds [true] align 4 : !fly.view<?xT> -> vector<4xT>
    %r = )mlir" +
         operation + R"mlir( : vector<4xT>
    fly.write %r, %z[%i] in_bounds [true] align 4 : vector<4xT>, !fly.view<?xT>
    gpu.return
  })mlir";
}

std::string withType(std::string text, const std::string &type) {
  for (llvm::StringRef before : {"<", "x"}) {
    std::string from = before.str() + "T>", to = before.str() + type + ">";
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  }
  return text;
}

void check(llvm::ArrayRef<Case> cases, llvm::StringRef chip,
           const std::string &typeName) {
  std::string body;
  for (size_t i = 0; i < cases.size(); ++i)
    body += kernelOf("f" + std::to_string(i), cases[i].operation);
  ConversionRun run(moduleOf(chip, withType(body, typeName)));
  ASSERT_EQ(run.errors, "");
  ElementType type = llvm::cantFail(ElementType::parse(typeName));
  for (size_t i = 0; i < cases.size(); ++i) {
    std::vector<uint8_t> x(type.bytesFor(elements)), y(x), z(x);
    for (size_t at = 0; at < cases[i].points.size(); ++at) {
      type.storeBits(x.data(), at, type.encode(cases[i].points[at].x));
      type.storeBits(y.data(), at, type.encode(cases[i].points[at].y));
    }
    uint64_t px = run.buffer(x), py = run.buffer(y), pz = run.buffer(z);
    ASSERT_EQ(run.launch({px, py, pz, elements}, 1, "f" + std::to_string(i)),
              "");
    z = run.read<uint8_t>(pz, z.size());
    for (size_t at = 0; at < cases[i].points.size(); ++at) {
      const Case::Point &point = cases[i].points[at];
      double got = type.decode(type.loadBits(z.data(), at));
      std::string what = std::string(cases[i].operation) + " of " + typeName +
                         " at " + std::to_string(point.x) + ", " +
                         std::to_string(point.y);
      if (std::isnan(point.expected)) {
        EXPECT_TRUE(std::isnan(got)) << what << " gave " << got;
        continue;
      }
      EXPECT_EQ(got, point.expected) << what;
      EXPECT_EQ(std::signbit(got), std::signbit(point.expected)) << what;
    }
  }
}

/// gfx950 differs in how it rounds to bf16.
void checkEverywhere(llvm::ArrayRef<Case> cases) {
  for (const char *type : {"f32", "f16", "bf16"})
    check(cases, "gfx942", type);
  check(cases, "gfx950", "bf16");
}

} // namespace

TEST(MathSpecialValues, OfOneArgument) {
  auto at = [](const char *operation, double zero, double minusZero,
               double atInfinity, double minusInfinity) {
    return Case{operation,
                {{0.0, 0, zero},
                 {-0.0, 0, minusZero},
                 {infinity, 0, atInfinity},
                 {-infinity, 0, minusInfinity},
                 {notANumber, 0, notANumber}}};
  };
  checkEverywhere({
      at("math.exp %v", 1, 1, infinity, 0),
      at("math.exp2 %v", 1, 1, infinity, 0),
      at("math.expm1 %v", 0.0, -0.0, infinity, -1),
      at("math.log %v", -infinity, -infinity, infinity, notANumber),
      at("math.log2 %v", -infinity, -infinity, infinity, notANumber),
      at("math.log10 %v", -infinity, -infinity, infinity, notANumber),
      at("math.log1p %v", 0.0, -0.0, infinity, notANumber),
      at("math.sqrt %v", 0.0, -0.0, infinity, notANumber),
      at("math.rsqrt %v", infinity, -infinity, 0, notANumber),
      at("math.sin %v", 0.0, -0.0, notANumber, notANumber),
      at("math.cos %v", 1, 1, notANumber, notANumber),
      at("math.tanh %v", 0.0, -0.0, 1, -1),
      at("math.erf %v", 0.0, -0.0, 1, -1),
      at("fly.activate sigmoid %v", 0.5, 0.5, 1, 0),
      at("fly.activate silu %v", 0.0, -0.0, infinity, -0.0),
      at("fly.activate gelu_tanh %v", 0.0, -0.0, infinity, -0.0),
      at("fly.activate gelu_erf %v", 0.0, -0.0, infinity, -0.0),
      at("math.round %v", 0.0, -0.0, infinity, -infinity),
      at("math.roundeven %v", 0.0, -0.0, infinity, -infinity),
  });
}

TEST(MathSpecialValues, OfPow) {
  checkEverywhere({{"math.powf %v, %w",
                    {{0.0, 3, 0.0},
                     {-0.0, 3, -0.0},
                     {-0.0, 2, 0.0},
                     {0.0, -3, infinity},
                     {-0.0, -3, -infinity},
                     {-0.0, -2, infinity},
                     {-0.0, 0.5, 0.0},
                     {-1, infinity, 1},
                     {-1, -infinity, 1},
                     {1, notANumber, 1},
                     {notANumber, 0, 1},
                     {notANumber, -0.0, 1},
                     {notANumber, 1, notANumber},
                     {2, notANumber, notANumber},
                     {-2, 3, -8},
                     {-2, 2, 4},
                     {-2, -1, -0.5},
                     {-2, 0.5, notANumber},
                     {-2, -0.5, notANumber},
                     {0.5, -infinity, infinity},
                     {2, -infinity, 0},
                     {0.5, infinity, 0},
                     {-0.5, infinity, 0},
                     {2, infinity, infinity},
                     {-infinity, -3, -0.0},
                     {-infinity, -2, 0},
                     {-infinity, 3, -infinity},
                     {-infinity, 2, infinity},
                     {-infinity, 0.5, infinity},
                     {infinity, -1, 0},
                     {infinity, 1, infinity},
                     {infinity, 0, 1},
                     {-infinity, 0, 1},
                     {0, 0, 1},
                     {3, 1, 3},
                     {-3, 1, -3},
                     {-2, 1e30, infinity}}}});
}

TEST(MathSpecialValues, OfRemainderAndRounding) {
  checkEverywhere(
      {{"arith.remf %v, %w",
        {{5, 3, 2},
         {-5, 3, -2},
         {5.5, -2, 1.5},
         {-4, 2, -0.0},
         {1, infinity, 1},
         {infinity, 2, notANumber},
         {1, 0, notANumber}}},
       {"math.round %v",
        {{0.5, 0, 1}, {-0.5, 0, -1}, {2.5, 0, 3}, {-0.25, 0, -0.0}}},
       {"math.roundeven %v",
        {{0.5, 0, 0}, {1.5, 0, 2}, {2.5, 0, 2}, {-0.5, 0, -0.0}}},
       {"arith.maximumf %v, %w",
        {{1, notANumber, notANumber},
         {notANumber, 1, notANumber},
         {-0.0, 0.0, 0.0},
         {1, 2, 2}}},
       {"arith.minimumf %v, %w",
        {{1, notANumber, notANumber},
         {notANumber, 1, notANumber},
         {-0.0, 0.0, -0.0},
         {1, 2, 1}}},
       {"arith.maxnumf %v, %w",
        {{1, notANumber, 1},
         {notANumber, 1, 1},
         {notANumber, notANumber, notANumber},
         {1, 2, 2}}},
       {"arith.minnumf %v, %w",
        {{1, notANumber, 1},
         {notANumber, 1, 1},
         {notANumber, notANumber, notANumber},
         {1, 2, 1}}}});
}
