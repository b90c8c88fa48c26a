//===- SpecTest.cpp - NAME=SPEC and what it fills -------------------------===//
#include "fly/Launch/Arguments.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace fly;
using namespace fly::launch;

static ElementType type(llvm::StringRef name) {
  return llvm::cantFail(ElementType::parse(name));
}

static Buffer makeBuffer(llvm::StringRef elementType,
                         llvm::ArrayRef<int64_t> extents) {
  Shape shape = Shape::contiguous(extents);
  return Buffer("A", type(elementType), shape, shape.size());
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Spec> spec = Spec::parse(text);
  return spec ? "" : llvm::toString(spec.takeError());
}

static std::string fill(Buffer &buffer, llvm::StringRef text) {
  llvm::Expected<Spec> spec = Spec::parse(text);
  if (!spec)
    return llvm::toString(spec.takeError());
  return llvm::toString(fillBuffer(buffer, *spec));
}

TEST(Spec, ReadsScalars) {
  EXPECT_EQ(llvm::cantFail(Spec::parse("17")).integer, 17);
  EXPECT_EQ(llvm::cantFail(Spec::parse("-3")).integer, -3);
  EXPECT_EQ(llvm::cantFail(Spec::parse("1.5")).number, 1.5);
  Spec typed = llvm::cantFail(Spec::parse("f32:1.5"));
  EXPECT_EQ(typed.kind, Spec::Kind::Scalar);
  EXPECT_EQ(typed.type->name(), "f32");
  EXPECT_EQ(llvm::cantFail(scalarBits(typed, type("f32"), "x")), 0x3fc00000u);
  Spec negative = llvm::cantFail(Spec::parse("-1"));
  EXPECT_EQ(llvm::cantFail(scalarBits(negative, type("i32"), "x")),
            0xffffffffu);
}

TEST(Spec, RefusesScalarsThatDoNotFit) {
  Spec big = llvm::cantFail(Spec::parse("5000000000"));
  EXPECT_EQ(
      llvm::toString(scalarBits(big, type("i32"), "M").takeError()),
      "argument 'M' is a scalar of i32, got '5000000000': it does not fit 32 "
      "bits");
  Spec real = llvm::cantFail(Spec::parse("1.5"));
  EXPECT_EQ(llvm::toString(scalarBits(real, type("i32"), "M").takeError()),
            "argument 'M' is a scalar of i32, got '1.5': expected an integer");
}

TEST(Spec, ReadsShapedTypes) {
  Spec spec = llvm::cantFail(Spec::parse("f8E4M3FNUZ[16x32]=rand:7"));
  EXPECT_EQ(spec.type->name(), "f8E4M3FNUZ");
  EXPECT_EQ(*spec.extents, (llvm::SmallVector<int64_t, 4>{16, 32}));
  EXPECT_EQ(spec.kind, Spec::Kind::Rand);
  EXPECT_EQ(spec.seed, 7u);
  Spec file = llvm::cantFail(Spec::parse("@a=b.npy"));
  EXPECT_EQ(file.kind, Spec::Kind::File);
  EXPECT_EQ(file.path, "a=b.npy");
}

TEST(Spec, SaysWhatIsWrong) {
  EXPECT_NE(errorOf("random").find("expected a number, or"), std::string::npos);
  EXPECT_EQ(errorOf("rand:"), "'rand:': expected a seed, as in 'rand:1'");
  EXPECT_EQ(errorOf("bytes:300"),
            "'bytes:300': expected one byte, as in 'bytes:0x38'");
  EXPECT_EQ(errorOf("bf16[4y4]=zeros"),
            "'bf16[4y4]=zeros': extent '4y4' is not a number; write "
            "TYPE[D0xD1]");
  EXPECT_NE(errorOf("bf17[4]=zeros").find("unknown element type 'bf17'"),
            std::string::npos);
  EXPECT_EQ(errorOf("@"), "'@': expected a file name after '@'");
}

TEST(Spec, RandomContentsAreSmallIntegersOfEveryType) {
  for (llvm::StringRef name :
       {"bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2",
        "f4E2M1FN", "i8", "i32"}) {
    Buffer buffer = makeBuffer(name, {40, 50});
    ASSERT_EQ(fill(buffer, "rand:3"), "");
    std::set<double> seen;
    for (int64_t i = 0; i < 2000; ++i)
      seen.insert(buffer.value(i));
    EXPECT_EQ(seen, (std::set<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4}))
        << name.str();
  }
}

TEST(Spec, SeedsGiveTheSameContentsEveryTime) {
  Buffer a = makeBuffer("bf16", {8}), b = makeBuffer("bf16", {8}),
         c = makeBuffer("bf16", {8});
  ASSERT_EQ(fill(a, "rand:1") + fill(b, "rand:1") + fill(c, "rand:2"), "");
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0);
  EXPECT_NE(std::memcmp(a.data(), c.data(), a.bytes()), 0);
}

