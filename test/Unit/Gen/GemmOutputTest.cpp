//===- GemmOutputTest.cpp - What the last conversion of a GEMM does -------===//
//
// GEMMs of few rows whose sums are chosen bit by bit: ties between neighbours
// of bf16 and of f16, values that overflow f16 or bf16 by rounding alone,
// infinities and NaN, with and without a bias. Every pair of input and output
// type on both chips, which convert in different ways: gfx950 has an
// instruction for bf16, gfx942 does it by integer operations. Simulator and
// reference executor must give the same bits as APFloat.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"
#include "fly/Launch/ReferenceLaunch.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"

#include <cmath>

#include "gtest/gtest.h"

using namespace fly;

namespace {
constexpr double inf = INFINITY;

/// Rows of A: the sum of a row, times a power of two, is what is converted.
constexpr double kRows[][4] = {
    {1, 0x1p-8, 0, 0},             // bf16: tie, even below
    {1, 0x1p-7, 0x1p-8, 0},        // bf16: tie, even above
    {1, 0x1p-8, 0x1p-12, 0},       // bf16: just above a tie
    {1, 0x1p-8, -0x1p-12, 0},      // bf16: just below a tie
    {-1, -0x1p-7, -0x1p-8, 0},     // the same, negative
    {1, 0x1p-11, 0, 0},            // f16: tie, even below
    {1, 0x1p-10, 0x1p-11, 0},      // f16: tie, even above
    {1, 0x1p-11, 0x1p-14, 0},      // f16: just above a tie
    {1, 0x1p-11, -0x1p-14, 0},     // f16: just below a tie
    {65280, 224, 0, 0},            // f16: the largest, 65504
    {65280, 224, 15, 0},           // f16: rounds to the largest
    {65280, 224, 16, 0},           // f16: tie, to infinity
    {-65280, -224, -16, 0},        // f16: tie, to -infinity
    {32768, 32768, 32768, 0},      // f16: far too large
    {0x1.FEp127, 0x1p118, 0, 0},   // bf16: rounds to the largest
    {0x1.FEp127, 0x1p119, 0, 0},   // bf16: tie, to infinity
    {-0x1.FEp127, -0x1p119, 0, 0}, // bf16: tie, to -infinity
    {inf, 1, 0, 0},
    {-inf, 1, 0, 0}, // stay
    {inf, -inf, 0, 0},
    {NAN, 1, 2, 3}, // NaN
    {3, -3, 0, 0},
    {-0.0, 0, 0, 0},          // zeros
    {0x1p-12, 0x1p-13, 0, 0}, // small
};
constexpr int64_t kM = std::size(kRows), kK = 4;
/// Columns of B are powers of two: the first exponent, and how many.
constexpr int kFirstExponent = -4;
constexpr int64_t kN = 9;
/// One a column; sums with these are exact in f32 or far from a tie.
constexpr double kBias[kN] = {0, 1, -1, 0.5, 256, -256, 0, 2, -0.125};

struct Types {
  const char *chip, *in, *out;
  bool hasBias;
};

void PrintTo(const Types &types, std::ostream *os) {
  *os << types.chip << "_" << types.in << "_" << types.out
      << (types.hasBias ? "_bias" : "");
}

class GemmOutput : public testing::TestWithParam<Types> {
protected:
  GemmOutput() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  void SetUp() override {
    gen::GemmOptions options;
    options.chip = GetParam().chip;
    options.in = GetParam().in;
    options.out = GetParam().out;
    options.tile = "32x64x32";
    options.waves = "1x4";
    options.epilogue = GetParam().hasBias ? "bias" : "none";
    auto text = gen::generateGemm(options);
    ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
    module = parseSource(sources, &context);
    ASSERT_TRUE(module);
  }

  static ElementType type(llvm::StringRef name) {
    return llvm::cantFail(ElementType::parse(name));
  }
  /// An element of A as its type holds it.
  static double elementA(int64_t m, int64_t k) {
    return type(GetParam().in).round(kRows[m][k]);
  }
  static double elementB(int64_t n) {
    return std::ldexp(1.0, kFirstExponent + int(n));
  }

