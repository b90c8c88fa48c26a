//===- LdsFieldOrders.cpp - Orders of bytes for LDS fields ----------------===//
//
// Every candidate is evaluated on the addresses that the writing and the
// reading lanes use (LdsFieldCost). An XOR takes no bytes, but addresses that
// differ in bits that it mixes need a register each; rows farther apart take
// bytes, and all accesses share one register. [MEM] The widest XOR was once
// slower by half than one of three bits, for its addresses.
//
//===----------------------------------------------------------------------===//
#include "LdsFieldOrders.h"

#include "fly/Arch/Wave.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

/// Address registers of a field that cost nothing: most kernels have them to
/// spare.
static constexpr unsigned kFreeBases = 4;
/// Chunks of 16 bytes that rows are padded by at most: so many rows apart, rows
/// begin at all banks.
static constexpr int64_t kMostPadding = 4;
/// How far above the bits of a row's chunks those may be that steer an XOR.
static constexpr unsigned kMostShift = 2;

static constexpr int64_t kChunk = arch::widestAccessBytes;

std::tuple<unsigned, unsigned, int64_t> FieldOrder::rank() const {
  return {cost.cycles, std::max(cost.bases, kFreeBases),
          field.getSizeInBytes().value_or(0)};
}

std::string FieldOrder::describe() const {
  if (auto swizzle = dyn_cast_or_null<SwizzleAttr>(field.getLayout()))
    return llvm::formatv("swizzle<{0}, {1}, {2}>", swizzle.getBits(),
                         swizzle.getBase(), swizzle.getShift());
  if (auto strided = dyn_cast_or_null<StridedAttr>(field.getLayout()))
    return llvm::formatv("rows {0} elements apart", strided.getStrides()[0]);
  return "rows as they are";
}

std::string FieldOrder::describeAgainst(const FieldOrder &linear) const {
  int64_t bytes = *field.getSizeInBytes() - *linear.field.getSizeInBytes();
  return llvm::formatv(
      "{0} -> {1} cycles a wave and tile, conflicts {2} -> {3}, degree {4} -> "
      "{5}, {6} address register{7}{8}",
      linear.cost.cycles, cost.cycles, linear.cost.conflicts, cost.conflicts,
      linear.cost.degree, cost.degree, cost.bases, cost.bases == 1 ? "" : "s",
      bytes ? ", " + std::to_string(bytes) + " bytes more" : "");
}

static int64_t getRowBytes(ViewType field) {
  return field.getShape().back() *
         field.getElementType().getIntOrFloatBitWidth() / 8;
}

FieldOrder fly::getOrder(const arch::ArchInfo &chip, ViewType field,
                         ArrayRef<LdsTileAccess> accesses) {
  return {field, evaluateLdsField(chip, field, accesses)};
}

bool fly::isOneToOne(ViewType field) {
  int64_t bytes = field.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t size = *field.getSizeInBytes();
  ArrayRef<int64_t> shape = field.getShape();
  auto strided = dyn_cast_or_null<StridedAttr>(field.getLayout());
  auto swizzle = dyn_cast_or_null<SwizzleAttr>(field.getLayout());
  int64_t stride = strided ? strided.getStrides()[0] : shape[1];
  llvm::BitVector taken(size);
  for (int64_t row = 0; row < shape[0]; ++row)
    for (int64_t column = 0; column < shape[1]; ++column)
      for (int64_t byte = 0; byte < bytes; ++byte) {
        int64_t at = (row * stride + column) * bytes + byte;
        at = swizzle ? swizzle.apply(at) : at;
        if (at >= size || taken.test(at))
          return false;
        taken.set(at);
      }
  return true;
}

/// Takes `other` where it is better, or there is none yet.
static void takeBetter(FieldOrder &best, FieldOrder other) {
  if (!best.field || other.rank() < best.rank())
    best = std::move(other);
}

FieldOrder fly::findXor(const arch::ArchInfo &chip, ViewType linear,
                        ArrayRef<LdsTileAccess> accesses) {
  FieldOrder best;
  uint64_t rowBytes = getRowBytes(linear);
  if (!llvm::isPowerOf2_64(rowBytes) || rowBytes <= kChunk)
    return best;
  // Chunks of a row change places, or, where lanes meet that read several rows
  // of neighbouring chunks, groups of chunks.
  unsigned rowBits = llvm::Log2_64(rowBytes);
  for (unsigned base = llvm::Log2_64(kChunk);
       base < rowBits && (!best.field || best.cost.conflicts != 0); ++base) {
    unsigned chunkBits = rowBits - base;
    // Steering bits are row bits: the lowest ones, or some rows further up.
    for (unsigned bits = 1; bits <= chunkBits; ++bits)
      for (unsigned shift = std::max(bits, chunkBits);
           shift <= chunkBits + kMostShift; ++shift)
        takeBetter(best, getOrder(chip,
                                  linear.withLayout(SwizzleAttr::get(
                                      linear.getContext(), bits, base, shift)),
                                  accesses));
  }
  return best;
}

FieldOrder fly::findPadding(const arch::ArchInfo &chip, ViewType linear,
                            ArrayRef<LdsTileAccess> accesses) {
  FieldOrder best;
  int64_t bytes = linear.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t whole = llvm::alignTo(getRowBytes(linear), kChunk);
  if (kChunk % bytes != 0)
    return best;
  for (int64_t i = whole == getRowBytes(linear) ? 1 : 0; i <= kMostPadding; ++i)
    takeBetter(best, getOrder(chip,
                              linear.withLayout(StridedAttr::get(
                                  linear.getContext(),
                                  {(whole + i * kChunk) / bytes, 1})),
                              accesses));
  return best;
}
