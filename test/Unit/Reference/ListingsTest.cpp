//===- ListingsTest.cpp - The programs of test/Listings -------------------===//
//
// Each program runs on the reference executor and is compared with plain loops
// in double, on integers or on numbers that its types hold. Sizes are made
// small, so that every tail, empty part and mask occurs in a few milliseconds.
//
//===----------------------------------------------------------------------===//
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

#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace fly;
using reference::Argument;

namespace {

/// A buffer of a type, with what its elements are as numbers.
struct Buffer {
  Buffer(StringRef type, size_t count)
      : type(llvm::cantFail(ElementType::parse(type))), values(count),
        bytes(count * (this->type.bits() / 8)) {}

  /// Fills by `fn`, rounded to the type.
  template <typename Fn>
  Buffer &fill(Fn fn) {
    for (size_t i = 0; i < values.size(); ++i)
      write(i, fn(i));
    return *this;
  }
  void write(size_t i, double value) {
    uint64_t code =
        type.isFloat() ? type.encode(value) : uint64_t(int64_t(value));
    type.storeBits(bytes.data(), i, code);
    values[i] = read(i);
  }
  double read(size_t i) const {
    uint64_t code = type.loadBits(bytes.data(), i);
    return type.isFloat() ? type.decode(code) : double(type.wrap(code));
  }
  Argument argument() { return Argument::pointer(bytes.data(), bytes.size()); }

  ElementType type;
  std::vector<double> values;
  std::vector<uint8_t> bytes;
};

/// The bytes of `plain`, a matrix, in blocks of 16 rows by 64 bytes.
Buffer preshuffle(const Buffer &plain, int64_t rows, int64_t columns) {
  Buffer moved = plain;
  if (plain.values.empty())
    return moved;
  int64_t bytes = plain.type.bits() / 8, chunk = 16 / bytes, group = 64 / bytes;
  size_t at = 0;
  int64_t matrices = int64_t(plain.values.size()) / (rows * columns);
  for (int64_t r0 = 0; r0 < matrices * rows; r0 += 16)
    for (int64_t c0 = 0; c0 < columns; c0 += group)
      for (int64_t c1 = c0; c1 < c0 + group; c1 += chunk)
        for (int64_t r = r0; r < r0 + 16; ++r)
          for (int64_t c = c1; c < c1 + chunk; ++c)
            moved.write(at++, plain.values[r * columns + c]);
  return moved;
}

class ReferenceListings : public ::testing::Test {
protected:
  ReferenceListings() {
    context.loadDialect<FlyDialect, func::FuncDialect, gpu::GPUDialect,
                        arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                        ROCDL::ROCDLDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      messages.push_back(diag.str());
      return success();
    });
  }

  /// Parses a program with other sizes than it says.
  FunctionOpInterface parse(StringRef file, StringRef sizes) {
    auto buffer =
        llvm::MemoryBuffer::getFile(Twine(FLY_TEST_LISTINGS "/") + file);
    EXPECT_TRUE(bool(buffer)) << file.str();
    std::string text = (*buffer)->getBuffer().str();
    size_t begin = text.find("sizes = {"), end = text.find('}', begin);
    text.replace(begin, end - begin, "sizes = {" + sizes.str());
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (messages.empty() ? "" : messages.back());
    FunctionOpInterface kernel;
    if (module)
      module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
    return kernel;
  }

  void run(FunctionOpInterface kernel, ArrayRef<Argument> arguments) {
    ASSERT_TRUE(kernel);
    ASSERT_TRUE(succeeded(reference::run(kernel, arguments)))
        << (messages.empty() ? "" : messages.front());
  }

  /// A number from -1 to 1.
  double random() {
    return std::uniform_real_distribution<double>(-1, 1)(generator);
  }
  /// An integer from -4 to 4.
  double digit() { return double(int(generator() % 9)) - 4; }

  static Argument f32(float value) {
    return Argument::scalar(llvm::bit_cast<uint32_t>(value));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> messages;
  std::mt19937 generator{7};
};

} // namespace

