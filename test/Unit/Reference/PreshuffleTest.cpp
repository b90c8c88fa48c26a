//===- PreshuffleTest.cpp - The reference executor on shuffled bytes ------===//
//
// The host's shuffle is the definition in words: rows in groups of 16, columns
// in groups of 64 bytes, those in chunks of 16 bytes, written in the order
// (row group, column group, chunk, row, byte). Nothing here knows the
// dialect's formula.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Reference/Executor.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fly;
using reference::Argument;

namespace {

/// The matrices of `plain` in the order in which a matrix unit reads them.
template <typename T>
std::vector<T> shuffle(const std::vector<T> &plain, int64_t rows,
                       int64_t columns) {
  const int64_t chunk = 16 / sizeof(T), group = 64 / sizeof(T);
  std::vector<T> shuffled;
  for (int64_t r0 = 0; r0 < rows; r0 += 16)
    for (int64_t c0 = 0; c0 < columns; c0 += group)
      for (int64_t c1 = c0; c1 < c0 + group; c1 += chunk)
        for (int64_t r = r0; r < r0 + 16; ++r)
          for (int64_t c = c1; c < c1 + chunk; ++c)
            shuffled.push_back(plain[r * columns + c]);
  return shuffled;
}

/// Copies between a plain and a preshuffled view, tile by tile; {0} is the
/// element type, {1} and {2} the tile, {3} and {4} the views' types.
const char *const kCopy = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {{
  gpu.func @copy(%X: !fly.ptr<{0}>, %Y: !fly.ptr<{0}>, %E: i32, %M: i32, %N: i32, %o: i64) kernel
      attributes {{fly.schedule = #fly.schedule<waves = [1, 1]>} {{
    %x = fly.view %X[%E, %M, %N] at %o : !fly.view<?x?x?x{0}{3}>
    %y = fly.view %Y[%E, %M, %N] at %o : !fly.view<?x?x?x{0}{4}>
    %e, %m, %n = fly.grid to (%E, %M, %N) step (1, {1}, {2})
    %t = fly.load %x[%e, %m, %n] : !fly.view<?x?x?x{0}{3}> -> tensor<{1}x{2}x{0}>
    fly.store %t, %y[%e, %m, %n] : tensor<{1}x{2}x{0}>, !fly.view<?x?x?x{0}{4}>
    gpu.return
  }
}
)mlir";

class ReferencePreshuffle : public ::testing::Test {
protected:
  ReferencePreshuffle() {
    context.loadDialect<FlyDialect, gpu::GPUDialect, ROCDL::ROCDLDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      messages.push_back(diag.str());
      return success();
    });
  }

  template <typename T>
  LogicalResult copy(StringRef type, int64_t tileRows, int64_t tileColumns,
                     bool toShuffled, const std::vector<T> &from,
                     std::vector<T> &to, int64_t matrices, int64_t rows,
                     int64_t columns, int64_t offset) {
    const char *layout = ", #fly.preshuffle<16, 64>";
    std::string text =
        llvm::formatv(kCopy, type, tileRows, tileColumns,
                      toShuffled ? "" : layout, toShuffled ? layout : "");
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (messages.empty() ? "" : messages.back());
    if (!module)
      return failure();
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
    auto pointer = [](const std::vector<T> &data) {
      return Argument::pointer(
          reinterpret_cast<uint8_t *>(const_cast<T *>(data.data())),
          data.size() * sizeof(T));
    };
    return reference::run(
        kernel, {pointer(from), pointer(to), Argument::scalar(matrices),
                 Argument::scalar(rows), Argument::scalar(columns),
                 Argument::scalar(offset)});
  }

  /// There and back, with tiles that cut blocks anywhere.
  template <typename T>
  void expectShuffles(StringRef type, int64_t matrices, int64_t rows,
                      int64_t columns, int64_t offset) {
    std::vector<T> plain(offset, T(77)), shuffled(offset, T(77));
    for (int64_t e = 0; e < matrices; ++e) {
      std::vector<T> matrix(rows * columns);
      for (int64_t i = 0; i < rows * columns; ++i)
        matrix[i] = T(e * 1000003 + i * 7 + i / 251);
      plain.insert(plain.end(), matrix.begin(), matrix.end());
      std::vector<T> moved = shuffle(matrix, rows, columns);
      shuffled.insert(shuffled.end(), moved.begin(), moved.end());
    }
    for (auto [tileRows, tileColumns] :
         {std::pair<int64_t, int64_t>(16, 64), {24, 40}, {7, 129}}) {
      std::vector<T> out(plain.size(), T(77));
      ASSERT_TRUE(succeeded(copy(type, tileRows, tileColumns, false, shuffled,
                                 out, matrices, rows, columns, offset)))
          << (messages.empty() ? "" : messages.back());
      EXPECT_EQ(out, plain) << type.str() << " from, tile " << tileRows;
      out.assign(plain.size(), T(77));
      ASSERT_TRUE(succeeded(copy(type, tileRows, tileColumns, true, plain, out,
                                 matrices, rows, columns, offset)))
          << (messages.empty() ? "" : messages.back());
      EXPECT_EQ(out, shuffled) << type.str() << " to, tile " << tileRows;
    }
  }

  MLIRContext context;
  std::vector<std::string> messages;
};
} // namespace

TEST_F(ReferencePreshuffle, MovesElementsOfEverySize) {
  expectShuffles<uint8_t>("i8", 1, 48, 192, 0);
  expectShuffles<uint16_t>("i16", 1, 32, 96, 0);
  expectShuffles<uint32_t>("i32", 1, 32, 48, 0);
  expectShuffles<uint64_t>("i64", 1, 16, 24, 0);
}

TEST_F(ReferencePreshuffle, MovesFloatsBitByBit) {
  // Codes of numbers that a double holds come back as they were.
  expectShuffles<uint8_t>("i8", 2, 16, 128, 0);
  std::vector<uint16_t> plain(32 * 64);
  for (size_t i = 0; i < plain.size(); ++i)
    plain[i] = uint16_t(0x3c00 + i); // bf16 numbers
  std::vector<uint16_t> out(plain.size());
  ASSERT_TRUE(succeeded(
      copy<uint16_t>("bf16", 32, 32, true, plain, out, 1, 32, 64, 0)));
  EXPECT_EQ(out, shuffle(plain, 32, 64));
}

TEST_F(ReferencePreshuffle, CountsMatricesAndOffsets) {
  expectShuffles<uint16_t>("i16", 3, 32, 64, 5);
}

TEST_F(ReferencePreshuffle, RefusesPartsOfBlocks) {
  std::vector<uint8_t> data(40 * 64), out(40 * 64);
  EXPECT_TRUE(
      failed(copy<uint8_t>("i8", 16, 64, false, data, out, 1, 40, 64, 0)));
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages.front().find(
                "extent 40 of dimension 1 must be a multiple of 16"),
            std::string::npos)
      << messages.front();
  messages.clear();
  EXPECT_TRUE(
      failed(copy<uint8_t>("i8", 16, 64, false, data, out, 1, 16, 160, 0)));
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages.front().find(
                "extent 160 of dimension 2 must be a multiple of 64"),
            std::string::npos)
      << messages.front();
}

TEST_F(ReferencePreshuffle, ShortMemoryIsAnError) {
  std::vector<uint8_t> data(16 * 64 - 1), out(16 * 64);
  EXPECT_TRUE(
      failed(copy<uint8_t>("i8", 16, 64, false, data, out, 1, 16, 64, 0)));
}
