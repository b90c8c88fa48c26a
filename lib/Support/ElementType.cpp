//===- ElementType.cpp - Element types of buffers, by name ----------------===//
//
// The table of types and their conversions. f32 and f64 go through the host's
// own conversions, which round to nearest even; bf16 and f16 through a few
// integer operations, since whole matrices pass here; the rest through
// APFloat, with a table for decoding.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/ElementType.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>
#include <vector>

using namespace fly;
using llvm::APFloat;
using llvm::APInt;

namespace {
struct Row {
  llvm::StringLiteral name;
  unsigned bits;
  /// Null for integers.
  const llvm::fltSemantics &(*semantics)();
};
} // namespace

static constexpr Row kRows[] = {
    {"i1", 1, nullptr},
    {"i4", 4, nullptr},
    {"i8", 8, nullptr},
    {"i16", 16, nullptr},
    {"i32", 32, nullptr},
    {"i64", 64, nullptr},
    {"index", 64, nullptr},
    {"f4E2M1FN", 4, APFloat::Float4E2M1FN},
    {"f6E2M3FN", 6, APFloat::Float6E2M3FN},
    {"f6E3M2FN", 6, APFloat::Float6E3M2FN},
    {"f8E4M3FN", 8, APFloat::Float8E4M3FN},
    {"f8E4M3FNUZ", 8, APFloat::Float8E4M3FNUZ},
    {"f8E5M2", 8, APFloat::Float8E5M2},
    {"f8E5M2FNUZ", 8, APFloat::Float8E5M2FNUZ},
    {"f8E8M0FNU", 8, APFloat::Float8E8M0FNU},
    {"f16", 16, APFloat::IEEEhalf},
    {"bf16", 16, APFloat::BFloat},
    {"f32", 32, APFloat::IEEEsingle},
    {"f64", 64, APFloat::IEEEdouble},
};

llvm::Expected<ElementType> ElementType::parse(llvm::StringRef name) {
  for (auto [index, row] : llvm::enumerate(kRows))
    if (row.name == name)
      return ElementType(index);
  std::string known = llvm::join(
      llvm::map_range(kRows, [](const Row &r) { return r.name; }), ", ");
  return llvm::createStringError("unknown element type '" + name +
                                 "', known are: " + known);
}

llvm::StringRef ElementType::name() const { return kRows[row].name; }
unsigned ElementType::bits() const { return kRows[row].bits; }
bool ElementType::isFloat() const { return kRows[row].semantics != nullptr; }
const llvm::fltSemantics &ElementType::semantics() const {
  return kRows[row].semantics();
}