// Listing 1. The sum is exact; what follows is a few operations of f32, and one
// rounding to bf16, 2^-8 of the value.
TEST_F(ReferenceListings, Fp8GemmWithScalesBiasAndGelu) {
  auto kernel = parse("gemm-fp8.mlir", "BM = 32, BN = 64, BK = 64");
  int64_t M = 37, N = 80, K = 192;
  Buffer a("f8E4M3FNUZ", M * K), b("f8E4M3FNUZ", N * K), c("bf16", M * N);
  Buffer sa("f32", M), sb("f32", N), bias("bf16", N);
  a.fill([&](size_t) { return digit(); });
  b.fill([&](size_t) { return digit(); });
  sa.fill([&](size_t) { return 0.02 + 0.01 * random(); });
  sb.fill([&](size_t) { return 0.5 + 0.2 * random(); });
  bias.fill([&](size_t) { return random(); });
  Buffer shuffled = preshuffle(b, N, K);
  run(kernel, {a.argument(), shuffled.argument(), c.argument(), sa.argument(),
               sb.argument(), bias.argument(), Argument::scalar(M),
               Argument::scalar(N), Argument::scalar(K)});
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < K; ++k)
        sum += a.values[m * K + k] * b.values[n * K + k];
      double x = sum * sa.values[m] * sb.values[n] + bias.values[n];
      double u = 0.7978845608028654 * x * (1 + 0.044715 * x * x);
      double expected = x / 2 * (1 + std::tanh(u));
      EXPECT_NEAR(c.read(m * N + n), expected,
                  std::abs(expected) * 0x1.02p-8 + std::abs(x) * 0x1p-20)
          << m << ", " << n;
    }
}

namespace {
/// What listing 3 shall give for one batch and head.
struct Attention {
  int64_t batches, heads, group, d;
  std::vector<int64_t> cuQ, cuK;
};
} // namespace

// Listing 3. P is rounded to bf16 before it meets V and its sum is not, which
// may be 2^-8 of the largest |v|; then the result is rounded to bf16.
TEST_F(ReferenceListings, AttentionOfVariableLengthAndGroups) {
  auto kernel = parse("attention.mlir", "BM = 16, BN = 32, D = 32");
  Attention shape{/*batches=*/4,
                  /*heads=*/4,
                  /*group=*/2,
                  /*d=*/32,
                  // Longer and shorter than keys, one without queries, one
                  // whose first rows see no key.
                  {0, 19, 24, 24, 63},
                  {0, 45, 50, 60, 73}};
  int64_t B = shape.batches, H = shape.heads, G = shape.group, D = shape.d;
  int64_t queries = shape.cuQ.back(), keys = shape.cuK.back();
  int64_t ldq = H * D + 8, ldk = H / G * D, T = queries;
  Buffer q("bf16", queries * ldq), k("bf16", keys * ldk), v("bf16", keys * ldk);
  Buffer o("bf16", queries * ldq), lse("f32", H * T);
  Buffer cuQ("i32", B + 1), cuK("i32", B + 1);
  for (Buffer *each : {&q, &k, &v})
    each->fill([&](size_t) { return random(); });
  o.fill([](size_t) { return 99; });
  lse.fill([](size_t) { return 99; });
  cuQ.fill([&](size_t i) { return double(shape.cuQ[i]); });
  cuK.fill([&](size_t i) { return double(shape.cuK[i]); });
  float scale = 1.4426950408889634f / std::sqrt(float(D));
  int64_t maxq = 39;
  run(kernel,
      {q.argument(), k.argument(), v.argument(), o.argument(), lse.argument(),
       cuQ.argument(), cuK.argument(), Argument::scalar(B), Argument::scalar(H),
       Argument::scalar(G), Argument::scalar(maxq), Argument::scalar(T),
       Argument::scalar(ldq), Argument::scalar(ldk), f32(scale)});
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h) {
      int64_t sq = shape.cuQ[b + 1] - shape.cuQ[b];
      int64_t sk = shape.cuK[b + 1] - shape.cuK[b];
      for (int64_t i = 0; i < sq; ++i) {
        int64_t row = shape.cuQ[b] + i, seen = std::min(sk, i + sk - sq + 1);
        std::vector<double> score;
        double most = 0, sum = 0, largest = 0;
        for (int64_t j = 0; j < seen; ++j) {
          int64_t key = (shape.cuK[b] + j) * ldk + h / G * D;
          double s = 0;
          for (int64_t e = 0; e < D; ++e)
            s += q.values[row * ldq + h * D + e] * k.values[key + e];
          score.push_back(s * scale);
          most = j == 0 ? s * scale : std::max(most, s * scale);
        }
        std::vector<double> out(D, 0.0);
        for (int64_t j = 0; j < seen; ++j) {
          double p = std::exp2(score[j] - most);
          sum += p;
          for (int64_t e = 0; e < D; ++e) {
            double value = v.values[(shape.cuK[b] + j) * ldk + h / G * D + e];
            out[e] += p * value;
            largest = std::max(largest, std::abs(value));
          }
        }
        for (int64_t e = 0; e < D; ++e) {
          double expected = seen > 0 ? out[e] / sum : 0;
          ASSERT_NEAR(o.read(row * ldq + h * D + e), expected,
                      largest * 0x1.04p-8 + std::abs(expected) * 0x1p-8)
              << "batch " << b << " head " << h << " row " << i << " at " << e;
        }
        if (seen > 0)
          EXPECT_NEAR(lse.read(h * T + row), most + std::log2(sum), 0x1p-18);
      }
    }
  // The gaps between rows are nobody's.
  for (int64_t row = 0; row < queries; ++row)
    for (int64_t e = H * D; e < ldq; ++e)
      EXPECT_EQ(o.read(row * ldq + e), 99);
}

