//===- Preflight.cpp - What can be instantiated ---------------------------===//
//
// Everything is checked on the kernel and all helpers that it reaches, before
// anything changes. Refused: names without a value, sizes without a use,
// extents without a name, recursion, helpers with branches, ops of dialects
// that the tile level does not know, ops on single lanes, and schedules of
// explicit kernels that ask for more than numbers.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "../ShapeOps.h"
#include "../UnloweredOps.h"
#include "Instantiate.h"

using namespace mlir;
using namespace fly;

/// Dialects that tile-level kernels are written in. `gpu` gives the kernel and
/// its return.
static constexpr llvm::StringLiteral kTileDialects[] = {"arith", "fly",  "func",
                                                        "gpu",   "math", "scf"};

LogicalResult Preflight::checkBody(Operation *function) {
  WalkResult walk = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op != function && failed(checkOp(op)) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult Preflight::checkTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (tile && !tile.hasStaticShape() &&
        !isa_and_nonnull<TileAttr>(tile.getEncoding()))
      return op->emitOpError()
             << "has the tile " << tile
             << ", whose extents are neither numbers nor names: name them, as "
                "in #fly.tile<BM, BN>";
    if (tile && llvm::is_contained(tile.getShape(), 0))
      return op->emitOpError() << "has the tile " << tile
                               << ", which has no elements: extents must be at "
                                  "least 1";
  }
  return success();
}

/// Whether `op` gives or moves what differs between lanes or waves: at tile
/// level all scalars are the same in a whole workgroup.
static bool isPerLane(Operation *op) {
  if (isa<LaneOp, WaveOp>(op))
    return true;
  // Of gpu, what the grid became and what a kernel consists of.
  return isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) &&
         !isa<gpu::ReturnOp, gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp>(
             op);
}

LogicalResult Preflight::checkOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool isOfLane = bool(op->getParentOfType<LanesOp>());
  if (isTileLevel && !isShapeOp(op) && !(isOfLane && dialect == "vector") &&
      !llvm::is_contained(kTileDialects, dialect))
    return op->emitOpError()
           << "is of dialect '" << dialect
           << "', which the tile level does not know; it knows: "
           << llvm::join(ArrayRef(kTileDialects), ", ")
           << ", and the shapes of tensor"
           << (dialect == "cf" ? "; control flow is scf" : "");
  if (isTileLevel && isPerLane(op) && !(isOfLane && isa<LaneOp, WaveOp>(op)))
    return op->emitOpError()
           << "is about single lanes or waves; the scalars of a kernel with "
              "tiles are the same in the whole workgroup";
  StringAttr unknown;
  forEachName(op, [&](StringAttr name) {
    used.insert(name);
    if (!unknown && !sizes.lookup(name))
      unknown = name;
  });
  if (unknown) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "uses the size '" << unknown.getValue()
                              << "', which has no value"
                              << suggestWord(unknown, sizes.getNames())
                              << "; known sizes: " << sizes.describe();
    diag.attachNote(kernel.getLoc())
        << "give it in the schedule of this kernel: sizes = {"
        << unknown.getValue() << " = ...}";
    return diag;
  }
  if (failed(checkTypes(op, op->getResultTypes())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkTypes(op, block.getArgumentTypes())))
        return failure();
  if (isShapeOp(op))
    return checkShapeOp(op, [&](Type type) { return resolve(type); });
  if (auto map = dyn_cast<MapOp>(op))
    return checkMap(map);
  if (auto call = dyn_cast<func::CallOp>(op))
    return checkCall(call);
  if (isTileLevel && dialect == "func" && !isa<func::ReturnOp>(op))
    return op->emitOpError() << "cannot be inlined: call a func.func private "
                                "of the module by its name";
  return success();
}

RankedTensorType Preflight::resolve(Type type) {
  return replaceNames(cast<RankedTensorType>(type),
                      [&](StringAttr name) { return *sizes.lookup(name); });
}

