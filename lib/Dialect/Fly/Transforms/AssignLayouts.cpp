//===- AssignLayouts.cpp - A layout for every tile ------------------------===//
//
// Which wave, lane and register holds which element becomes part of each
// tile's type. Values that elementwise ops, casts, loops and pipelines tie
// together share one layout (a class). A class is seeded by what cares:
//
//   accumulators of a dot     #fly.mma of the schedule's shape and waves
//   operands of a dot         kept in registers (`regs`): #fly.operand;
//                             otherwise a copy layout (#fly.blocked, 16 bytes
//                             a thread), converted where the dot reads it
//   tiles of fly.lanes        the layout that it states
//   a side of a transpose     #fly.transposed of the other's layout, unless
//                             memory or a reduction asks for another
//   sides of slices,          what makes them free, where memory and reductions
//   concats and reshapes      are as well served by it
//   sources of broadcasts     #fly.slice of the result's layout
//   sources of repeats        #fly.repeated of the result's layout
//   bits as other elements    the layout of the other's bits in the same lanes
//   scales of a dot           #fly.operand of one element a lane
//   row numbers of gathers    #fly.slice of the layout of the rows
//   tiles of stores           with `epilogue = cshuffle` the copy layout of the
//                             memory, converted at the store
//   results of reductions     #fly.slice of the source's layout; where waves
//                             share the reduced dimension they exchange parts
//                             through LDS
//   everything else           #fly.blocked
//
// The first seed of a class stands. A use that wants another layout, and an op
// that gives its result in another, gets a fly.convert_layout. Everything is
// decided, for all kernels, before a type changes. Refuses tiles that no layout
// holds, with the extents, tiles of other ranks than 1 and 2, and tiles beyond
// the registers of a lane.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "AssignLayouts/CopyLayout.h"
#include "AssignLayouts/ExchangeParts.h"
#include "AssignLayouts/LayoutAssignment.h"
#include "AssignLayouts/ShapeLayouts.h"
#include "AssignLayouts/TileCopies.h"
#include "Instantiated.h"
#include "LabelledOps.h"
#include "PassRemark.h"
#include "ShapeOps.h"
#include "TileRegisters.h"

#define DEBUG_TYPE "fly-assign-layouts"

namespace fly {
#define GEN_PASS_DEF_FLYASSIGNLAYOUTSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

Attribute LayoutAssignment::getOwnCopyLayout(Value value) {
  return getCopyLayout(tileType(value), classes.getTraits(value), schedule);
}

Attribute LayoutAssignment::getLayout(Value value) {
  Attribute &layout = layouts[classes.leader(value)];
  if (!layout)
    layout = getOwnCopyLayout(value);
  return layout;
}

bool LayoutAssignment::isStaged(Value value) {
  Operation *load = classes.findLoad(value);
  StringAttr label = load ? getWrittenLabel(load) : StringAttr();
  const OperandPolicy *policy = label ? schedule.operand(label) : nullptr;
  return policy && policy->inLds;
}

bool LayoutAssignment::hasPreference(Value value) {
  const CopyTraits &traits = classes.getTraits(value);
  return isSeeded(value) || traits.accessBits || traits.reducesAlong[0] ||
         traits.reducesAlong[1];
}

LogicalResult LayoutAssignment::verifyLayout(Operation *op, Value value,
                                             Attribute layout) {
  auto emitError = [&] {
    return op->emitOpError() << "cannot distribute " << value.getType() << ": ";
  };
  return cast<LayoutAttrInterface>(layout).verifyShape(
      tileType(value).getShape(), emitError);
}

LogicalResult LayoutAssignment::seed(Operation *op, Value value,
                                     Attribute layout) {
  if (failed(verifyLayout(op, value, layout)))
    return failure();
  layouts.try_emplace(classes.leader(value), layout);
  return success();
}

LogicalResult LayoutAssignment::complete() {
  for (Value value : classes.getValues()) {
    RankedTensorType type = tileType(value);
    Attribute layout = getLayout(value);
    auto emitError = [&] {
      return mlir::emitError(value.getLoc())
             << "cannot distribute " << type << ": ";
    };
    if (failed(cast<LayoutAttrInterface>(layout).verifyShape(type.getShape(),
                                                             emitError)))
      return failure();
    // The transpose of a tile in LDS is read piece by piece.
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!(transpose && isStaged(transpose.getSource())) &&
        failed(checkTileFits(value.getLoc(), type, layout, chip, schedule)))
      return failure();
  }
  return success();
}

LogicalResult LayoutAssignment::plan() {
  if (failed(classes.collect(chip, schedule)) || failed(seedDots()) ||
      failed(seedLanes()) || failed(seedBitcasts()) || failed(seedRepeats()) ||
      failed(seedTransposes()) || failed(seedShapes()) ||
      failed(seedBroadcasts()) || failed(seedReductions()) ||
      failed(checkScans()))
    return failure();
  seedStores();
  seedRows();
  return complete();
}

void LayoutAssignment::apply() {
  for (Value value : classes.getValues()) {
    auto type =
        tileType(value).cloneWithEncoding(layouts[classes.leader(value)]);
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      constant.setValueAttr(
          cast<DenseElementsAttr>(constant.getValue()).reshape(type));
    value.setType(type);
  }
  numTiles = classes.getValues().size();
  for (auto [result, layout] : gives)
    conversions.convertResult(result, layout);
  for (auto [use, layout] : needs)
    conversions.convert(*use, layout);
  for (auto [use, layout] : reads)
    conversions.convertAtUse(*use, layout);
  // Row numbers are few and often come from memory: they are loaded once more
  // rather than moved between lanes.
  TileCopies copies;
  for (auto [use, layout] : rows)
    if (Value copy = copies.get(use->get(), layout))
      use->set(copy);
    else
      conversions.convert(*use, layout);
  kernel->walk([&](Operation *op) {
    if (isShapeOp(op))
      moveTruthAsBytes(op, schedule.threads());
  });
  unsigned number = 0;
  for (auto [op, parts] : exchanges) {
    // Buffers that no label of the author has.
    auto makeBuffer = [&] {
      std::string buffer;
      do
        buffer = "reduce" + std::to_string(number++);
      while (schedule.operand(buffer));
      return buffer;
    };
    numStaged += 2 * exchangeParts(op, parts, makeBuffer);
  }
}

namespace {
struct FlyAssignLayoutsPass
    : fly::impl::FlyAssignLayoutsPassBase<FlyAssignLayoutsPass> {
  using FlyAssignLayoutsPassBase::FlyAssignLayoutsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function->hasAttr(FlyDialect::getScheduleAttrName()))
        kernels.push_back(function);
    });
    SmallVector<std::unique_ptr<LayoutAssignment>> assignments;
    for (FunctionOpInterface kernel : kernels) {
      const arch::ArchInfo *chip = getCompiledArch(kernel);
      if (!chip || failed(checkIsInstantiated(kernel)))
        return signalPassFailure();
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule))
        return signalPassFailure();
      assignments.push_back(std::make_unique<LayoutAssignment>(
          kernel, *chip, std::move(*schedule)));
      if (failed(assignments.back()->plan()))
        return signalPassFailure();
    }
    for (auto [kernel, assignment] : llvm::zip(kernels, assignments)) {
      assignment->apply();
      numTiles += assignment->numTiles;
      numConversions += assignment->getNumConversions();
      remarkPassed(kernel, DEBUG_TYPE, "Assigned",
                   Twine(assignment->numTiles) + " tiles have layouts, " +
                       Twine(assignment->getNumConversions()) + " conversions");
    }
  }
};
} // namespace
