//===- Instantiate.cpp - Names become numbers, helpers inline -------------===//
//
// The source of a kernel is written with names of sizes, helpers over tiles,
// and infix elementwise code. All later passes see static shapes, one body and
// upstream ops. Everything is checked first, on the kernel and all helpers that
// it reaches; only then is anything changed. Refused: names without a value,
// sizes below 1 or without a use, extents without a name, recursion, helpers
// with branches, ops of dialects that the tile level does not know, and ops on
// single lanes.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "ExpandMap.h"
#include "FixedArguments.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYINSTANTIATEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-instantiate";

/// Dialects that tile-level kernels are written in. `gpu` gives the kernel and
/// its return.
static constexpr llvm::StringLiteral kTileDialects[] = {"arith", "fly",  "func",
                                                        "gpu",   "math", "scf"};

namespace {

/// The named sizes of one kernel, in the order of the schedule.
class Sizes {
public:
  /// Reads them; emits an error for one that is no positive number.
  static FailureOr<Sizes> get(gpu::GPUFuncOp kernel);

  const int64_t *lookup(StringAttr name) const {
    const auto *it = values.find(name);
    return it == values.end() ? nullptr : &it->second;
  }
  SmallVector<StringRef> getNames() const {
    return llvm::map_to_vector(
        values, [](const auto &entry) { return entry.first.getValue(); });
  }
  std::string describe() const {
    if (values.empty())
      return "none";
    return llvm::join(llvm::map_range(values,
                                      [](const auto &entry) {
                                        return (entry.first.getValue() + " = " +
                                                Twine(entry.second))
                                            .str();
                                      }),
                      ", ");
  }

private:
  llvm::MapVector<StringAttr, int64_t> values;
};

/// Checks one kernel with all it reaches, without changing anything.
class Preflight {
public:
  Preflight(gpu::GPUFuncOp kernel, const Sizes &sizes)
      : kernel(kernel), sizes(sizes), isTileLevel(hasTiles(kernel)) {}

  LogicalResult check() {
    return success(succeeded(checkBody(kernel)) && succeeded(checkUses()));
  }

private:
  LogicalResult checkBody(Operation *function);
  LogicalResult checkOp(Operation *op);
  LogicalResult checkCall(func::CallOp call);
  LogicalResult checkTypes(Operation *op, TypeRange types);
  LogicalResult checkUses();
  LogicalResult checkMap(MapOp map);

  gpu::GPUFuncOp kernel;
  const Sizes &sizes;
  bool isTileLevel;
  /// Names met in the kernel and in what it calls.
  llvm::SetVector<StringAttr> used;
  /// Helpers on the way from the kernel to here.
  SmallVector<Operation *> path;
};

class Instantiate : public fly::impl::FlyInstantiatePassBase<Instantiate> {
public:
  void runOnOperation() override;

private:
  LogicalResult runOnModule(gpu::GPUModuleOp module);
  void inlineCalls(gpu::GPUFuncOp kernel);
  void replaceKernelNames(gpu::GPUFuncOp kernel, const Sizes &sizes);
};

} // namespace

FailureOr<Sizes> Sizes::get(gpu::GPUFuncOp kernel) {
  Sizes sizes;
  auto schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  Attribute entry = schedule ? schedule.get("sizes") : Attribute();
  if (!entry)
    return sizes;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries) {
    kernel.emitOpError() << "schedule entry 'sizes' must be names with numbers "
                            "in braces, as in sizes = {BM = 128}";
    return failure();
  }
  for (NamedAttribute size : entries) {
    auto number = dyn_cast<IntegerAttr>(size.getValue());
    if (!number || number.getInt() < 1) {
      InFlightDiagnostic diag = kernel.emitOpError()
                                << "size '" << size.getName().getValue()
                                << "' must be a positive number";
      if (number)
        diag << ", got " << number.getInt();
      return diag;
    }
    sizes.values[size.getName()] = number.getInt();
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Preflight
//===----------------------------------------------------------------------===//

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
  if (isTileLevel && !llvm::is_contained(kTileDialects, dialect))
    return op->emitOpError()
           << "is of dialect '" << dialect
           << "', which the tile level does not know; it knows: "
           << llvm::join(ArrayRef(kTileDialects), ", ");
  if (isTileLevel && isPerLane(op))
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
  if (auto map = dyn_cast<MapOp>(op))
    return checkMap(map);
  if (auto call = dyn_cast<func::CallOp>(op))
    return checkCall(call);
  if (isTileLevel && dialect == "func" && !isa<func::ReturnOp>(op))
    return op->emitOpError() << "cannot be inlined: call a func.func private "
                                "of the module by its name";
  return success();
}