/// The verifier compares extents as far as they are numbers. What is left shows
/// here, and would show in the op that the map expands to.
LogicalResult Preflight::checkMap(MapOp map) {
  RankedTensorType result = resolve(map.getType());
  for (auto [name, role, input] :
       llvm::zip(map.getNames(), map.getRoles(), map.getInputs())) {
    if (!isa<RankedTensorType>(input.getType()))
      continue;
    RankedTensorType tile = resolve(input.getType());
    StringRef which = cast<StringAttr>(role).getValue();
    SmallVector<int64_t> expected(result.getShape());
    if (which != "tile")
      expected = {result.getDimSize(which == "rows" ? 0 : 1)};
    if (tile.getShape() == ArrayRef(expected))
      continue;
    auto describe = [](ArrayRef<int64_t> shape) {
      return llvm::join(
          llvm::map_range(
              shape, [](int64_t extent) { return std::to_string(extent); }),
          "x");
    };
    return map.emitOpError()
           << "input " << name << " (" << which << ") must be a tile of "
           << describe(expected) << ", got " << describe(tile.getShape())
           << "; sizes: " << sizes.describe();
  }
  return success();
}

LogicalResult Preflight::checkCall(func::CallOp call) {
  auto helper = dyn_cast_or_null<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
  if (!helper)
    return call.emitOpError() << "callee '" << call.getCallee()
                              << "' is no func.func of this gpu.module";
  if (helper.isExternal() || !helper.getBody().hasOneBlock()) {
    InFlightDiagnostic diag =
        call.emitOpError() << "cannot inline '" << call.getCallee() << "': it "
                           << (helper.isExternal() ? "has no body"
                                                   : "branches between blocks");
    diag.attachNote(helper.getLoc()) << "defined here";
    return diag;
  }
  if (llvm::is_contained(path, helper.getOperation())) {
    InFlightDiagnostic diag = call.emitOpError()
                              << "cannot inline '" << call.getCallee()
                              << "': it calls itself";
    diag.attachNote(helper.getLoc()) << "defined here";
    return diag;
  }
  if (checkedHelpers.contains(helper))
    return success();
  path.push_back(helper);
  LogicalResult result = checkBody(helper);
  path.pop_back();
  if (succeeded(result))
    checkedHelpers.insert(helper);
  return result;
}

/// A size that nothing uses may be a slip of the pen, but does no harm. A
/// kernel that uses none at all has been instantiated before: its schedule
/// still tells the sizes. In a schedule of several kernels each finds its own.
void Preflight::warnOfUnused() {
  if (used.empty() || isScheduleShared)
    return;
  auto known = llvm::map_to_vector(
      used, [](StringAttr name) { return name.getValue(); });
  for (StringRef size : sizes.getNames())
    if (!llvm::is_contained(known, size))
      kernel.emitWarning()
          << "schedule entry 'sizes': no tile, bound, step or fly.size of "
             "this kernel uses '"
          << size << "'" << suggestWord(size, known)
          << "; it uses: " << llvm::join(known, ", ");
}

bool fly::isExplicitKernel(gpu::GPUFuncOp kernel) {
  return kernel->hasAttr(FlyDialect::getWavesAttrName()) && !hasTiles(kernel);
}

/// What a schedule applies to is tiles; of an explicit kernel it gives numbers
/// to names and arguments, and is done.
LogicalResult Preflight::checkExplicitSchedule() {
  auto schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  if (!schedule || !isExplicitKernel(kernel))
    return success();
  for (NamedAttribute entry : schedule.getEntries())
    if (entry.getName() != "sizes" && entry.getName() != "consts")
      return kernel.emitOpError()
             << "schedule entry '" << entry.getName().getValue()
             << "': the kernel has no tiles that it could apply to; the "
                "schedule of an explicit kernel has sizes and consts";
  return success();
}