// Listing 4. Rows are gathered and scattered by what the sort said; padding and
// blocks beyond NumValid leave no trace.
TEST_F(ReferenceListings, MoeStageOne) {
  auto kernel = parse("moe-stage1.mlir", "BM = 16, BN = 32, BK = 64");
  int64_t T = 13, topk = 2, E = 3, I = 64, K = 128, BM = 16;
  Buffer x("f8E4M3FNUZ", T * K), w("f8E4M3FNUZ", E * 2 * I * K);
  Buffer out("bf16", T * topk * I), sx("f32", T), sw("f32", E * 2 * I);
  x.fill([&](size_t) { return digit(); });
  w.fill([&](size_t) { return digit(); });
  sx.fill([&](size_t) { return 0.05 + 0.02 * random(); });
  sw.fill([&](size_t) { return 0.05 + 0.02 * random(); });
  out.fill([](size_t) { return 99; });
  // Slot s of token t goes to expert (t + 2 * s) % E; blocks of one expert.
  auto expertOf = [&](int64_t t, int64_t s) { return (t + 2 * s) % E; };
  std::vector<int64_t> sorted, experts;
  for (int64_t e = 0; e < E; ++e) {
    for (int64_t t = 0; t < T; ++t)
      for (int64_t s = 0; s < topk; ++s)
        if (expertOf(t, s) == e) {
          if (sorted.size() % BM == 0)
            experts.push_back(e);
          sorted.push_back(s << 24 | t);
        }
    while (sorted.size() % BM != 0)
      sorted.push_back(topk << 24 | T); // No such token: reads as 0.
  }
  int64_t valid = sorted.size(), maxpad = valid + 2 * BM;
  sorted.resize(maxpad, 0); // Beyond NumValid: must not be looked at.
  experts.resize(maxpad / BM, 1);
  Buffer ids("i32", maxpad), ex("i32", maxpad / BM), count("i32", 1);
  ids.fill([&](size_t i) { return double(sorted[i]); });
  ex.fill([&](size_t i) { return double(experts[i]); });
  count.fill([&](size_t) { return double(valid); });
  Buffer shuffled = preshuffle(w, 2 * I, K);
  run(kernel,
      {x.argument(), shuffled.argument(), out.argument(), sx.argument(),
       sw.argument(), ids.argument(), ex.argument(), count.argument(),
       Argument::scalar(T), Argument::scalar(topk), Argument::scalar(E),
       Argument::scalar(I), Argument::scalar(K), Argument::scalar(maxpad)});
  for (int64_t t = 0; t < T; ++t)
    for (int64_t s = 0; s < topk; ++s)
      for (int64_t i = 0; i < I; ++i) {
        int64_t e = expertOf(t, s);
        double sums[2] = {0, 0};
        for (int64_t half = 0; half < 2; ++half) {
          int64_t row = e * 2 * I + half * I + i;
          for (int64_t k = 0; k < K; ++k)
            sums[half] += x.values[t * K + k] * w.values[row * K + k];
          sums[half] *= sx.values[t] * sw.values[row];
        }
        double expected = sums[0] / (1 + std::exp(-sums[0])) * sums[1];
        EXPECT_NEAR(out.read((t * topk + s) * I + i), expected,
                    std::abs(expected) * 0x1.02p-8 + 0x1p-30)
            << t << ", " << s << ", " << i;
      }
}

