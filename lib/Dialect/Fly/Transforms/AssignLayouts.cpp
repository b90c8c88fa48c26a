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

#include "llvm/ADT/TypeSwitch.h"

#include "AssignLayouts/Conversions.h"
#include "AssignLayouts/CopyLayout.h"
#include "AssignLayouts/ExchangeParts.h"
#include "AssignLayouts/RegisterOperands.h"
#include "AssignLayouts/ShapeLayouts.h"
#include "AssignLayouts/TileClasses.h"
#include "AssignLayouts/TileCopies.h"
#include "Instantiated.h"
#include "LabelledOps.h"
#include "LayoutMoves.h"
#include "MatrixInstruction.h"
#include "PassRemark.h"
#include "ScanOrder.h"
#include "ShapeOps.h"
#include "TileRegisters.h"

#define DEBUG_TYPE "fly-assign-layouts"

namespace fly {
#define GEN_PASS_DEF_FLYASSIGNLAYOUTSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
/// The assignment for one kernel.
class LayoutAssignment {
public:
  LayoutAssignment(FunctionOpInterface kernel, const arch::ArchInfo &chip,
                   Schedule resolved)
      : kernel(kernel), chip(chip), schedule(std::move(resolved)),
        classes(kernel), conversions(schedule.threads()) {}

  /// Decides on all layouts; changes nothing.
  LogicalResult plan();
  /// Gives the tiles their types and inserts the conversions.
  void apply();
  unsigned numTiles = 0;
  unsigned getNumConversions() const {
    return conversions.numConversions + numStaged;
  }

private:
  /// An error at `op` where the shape of `value` cannot have `layout`.
  LogicalResult verifyLayout(Operation *op, Value value, Attribute layout);
  /// Gives the class of `value` a layout unless it has one.
  LogicalResult seed(Operation *op, Value value, Attribute layout);
  /// `use` reads its tile in `layout`, whatever its class has.
  void need(OpOperand &use, Attribute layout) {
    needs.push_back({&use, layout});
  }
  /// The op of `result` gives its tile in `layout`, whatever its class has.
  void give(OpResult result, Attribute layout) {
    gives.push_back({result, layout});
  }
  LogicalResult seedDots();
  FailureOr<std::optional<int64_t>> choosePack(ProductOpInterface product);
  LogicalResult seedLanes();
  LogicalResult seedOperand(ProductOpInterface dot, OpOperand &operand,
                            OperandSide side, std::optional<int64_t> pack);
  /// `use` reads its tile in `layout`, which a load straight to registers
  /// gives. `what` names the operand in errors.
  LogicalResult seedRead(OpOperand &use, Attribute layout, StringRef what);
  LogicalResult seedBitcasts();
  LogicalResult seedRepeats();
  LogicalResult seedTransposes();
  LogicalResult seedShapes();
  LogicalResult seedBroadcasts();
  LogicalResult seedReductions();
  LogicalResult checkScans();
  void seedStores();
  void seedRows();
  /// The layout in which a load, store, gather or scatter moves its tile.
  Attribute getMovedLayout(Operation *move, Value tile) {
    auto found = moved.find(move);
    return found == moved.end() ? getLayout(tile) : found->second;
  }
  /// The layout of the class of `value`; the copy layout where it has none.
  Attribute getLayout(Value value);
  /// The copy layout of the class of `value`, whatever it has.
  Attribute getOwnCopyLayout(Value value);
  bool isSeeded(Value value) { return layouts.contains(classes.leader(value)); }
  /// Whether uses of the class prefer some layout by themselves.
  bool hasPreference(Value value);
  /// Whether a class without a seed is as well served by `layout` as by its
  /// copy layout.
  bool accepts(Value value, Attribute layout);
  /// Gives the classes without a seed the copy layout; checks all tiles.
  LogicalResult complete();

  FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  Schedule schedule;
  TileClasses classes;
  LayoutConversions conversions;
  unsigned numStaged = 0;
  DenseMap<const void *, Attribute> layouts;
  /// Reductions along a dimension that waves share, with the number of parts.
  SmallVector<std::pair<ReduceOp, int64_t>> exchanges;
  SmallVector<std::pair<OpOperand *, Attribute>> needs;
  SmallVector<std::pair<OpResult, Attribute>> gives;
  /// Layouts that dots read and stores write, by use.
  SmallVector<std::pair<OpOperand *, Attribute>> reads;
  /// Layouts in which gathers and scatters want their row numbers, by use.
  SmallVector<std::pair<OpOperand *, Attribute>> rows;
  /// Layouts in which stores want their tiles, where the schedule says so.
  llvm::MapVector<Operation *, Attribute> moved;
};
} // namespace

Attribute LayoutAssignment::getOwnCopyLayout(Value value) {
  return getCopyLayout(tileType(value), classes.getTraits(value), schedule);
}

