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

#include "LayoutMoves.h"

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
  unsigned width = group * elementBytes;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous)
      width = std::gcd<int64_t>(width, stride * elementBytes);
  const arch::LdsAccess *row =
      arch::lookupLdsAccess(chip.chip, access.direction, width);
  if (!row)
    return;
  cost.narrowest = std::min(cost.narrowest, width);
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
  for (const LdsTileAccess &access : accesses)
    addAccess(chip, field, access, cost);
  return cost;
}
