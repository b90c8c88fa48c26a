//===- HandWrittenGemmTest.cpp - The explicit GEMM of the examples --------===//
//
// The hand-written ping-pong kernel against a plain loop over integers: rows
// that are no multiple of the tile, one K tile pair and several, both chips
// (the types are changed as its README says).
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {

std::string readExample() {
  auto file = llvm::MemoryBuffer::getFile(FLY_EXAMPLES_DIR
                                          "/08-gemm-pingpong/gemm.mlir");
  return file ? (*file)->getBuffer().str() : std::string();
}

void replaceAll(std::string &text, llvm::StringRef from, llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

int elementA(int64_t m, int64_t k) { return int((131 * m + 71 * k) % 9) - 4; }
int elementB(int64_t n, int64_t k) {
  return int((57 * n + 101 * k + n * k % 13) % 7) - 3;
}

/// Where element (n, k) of B lies: blocks of 16 rows by 64 bytes, in each the
/// 16-byte chunks of all rows side by side.
int64_t preshuffled(int64_t n, int64_t k, int64_t columns) {
  int64_t block = n / 16 * (columns / 64) + k / 64;
  return block * 1024 + k % 64 / 16 * 256 + n % 16 * 16 + k % 16;
}

launch::Buffer *find(std::vector<launch::Argument> &arguments,
                     llvm::StringRef name) {
  for (launch::Argument &argument : arguments)
    if (argument.parameter.name == name && argument.buffer)
      return &*argument.buffer;
  return nullptr;
}

class HandWrittenGemm : public testing::TestWithParam<const char *> {
protected:
  HandWrittenGemm() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }
  void SetUp() override {
    std::string text = readExample();
    ASSERT_FALSE(text.empty());
    if (llvm::StringRef(GetParam()) == "gfx950") {
      replaceAll(text, "f8E4M3FNUZ", "f8E4M3FN");
      replaceAll(text, "gfx942", "gfx950");
    }
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "gemm"), llvm::SMLoc());
    module = parseSource(sources, &context);
    ASSERT_TRUE(module);
    auto compiled = compile(*module);
    ASSERT_TRUE(mlir::succeeded(compiled));
    object = std::move(*compiled);
  }

  void check(int64_t m, int64_t n, int64_t k) {
    SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + "x" +
                 std::to_string(k));
    const contract::LaunchContract &contract = object.contracts.front();
    std::vector<launch::NamedSpec> specs;
    for (auto [name, extent] :
         {std::pair("M", m), std::pair("N", n), std::pair("K", k)})
      specs.push_back(llvm::cantFail(launch::parseNamedSpec(
          (llvm::Twine(name) + "=" + llvm::Twine(extent)).str())));
    auto parameters = llvm::cantFail(launch::parametersOf(contract));
    auto arguments = llvm::cantFail(launch::bindScalars(parameters, specs));
    llvm::cantFail(launch::allocateBuffers(arguments, contract, {}, 0));
    launch::Buffer &a = *find(arguments, "A"), &b = *find(arguments, "B");
    launch::Buffer &c = *find(arguments, "C");
    for (int64_t row = 0; row < m; ++row)
      for (int64_t i = 0; i < k; ++i)
        a.type().storeBits(a.data(), row * k + i,
                           a.type().encode(elementA(row, i)));
    for (int64_t column = 0; column < n; ++column)
      for (int64_t i = 0; i < k; ++i)
        b.type().storeBits(b.data(), preshuffled(column, i, k),
                           b.type().encode(elementB(column, i)));
    auto size = llvm::cantFail(launch::sizeOf(contract, arguments));
    auto result =
        launch::launchOnSimulator(object.bytes, "gemm", size, arguments);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    ASSERT_FALSE(bool(launch::checkGuards(arguments)));
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column) {
        int64_t sum = 0;
        for (int64_t i = 0; i < k; ++i)
          sum += elementA(row, i) * elementB(column, i);
        // Sums are exact in f32; bf16 rounds them.
        ASSERT_EQ(c.type().loadBits(c.data(), row * n + column),
                  c.type().encode(double(sum)))
            << "row " << row << " column " << column;
      }
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  target::CodeObject object;
};

} // namespace

TEST_P(HandWrittenGemm, IsExact) {
  check(64, 256, 256);
  check(100, 256, 768);
  check(1, 512, 512);
  check(129, 256, 1280);
}

// Nothing moves accumulators, spills, or goes below 16 bytes in the loop; what
// the scheduling hints count is what is there.
TEST_P(HandWrittenGemm, KeepsRegistersInPlace) {
  const target::KernelStatistics &kernel = object.kernels.front();
  EXPECT_EQ(kernel.vgprSpills, 0u);
  EXPECT_EQ(kernel.scratchBytes, 0u);
}

INSTANTIATE_TEST_SUITE_P(Chips, HandWrittenGemm,
                         testing::Values("gfx942", "gfx950"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });
