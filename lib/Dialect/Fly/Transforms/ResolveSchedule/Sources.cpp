//===- Sources.cpp - What the factors of a dot are computed of ------------===//
//
// A factor that is computed in registers (weights of 4 bits that are widened)
// needs those of the tiles that it is computed of as well, and a factor with
// scales those of the scales. They are found by going back from the factor
// through what is computed element by element, to the loads.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <numeric>

#include "../TileAccess.h"
#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// Bits of an element, none of types that are not in registers.
static unsigned getBits(Value tile) {
  Type element = getTileType(tile).getElementType();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

/// The loads that `tile` is computed of, and in `widest` the bits of the widest
/// elements on the way.
static llvm::SetVector<Operation *> findSources(Value tile, unsigned &widest) {
  llvm::SetVector<Operation *> loads;
  llvm::SetVector<Value> values;
  values.insert(tile);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (Operation *load = findLoad(values[i])) {
      loads.insert(load);
      continue;
    }
    Operation *op = values[i].getDefiningOp();
    if (!op || !(isElementwise(op) || isa<RepeatOp, BitcastOp>(op)))
      continue;
    // Of a repeated tile each lane holds an element once.
    if (!isa<RepeatOp>(op) && getTileType(values[i]).getNumElements() ==
                                  getTileType(tile).getNumElements())
      widest = std::max(widest, getBits(values[i]));
    for (Value operand : op->getOperands())
      if (tileType(operand))
        values.insert(operand);
  }
  return loads;
}

int64_t ScheduleResolver::getAccessBytes(Operation *op) const {
  auto load = dyn_cast_or_null<LoadOp>(op);
  auto view = load ? load.getView().getDefiningOp<ViewOp>() : ViewOp();
  unsigned bits = load ? getBits(load.getTile()) : 0;
  // Blocks are whole accesses.
  if (!view || !bits ||
      (view.getType().getLayout() &&
       !isa<StridedAttr>(view.getType().getLayout())))
    return kAccessBytes;
  std::optional<unsigned> dim = view.getType().getContiguousDim();
  if (!dim)
    return std::max<int64_t>(1, bits / 8);
  TileAccess access{load, view, load.getMixedCoordinates(),
                    getTileType(load.getTile()), load.getLabelAttr()};
  gpu::GPUFuncOp function = kernel;
  IntegerFacts facts(function);
  uint64_t elements = std::max(getRowAlignment(access, facts).elements,
                               uint64_t(load.getAlign().value_or(1)));
  // A vector that may be partly outside is as short as what is inside.
  OpFoldResult extent = view.getMixedExtents()[*dim];
  if (!load.isInBounds(*dim))
    elements = std::gcd(elements, facts.divisor(extent));
  int64_t bytes = int64_t(elements & -elements) * bits / 8;
  return std::clamp<int64_t>(bytes, 1, kAccessBytes);
}

plan::SourceTile ScheduleResolver::getSource(Operation *load,
                                             int64_t run) const {
  Value tile = load->getResult(0);
  plan::SourceTile source;
  source.columns = getTileType(tile).getShape().back();
  source.bits = getBits(tile);
  source.what = llvm::formatv("elements of {0} bits", source.bits);
  source.atOnce = std::clamp<int64_t>(
      getAccessBytes(load) * 8 / std::max(1u, source.bits), 1, run);
  source.runsAhead = getLoad(load)->runsAhead;
  return source;
}

void ScheduleResolver::addSources(const DotPlan &dot,
                                  plan::DotTile &tile) const {
  ProductOpInterface op = dot.op;
  auto addComputed = [&](Value factor, plan::OperandTile &operand) {
    if (operand.isLoaded)
      return;
    unsigned widest = 0;
    for (Operation *load : findSources(factor, widest)) {
      const LoadPlan *plan = getLoad(load);
      // From LDS, elements come as they are needed.
      if (plan->policy.inLds || getTileType(load->getResult(0)).getRank() != 2)
        continue;
      bool isWhole =
          getTileType(load->getResult(0)).getShape().back() == tile.k;
      operand.sources.push_back(
          getSource(load, isWhole ? tile.packElements() : 1));
    }
    // Without sources it is another dot's, whose registers are counted there.
    if (!operand.sources.empty())
      operand.widestBits = widest;
  };
  addComputed(op.getLhs().get(), tile.a);
  addComputed(op.getRhs().get(), tile.b);
  auto scaled = dyn_cast<DotScaledOp>(op.getOperation());
  if (!scaled)
    return;
  auto addScales = [&](Value scales, plan::OperandTile &operand) {
    Operation *load = findLoad(scales);
    if (!load)
      return;
    operand.sources.push_back(getSource(load, getScalePack(op, tile.mfma)));
    operand.sources.back().what = "scales";
  };
  addScales(scaled.getScaleA(), tile.a);
  addScales(scaled.getScaleB(), tile.b);
}
