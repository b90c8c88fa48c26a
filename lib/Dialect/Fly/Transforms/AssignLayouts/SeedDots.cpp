//===- SeedDots.cpp - Layouts that dots ask for ---------------------------===//
//
// Accumulators take the layout of the matrix instruction, operands what its
// lanes read: kept in registers, or read from LDS at the dot. A first operand
// that an earlier dot computed stays in registers where a shared order of K
// allows it.
//
//===----------------------------------------------------------------------===//
#include "../LabelledOps.h"
#include "../MatrixInstruction.h"
#include "../PassRemark.h"
#include "../TileRegisters.h"
#include "CopyLayout.h"
#include "LayoutAssignment.h"
#include "RegisterOperands.h"

#define DEBUG_TYPE "fly-assign-layouts"

using namespace mlir;
using namespace fly;

/// The layout of the dot's accumulator.
static MmaAttr getDotLayout(ProductOpInterface dot, const Schedule &schedule) {
  const DotPolicy &policy = schedule.dot(dot);
  bool isF64 = tileType(dot->getResult(0)).getElementType().isF64();
  return MmaAttr::get(dot.getContext(), {policy.mfma, policy.mfma},
                      schedule.waves, policy.transposed, isF64);
}

LogicalResult LayoutAssignment::seedRead(OpOperand &use, Attribute layout,
                                         StringRef what) {
  Operation *op = use.getOwner();
  RankedTensorType type = tileType(use.get());
  auto emitError = [&] {
    return op->emitOpError() << "cannot read " << what << " (" << type << "): ";
  };
  if (failed(cast<LayoutAttrInterface>(layout).verifyShape(type.getShape(),
                                                           emitError)))
    return failure();
  reads.push_back({&use, layout});
  // A tile that stays in registers is loaded as it is read; else the class
  // takes the copy layout, which apply() gives to whatever has none.
  Operation *load = classes.findLoad(use.get());
  if (!load) {
    // Computed in place: as it is read, unless it has a layout already.
    layouts.try_emplace(classes.leader(use.get()), layout);
    return success();
  }
  StringAttr label = getWrittenLabel(load);
  const OperandPolicy *policy = label ? schedule.operand(label) : nullptr;
  if (policy && !policy->inLds)
    return seed(op, use.get(), layout);
  return success();
}

LogicalResult LayoutAssignment::seedOperand(ProductOpInterface dot,
                                            OpOperand &operand,
                                            OperandSide side,
                                            std::optional<int64_t> pack) {
  MmaAttr parent = getDotLayout(dot, schedule);
  // Lanes read the operand along K, from LDS.
  ++classes.getTraits(operand.get()).byRows;
  auto layout = OperandAttr::get(
      dot.getContext(), side, parent,
      pack ? *pack : getPack(dot, operand, parent.getShape()[0]));
  return seedRead(operand, layout,
                  ("operand " + stringifyOperandSide(side)).str());
}

/// The elements of K that lanes have next to each other of a first operand that
/// is computed, where that saves its way through LDS; none: as they read both.
FailureOr<std::optional<int64_t>>
LayoutAssignment::choosePack(ProductOpInterface product) {
  std::optional<int64_t> pack;
  std::optional<bool> wanted = schedule.dot(product).fromAcc;
  auto dot = dyn_cast<DotOp>(product.getOperation());
  if (!dot || !wanted.value_or(true))
    return pack;
  Attribute held = layouts.lookup(classes.leader(dot.getA()));
  if (!wanted && (!held || classes.findLoad(dot.getA())))
    return pack;
  if (held)
    pack = findRegisterPack(dot, getDotLayout(product, schedule), held, chip,
                            schedule.threads());
  if (!pack && !wanted)
    return pack;
  if (!pack) {
    InFlightDiagnostic diag = dot.emitOpError()
                              << "schedule asks for 'a = from_acc', but lanes "
                                 "do not hold what the instruction reads";
    if (!held)
      return diag << ": its first operand is not computed of an accumulator";
    return diag << ": its first operand is in " << held
                << "; what fits is an accumulator with acc = transposed, of "
                   "the same mfma, in waves = [n, 1]";
  }
  remarkPassed(dot, DEBUG_TYPE, "RegisterOperand",
               "the first operand stays in registers: K in packs of " +
                   Twine(*pack) + " elements for both operands");
  return pack;
}

LogicalResult LayoutAssignment::seedDots() {
  SmallVector<ProductOpInterface> dots;
  kernel->walk([&](ProductOpInterface dot) { dots.push_back(dot); });
  for (ProductOpInterface dot : dots) {
    MmaAttr layout = getDotLayout(dot, schedule);
    if (failed(seed(dot, dot->getResult(0), layout)))
      return failure();
    // Another dot may have fixed the accumulator in another shape.
    need(dot.getAccumulator(), layout);
    give(dot->getResult(0), layout);
  }
  for (ProductOpInterface dot : dots) {
    auto pack = choosePack(dot);
    if (failed(pack) ||
        failed(seedOperand(dot, dot.getLhs(), OperandSide::A, *pack)) ||
        failed(seedOperand(dot, dot.getRhs(), OperandSide::B, *pack)))
      return failure();
  }
  for (ProductOpInterface dot : dots) {
    auto scaled = dyn_cast<DotScaledOp>(dot.getOperation());
    if (!scaled)
      continue;
    // A lane has the scales of its rows and of its blocks of K.
    MmaAttr parent = getDotLayout(dot, schedule);
    int64_t pack = getScalePack(dot, parent.getShape()[0]);
    auto seedScale = [&](OpOperand &scale, OperandSide side) {
      return seedRead(scale,
                      OperandAttr::get(dot.getContext(), side, parent, pack),
                      ("the scales of " + stringifyOperandSide(side)).str());
    };
    if (failed(seedScale(scaled.getScaleAMutable(), OperandSide::A)) ||
        failed(seedScale(scaled.getScaleBMutable(), OperandSide::B)))
      return failure();
  }
  return success();
}
