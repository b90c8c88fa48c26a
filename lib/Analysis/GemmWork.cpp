//===- GemmWork.cpp - Operations and bytes of a GEMM by formula -----------===//
//
// The tuning guide's section 8: 2 M N K operations; A, B, C in bf16, and for
// 8-bit types a scale of four bytes for each row of A and B. Extended by rows
// of the same table: weights of 4 bits, and block scales of a byte for 32
// elements.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Roofline.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::analysis;
using arch::ElementType;

namespace {
enum class Scales {
  None,
  Rows,   ///< f32 for each row of A and of B.
  Groups, ///< bf16 for 128 elements of each row of B.
  Blocks, ///< A byte for 32 elements of each row of A and B.
};

struct GemmType {
  const char *name;
  unsigned aBits, bBits;
  /// What the matrix unit multiplies.
  ElementType a, b;
  Scales scales;
};
} // namespace

static constexpr unsigned groupElements = 128, blockElements = 32;

static constexpr GemmType table[] = {
    {"f32", 32, 32, ElementType::F32, ElementType::F32, Scales::None},
    {"f16", 16, 16, ElementType::F16, ElementType::F16, Scales::None},
    {"bf16", 16, 16, ElementType::Bf16, ElementType::Bf16, Scales::None},
    {"fp8", 8, 8, ElementType::Fp8, ElementType::Fp8, Scales::Rows},
    {"i8", 8, 8, ElementType::I8, ElementType::I8, Scales::Rows},
    // Weights of 4 bits are widened in registers.
    {"i4", 8, 4, ElementType::I8, ElementType::I8, Scales::Rows},
    {"bf16_i4", 16, 4, ElementType::Bf16, ElementType::Bf16, Scales::Groups},
    {"mxfp8", 8, 8, ElementType::Fp8, ElementType::Fp8, Scales::Blocks},
    {"mxfp6", 6, 6, ElementType::Fp6, ElementType::Fp6, Scales::Blocks},
    {"mxfp4", 4, 4, ElementType::Fp4, ElementType::Fp4, Scales::Blocks},
};

std::string fly::analysis::gemmTypes() {
  std::string names;
  for (const GemmType &row : table)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

static double scaleBytes(Scales scales, double m, double n, int64_t k) {
  switch (scales) {
  case Scales::None:
    return 0;
  case Scales::Rows:
    return (m + n) * 4;
  case Scales::Groups:
    return n * llvm::divideCeil(uint64_t(k), groupElements) * 2;
  case Scales::Blocks:
    return (m + n) * llvm::divideCeil(uint64_t(k), blockElements);
  }
  return 0;
}

static const char *scaleFormula(Scales scales) {
  switch (scales) {
  case Scales::None:
    return "";
  case Scales::Rows:
    return ", scales (M + N) * 4";
  case Scales::Groups:
    return ", scales N * K/128 * 2";
  case Scales::Blocks:
    return ", scales (M + N) * K/32";
  }
  return "";
}

/// "2", "0.5".
static std::string bytesOf(unsigned bits) {
  return bits % 8 ? llvm::formatv("{0}/8", bits).str()
                  : std::to_string(bits / 8);
}

llvm::Expected<Work> fly::analysis::makeGemmWork(int64_t m, int64_t n,
                                                 int64_t k,
                                                 llvm::StringRef type) {
  const GemmType *row = nullptr;
  for (const GemmType &entry : table)
    if (type == entry.name)
      row = &entry;
  if (!row)
    return llvm::createStringError(
        "type '" + type + "' is unknown, expected one of: " + gemmTypes());
  if (m <= 0 || n <= 0 || k <= 0)
    return llvm::createStringError(
        llvm::formatv("sizes must be positive: M={0} N={1} K={2}", m, n, k));
  Work work;
  work.name = llvm::formatv("gemm {0}, M={1} N={2} K={3}", type, m, n, k).str();
  double rows = double(m), columns = double(n), depth = double(k);
  work.flop = 2 * rows * columns * depth;
  work.flopFormula = "2 * M * N * K";
  // C is bf16.
  work.bytes = rows * depth * row->aBits / 8 +
               columns * depth * row->bBits / 8 + rows * columns * 2 +
               scaleBytes(row->scales, rows, columns, k);
  work.bytesFormula = llvm::formatv(
      "A M * K * {0}, B N * K * {1}, C M * N * 2{2}", bytesOf(row->aBits),
      bytesOf(row->bBits), scaleFormula(row->scales));
  work.types = {row->a, row->b};
  work.rows = m;
  return work;
}