// Listing 6. Sums of integers are exact whoever adds them; the last workgroup
// of a tile writes it and leaves the counters zeroed. With 3 tiles of K and 4
// parts, one part is empty.
TEST_F(ReferenceListings, SplitKWithAnEmptyPart) {
  for (int64_t K : {192, 64, 0, 320}) {
    auto kernel = parse("split-k.mlir", "BM = 16, BN = 32, BK = 64, SPLIT = 4");
    int64_t M = 21, N = 48, split = 4;
    Buffer a("bf16", M * K), b("bf16", N * K), c("bf16", M * N);
    Buffer part("f32", split * M * N);
    Buffer count("i32", (M + 15) / 16 * ((N + 31) / 32));
    // 320 products of at most 1: sums below 256, which bf16 has.
    a.fill([&](size_t) { return double(int(generator() % 3)) - 1; });
    b.fill([&](size_t) { return double(int(generator() % 2)); });
    c.fill([](size_t) { return 99; });
    part.fill([](size_t) { return NAN; });
    count.fill([](size_t) { return 0; });
    Buffer shuffled = preshuffle(b, N, K);
    run(kernel, {a.argument(), shuffled.argument(), c.argument(),
                 Argument::scalar(M), Argument::scalar(N), Argument::scalar(K),
                 part.argument(), count.argument()});
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < K; ++k)
          sum += a.values[m * K + k] * b.values[n * K + k];
        ASSERT_EQ(c.read(m * N + n), sum) << K << ": " << m << ", " << n;
      }
    for (size_t i = 0; i < count.values.size(); ++i)
      EXPECT_EQ(count.read(i), 0);
  }
}

// Listing 2. Rows of different length; what is beyond a row's length is not
// written. The result is rounded once, to bf16.
TEST_F(ReferenceListings, SoftmaxOfRaggedRows) {
  auto kernel = parse("softmax.mlir", "BM = 4, BN = 64");
  int64_t M = 11, N = 50, ld = 56;
  Buffer x("bf16", M * ld), y("bf16", M * ld), length("i32", M);
  x.fill([&](size_t) { return 8 * random(); });
  y.fill([](size_t) { return 99; });
  length.fill([&](size_t i) { return double(i * 7 % 51); }); // 0 .. 49
  run(kernel, {x.argument(), y.argument(), length.argument(),
               Argument::scalar(M), Argument::scalar(N), Argument::scalar(ld)});
  for (int64_t m = 0; m < M; ++m) {
    int64_t count = int64_t(length.values[m]);
    double sum = 0;
    for (int64_t n = 0; n < count; ++n)
      sum += std::exp(x.values[m * ld + n]);
    for (int64_t n = 0; n < ld; ++n) {
      double expected = n < count ? std::exp(x.values[m * ld + n]) / sum : 99;
      EXPECT_NEAR(y.read(m * ld + n), expected, expected * 0x1.01p-8)
          << m << ", " << n;
    }
  }
}
