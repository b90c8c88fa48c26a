//===- LayoutReport.cpp - Where the elements of a kernel are --------------===//
//
// Runs the passes on a clone, up to where tiles have layouts and on to where
// accesses are those of lanes, and collects what the query names.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Layout/LayoutReport.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fly;
using namespace fly::reports;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Threads that a layout is made for.
static int64_t threadsOf(Attribute layout) {
  if (auto mma = dyn_cast<MmaAttr>(layout))
    return mma.getWaves()[0] * mma.getWaves()[1] * arch::waveLanes;
  if (auto operand = dyn_cast<OperandAttr>(layout))
    return threadsOf(operand.getParent());
  if (auto slice = dyn_cast<SliceAttr>(layout))
    return threadsOf(slice.getParent());
  if (auto parts = dyn_cast<PartsAttr>(layout))
    return threadsOf(parts.getParent());
  if (auto transposed = dyn_cast<TransposedAttr>(layout))
    return threadsOf(transposed.getParent());
  if (auto repeated = dyn_cast<RepeatedAttr>(layout))
    return threadsOf(repeated.getParent());
  int64_t threads = 1;
  if (auto blocked = dyn_cast<BlockedAttr>(layout))
    for (int64_t count : blocked.getThreads())
      threads *= count;
  return llvm::alignTo(threads, arch::waveLanes);
}

/// The threads of the kernel around `op`, where its schedule is resolved.
static std::optional<int64_t> threadsAround(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (!kernel || !kernel->hasAttr(FlyDialect::getScheduleAttrName()))
    return std::nullopt;
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) {});
  FailureOr<Schedule> schedule = Schedule::get(kernel);
  if (failed(schedule))
    return std::nullopt;
  return schedule->threads();
}

