//===- LdsFieldCost.cpp - Cycles of tile accesses to an LDS field ---------===//
//
// A lane moves its registers in groups of consecutive elements, each as wide as
// the field's strides keep it aligned. Lanes whose element lies beyond the tile
// take no part.
//
//===----------------------------------------------------------------------===//
#include "LdsFieldCost.h"

#include "fly/Arch/Wave.h"

#include <numeric>
#include <set>

#include "LayoutMoves.h"
#include "TransposingReads.h"

using namespace mlir;
using namespace fly;

/// Strides in elements of a field.
static SmallVector<int64_t, 2> getStrides(ViewType field) {
  if (auto strided = dyn_cast_or_null<StridedAttr>(field.getLayout()))
    return llvm::to_vector<2>(strided.getStrides());
  SmallVector<int64_t, 2> strides(field.getRank(), 1);
  for (unsigned dim = field.getRank(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * field.getShape()[dim];
  return strides;
}

/// The part of a constant that must go through the swizzle with the lane's
/// offset, a multiple of its granule.
static int64_t getRest(SwizzleAttr swizzle, int64_t constant) {
  if (!swizzle)
    return 0;
  int64_t granule = int64_t(1) << swizzle.getBase();
  int64_t period = granule << (swizzle.getShift() + swizzle.getBits());
  return constant & (period - 1) & ~(granule - 1);
}

static void addAccess(const arch::ArchInfo &chip, ViewType field,
                      const LdsTileAccess &access, LdsFieldCost &cost) {
  int64_t bits = field.getElementType().getIntOrFloatBitWidth();
  unsigned elementBytes = bits / 8;
  SmallVector<int64_t, 2> strides = getStrides(field);
  auto swizzle = dyn_cast_or_null<SwizzleAttr>(field.getLayout());
  ArrayRef<int64_t> shape = access.tile.getShape();
  LaneMap map =
      cast<LayoutAttrInterface>(access.tile.getEncoding()).getLaneMap(shape);
  std::optional<unsigned> contiguous = field.getContiguousDim();
  if (contiguous)
    orderByRuns(map, *contiguous);
  int64_t group = contiguous ? getContiguousGroup(map, *contiguous, bits) : 1;
  if (contiguous && group == 1 && access.direction == arch::LdsDirection::Read)
    if (int64_t elements = getTransposedElements(chip, bits))
      if (auto chunks = getTransposedChunks(map, *contiguous, elements)) {
        // [INF] Served as a plain read of the chunks that the lanes name.
        map = std::move(*chunks);
        group = elements;
      }
  unsigned width = group * elementBytes;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous)
      width = std::gcd<int64_t>(width, stride * elementBytes);
  const arch::LdsAccess *row =
      arch::lookupLdsAccess(chip.chip, access.direction, width);
  if (!row)
    return;
  cost.narrowest = std::min(cost.narrowest, width);
  std::set<int64_t> rests;
  for (size_t reg = 0; reg < map.tails.size(); reg += group) {
    int64_t constant = 0;
    for (auto [tail, stride] : llvm::zip_equal(map.tails[reg], strides))
      constant += tail * stride * elementBytes;
    rests.insert(getRest(swizzle, constant));
  }
  cost.bases += rests.size();
  for (size_t reg = 0; reg < map.tails.size(); reg += group)
    for (unsigned at = 0; at < group * elementBytes; at += width) {
      std::array<uint32_t, arch::waveLanes> addresses = {};
      uint64_t exec = 0;
      for (unsigned lane = 0; lane < arch::waveLanes; ++lane) {
        uint64_t linear = at;
        bool exists = true;
        for (auto [dim, coordinate] :
             llvm::enumerate(map.evaluate(lane, reg))) {
          linear += coordinate * strides[dim] * elementBytes;
          exists &= coordinate < shape[dim];
        }
        addresses[lane] = swizzle ? swizzle.apply(linear) : linear;
        exec |= uint64_t(exists) << lane;
      }
      arch::LdsCost one = arch::ldsCost(*row, addresses, exec);
      cost.cycles += one.cycles;
      cost.conflicts += one.conflictCycles;
      cost.degree = std::max(cost.degree, one.degree);
      ++cost.instructions;
    }
}

LdsFieldCost fly::evaluateLdsField(const arch::ArchInfo &chip, ViewType field,
                                   ArrayRef<LdsTileAccess> accesses) {
  LdsFieldCost cost;
  for (auto [index, access] : llvm::enumerate(accesses)) {
    unsigned bases = cost.bases;
    addAccess(chip, field, access, cost);
    // Accesses of one tile share their addresses.
    if (llvm::is_contained(accesses.take_front(index), access))
      cost.bases = bases;
  }
  return cost;
}