/// The verifier compares extents as far as they are numbers. What is left shows
/// here, and would show in the op that the map expands to.
LogicalResult Preflight::checkMap(MapOp map) {
  auto resolve = [&](Type type) {
    return replaceNames(cast<RankedTensorType>(type),
                        [&](StringAttr name) { return *sizes.lookup(name); });
  };
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
  path.push_back(helper);
  LogicalResult result = checkBody(helper);
  path.pop_back();
  return result;
}

/// A size that nothing uses is a slip of the pen. A kernel that uses none at
/// all has been instantiated before: its schedule still tells the sizes.
LogicalResult Preflight::checkUses() {
  if (used.empty())
    return success();
  auto known = llvm::map_to_vector(
      used, [](StringAttr name) { return name.getValue(); });
  for (StringRef size : sizes.getNames())
    if (!llvm::is_contained(known, size))
      return kernel.emitOpError()
             << "schedule entry 'sizes': no tile, bound, step or fly.size of "
                "this kernel uses '"
             << size << "'" << suggestWord(size, known)
             << "; it uses: " << llvm::join(known, ", ");
  return success();
}

//===----------------------------------------------------------------------===//
// The changes
//===----------------------------------------------------------------------===//

/// Replaces one call by the helper's body; each op says where it was called.
static void inlineCall(func::CallOp call) {
  auto helper = cast<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(helper.getArguments(), call.getOperands());
  for (Operation &op : helper.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  Operation *terminator = helper.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip(call.getResults(), terminator->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

void Instantiate::inlineCalls(gpu::GPUFuncOp kernel) {
  while (true) {
    SmallVector<func::CallOp> calls;
    kernel.walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return;
    for (func::CallOp call : calls)
      inlineCall(call);
    numInlined += calls.size();
  }
}

void Instantiate::replaceKernelNames(gpu::GPUFuncOp kernel,
                                     const Sizes &sizes) {
  auto lookup = [&](StringAttr name) { return *sizes.lookup(name); };
  AttrTypeReplacer types;
  types.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    return replaceNames(type, lookup);
  });
  unsigned replaced = 0;
  SmallVector<SizeOp> sizeOps;
  kernel.walk([&](Operation *op) {
    forEachName(op, [&](StringAttr) { ++replaced; });
    replaceNames(op, lookup);
    if (op != kernel)
      types.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                              /*replaceTypes=*/true);
    if (auto size = dyn_cast<SizeOp>(op))
      sizeOps.push_back(size);
  });
  for (SizeOp size : sizeOps) {
    OpBuilder builder(size);
    Value number = arith::ConstantOp::create(
        builder, size.getLoc(),
        builder.getI32IntegerAttr(lookup(size.getNameAttr())));
    size.getResult().replaceAllUsesWith(number);
    size.erase();
  }
  numNames += replaced;
  if (replaced)
    remarkPassed(kernel, kPass, "Instantiated",
                 Twine("sizes: ") + sizes.describe());
}

LogicalResult Instantiate::runOnModule(gpu::GPUModuleOp module) {
  struct Kernel {
    gpu::GPUFuncOp function;
    Sizes sizes;
    FixedArguments fixed;
  };
  SmallVector<Kernel> kernels;
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (!function.isKernel())
      continue;
    FailureOr<Sizes> sizes = Sizes::get(function);
    if (failed(sizes) || failed(Preflight(function, *sizes).check()))
      return failure();
    FailureOr<FixedArguments> fixed = FixedArguments::get(function);
    if (failed(fixed))
      return failure();
    kernels.push_back({function, *sizes, *fixed});
  }
  for (auto &[kernel, sizes, fixed] : kernels) {
    inlineCalls(kernel);
    replaceKernelNames(kernel, sizes);
    if (!fixed.empty())
      fixed.bind(kernel);
    SmallVector<MapOp> maps;
    kernel.walk([&](MapOp map) { maps.push_back(map); });
    llvm::for_each(maps, expandMap);
    numMaps += maps.size();
  }
  // Helpers exist for the kernels alone. One may call another, hence the loop.
  bool erased = !kernels.empty();
  while (erased) {
    erased = false;
    for (auto helper :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!helper.isPrivate() ||
          !SymbolTable::symbolKnownUseEmpty(helper, module))
        continue;
      helper.erase();
      erased = true;
    }
  }
  return success();
}

void Instantiate::runOnOperation() {
  WalkResult walk = getOperation()->walk([&](gpu::GPUModuleOp module) {
    return failed(runOnModule(module)) ? WalkResult::interrupt()
                                       : WalkResult::skip();
  });
  if (walk.wasInterrupted())
    signalPassFailure();
}