Attribute LayoutAssignment::getLayout(Value value) {
  Attribute &layout = layouts[classes.leader(value)];
  if (!layout)
    layout = getOwnCopyLayout(value);
  return layout;
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
    // A lane has the scale of its row and of its block of K.
    MmaAttr parent = getDotLayout(dot, schedule);
    auto seedScale = [&](OpOperand &scale, OperandSide side) {
      return seedRead(scale,
                      OperandAttr::get(dot.getContext(), side, parent, 1),
                      ("the scales of " + stringifyOperandSide(side)).str());
    };
    if (failed(seedScale(scaled.getScaleAMutable(), OperandSide::A)) ||
        failed(seedScale(scaled.getScaleBMutable(), OperandSide::B)))
      return failure();
  }
  return success();
}

/// An error where threads of the workgroup hold less than the whole tile.
static LogicalResult checkIsHeld(LanesOp op, RankedTensorType tile,
                                 int64_t threads) {
  ArrayRef<int64_t> shape = tile.getShape();
  LaneMap map = cast<LayoutAttrInterface>(op.getLayout()).getLaneMap(shape);
  llvm::DenseSet<int64_t> held;
  for (int64_t thread = 0; thread < threads; ++thread)
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      int64_t number = 0;
      bool exists = true;
      for (auto [extent, at] : llvm::zip(shape, map.evaluate(thread, reg))) {
        exists &= at < extent;
        number = number * extent + at;
      }
      if (exists)
        held.insert(number);
    }
  if (int64_t(held.size()) == tile.getNumElements())
    return success();
  return op.emitOpError() << "has a layout in which the " << threads
                          << " threads of the workgroup hold " << held.size()
                          << " of the " << tile.getNumElements()
                          << " elements of " << tile
                          << ": fix: 'waves' of the schedule, or a layout of "
                          << threads << " threads";
}

