//===- Reads.cpp - Along K, or as memory has the rows ---------------------===//
//
// Lanes read an operand along K. Where K does not run along the rows of memory
// there are two ways: the tile is transposed in registers on its way to LDS, or
// it lies there as memory has it and is read by instructions that transpose.
// The second moves whole rows, past the registers too, so it is taken where the
// chip has the instructions, and where nothing but dots takes the tile.
//
// Nothing is refused; what was asked for and cannot be is a remark.
//
//===----------------------------------------------------------------------===//
#include "../TileFlow.h"
#include "../TransposingReads.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

RankedTensorType LoadPlan::ldsTile(Operation *op) const {
  RankedTensorType tile = getTileType(op->getResult(0));
  return policy.readsTransposed
             ? tile.clone({tile.getDimSize(1), tile.getDimSize(0)})
             : tile;
}

/// Why lanes cannot read the tile of `op` by reads that transpose; empty where
/// they can.
std::string ScheduleResolver::whyReadPlain(const LoadPlan &plan,
                                           Operation *op) const {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || load.getMask())
    return "rows by number and masks are of the tile as it is used";
  RankedTensorType tile = getTileType(load.getTile());
  ViewType view = load.getView().getType();
  if (!load.getView().getDefiningOp<ViewOp>() || tile.getRank() != 2 ||
      !isa_and_nonnull<StridedAttr>(view.getLayout()) ||
      view.getContiguousDim() != unsigned(view.getRank() - 2))
    return "K runs along the rows of memory";
  int64_t bits = tile.getElementTypeBitWidth();
  int64_t elements = getTransposedElements(chip, bits);
  if (elements == 0)
    return std::string(chip.name) +
           " has no transposing reads of elements of " + std::to_string(bits) +
           " bits, so that the tile is transposed in "
           "registers on its way to LDS";
  int64_t rowBytes = tile.getDimSize(0) * bits / 8;
  if (plan.request.swizzle == OperandPolicy::Swizzle::Xor &&
      !plan::checkXor(plan.label.getValue(), rowBytes).holds)
    return "rows of " + std::to_string(rowBytes) +
           " bytes, as memory has them, are no power of two of chunks for the "
           "XOR that is asked for";
  if (plan.request.carriesFirstPack.value_or(false))
    return "packs that are carried round the loop are read along K";
  if (!isTakenByDots(load.getTile()))
    return "something else than dots takes the tile";
  for (const DotPlan &dot : dots) {
    ProductOpInterface product = dot.op;
    if (dot.a != op && dot.b != op)
      continue;
    // What lanes have of an accumulator are runs of 4 elements.
    constexpr int64_t accumulatorRun = 4;
    int64_t pack = dot.a ? getPack(product, product.getLhs(), dot.policy.mfma)
                         : accumulatorRun;
    if (pack % elements != 0)
      return "lanes take packs of " + std::to_string(pack) +
             " elements, transposing reads give " + std::to_string(elements);
  }
  return "";
}

void ScheduleResolver::resolveRead(LoadPlan &load) {
  std::optional<bool> wanted = load.request.readsTransposed;
  if (!wanted.value_or(true))
    return;
  for (Operation *op : load.ops) {
    std::string why = whyReadPlain(load, op);
    if (why.empty())
      continue;
    if (wanted)
      missed(op, "ReadPlain", "read = plain: " + why);
    return;
  }
  load.policy.readsTransposed = true;
  passed(load.ops.front(), "ReadTransposed",
         "read = transposed: rows lie in LDS as memory has them, across K, and "
         "transposing reads give lanes what is along K");
}
