//===- MoeTest.cpp - A mixture of experts against its definition ----------===//
//
// The program of python-free-examples/07-moe on the reference executor, beside
// plain loops over tokens, slots and experts that share nothing with it: no
// sorting, no blocks, no tiles. Inputs are small integers and powers of two, so
// that everything but the SiLU and the two roundings to bf16 is exact.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Reference/Executor.h"
#include "fly/Support/ElementType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace fly;
using reference::Argument;

namespace {

/// Elements of one type in memory, written and read as numbers.
class Numbers {
public:
  Numbers(StringRef type, int64_t count)
      : type(llvm::cantFail(ElementType::parse(type))),
        bytes(this->type.bytesFor(count), 0xff) {}

  void set(int64_t index, double value) {
    type.storeBits(bytes.data(), index,
                   type.isFloat() ? type.encode(value)
                                  : uint64_t(int64_t(value)));
  }
  double get(int64_t index) const {
    uint64_t bits = type.loadBits(bytes.data(), index);
    return type.isFloat() ? type.decode(bits) : double(type.wrap(bits));
  }
  Argument argument() { return Argument::pointer(bytes.data(), bytes.size()); }

private:
  ElementType type;
  std::vector<uint8_t> bytes;
};

/// Extents of a run, and the block of rows that the kernels are made with.
struct Extents {
  int64_t tokens, topk, experts, inner, hidden, maxpad;
  int64_t rows() const { return tokens * topk; }
};

constexpr int64_t kBlock = 64;

class Moe : public ::testing::Test {
protected:
  Moe() {
    context.loadDialect<FlyDialect, func::FuncDialect, gpu::GPUDialect,
                        arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                        ROCDL::ROCDLDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      messages += diag.str() + "\n";
      return success();
    });
    module =
        parseSourceFile<ModuleOp>(FLY_EXAMPLES "/07-moe/moe.mlir", &context);
  }

  FunctionOpInterface find(StringRef name) {
    FunctionOpInterface found;
    if (module)
      module->walk([&](FunctionOpInterface function) {
        if (function.getName() == name)
          found = function;
      });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string messages;
};

/// Which expert row `row` goes to: all of them differ within a token, and
/// `skew` leaves some experts without any row.
int64_t expertOf(const Extents &x, int64_t row, bool skew) {
  int64_t token = row / x.topk, slot = row % x.topk;
  int64_t first = skew ? token % 2 : token * 5 + token / 3;
  return (first + slot) % x.experts;
}

int64_t small(int64_t a, int64_t b, int64_t c, int64_t range) {
  return (31 * a + 17 * b + 7 * c + a * b % 11) % (2 * range + 1) - range;
}

/// Rows of fp8 in groups of 16, columns in groups of 64, those in chunks of 16:
/// the order in which a matrix unit reads weights.
Numbers shuffle(const Numbers &plain, int64_t rows, int64_t columns) {
  Numbers result = plain;
  int64_t next = 0;
  for (int64_t r0 = 0; r0 < rows; r0 += 16)
    for (int64_t c0 = 0; c0 < columns; c0 += 16)
      for (int64_t r = r0; r < r0 + 16; ++r)
        for (int64_t c = c0; c < c0 + 16; ++c)
          result.set(next++, plain.get(r * columns + c));
  return result;
}

TEST_F(Moe, SortOrdersRowsByExpertInWholeBlocks) {
  FunctionOpInterface sort = find("sort");
  ASSERT_TRUE(sort) << messages;
  for (bool skew : {false, true})
    for (Extents x :
         {Extents{7, 2, 4, 0, 0, 320}, Extents{150, 3, 5, 0, 0, 768},
          Extents{1, 1, 1, 0, 0, 64}, Extents{0, 2, 4, 0, 0, 256}}) {
      Numbers ids("i32", x.rows()), sorted("i32", x.maxpad);
      Numbers experts("i32", x.maxpad / kBlock), valid("i32", 1);
      for (int64_t row = 0; row < x.rows(); ++row)
        ids.set(row, double(expertOf(x, row, skew)));
      ASSERT_TRUE(succeeded(reference::run(
          sort, {ids.argument(), sorted.argument(), experts.argument(),
                 valid.argument(), Argument::scalar(x.tokens),
                 Argument::scalar(x.topk), Argument::scalar(x.experts),
                 Argument::scalar(x.maxpad)})))
          << messages;
      // One expert after the other, its rows in their order, then padding.
      std::vector<int64_t> expected, blocks;
      for (int64_t expert = 0; expert < x.experts; ++expert) {
        for (int64_t row = 0; row < x.rows(); ++row)
          if (expertOf(x, row, skew) == expert)
            expected.push_back(row / x.topk + ((row % x.topk) << 24));
        while (expected.size() % kBlock)
          expected.push_back(x.tokens);
        while (blocks.size() < expected.size() / kBlock)
          blocks.push_back(expert);
      }
      ASSERT_LE(int64_t(expected.size()), x.maxpad);
      EXPECT_EQ(valid.get(0), double(expected.size()));
      expected.resize(x.maxpad, x.tokens);
      for (int64_t i = 0; i < x.maxpad; ++i)
        ASSERT_EQ(sorted.get(i), double(expected[i])) << "position " << i;
      for (size_t i = 0; i < blocks.size(); ++i)
        ASSERT_EQ(experts.get(i), double(blocks[i])) << "block " << i;
    }
}

