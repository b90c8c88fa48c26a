//===- ForeignGemm.cpp - launches of another compiler's GEMMs -------------===//

#include "ForeignGemm.h"

#include <ostream>

#include "GemmCase.h"

using namespace fly;
using namespace fly::test;

/// Small integers in e4m3: 1 is 2^0 with bias 8 (FNUZ) or 7.
static uint8_t toFp8(int value, Element type) {
  if (value == 0)
    return 0;
  static const uint8_t magnitudes[] = {0, 0x38, 0x40, 0x44, 0x48};
  int magnitude = value < 0 ? -value : value;
  return uint8_t(magnitudes[magnitude] + (type == Element::Fp8Fnuz ? 8 : 0) +
                 (value < 0 ? 0x80 : 0));
}

void fly::test::PrintTo(const GemmObject &object, std::ostream *os) {
  *os << object.file;
}

static const GemmObject objects[] = {
    {"gfx942_gemm_bf16_128x128x64_w4_s3.s", Element::Bf16, 128, 128, 64, 4,
     65536},
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", Element::Bf16, 256, 256, 64, 8,
     65536},
    {"gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s", Element::Fp8Fnuz, 64, 256, 128,
     4, 65536},
    {"gfx950_gemm_bf16_128x256x64_w4_s2.s", Element::Bf16, 128, 256, 64, 4,
     163840},
    {"gfx950_gemm_bf16_256x256x64_w8_s2.s", Element::Bf16, 256, 256, 64, 8,
     163840},
    {"gfx950_gemm_fp8_128x256x128_w4_s2.s", Element::Fp8, 128, 256, 128, 4,
     163840},
};

llvm::ArrayRef<GemmObject> fly::test::foreignGemms() { return objects; }

/// Appends one element to a byte buffer.
static void append(std::vector<uint8_t> &bytes, int value, Element type) {
  if (type != Element::Bf16) {
    bytes.push_back(toFp8(value, type));
    return;
  }
  uint16_t half = toBf16(float(value));
  bytes.push_back(uint8_t(half));
  bytes.push_back(uint8_t(half >> 8));
}

ForeignGemmRun::ForeignGemmRun(KernelRun loaded, const GemmObject &object,
                               unsigned m, unsigned n, unsigned k)
    : run(std::move(loaded)), m(m), n(n), k(k) {
  std::vector<uint8_t> a, b;
  for (unsigned i = 0; i != m; ++i)
    for (unsigned p = 0; p != k; ++p)
      append(a, gemmA(i, p), object.type);
  for (unsigned j = 0; j != n; ++j)
    for (unsigned p = 0; p != k; ++p)
      append(b, gemmB(j, p), object.type);
  uint64_t pa = run.bufferOf(a, "A"), pb = run.bufferOf(b, "B");
  c = run.buffer(size_t(m) * n * 2, "C");
  run.setArguments({pa, pb, c, m, n, k, k, k, n, 0, 0});
  run.params.workgroups = {(m + object.tileM - 1) / object.tileM *
                               ((n + object.tileN - 1) / object.tileN),
                           1, 1};
  run.params.workgroupSize = {64 * object.waves, 1, 1};
  run.params.dynamicLdsBytes = object.ldsBytes;
}

std::string ForeignGemmRun::difference() {
  std::vector<uint16_t> found = values();
  std::vector<int32_t> reference = gemmReference(m, n, k);
  for (size_t i = 0; i != reference.size(); ++i)
    if (found[i] != toBf16(float(reference[i])))
      return "first difference at row " + std::to_string(i / n) + ", column " +
             std::to_string(i % n) + ": " + std::to_string(fromBf16(found[i])) +
             ", expected " + std::to_string(reference[i]);
  return "";
}
