//===- GemmCasesTest.cpp - GEMMs of public reports, by their numbers ------===//
//
// Single elements, sums and weighted sums that were worked out independently of
// this project, of compiled GEMMs on the simulator. The inputs are the patterns
// `a` and `b` of fly-run. The weight (7 m + 3 n + 1) finds tiles that are
// swapped or doubled, which a plain sum misses.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {
struct Element {
  int64_t m, n;
  double value;
};

struct Case {
  const char *name, *in, *tile, *stages;
  int64_t m, n, k;
  std::vector<Element> elements;
  int64_t sum, weighted;
};

const Case kCases[] = {
    // A tail in M, and one in M and K.
    {"T01a",
     "bf16",
     "16x64x128",
     "2",
     17,
     64,
     256,
     {{0, 0, 19}, {0, 63, 23}, {16, 0, 6}, {16, 63, -23}},
     446,
     31017},
    {"T01b",
     "bf16",
     "16x64x64",
     "2",
     17,
     64,
     96,
     {{0, 0, -17}, {0, 63, 24}, {16, 0, 0}, {16, 63, -18}},
     311,
     92654},
    // A tile of A whose bytes are no multiple of what 256 threads copy.
    {"T03",
     "bf16",
     "112x256x64",
     "1",
     112,
     256,
     64,
     {{0, 0, 12}, {111, 255, 12}},
     259,
     -544607},
    // One and two iterations of a loop through two buffers.
    {"T07one", "f16", "32x64x64", "2", 32, 64, 64, {{0, 0, 12}}, 732, 219184},
    {"T07two", "f16", "32x64x64", "2", 32, 64, 128, {}, 1040, 83539},
};

class GemmCase
    : public testing::TestWithParam<std::tuple<const char *, size_t>> {};
} // namespace

TEST_P(GemmCase, HasTheNumbers) {
  auto [chip, number] = GetParam();
  const Case &test = kCases[number];
  gen::GemmOptions options;
  options.chip = chip;
  options.in = test.in;
  options.out = "f32";
  options.tile = test.tile;
  options.waves = "1x4";
  options.ldsStages = test.stages;
  auto text = gen::generateGemm(options);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
  auto module = parseSource(sources, &context);
  ASSERT_TRUE(module);
  auto object = compile(*module);
  ASSERT_TRUE(mlir::succeeded(object));

  std::vector<launch::NamedSpec> specs;
  for (const std::string &spec :
       {"M=" + std::to_string(test.m), "N=" + std::to_string(test.n),
        "K=" + std::to_string(test.k), std::string("A=pattern:a"),
        std::string("B=pattern:b")})
    specs.push_back(llvm::cantFail(launch::parseNamedSpec(spec)));
  const contract::LaunchContract &contract = object->contracts.front();
  auto parameters = llvm::cantFail(launch::parametersOf(contract));
  auto arguments = llvm::cantFail(launch::bindScalars(parameters, specs));
  llvm::cantFail(launch::allocateBuffers(arguments, contract, specs, 0));
  auto size = llvm::cantFail(launch::sizeOf(contract, arguments));
  auto result =
      launch::launchOnSimulator(object->bytes, "gemm", size, arguments);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  llvm::cantFail(launch::checkGuards(arguments));

  for (launch::Argument &argument : arguments) {
    if (argument.parameter.name != "C")
      continue;
    const launch::Buffer &c = *argument.buffer;
    for (const Element &element : test.elements)
      EXPECT_EQ(c.value(element.m * test.n + element.n), element.value)
          << "C[" << element.m << "][" << element.n << "]";
    int64_t sum = 0, weighted = 0;
    for (int64_t i = 0; i < test.m * test.n; ++i) {
      sum += int64_t(c.value(i));
      weighted +=
          (7 * (i / test.n) + 3 * (i % test.n) + 1) * int64_t(c.value(i));
    }
    EXPECT_EQ(sum, test.sum);
    EXPECT_EQ(weighted, test.weighted);
    return;
  }
  FAIL() << "no argument C";
}

INSTANTIATE_TEST_SUITE_P(
    Reports, GemmCase,
    testing::Combine(testing::Values("gfx942", "gfx950"),
                     testing::Range(size_t(0), std::size(kCases))),
    [](const auto &info) {
      return std::string(kCases[std::get<1>(info.param)].name) + "_" +
             std::get<0>(info.param);
    });