  /// Bits of C by the host's float and APFloat's rounding.
  static uint64_t expectedBits(int64_t m, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k)
      sum += elementA(m, k) * elementB(n);
    // What the test asks is the last conversion: the sum itself is exact,
    // where it does not overflow f32.
    float acc = float(sum);
    EXPECT_TRUE(std::isnan(sum) || std::isinf(acc) || double(acc) == sum);
    if (GetParam().hasBias)
      acc += float(kBias[n]);
    llvm::APFloat value(acc);
    bool losesInfo;
    value.convert(type(GetParam().out).semantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value.bitcastToAPInt().getZExtValue();
  }

  static void fill(std::vector<launch::Argument> &arguments) {
    for (launch::Argument &argument : arguments) {
      if (!argument.buffer)
        continue;
      launch::Buffer &buffer = *argument.buffer;
      for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i) {
        const std::string &name = buffer.name();
        double value = name == "A"      ? kRows[i / kK][i % kK]
                       : name == "B"    ? elementB(i / kK)
                       : name == "Bias" ? kBias[i]
                                        : 99;
        buffer.type().storeBits(buffer.data(), i, buffer.type().encode(value));
      }
    }
  }

  static void check(std::vector<launch::Argument> &arguments) {
    for (launch::Argument &argument : arguments) {
      if (argument.parameter.name != "C")
        continue;
      launch::Buffer &c = *argument.buffer;
      for (int64_t i = 0; i < kM * kN; ++i) {
        uint64_t bits = c.type().loadBits(c.data(), i);
        uint64_t expected = expectedBits(i / kN, i % kN);
        if (std::isnan(c.type().decode(expected)))
          EXPECT_TRUE(std::isnan(c.type().decode(bits)))
              << "row " << i / kN << " column " << i % kN << " has bits "
              << bits;
        else
          EXPECT_EQ(bits, expected) << "row " << i / kN << " column " << i % kN;
      }
      return;
    }
    FAIL() << "no argument C";
  }

  static std::vector<launch::NamedSpec> scalars() {
    std::vector<launch::NamedSpec> specs;
    for (auto [name, extent] :
         {std::pair("M", kM), std::pair("N", kN), std::pair("K", kK)})
      specs.push_back(llvm::cantFail(launch::parseNamedSpec(
          (llvm::Twine(name) + "=" + llvm::Twine(extent)).str())));
    return specs;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_P(GemmOutput, SimulatorRoundsOnce) {
  auto object = compile(*module);
  ASSERT_TRUE(mlir::succeeded(object));
  const contract::LaunchContract &contract = object->contracts.front();
  auto parameters = llvm::cantFail(launch::parametersOf(contract));
  auto arguments = llvm::cantFail(launch::bindScalars(parameters, scalars()));
  llvm::cantFail(launch::allocateBuffers(arguments, contract, {}, 0));
  fill(arguments);
  auto size = llvm::cantFail(launch::sizeOf(contract, arguments));
  auto result =
      launch::launchOnSimulator(object->bytes, "gemm", size, arguments);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  check(arguments);
}

TEST_P(GemmOutput, ReferenceRoundsOnce) {
  auto kernel = findKernel(*module, "gemm");
  ASSERT_TRUE(mlir::succeeded(kernel));
  auto parameters = llvm::cantFail(launch::parametersOf(*kernel));
  auto arguments = llvm::cantFail(launch::bindScalars(parameters, scalars()));
  auto plan = launch::planOnReference(*kernel, arguments);
  ASSERT_TRUE(mlir::succeeded(plan));
  llvm::cantFail(launch::allocateBuffers(arguments, *plan, {}, 0));
  fill(arguments);
  ASSERT_TRUE(mlir::succeeded(launch::launchOnReference(*kernel, arguments)));
  check(arguments);
}

static std::vector<Types> allTypes() {
  std::vector<Types> all;
  for (const char *chip : {"gfx942", "gfx950"})
    for (const char *in : {"bf16", "f16"})
      for (const char *out : {"f32", "bf16", "f16"})
        for (bool hasBias : {false, true})
          all.push_back({chip, in, out, hasBias});
  return all;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, GemmOutput, testing::ValuesIn(allTypes()),
                         testing::PrintToStringParamName());