TEST(Spec, FillsIotaBytesAndNormal) {
  Buffer iota = makeBuffer("i32", {2, 3});
  ASSERT_EQ(fill(iota, "iota"), "");
  EXPECT_EQ(iota.value(5), 5);
  Buffer bytes = makeBuffer("f8E4M3FN", {4});
  ASSERT_EQ(fill(bytes, "bytes:0x38"), "");
  EXPECT_EQ(bytes.value(3), 1.0); // 0x38 is 1.0 in E4M3FN (OCP).
  Buffer normal = makeBuffer("f64", {10000});
  ASSERT_EQ(fill(normal, "normal:5"), "");
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < 10000; ++i) {
    sum += normal.value(i);
    squares += normal.value(i) * normal.value(i);
  }
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
}

TEST(Spec, PatternsAreThoseOfThePublicCases) {
  Buffer a = makeBuffer("bf16", {17, 96}), b = makeBuffer("bf16", {64, 96});
  ASSERT_EQ(fill(a, "pattern:a") + fill(b, "pattern:b"), "");
  // Case T01 (b): C[0][0] = -17, C[16][63] = -18.
  double first = 0, last = 0;
  for (int64_t k = 0; k < 96; ++k) {
    first += a.value(k) * b.value(k);
    last += a.value(16 * 96 + k) * b.value(63 * 96 + k);
  }
  EXPECT_EQ(first, -17);
  EXPECT_EQ(last, -18);
}

TEST(Spec, PacksElementsOfLessThanAByte) {
  Buffer buffer = makeBuffer("f4E2M1FN", {3});
  EXPECT_EQ(buffer.bytes(), 2u);
  ASSERT_EQ(fill(buffer, "iota"), "");
  // Codes of E2M1: 1.0 = 2, 2.0 = 4; the low nibble comes first.
  EXPECT_EQ(buffer.data()[0], 0x20);
  EXPECT_EQ(buffer.data()[1], 0x04);
}

TEST(Spec, RefusesScalarForABuffer) {
  Buffer buffer = makeBuffer("bf16", {4, 4});
  EXPECT_EQ(fill(buffer, "17"), "'17': argument 'A' is a buffer of bf16 4x4; "
                                "to fill it with a number write fill:17");
  EXPECT_EQ(
      fill(buffer, "f16[4x4]=zeros"),
      "'f16[4x4]=zeros': buffer 'A' holds bf16, expected bf16 before '=', "
      "or nothing there");
  EXPECT_EQ(
      fill(buffer, "bf16[4x5]=zeros"),
      "'bf16[4x5]=zeros': buffer 'A' has the extents 4x4; leave them out, "
      "or change the scalars that they come from");
}

namespace {
std::vector<Parameter> gemmParameters() {
  std::vector<Parameter> parameters(3);
  parameters[0].name = "A";
  parameters[0].isPointer = true;
  parameters[0].type = type("bf16");
  for (unsigned i : {1, 2}) {
    parameters[i].name = i == 1 ? "M" : "K";
    parameters[i].type = type("i32");
    parameters[i].size = 4;
  }
  return parameters;
}
} // namespace

TEST(Arguments, ListsWhatIsMissingAndWhatIsKnown) {
  std::vector<Parameter> parameters = gemmParameters();
  EXPECT_EQ(llvm::toString(bindScalars(parameters, {}).takeError()),
            "no value for the scalar arguments M, K; add M=512 K=512 (the "
            "kernel takes A: buffer of bf16, M: i32, K: i32)");
  NamedSpec typo = llvm::cantFail(parseNamedSpec("X=4"));
  EXPECT_EQ(llvm::toString(bindScalars(parameters, {typo}).takeError()),
            "the kernel has no argument 'X'; it takes A: buffer of bf16, M: "
            "i32, K: i32");
  EXPECT_EQ(llvm::toString(parseNamedSpec("M").takeError()),
            "'M': expected NAME=SPEC, for example M=512 or A=@a.npy");
}

TEST(Arguments, DefaultsSuitTheAccess) {
  std::vector<Parameter> parameters = gemmParameters();
  parameters[0].isRead = false;
  std::vector<NamedSpec> specs = {llvm::cantFail(parseNamedSpec("M=2")),
                                  llvm::cantFail(parseNamedSpec("K=3"))};
  auto arguments = llvm::cantFail(bindScalars(parameters, specs));
  EXPECT_EQ(lookupScalar(arguments, "K"), 3);
  Shape shape = Shape::contiguous({2, 3});
  ASSERT_EQ(llvm::toString(allocateBuffer(arguments[0], 0, shape, 6, specs, 0)),
            "");
  EXPECT_TRUE(std::isnan(arguments[0].buffer->value(0)));
}

TEST(Arguments, AsksForTheSizeWhereNobodyKnowsIt) {
  auto arguments = llvm::cantFail(
      bindScalars(gemmParameters(), {llvm::cantFail(parseNamedSpec("M=2")),
                                     llvm::cantFail(parseNamedSpec("K=3"))}));
  EXPECT_EQ(
      llvm::toString(allocateBuffer(arguments[0], 0, std::nullopt, 0, {}, 0)),
      "the size of buffer 'A' is not known from the kernel; give it as "
      "A=bf16[16x32]=rand:1");
}