/// The stated layout is that of tiles which nothing gives another; others are
/// converted.
LogicalResult LayoutAssignment::seedLanes() {
  WalkResult walk = kernel->walk([&](LanesOp op) {
    for (Value tile : llvm::concat<Value>(SmallVector<Value>(op.getSources()),
                                          SmallVector<Value>(op.getResults())))
      if (failed(checkIsHeld(op, tileType(tile), schedule.threads())) ||
          (!hasPreference(tile) && failed(seed(op, tile, op.getLayout()))))
        return WalkResult::interrupt();
    for (OpOperand &use : op->getOpOperands())
      need(use, op.getLayout());
    for (OpResult result : op->getResults())
      give(result, op.getLayout());
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Bits become other elements in the lanes where they are: the side that
/// something prefers decides.
LogicalResult LayoutAssignment::seedBitcasts() {
  WalkResult walk = kernel->walk([&](BitcastOp op) {
    RankedTensorType from = tileType(op.getSource());
    RankedTensorType to = tileType(op.getResult());
    int64_t fromBits = from.getElementTypeBitWidth();
    int64_t toBits = to.getElementTypeBitWidth();
    if (!hasPreference(op.getResult()) && hasPreference(op.getSource()))
      if (Attribute layout =
              getBitcastLayout(getLayout(op.getSource()), fromBits, toBits))
        layouts.try_emplace(classes.leader(op.getResult()), layout);
    Attribute layout = getLayout(op.getResult());
    Attribute source = getBitcastLayout(layout, toBits, fromBits);
    if (!source) {
      op.emitOpError() << "has a result in " << layout << ", of which a lane "
                       << "holds no whole elements of "
                       << from.getElementType();
      return WalkResult::interrupt();
    }
    ++classes.getTraits(op.getSource()).byRows;
    return failed(seedRead(op.getSourceMutable(), source, "its source"))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedRepeats() {
  WalkResult walk = kernel->walk([&](RepeatOp op) {
    auto layout = RepeatedAttr::get(op.getContext(), op.getDim(),
                                    op.getFactor(), getLayout(op.getResult()));
    return failed(seedRead(op.getSourceMutable(), layout, "its source"))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A side that prefers no layout takes the transpose of the other's, which
/// moves nothing.
LogicalResult LayoutAssignment::seedTransposes() {
  SmallVector<TransposeOp> transposes;
  kernel->walk([&](TransposeOp op) { transposes.push_back(op); });
  for (TransposeOp op : transposes) {
    bool isIdentity = op.getPermutation().front() == 0;
    auto other = [&](Attribute layout) {
      return isIdentity ? layout : getTransposed(layout);
    };
    if (!hasPreference(op.getResult()) && hasPreference(op.getSource()) &&
        failed(seed(op, op.getResult(), other(getLayout(op.getSource())))))
      return failure();
    Attribute layout = other(getLayout(op.getResult()));
    if (!hasPreference(op.getSource()) &&
        failed(seed(op, op.getSource(), layout)))
      return failure();
    need(op.getSourceMutable(), layout);
  }
  return success();
}

bool LayoutAssignment::accepts(Value value, Attribute layout) {
  const CopyTraits &traits = classes.getTraits(value);
  Attribute own = getOwnCopyLayout(value);
  if (!hasPreference(value) || layout == own)
    return true;
  if (traits.reducesAlong[0] || traits.reducesAlong[1])
    return false;
  RankedTensorType type = tileType(value);
  bool byColumns = type.getRank() == 2 && !traits.byRows && traits.byColumns;
  unsigned contiguous = byColumns ? 0 : type.getRank() - 1;
  auto getMap = [&](Attribute layout) {
    return cast<LayoutAttrInterface>(layout).getLaneMap(type.getShape());
  };
  auto getWidth = [&](const LaneMap &map) {
    return getContiguousGroup(map, contiguous, type.getElementTypeBitWidth());
  };
  LaneMap map = getMap(layout), ownMap = getMap(own);
  return getWidth(map) >= getWidth(ownMap) &&
         map.tails.size() <= ownMap.tails.size();
}

/// Slices, concatenations and reshapes rename registers where layouts can be
/// found that do; elsewhere they go through LDS.
LogicalResult LayoutAssignment::seedShapes() {
  WalkResult walk = kernel->walk([&](Operation *op) {
    if (!isShapeOp(op))
      return WalkResult::advance();
    if (failed(checkShapeOp(op)))
      return WalkResult::interrupt();
    SmallVector<ShapeSide> sides;
    auto add = [&](Value tile) {
      Attribute fixed = isSeeded(tile) ? getLayout(tile) : Attribute();
      sides.push_back({tile, fixed, fixed ? fixed : getOwnCopyLayout(tile)});
    };
    llvm::for_each(op->getOperands(), add);
    add(op->getResult(0));
    if (auto layouts = findFreeLayouts(op, sides, schedule.threads(),
                                       [&](Value tile, Attribute layout) {
                                         return accepts(tile, layout);
                                       }))
      for (auto [side, layout] : llvm::zip(sides, *layouts))
        if (failed(seed(op, side.tile, layout)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedBroadcasts() {
  // A broadcast whose result has no seed gets the copy layout first.
  WalkResult walk = kernel->walk([&](BroadcastOp op) {
    RankedTensorType type = tileType(op.getResult());
    Attribute slice = getSlice(op.getDim(), type.getDimSize(op.getDim()),
                               getLayout(op.getResult()));
    if (failed(seed(op, op.getSource(), slice)))
      return WalkResult::interrupt();
    need(op.getSourceMutable(), slice);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedReductions() {
  WalkResult walk = kernel->walk([&](ReduceOp op) {
    Value source = op.getSources().front();
    RankedTensorType type = tileType(source);
    Attribute layout = getLayout(source);
    if (!canReduce(op, layout)) {
      layout = getOwnCopyLayout(source);
      for (OpOperand &use : op->getOpOperands())
        need(use, layout);
    }
    Attribute slice =
        getSlice(op.getDim(), type.getDimSize(op.getDim()), layout);
    for (OpResult result : op->getResults()) {
      if (failed(seed(op, result, slice)))
        return WalkResult::interrupt();
      give(result, slice);
    }
    int64_t parts = getDimSpread(cast<LayoutAttrInterface>(layout).getLaneMap(
                                     type.getShape()),
                                 op.getDim())
                        ->numParts;
    if (parts > 1)
      exchanges.push_back({op, parts});
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A scan takes layouts that give lanes runs in the order of coordinates.
LogicalResult LayoutAssignment::checkScans() {
  kernel->walk([&](ScanOp op) {
    Value source = op.getSources().front();
    if (canScan(op, getLayout(source), schedule.threads()))
      return;
    Attribute layout = getOwnCopyLayout(source);
    for (OpOperand &use : op.getSourcesMutable())
      need(use, layout);
    for (OpResult result : op->getResults())
      give(result, layout);
  });
  return success();
}

/// What a schedule writes row by row takes the copy layout of its memory alone:
/// lanes with vectors of 16 bytes, neighbours next to each other.
void LayoutAssignment::seedStores() {
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<StoreOp, ScatterOp>([&](auto store) {
      StringAttr label = store.getLabelAttr();
      if (!label || schedule.store(label) != Epilogue::CShuffle)
        return;
      CopyTraits traits;
      traits.addAccess(tileType(store.getTile()), store.getView().getType());
      Attribute layout =
          getCopyLayout(tileType(store.getTile()), traits, schedule);
      moved[op] = layout;
      reads.push_back({&store.getTileMutable(), layout});
      for (OpOperand &mask : store.getMaskMutable())
        reads.push_back({&mask, layout});
    });
  });
}

/// Row numbers are wanted where the rows are: in the slice of the tile's
/// layout. What has no layout yet takes it; the rest is converted.
void LayoutAssignment::seedRows() {
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<GatherOp, ScatterOp>([&](auto move) {
      RankedTensorType type = tileType(move.getTile());
      Attribute layout = getMovedLayout(op, move.getTile());
      if (type.getRank() == 2)
        layout =
            SliceAttr::get(op->getContext(), 1, type.getDimSize(1), layout);
      layouts.try_emplace(classes.leader(move.getRows()), layout);
      rows.push_back({&move.getRowsMutable(), layout});
    });
  });
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
                                                             emitError)) ||
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