TEST_F(Moe, SortRefusesTooLittleRoom) {
  FunctionOpInterface sort = find("sort");
  ASSERT_TRUE(sort) << messages;
  auto plan = [&](int64_t maxpad) {
    return succeeded(reference::planLaunch(
        sort,
        {Argument(), Argument(), Argument(), Argument(), Argument::scalar(7),
         Argument::scalar(2), Argument::scalar(4), Argument::scalar(maxpad)}));
  };
  EXPECT_TRUE(plan(320)) << messages;
  EXPECT_FALSE(plan(256));
  EXPECT_NE(messages.find("maxpad must hold T * topk rows"), std::string::npos)
      << messages;
}

TEST_F(Moe, ProgramDoesWhatTheDefinitionSays) {
  FunctionOpInterface program = find("moe");
  ASSERT_TRUE(program) << messages;
  Extents x{7, 2, 4, 128, 128, 320};
  Numbers input("f8E4M3FNUZ", x.tokens * x.hidden);
  Numbers w1("f8E4M3FNUZ", x.experts * 2 * x.inner * x.hidden);
  Numbers w2("bf16", x.experts * x.hidden * x.inner);
  Numbers sx("f32", x.tokens), sw("f32", x.experts * 2 * x.inner);
  Numbers ids("i32", x.rows()), weights("f32", x.rows());
  Numbers y("bf16", x.tokens * x.hidden);
  for (int64_t t = 0; t < x.tokens; ++t) {
    sx.set(t, std::ldexp(1.0, -4 - int(t % 2)));
    for (int64_t k = 0; k < x.hidden; ++k)
      input.set(t * x.hidden + k, double(small(t, k, 1, 2)));
  }
  for (int64_t e = 0; e < x.experts; ++e)
    for (int64_t n = 0; n < 2 * x.inner; ++n) {
      int64_t row = e * 2 * x.inner + n;
      sw.set(row, std::ldexp(1.0, -int(n % 3)));
      for (int64_t k = 0; k < x.hidden; ++k)
        w1.set(row * x.hidden + k, double(small(e, n, k, 2)));
    }
  Numbers shuffled = shuffle(w1, x.experts * 2 * x.inner, x.hidden);
  for (int64_t e = 0; e < x.experts; ++e)
    for (int64_t k = 0; k < x.hidden; ++k)
      for (int64_t n = 0; n < x.inner; ++n)
        w2.set((e * x.hidden + k) * x.inner + n, double(small(k, e, n, 3)));
  for (int64_t row = 0; row < x.rows(); ++row) {
    ids.set(row, double(expertOf(x, row, false)));
    weights.set(row, std::ldexp(1.0, -int(row % 3)));
  }
  ASSERT_TRUE(succeeded(reference::run(
      program,
      {input.argument(), shuffled.argument(), w2.argument(), sx.argument(),
       sw.argument(), ids.argument(), weights.argument(), y.argument(),
       Argument::scalar(x.tokens), Argument::scalar(x.topk),
       Argument::scalar(x.experts), Argument::scalar(x.inner),
       Argument::scalar(x.hidden), Argument::scalar(x.maxpad)})))
      << messages;

  ElementType bf16 = llvm::cantFail(ElementType::parse("bf16"));
  double largest = 0;
  for (int64_t t = 0; t < x.tokens; ++t) {
    std::vector<double> sum(x.hidden), bound(x.hidden);
    for (int64_t s = 0; s < x.topk; ++s) {
      int64_t row = t * x.topk + s, e = int64_t(ids.get(row));
      std::vector<double> h(x.inner);
      for (int64_t n = 0; n < x.inner; ++n) {
        double dots[2] = {0, 0};
        for (int64_t part = 0; part < 2; ++part) {
          int64_t w = (e * 2 + part) * x.inner + n;
          for (int64_t k = 0; k < x.hidden; ++k)
            dots[part] +=
                input.get(t * x.hidden + k) * w1.get(w * x.hidden + k);
          dots[part] *= sx.get(t) * sw.get(w);
        }
        h[n] = bf16.round(dots[0] / (1 + std::exp(-dots[0])) * dots[1]);
      }
      for (int64_t k = 0; k < x.hidden; ++k)
        for (int64_t n = 0; n < x.inner; ++n) {
          double term = weights.get(row) * h[n] *
                        w2.get((e * x.hidden + k) * x.inner + n);
          sum[k] += term;
          // The SiLU is right to some 1e-15 here, but that may decide which of
          // two neighbours h rounds to: 2^-7 of it between bf16's 8 bits. In
          // f32 the product and the sum of slots round: 2^-24 each.
          bound[k] += std::abs(term) * (0x1p-7 + (x.topk + 2) * 0x1p-24);
        }
    }
    for (int64_t k = 0; k < x.hidden; ++k) {
      // The result is rounded once more, to 8 bits.
      double allowed = bound[k] + std::abs(sum[k]) * 0x1p-8;
      ASSERT_NEAR(y.get(t * x.hidden + k), sum[k], allowed)
          << "token " << t << ", column " << k;
      // Nearly all of h rounds alike: the typical difference is y's rounding.
      largest = std::max(largest, std::abs(sum[k]));
    }
  }
  EXPECT_GT(largest, 100) << "inputs that cancel test nothing";
}

} // namespace
