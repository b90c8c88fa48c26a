//===- ReduceLayouts.cpp - Layouts of tiles while they are reduced --------===//
//
// How a dimension is spread over lanes and waves, and #fly.parts, the layout of
// a dimension of which every wave has reduced its part.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace fly;

using EmitError = function_ref<InFlightDiagnostic()>;

std::optional<DimSpread> fly::getDimSpread(const LaneMap &map, unsigned dim) {
  DimSpread spread;
  constexpr int64_t lanes = arch::waveLanes;
  for (const LaneTerm &term : map.base[dim]) {
    // The term as bits [low, high) of its source.
    int64_t count = term.mod;
    if (count == 0 && term.source == LaneTerm::Lane)
      count = lanes / term.div;
    if (!llvm::isPowerOf2_64(term.div) || !llvm::isPowerOf2_64(count))
      return std::nullopt;
    unsigned low = llvm::Log2_64(term.div), high = low + llvm::Log2_64(count);
    unsigned laneBits = llvm::Log2_64(lanes);
    unsigned firstWaveBit = term.source == LaneTerm::Wave ? 0 : laneBits;
    if (term.source != LaneTerm::Wave)
      for (unsigned bit = low; bit < std::min(high, laneBits); ++bit)
        spread.laneBits.push_back(bit);
    if (term.source == LaneTerm::Lane || high <= firstWaveBit)
      continue;
    unsigned from = std::max(low, firstWaveBit) - firstWaveBit;
    int64_t waves = int64_t(1) << (high - firstWaveBit - from);
    spread.part.push_back(
        {LaneTerm::Wave, int64_t(1) << from, waves, spread.numParts});
    spread.numParts *= waves;
  }
  return spread;
}

/// The shape of the tile before it was reduced.
static SmallVector<int64_t> wholeShape(PartsAttr layout,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> whole(shape);
  whole[layout.getDim()] = layout.getExtent();
  return whole;
}

LogicalResult PartsAttr::verifyShape(ArrayRef<int64_t> shape,
                                     EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "parts layout needs a distributed parent, got "
                       << getParent();
  if (getDim() < 0 || getDim() >= int64_t(shape.size()) || getExtent() < 1)
    return emitError() << "parts layout cannot shrink dimension " << getDim()
                       << " of extent " << getExtent() << " of a tile of rank "
                       << shape.size();
  SmallVector<int64_t> whole = wholeShape(*this, shape);
  if (failed(parent.verifyShape(whole, emitError)))
    return failure();
  std::optional<DimSpread> spread =
      getDimSpread(parent.getLaneMap(whole), getDim());
  if (!spread || spread->numParts != shape[getDim()])
    return emitError() << "parts layout has " << shape[getDim()]
                       << " parts where its parent has "
                       << (spread ? spread->numParts : 0);
  return success();
}

LaneMap PartsAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  unsigned dim = getDim();
  LaneMap parent = cast<LayoutAttrInterface>(getParent())
                       .getLaneMap(wholeShape(*this, shape));
  bool inWaves = getHolder() == PartsHolder::Waves;
  LaneMap map;
  map.partial = parent.partial & ~(1u << dim);
  map.base = parent.base;
  map.base[dim].clear();
  if (inWaves)
    llvm::append_range(map.base[dim], getDimSpread(parent, dim)->part);
  int64_t parts = inWaves ? 1 : shape[dim];
  std::set<SmallVector<int64_t, 2>> seen;
  for (SmallVector<int64_t, 2> tail : parent.tails) {
    tail[dim] = 0;
    if (!seen.insert(tail).second)
      continue;
    for (int64_t part = 0; part < parts; ++part) {
      tail[dim] = part;
      map.tails.push_back(tail);
    }
  }
  map.registers = {int64_t(map.tails.size()) / parts, parts};
  return map;
}

LogicalResult PartsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                        EmitError emitError) const {
  if (ShapedType::isDynamicShape(shape))
    return emitError() << "a layout needs static extents: run fly-instantiate "
                          "before layouts are assigned";
  return verifyShape(shape, emitError);
}