/// `value` as a 16-bit IEEE format of `mantissaBits` explicit bits and the
/// exponent bias `bias`, rounded to nearest even.
static uint16_t encode16(double value, unsigned mantissaBits, int bias) {
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 63) << 15;
  int exponent = int((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  uint16_t infinity = uint16_t(0x7fff >> mantissaBits) << mantissaBits;
  if (exponent == 0x7ff)
    return sign | infinity | (mantissa ? 1u << (mantissaBits - 1) : 0);
  if (exponent == 0)
    return sign; // Doubles below 2^-1022 are far below half of any 16-bit ulp.
  int target = exponent - 1023 + bias;
  mantissa |= uint64_t(1) << 52;
  unsigned shift = 52 - mantissaBits;
  // A subnormal result has its last place at a fixed weight.
  if (target < 1) {
    shift += 1 - target;
    target = 1;
  }
  if (shift > 63)
    return sign;
  uint64_t kept = mantissa >> shift;
  uint64_t rest = mantissa & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa lands in the exponent, where it belongs.
  uint64_t code = kept + (uint64_t(target - 1) << mantissaBits);
  return sign | (code >= infinity ? infinity : uint16_t(code));
}

static double decodeByApFloat(const llvm::fltSemantics &semantics,
                              unsigned bits, uint64_t code) {
  APFloat value(semantics, APInt(bits, code));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The values of all codes of a type of at most 16 bits.
static const double *decodeTable(unsigned rowIndex) {
  // One table a type, filled on first use of any.
  static const auto tables = [] {
    std::vector<std::vector<double>> all(std::size(kRows));
    for (auto [index, row] : llvm::enumerate(kRows)) {
      if (!row.semantics || row.bits > 16)
        continue;
      all[index].resize(size_t(1) << row.bits);
      for (size_t code = 0; code < all[index].size(); ++code)
        all[index][code] = decodeByApFloat(row.semantics(), row.bits, code);
    }
    return all;
  }();
  return tables[rowIndex].data();
}

double ElementType::decode(uint64_t code) const {
  if (bits() == 64)
    return llvm::bit_cast<double>(code);
  if (bits() == 32)
    return llvm::bit_cast<float>(uint32_t(code));
  return decodeTable(row)[code];
}

uint64_t ElementType::encode(double value, bool saturate) const {
  const llvm::fltSemantics &format = semantics();
  if (saturate && std::isfinite(value)) {
    double largest = APFloat::getLargest(format).convertToDouble();
    if (std::abs(value) > largest)
      value = std::copysign(largest, value);
  }
  switch (bits()) {
  case 64:
    return llvm::bit_cast<uint64_t>(value);
  case 32:
    return llvm::bit_cast<uint32_t>(float(value));
  case 16:
    return &format == &APFloat::BFloat() ? encode16(value, 7, 127)
                                         : encode16(value, 10, 15);
  default:
    break;
  }
  APFloat narrow(value);
  bool losesInfo;
  narrow.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
  return narrow.bitcastToAPInt().getZExtValue();
}

int64_t ElementType::wrap(int64_t value) const {
  if (bits() == 64)
    return value;
  if (bits() == 1)
    return value & 1;
  return llvm::SignExtend64(uint64_t(value), bits());
}

uint64_t ElementType::loadBits(const uint8_t *data, uint64_t index) const {
  if (bits() < 8) {
    uint64_t bit = index * bits();
    unsigned code = data[bit / 8] >> (bit % 8);
    if (bit % 8 + bits() > 8)
      code |= unsigned(data[bit / 8 + 1]) << (8 - bit % 8);
    return code & ((1u << bits()) - 1);
  }
  uint64_t code = 0;
  unsigned bytes = bits() / 8;
  std::memcpy(&code, data + index * bytes, bytes);
  return code;
}

void ElementType::storeBits(uint8_t *data, uint64_t index,
                            uint64_t code) const {
  if (bits() < 8) {
    uint64_t bit = index * bits();
    unsigned mask = ((1u << bits()) - 1) << (bit % 8);
    unsigned shifted = unsigned(code << (bit % 8)) & mask;
    data[bit / 8] = (data[bit / 8] & ~mask) | shifted;
    // The rest of an element that two bytes share.
    if (mask > 0xff)
      data[bit / 8 + 1] = (data[bit / 8 + 1] & ~(mask >> 8)) | shifted >> 8;
    return;
  }
  unsigned bytes = bits() / 8;
  std::memcpy(data + index * bytes, &code, bytes);
}

void ElementType::load(const uint8_t *data, uint64_t index,
                       llvm::MutableArrayRef<double> values) const {
  if (bits() == 16) {
    const double *table = decodeTable(row);
    for (auto [offset, value] : llvm::enumerate(values)) {
      uint16_t code;
      std::memcpy(&code, data + (index + offset) * 2, 2);
      value = table[code];
    }
    return;
  }
  for (auto [offset, value] : llvm::enumerate(values))
    value = decode(loadBits(data, index + offset));
}

void ElementType::store(uint8_t *data, uint64_t index,
                        llvm::ArrayRef<double> values) const {
  for (auto [offset, value] : llvm::enumerate(values))
    storeBits(data, index + offset, encode(value));
}

void ElementType::load(const uint8_t *data, uint64_t index,
                       llvm::MutableArrayRef<int64_t> values) const {
  for (auto [offset, value] : llvm::enumerate(values))
    value = wrap(int64_t(loadBits(data, index + offset)));
}

void ElementType::store(uint8_t *data, uint64_t index,
                        llvm::ArrayRef<int64_t> values) const {
  for (auto [offset, value] : llvm::enumerate(values))
    storeBits(data, index + offset, uint64_t(value));
}
