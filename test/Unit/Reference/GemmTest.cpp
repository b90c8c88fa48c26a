//===- GemmTest.cpp - The reference executor on GEMM kernels --------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Reference/Executor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include "GemmFixture.h"

using namespace mlir;
using namespace fly;
using namespace fly::test;

namespace {
class ReferenceGemm : public ::testing::Test {
protected:
  ReferenceGemm() {
    context.loadDialect<FlyDialect, func::FuncDialect, gpu::GPUDialect,
                        arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                        ROCDL::ROCDLDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      messages.push_back(diag.str());
      return success();
    });
  }

  FunctionOpInterface parse(std::string text, StringRef sizes,
                            StringRef require = "") {
    auto replace = [&](StringRef what, StringRef with) {
      if (size_t at = text.find(what.str()); at != std::string::npos)
        text.replace(at, what.size(), with.str());
    };
    replace("%SIZES%", sizes);
    replace("%REQUIRE%", require);
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (messages.empty() ? "" : messages.back());
    FunctionOpInterface kernel;
    if (module)
      module->walk([&](gpu::GPUFuncOp func) { kernel = func; });
    return kernel;
  }

  /// Runs the kernel on the generated matrices; C starts as 99 everywhere.
  LogicalResult run(FunctionOpInterface kernel, int64_t M, int64_t N, int64_t K,
                    std::vector<float> &c) {
    std::vector<uint16_t> a = makeMatrix(M, K, elementA);
    std::vector<uint16_t> b = makeMatrix(N, K, elementB);
    c.assign(M * N, 99.0f);
    using reference::Argument;
    auto pointer = [](auto &data) {
      return Argument::pointer(reinterpret_cast<uint8_t *>(data.data()),
                               data.size() * sizeof(data[0]));
    };
    return reference::run(kernel, {pointer(a), pointer(b), pointer(c),
                                   Argument::scalar(M), Argument::scalar(N),
                                   Argument::scalar(K)});
  }

  void expectExact(FunctionOpInterface kernel, int64_t M, int64_t N,
                   int64_t K) {
    std::vector<float> c;
    ASSERT_TRUE(succeeded(run(kernel, M, N, K, c)))
        << (messages.empty() ? "" : messages.back());
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n)
        ASSERT_EQ(c[m * N + n], float(elementC(m, n, K)))
            << "at " << m << ", " << n;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> messages;
};
} // namespace

// Case T01 (b): values worked out independently of this project.
TEST_F(ReferenceGemm, TailsInEveryDimension) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64, BK = 64");
  std::vector<float> c;
  ASSERT_TRUE(succeeded(run(kernel, 17, 64, 96, c)));
  EXPECT_EQ(c[0], -17.0f);
  EXPECT_EQ(c[63], 24.0f);
  EXPECT_EQ(c[16 * 64], 0.0f);
  EXPECT_EQ(c[16 * 64 + 63], -18.0f);
  int64_t sum = 0, weighted = 0;
  for (int64_t m = 0; m < 17; ++m)
    for (int64_t n = 0; n < 64; ++n) {
      sum += int64_t(c[m * 64 + n]);
      weighted += (7 * m + 3 * n + 1) * int64_t(c[m * 64 + n]);
    }
  EXPECT_EQ(sum, 311);
  EXPECT_EQ(weighted, 92654);
}

TEST_F(ReferenceGemm, AgreesWithAnIntegerGemm) {
  auto kernel = parse(kGemm, "BM = 128, BN = 128, BK = 64");
  expectExact(kernel, 17, 64, 96);
  expectExact(kernel, 200, 130, 1);
  expectExact(kernel, 1, 1, 129);
}

TEST_F(ReferenceGemm, TileSizesDoNotChangeTheResult) {
  for (const char *sizes :
       {"BM = 16, BN = 64, BK = 128", "BM = 112, BN = 96, BK = 32",
        "BM = 256, BN = 256, BK = 256"})
    expectExact(parse(kGemm, sizes), 113, 97, 130);
}

TEST_F(ReferenceGemm, EmptyProblemsWriteWhatTheLoopSays) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64, BK = 64");
  std::vector<float> c;
  ASSERT_TRUE(succeeded(run(kernel, 4, 4, 0, c)));
  for (float value : c)
    EXPECT_EQ(value, 0.0f); // K = 0: the sum of nothing.
  EXPECT_TRUE(succeeded(run(kernel, 0, 4, 8, c)));
}

// Case T01 (b), K declared a multiple of the tile.
TEST_F(ReferenceGemm, RefusesLaunchThatBreaksARequirement) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64, BK = 64",
                      "fly.require_multiple %K of BK");
  std::vector<float> c;
  EXPECT_TRUE(failed(run(kernel, 17, 64, 96, c)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], "launch refused: K=96 is not a multiple of 64 (BK)");
  EXPECT_EQ(c[0], 99.0f); // Nothing ran.
}

TEST_F(ReferenceGemm, NamesUnknownSizes) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64");
  std::vector<float> c;
  EXPECT_TRUE(failed(run(kernel, 17, 64, 96, c)));
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0], "size 'BK' has no value in the schedule, it gives: "
                         "BM, BN");
}

TEST_F(ReferenceGemm, PlansBuffersAndGrid) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64, BK = 64");
  using reference::Argument;
  auto plan = reference::planLaunch(
      kernel, {Argument(), Argument(), Argument(), Argument::scalar(17),
               Argument::scalar(65), Argument::scalar(96)});
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->grid, (llvm::SmallVector<int64_t, 3>{2, 2}));
  ASSERT_TRUE(plan->buffers[0]);
  EXPECT_EQ(plan->buffers[0]->elements, 17 * 96);
  EXPECT_EQ(plan->buffers[1]->elements, 65 * 96);
  EXPECT_TRUE(plan->isRead[0] && !plan->isWritten[0]);
  EXPECT_TRUE(!plan->isRead[2] && plan->isWritten[2]);
  EXPECT_FALSE(plan->buffers[3]);
}

TEST_F(ReferenceGemm, RefusesABufferThatIsTooSmall) {
  auto kernel = parse(kGemm, "BM = 16, BN = 64, BK = 64");
  std::vector<uint16_t> a(10), b(64 * 96);
  std::vector<float> c(17 * 64);
  using reference::Argument;
  auto pointer = [](auto &data) {
    return Argument::pointer(reinterpret_cast<uint8_t *>(data.data()),
                             data.size() * sizeof(data[0]));
  };
  EXPECT_TRUE(failed(reference::run(
      kernel, {pointer(a), pointer(b), pointer(c), Argument::scalar(17),
               Argument::scalar(64), Argument::scalar(96)})));
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0], "accesses element 63 of 'A', which has 10 of bf16");
}