template <typename T>
static std::string textOf(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// None where the type is no tile of rank 1 or 2 with a layout.
static std::optional<TileReport>
makeTileReport(std::string name, Type type, std::optional<int64_t> threads) {
  auto tile = dyn_cast<RankedTensorType>(type);
  auto layout = tile ? dyn_cast_or_null<LayoutAttrInterface>(tile.getEncoding())
                     : LayoutAttrInterface();
  if (!layout || tile.getRank() < 1 || tile.getRank() > 2)
    return std::nullopt;
  return TileReport{
      std::move(name), textOf(type), textOf(tile.getEncoding()),
      tile.getElementType().isIntOrFloat() ? tile.getElementTypeBitWidth() : 0,
      TileMap(layout.getLaneMap(tile.getShape()), tile.getShape(),
              threads.value_or(threadsOf(tile.getEncoding())))};
}

FailureOr<TileReport>
fly::reports::reportTileType(Type type,
                             function_ref<InFlightDiagnostic()> emitError) {
  std::optional<TileReport> report = makeTileReport("", type, std::nullopt);
  if (report)
    return std::move(*report);
  return emitError() << type
                     << " has no map; expected a tile of rank 1 or 2 with a "
                        "layout, such as tensor<64x64xf32, #fly.mma<shape = "
                        "[16, 16], waves = [2, 2]>>";
}

/// The tile of the loads and stores with a label: of loads their result.
static void collectLabelled(ModuleOp module, StringRef label,
                            std::vector<TileReport> &tiles) {
  module.walk([&](Operation *op) {
    Value tile;
    if (auto load = dyn_cast<LoadOp>(op); load && load.getLabel() == label)
      tile = load.getTile();
    else if (auto store = dyn_cast<StoreOp>(op);
             store && store.getLabel() == label)
      tile = store.getTile();
    else if (auto dot = dyn_cast<ProductOpInterface>(op);
             dot && dot.getProductLabel() == label)
      tile = dot->getResult(0);
    if (!tile)
      return;
    auto report =
        makeTileReport(label.str(), tile.getType(), threadsAround(op));
    bool isKnown = report && llvm::any_of(tiles, [&](const TileReport &other) {
                     return other.type == report->type;
                   });
    if (report && !isKnown)
      tiles.push_back(std::move(*report));
  });
}

/// The tiles that the query names.
static std::vector<TileReport>
collectTiles(ModuleOp module, ArrayRef<SourceValue> values, StringRef name) {
  std::vector<TileReport> tiles;
  llvm::StringSet<> known;
  for (const SourceValue &value : values) {
    if (!name.empty() && value.name != name)
      continue;
    Value placed = findPlaced(value, module);
    if (!placed)
      continue;
    Operation *around = placed.getParentBlock()->getParentOp();
    std::optional<int64_t> threads =
        isa<FunctionOpInterface>(around)
            ? threadsAround(&placed.getParentBlock()->front())
            : threadsAround(around);
    auto report = makeTileReport(value.name, placed.getType(), threads);
    if (report && known.insert(report->name + report->type).second)
      tiles.push_back(std::move(*report));
  }
  if (tiles.empty() && !name.empty())
    collectLabelled(module, name, tiles);
  return tiles;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// An access belongs to a label if it is to a field of it (fly-stage-lds names
/// the fields LABEL_SLOT), or stands in the line of an op with it.
static void keepNamed(std::vector<AccessReport> &accesses, StringRef name,
                      const llvm::DenseSet<unsigned> &lines) {
  llvm::erase_if(accesses, [&](const AccessReport &access) {
    StringRef view = access.view;
    return view != name && view.rsplit('_').first != name &&
           !lines.contains(access.line);
  });
}

/// Lines of the value or of ops with the label.
static llvm::DenseSet<unsigned>
linesOf(ModuleOp module, ArrayRef<SourceValue> values, StringRef name) {
  llvm::DenseSet<unsigned> lines;
  auto add = [&](Location loc) {
    if (auto place = loc->findInstanceOf<FileLineColLoc>())
      lines.insert(place.getLine());
  };
  for (const SourceValue &value : values)
    if (value.name == name)
      add(value.loc);
  module.walk([&](Operation *op) {
    auto label = op->getAttrOfType<StringAttr>("label");
    if (label && label.getValue() == name)
      add(op->getLoc());
  });
  return lines;
}

static std::string known(ModuleOp module, ArrayRef<SourceValue> values) {
  SmallVector<std::string> names;
  for (const SourceValue &value : values)
    if (isa<RankedTensorType>(value.type) &&
        !llvm::is_contained(names, value.name))
      names.push_back(value.name);
  module.walk([&](Operation *op) {
    auto label = op->getAttrOfType<StringAttr>("label");
    if (label && isa_and_nonnull<FlyDialect>(op->getDialect()) &&
        !llvm::is_contained(names, label.getValue()))
      names.push_back(label.getValue().str());
  });
  return llvm::join(names, ", ");
}

FailureOr<LayoutReport>
fly::reports::reportLayouts(ModuleOp module, ArrayRef<SourceValue> values,
                            const LayoutQuery &query) {
  OwningOpRef<ModuleOp> work = module.clone();
  if (failed(selectKernel(*work, query.kernel)))
    return failure();
  FailureOr<FunctionOpInterface> kernel = findKernel(*work, query.kernel);
  if (failed(kernel))
    return failure();
  LayoutReport report;
  report.kernel = kernel->getName().str();
  const arch::ArchInfo *chip = getCompiledArch(*kernel);
  if (!chip)
    return failure();
  report.chip = chip->name;
  auto runTo = [&](StringRef from, StringRef last) -> LogicalResult {
    PassManager passes(module.getContext());
    if (llvm::Error error = addPasses(passes, from, last))
      return findPlace(*work)->emitError()
             << "--after=" << last << ": " << llvm::toString(std::move(error));
    return passes.run(*work);
  };
  StringRef tilesAfter = query.after.empty() ? StringRef("fly-assign-layouts")
                                             : StringRef(query.after);
  if (failed(runTo("", tilesAfter)))
    return failure();
  report.tiles = collectTiles(*work, values, query.value);
  std::string names = known(*work, values);
  llvm::DenseSet<unsigned> lines = linesOf(*work, values, query.value);
  if (query.after.empty() && failed(runTo(tilesAfter, "cse")))
    return failure();
  kernel = findKernel(*work, report.kernel);
  if (failed(kernel))
    return failure();
  report.accesses = reportAccesses(*kernel, *chip, query.wave);
  if (query.value.empty())
    return report;
  keepNamed(report.accesses, query.value, lines);
  if (report.tiles.empty() && report.accesses.empty())
    return (*kernel)->emitOpError()
           << "has no tile or view '" << query.value << "' after "
           << (query.after.empty() ? "fly-assign-layouts" : query.after)
           << "; it has: " << names;
  return report;
}
