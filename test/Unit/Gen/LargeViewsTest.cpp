//===- LargeViewsTest.cpp - Compiled kernels behind 2 and 4 GiB -----------===//
//
// Offsets of buffers have 32 bits, and one half of the compiler counts with
// signs. Memory of the simulator costs what is touched, so views are as large
// as they say: what lies behind 2^31 and 2^32 bytes is read and written, and
// what lies behind the view's end is not.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"
#include "fly/Sim/Simulator.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {
class LargeViews : public testing::TestWithParam<const char *> {
protected:
  LargeViews() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Compiles for the chip and loads; $CHIP in `text` is its name.
  void load(std::string text) {
    if (size_t at = text.find("$CHIP"); at != text.npos)
      text.replace(at, 5, GetParam());
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "kernel"), llvm::SMLoc());
    auto module = parseSource(sources, &context);
    ASSERT_TRUE(module);
    auto compiled = compile(*module);
    ASSERT_TRUE(mlir::succeeded(compiled));
    object = std::move(*compiled);
    params.program = llvm::cantFail(simulator.load(object.bytes));
    params.workgroupSize = {object.contracts.front().block[0], 1, 1};
  }

  uint64_t allocate(uint64_t bytes) {
    return llvm::cantFail(simulator.memory().allocate(bytes));
  }

  template <typename T>
  T &at(uint64_t address) {
    return *reinterpret_cast<T *>(simulator.memory().host(address, sizeof(T)));
  }

  void addPointer(uint64_t address) {
    params.arguments.push_back(sim::ArgumentValue::pointer(address));
  }
  void addNumber(int32_t number) {
    params.arguments.push_back(sim::ArgumentValue::of(number));
  }

  mlir::MLIRContext context;
  target::CodeObject object;
  sim::Simulator simulator;
  sim::LaunchParams params;
};
} // namespace

/// Case T17: a buffer of 0xC0000000 bytes, read at byte 0x80000004 and behind
/// its end, and written there. Its three rows have 1 GiB each.
TEST_P(LargeViews, ElementsBehindTwoGigabytes) {
  load(R"mlir(
!V = !fly.view<?x?xf32>
!T = tensor<1x64xf32>
gpu.module @m [#rocdl.target<chip = "$CHIP">] {
  gpu.func @far(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %i: i32, %j: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %c1 = arith.constant 1 : i32
    %a = fly.view %A[%M, %N] : !V
    %c = fly.view %C[2, 64] : !fly.view<2x64xf32>
    %g = fly.grid to (1) step (1)
    %last = arith.maxsi %i, %c1 : i32
    %behind = arith.maxsi %j, %c1 : i32
    %x = fly.load %a[%last, 1] : !V -> !T
    %y = fly.load %a[%behind, 0] : !V -> !T
    fly.store %x, %c[0, 0] : !T, !fly.view<2x64xf32>
    fly.store %y, %c[1, 0] : !T, !fly.view<2x64xf32>
    fly.store %x, %a[%behind, 0] : !T, !V
    gpu.return
  }
})mlir");
  constexpr uint64_t bytes = 0xC0000000;
  uint64_t a = allocate(bytes), c = allocate(512);
  at<float>(a + 0x80000004) = 1.5f;
  at<float>(a + bytes - 4) = 9;
  for (unsigned i = 0; i < 128; ++i)
    at<float>(c + 4 * i) = -1;
  addPointer(a);
  addPointer(c);
  addNumber(3);
  addNumber(bytes / 3 / 4);
  addNumber(2);
  addNumber(3);
  auto result = simulator.launch(params);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(at<float>(c), 1.5f);
  for (unsigned i = 1; i < 128; ++i)
    EXPECT_EQ(at<float>(c + 4 * i), 0) << i;
  EXPECT_EQ(at<float>(a + bytes - 4), 9);
  EXPECT_GE(result->bufferReadsOutOfRange, 64u);
  EXPECT_GE(result->bufferWritesDropped, 64u);
}

/// Along a row offsets have 31 bits: longer ones are refused.
TEST_P(LargeViews, RowsOfTwoGigabytesAreRefused) {
  load(R"mlir(
gpu.module @m [#rocdl.target<chip = "$CHIP">] {
  gpu.func @line(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %a = fly.view %A[%N] : !fly.view<?xf32>
    %c = fly.view %C[64] : !fly.view<64xf32>
    %n = fly.grid to (%N) step (64)
    %x = fly.load %a[%n] : !fly.view<?xf32> -> tensor<64xf32>
    fly.store %x, %c[0] : tensor<64xf32>, !fly.view<64xf32>
    gpu.return
  }
})mlir");
  llvm::Error error = contract::checkRequirements(
      object.contracts.front(),
      [](llvm::StringRef) -> std::optional<int64_t> { return 0x20000000; });
  EXPECT_EQ(llvm::toString(std::move(error)),
            "kernel 'line': rows of %A are too long or too far apart: a tile "
            "spans 2 GiB (N=536870912)");
}

/// Rows of A and C of 140 MB and more: the last ones lie behind 2^32 bytes,
/// those of a tile within 2^31.
TEST_P(LargeViews, RowsBehindFourGigabytes) {
  constexpr int64_t m = 50, n = 70, k = 100;
  constexpr int64_t lda = 70'000'000, ldc = 35'000'000;
  gen::GemmOptions options;
  options.chip = GetParam();
  options.tile = "16x64x64";
  options.waves = "1x4";
  options.leadingDims = true;
  load(llvm::cantFail(gen::generateGemm(options)));
  uint64_t a = allocate(((m - 1) * lda + k) * 2), b = allocate(n * k * 2);
  uint64_t c = allocate(((m - 1) * ldc + n) * 4);
  // Small integers as bf16, the upper half of f32.
  auto put = [&](uint64_t address, int64_t value) {
    float number = float(value);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    at<uint16_t>(address) = uint16_t(bits >> 16);
  };
  auto elementA = [](int64_t i, int64_t j) { return (3 * i + j) % 9 - 4; };
  auto elementB = [](int64_t i, int64_t j) { return (i + 5 * j) % 7 - 3; };
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      put(a + (i * lda + j) * 2, elementA(i, j));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < k; ++j)
      put(b + (i * k + j) * 2, elementB(i, j));
  for (int64_t i = 0; i + 1 < m; ++i)
    at<float>(c + (i * ldc + n) * 4) = 77;
  addPointer(a);
  addPointer(b);
  addPointer(c);
  for (int64_t number : {m, n, k, lda, k, ldc})
    addNumber(int32_t(number));
  auto bindings = [=](llvm::StringRef name) -> std::optional<int64_t> {
    return name == "M"     ? m
           : name == "N"   ? n
           : name == "K"   ? k
           : name == "ldb" ? k
           : name == "lda" ? lda
                           : ldc;
  };
  const contract::LaunchContract &contract = object.contracts.front();
  ASSERT_FALSE(bool(contract::checkRequirements(contract, bindings)));
  params.workgroups =
      llvm::cantFail(contract::evaluateGrid(contract, bindings));
  auto result = simulator.launch(params);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int64_t sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += elementA(i, l) * elementB(j, l);
      ASSERT_EQ(at<float>(c + (i * ldc + j) * 4), float(sum)) << i << ", " << j;
    }
  for (int64_t i = 0; i + 1 < m; ++i)
    EXPECT_EQ(at<float>(c + (i * ldc + n) * 4), 77) << i;
}

INSTANTIATE_TEST_SUITE_P(Chips, LargeViews, testing::Values("gfx942", "gfx950"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });
