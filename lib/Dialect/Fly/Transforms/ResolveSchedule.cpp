//===- ResolveSchedule.cpp - Schedules become explicit and legal ----------===//
//
// Later passes want a number or a word for every choice. This pass reads what
// the author wrote, decides the rest by rule, says why in remarks, checks the
// whole against the chip, and only then writes labels and schedule back. The
// rules are those of docs/Guide/Schedules.md; what they refuse is one error at
// the op that it concerns.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "LabelledOps.h"
#include "PassRemark.h"
#include "ScheduleBudget.h"
#include "TileFlow.h"

namespace fly {
#define GEN_PASS_DEF_FLYRESOLVESCHEDULEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-resolve-schedule";

/// Bytes that a thread copies, and a lane reads, at once.
static constexpr int64_t kAccessBytes = 16;
/// Bytes that a row of an operand tile is a multiple of: a block of four
/// 16-byte packs, one for each lane group along K.
static constexpr int64_t kRowBytes = 64;
/// Lane-dependent offsets and LDS bases of a GEMM with everything hoisted: one
/// for each operand's copy, fragment and store, and what their computation
/// leaves behind. An estimate; the code generator has the last word.
static constexpr unsigned kAddressRegisters = 16;

namespace {

/// Wave grids are written [rows, columns].
using WaveGrid = std::array<int64_t, 2>;

/// One dot with what is known and decided about it.
struct DotPlan {
  DotOp op;
  StringAttr label;
  int64_t m, n, k;
  /// Bytes of an operand's element.
  int64_t elementBytes;
  DotPolicy policy;
  /// Null where the operand is computed.
  LoadOp a, b;

  /// Elements of K that the 64 lanes cover with one 16-byte pack each.
  int64_t microStep() const {
    return kAccessBytes / elementBytes * 64 / policy.mfma;
  }
};

/// All loads of one label.
struct LoadPlan {
  StringAttr label;
  SmallVector<LoadOp> ops;
  bool feedsDot = false;
  /// Every op is in the prefetch of a pipeline.
  bool runsAhead = true;
  OperandRequest request;
  OperandPolicy policy;

  /// Bytes of its largest tile.
  int64_t tileBytes() const;
  int64_t ldsBytes() const {
    return policy.inLds ? policy.stages * tileBytes() : 0;
  }
};

/// Resolves the schedule of one kernel.
class Resolver {
public:
  Resolver(gpu::GPUFuncOp kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), context(kernel.getContext()) {}

  LogicalResult run();
  unsigned numLabels = 0;

private:
  LogicalResult checkKeys();
  LogicalResult collectDots();
  LogicalResult collectLoads();
  LogicalResult checkStores();
  LogicalResult resolveDot(DotPlan &dot);
  LogicalResult checkMatrixType(const DotPlan &dot);
  LogicalResult resolveGrid();
  LogicalResult resolveWaves();
  LogicalResult checkSplit(const WaveGrid &grid);
  bool splits(const WaveGrid &grid) const;
  std::optional<WaveGrid> findSplit(int64_t count) const;
  LogicalResult resolveWavesPerEu();
  LogicalResult resolveLoads();
  LogicalResult resolveSwizzle(LoadPlan &load);
  LogicalResult checkRows(const DotPlan &dot);
  LogicalResult checkLds();
  LogicalResult checkRegisters();
  Budget getRegisters(const DotPlan &dot) const;
  void write();

  Attribute getEntry(StringRef key) const {
    return schedule ? schedule.get(key) : Attribute();
  }
  int64_t threads() const { return 64 * waves[0] * waves[1]; }
  const LoadPlan *getLoad(LoadOp op) const {
    return op ? &loads.find(labelled.label(op))->second : nullptr;
  }
  void passed(Operation *op, llvm::StringLiteral name, const Twine &text) {
    remarkPassed(op, kPass, name, text);
  }

  gpu::GPUFuncOp kernel;
  const arch::ArchInfo &chip;
  MLIRContext *context;
  ScheduleAttr schedule;
  LabelledOps labelled;
  SmallVector<DotPlan> dots;
  llvm::MapVector<StringAttr, LoadPlan> loads;
  WaveGrid waves = {1, 1};
  unsigned wavesPerEu = 1;
  GridOrder gridOrder = GridOrder::NFastest;
};

} // namespace

static RankedTensorType getTile(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static int64_t getTileBytes(RankedTensorType type) {
  return llvm::divideCeil(
      uint64_t(type.getNumElements()) * type.getElementTypeBitWidth(), 8);
}

int64_t LoadPlan::tileBytes() const {
  int64_t bytes = 0;
  for (LoadOp op : ops)
    bytes = std::max(bytes, getTileBytes(getTile(op->getResult(0))));
  return bytes;
}

static std::string describe(const WaveGrid &grid) {
  return llvm::formatv("[{0}, {1}]", grid[0], grid[1]);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

LogicalResult Resolver::checkKeys() {
  if (!schedule)
    return success();
  for (NamedAttribute entry : schedule.getEntries()) {
    StringRef key = entry.getName();
    if (llvm::is_contained(getGlobalScheduleKeys(), key) ||
        labelled.lookup(key))
      continue;
    SmallVector<StringRef> known;
    for (const auto &[label, group] : labelled.getGroups())
      known.push_back(label);
    return kernel.emitOpError()
           << "schedule key '" << key
           << "' is no label of this kernel; labels: "
           << (known.empty() ? "none" : llvm::join(known, ", "))
           << "; keys of the kernel: "
           << llvm::join(getGlobalScheduleKeys(), ", ");
  }
  return success();
}

LogicalResult Resolver::resolveGrid() {
  auto emitError = [&] {
    return kernel.emitOpError() << "schedule entry 'grid': ";
  };
  auto order = readGridRequest(getEntry("grid"), emitError);
  if (failed(order))
    return failure();
  if (!*order)
    passed(kernel, "GridOrder",
           "grid order = n_fastest: consecutive workgroups share the rows of "
           "the first operand");
  gridOrder = order->value_or(GridOrder::NFastest);
  return success();
}

LogicalResult Resolver::checkStores() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Store)
      continue;
    auto emitError = [&, &op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    if (failed(readStoreRequest(getEntry(label), emitError)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// The operand type in the matrix table; none where it has no row.
static std::optional<arch::ElementType> getMatrixType(Type type) {
  if (type.isF32())
    return arch::ElementType::F32;
  if (type.isF16())
    return arch::ElementType::F16;
  if (type.isBF16())
    return arch::ElementType::Bf16;
  if (type.isInteger(8))
    return arch::ElementType::I8;
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(type))
    return arch::ElementType::Fp8;
  if (isa<Float8E5M2Type, Float8E5M2FNUZType>(type))
    return arch::ElementType::Bf8;
  return std::nullopt;
}

/// The type of the same format in the other flavour of 8-bit floats, or null.
static StringRef getFlavourFix(Type type, arch::Fp8Flavour flavour) {
  bool ocp = flavour == arch::Fp8Flavour::Ocp;
  if (isa<Float8E4M3FNType>(type) && !ocp)
    return "f8E4M3FNUZ";
  if (isa<Float8E5M2Type>(type) && !ocp)
    return "f8E5M2FNUZ";
  if (isa<Float8E4M3FNUZType>(type) && ocp)
    return "f8E4M3FN";
  if (isa<Float8E5M2FNUZType>(type) && ocp)
    return "f8E5M2";
  return {};
}

LogicalResult Resolver::checkMatrixType(const DotPlan &dot) {
  std::optional<arch::ElementType> types[2];
  DotOp op = dot.op;
  for (auto [index, operand] :
       llvm::enumerate(ArrayRef<Value>{op.getA(), op.getB()})) {
    Type element = getTile(operand).getElementType();
    types[index] = getMatrixType(element);
    StringRef fix = chip.fp8 ? getFlavourFix(element, *chip.fp8) : StringRef();
    if (!fix.empty())
      return op.emitOpError()
             << "has operands of " << element << ", but the matrix unit of "
             << chip.name << " takes " << fix;
    if (!types[index])
      return op.emitOpError() << "has operands of " << element
                              << ", which no matrix instruction takes";
  }
  unsigned side = dot.policy.mfma;
  if (!arch::legalMfmaK(chip.chip, side, side, *types[0], *types[1]).empty())
    return success();
  return op.emitOpError() << "asks for mfma " << side << "x" << side
                          << ", which " << chip.name << " does not have for "
                          << getTile(op.getA()).getElementType();
}

/// The request of the dot's own entry, completed by those of the loops around
/// it, the innermost first.
LogicalResult Resolver::resolveDot(DotPlan &dot) {
  DotRequest request;
  auto merge = [&](Operation *at, StringAttr label) -> LogicalResult {
    auto emitError = [&] {
      return at->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto more = DotRequest::read(getEntry(label), emitError);
    if (failed(more))
      return failure();
    if (!request.mfma)
      request.mfma = more->mfma;
    if (!request.transposed)
      request.transposed = more->transposed;
    return success();
  };
  if (failed(merge(dot.op, dot.label)))
    return failure();
  for (Operation *parent = dot.op->getParentOp(); parent != kernel;
       parent = parent->getParentOp())
    if (StringAttr label = labelled.label(parent))
      if (failed(merge(parent, label)))
        return failure();

  if (!request.mfma)
    passed(dot.op, "MfmaShape",
           "mfma = 16x16: fits every tile that a 32x32 fits, with fewer "
           "registers a block");
  dot.policy.mfma = request.mfma.value_or(16);
  if (!request.transposed) {
    StoreOp store = findStore(dot.op.getResult());
    std::optional<unsigned> contiguous;
    if (store)
      contiguous = store.getView().getType().getContiguousDim();
    unsigned last = store ? store.getView().getType().getRank() - 1 : 0;
    request.transposed = contiguous && *contiguous == last;
    passed(dot.op, "AccumulatorOrder",
           *request.transposed
               ? "acc = transposed: the store is contiguous along columns, so "
                 "a lane holds 4 contiguous columns"
               : "acc = plain: the result is not stored contiguously along "
                 "columns");
  }
  dot.policy.transposed = *request.transposed;
  return checkMatrixType(dot);
}

LogicalResult Resolver::collectDots() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Dot)
      continue;
    for (Operation *op : group.ops) {
      DotPlan dot;
      dot.op = cast<DotOp>(op);
      dot.label = label;
      RankedTensorType a = getTile(dot.op.getA());
      dot.m = a.getDimSize(0);
      dot.k = a.getDimSize(1);
      dot.n = getTile(dot.op.getB()).getDimSize(0);
      dot.elementBytes = a.getElementTypeBitWidth() / 8;
      dot.a = findLoad(dot.op.getA());
      dot.b = findLoad(dot.op.getB());
      if (failed(resolveDot(dot)))
        return failure();
      dots.push_back(dot);
    }
  }
  // Also the entries of loops without dots must be well-formed.
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Loop)
      continue;
    auto emitError = [&, op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    if (failed(DotRequest::read(getEntry(label), emitError)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

bool Resolver::splits(const WaveGrid &grid) const {
  return llvm::all_of(dots, [&](const DotPlan &dot) {
    return dot.m % (grid[0] * dot.policy.mfma) == 0 &&
           dot.n % (grid[1] * dot.policy.mfma) == 0;
  });
}

/// The split of `count` waves with the least LDS reads a matrix instruction:
/// all splits have as many instructions, and a wave reads its rows and columns.
std::optional<WaveGrid> Resolver::findSplit(int64_t count) const {
  std::optional<WaveGrid> best;
  int64_t bestReads = 0;
  for (int64_t rows = 1; rows <= count; ++rows) {
    WaveGrid grid = {rows, count / rows};
    if (count % rows != 0 || !splits(grid))
      continue;
    int64_t reads = 0;
    for (const DotPlan &dot : dots)
      reads += (dot.m / grid[0] + dot.n / grid[1]) * dot.k * dot.elementBytes;
    if (dots.empty() && rows != count) // Rows of waves for elementwise code.
      continue;
    if (best && reads >= bestReads)
      continue;
    best = grid;
    bestReads = reads;
  }
  return best;
}

LogicalResult Resolver::checkSplit(const WaveGrid &grid) {
  for (const DotPlan &dot : dots) {
    for (auto [what, extent, count] : {std::tuple("rows", dot.m, grid[0]),
                                       std::tuple("columns", dot.n, grid[1])}) {
      if (extent % (count * dot.policy.mfma) == 0)
        continue;
      DotOp op = dot.op;
      InFlightDiagnostic diag =
          op.emitOpError() << "tile of " << dot.m << "x" << dot.n
                           << " does not split over waves = " << describe(grid)
                           << ": " << extent << " " << what
                           << " are not a multiple of "
                           << count * dot.policy.mfma << " (" << count
                           << " waves * mfma of " << dot.policy.mfma << ")";
      if (auto other = findSplit(grid[0] * grid[1]))
        diag.attachNote(kernel.getLoc())
            << "fix: waves = " << describe(*other) << " fits this tile";
      return diag;
    }
  }
  return success();
}

LogicalResult Resolver::resolveWaves() {
  Attribute entry = getEntry("waves");
  auto fail = [&]() {
    return kernel.emitOpError() << "schedule entry 'waves': ";
  };
  SmallVector<int64_t, 2> numbers;
  if (auto list = dyn_cast_or_null<ArrayAttr>(entry)) {
    for (Attribute side : list)
      if (auto number = dyn_cast<IntegerAttr>(side))
        numbers.push_back(number.getInt());
    if (numbers.size() != list.size() || numbers.empty() || numbers.size() > 2)
      return fail() << "expected rows and columns, as in [2, 2], a number of "
                       "waves, or auto";
  } else if (auto number = dyn_cast_or_null<IntegerAttr>(entry)) {
    numbers.push_back(number.getInt());
  } else if (auto word = dyn_cast_or_null<StringAttr>(entry);
             entry && (!word || word.getValue() != "auto")) {
    return fail() << "expected rows and columns, as in [2, 2], a number of "
                     "waves, or auto";
  }
  int64_t count = 1;
  int64_t most = *chip.workgroups.maxThreads / *chip.waveSize;
  for (int64_t number : numbers) {
    count = number < 1 || number > most ? 0 : count * number;
    if (count == 0 || count > most)
      break;
  }
  if (!numbers.empty() && (count > most || !llvm::isPowerOf2_64(count)))
    return fail() << "the number of waves must be a power of two from 1 to "
                  << most << " (" << *chip.workgroups.maxThreads
                  << " threads on " << chip.name << ")";
  if (isa_and_nonnull<ArrayAttr>(entry)) {
    waves = {numbers[0], numbers.size() == 2 ? numbers[1] : 1};
    return checkSplit(waves);
  }
  // A count without a split, or neither: 4 fill the SIMDs once.
  std::optional<WaveGrid> best;
  if (!numbers.empty()) {
    best = findSplit(count);
  } else {
    for (count = *chip.simdsPerCu; !best && count > 0; count /= 2)
      best = findSplit(count);
  }
  if (!best)
    return numbers.empty() ? checkSplit({1, 1}) : checkSplit({1, count});
  waves = *best;
  passed(kernel, "Waves",
         "waves = " + describe(waves) +
             ": the split with the least LDS reads a matrix instruction");
  return success();
}

LogicalResult Resolver::resolveWavesPerEu() {
  unsigned least = llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
  wavesPerEu = least;
  Attribute entry = getEntry("waves_per_eu");
  auto word = dyn_cast_or_null<StringAttr>(entry);
  if (!entry || (word && word.getValue() == "auto")) {
    passed(kernel, "WavesPerEu",
           "waves_per_eu = " + Twine(least) +
               ": one workgroup a compute unit leaves each wave the most "
               "registers");
    return success();
  }
  unsigned most = *chip.workgroups.maxWavesPerSimd;
  auto number = dyn_cast<IntegerAttr>(entry);
  if (!number || number.getInt() < least || number.getInt() > most)
    return kernel.emitOpError()
           << "schedule entry 'waves_per_eu': expected a number from " << least
           << " (a workgroup of " << waves[0] * waves[1] << " waves on "
           << *chip.simdsPerCu << " SIMDs) to " << most << ", or auto";
  wavesPerEu = number.getInt();
  return success();
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

LogicalResult Resolver::collectLoads() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Load)
      continue;
    LoadPlan &load = loads[label];
    load.label = label;
    for (Operation *op : group.ops) {
      load.ops.push_back(cast<LoadOp>(op));
      auto pipeline = dyn_cast<PipelineOp>(op->getParentOp());
      load.runsAhead &=
          pipeline && op->getParentRegion() == &pipeline.getPrefetch();
    }
    auto emitError = [&, op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto request = OperandRequest::read(getEntry(label), emitError);
    if (failed(request))
      return failure();
    load.request = *request;
  }
  for (const DotPlan &dot : dots)
    for (LoadOp op : {dot.a, dot.b})
      if (op)
        loads[labelled.label(op)].feedsDot = true;
  return success();
}

/// An XOR of 16-byte chunks stays inside a row only where the row is a power
/// of two of them.
LogicalResult Resolver::resolveSwizzle(LoadPlan &load) {
  using Swizzle = OperandPolicy::Swizzle;
  RankedTensorType tile = getTile(load.ops.front()->getResult(0));
  int64_t rowBytes = tile.getShape().back() * tile.getElementTypeBitWidth() / 8;
  bool fits = llvm::isPowerOf2_64(rowBytes / kAccessBytes);
  if (!load.request.swizzle) {
    load.policy.swizzle = fits ? Swizzle::Xor : Swizzle::None;
    passed(load.ops.front(), "Swizzle",
           fits ? Twine("swizzle = xor: rows are a power of two of 16-byte "
                        "chunks")
                : "swizzle = none: a row of " + Twine(rowBytes) +
                      " bytes is no power of two of 16-byte chunks");
    return success();
  }
  load.policy.swizzle = *load.request.swizzle;
  if (fits || load.policy.swizzle == Swizzle::None)
    return success();
  InFlightDiagnostic diag =
      load.ops.front().emitOpError()
      << "cannot be swizzled by xor: a row of " << rowBytes << " bytes is "
      << rowBytes / kAccessBytes << " chunks of 16 bytes, no power of two";
  diag.attachNote() << "fix: swizzle = none, or a tile of a power of two in k";
  return diag;
}

LogicalResult Resolver::resolveLoads() {
  // Two buffers where they fit beside all others, else one.
  int64_t bytes = 0;
  for (auto &[label, load] : loads) {
    load.policy.inLds = load.request.inLds.value_or(load.feedsDot);
    unsigned stages = load.request.stages.value_or(load.runsAhead ? 2 : 1);
    load.policy.stages = stages;
    bytes += load.ldsBytes();
  }
  bool twoFit = bytes <= int64_t(*chip.lds.bytes);
  for (auto &[label, load] : loads) {
    LoadOp op = load.ops.front();
    if (!load.policy.inLds)
      continue;
    if (!load.feedsDot)
      return op.emitOpError() << "feeds no dot, so its tile has no use in LDS: "
                                 "schedule it as regs";
    if (load.policy.stages == 2 && !load.runsAhead)
      return op.emitOpError() << "cannot have 2 stages in LDS: it is not in "
                                 "the prefetch of a fly.pipeline";
    if (!load.request.stages && load.runsAhead) {
      load.policy.stages = twoFit ? 2 : 1;
      passed(op, "Stages",
             llvm::formatv("stages = {0}: two of each take {1} bytes of LDS, "
                           "{2} has {3}",
                           load.policy.stages, bytes, chip.name,
                           *chip.lds.bytes)
                 .str());
    }
    if (failed(resolveSwizzle(load)))
      return failure();
    int64_t round = threads() * kAccessBytes;
    if (load.tileBytes() % round != 0)
      passed(op, "GuardedCopy",
             llvm::formatv("the tile of {0} bytes is no multiple of {1} ({2} "
                           "threads * 16 bytes): the copy is guarded, some "
                           "threads are idle in its last round",
                           load.tileBytes(), round, threads())
                 .str());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

LogicalResult Resolver::checkRows(const DotPlan &dot) {
  DotOp op = dot.op;
  int64_t rowBytes = dot.k * dot.elementBytes;
  Type element = getTile(op.getA()).getElementType();
  if (rowBytes % kRowBytes != 0)
    return op.emitOpError()
           << "has rows of " << dot.k << " * " << dot.elementBytes << " = "
           << rowBytes << " bytes along k, which are not a multiple of "
           << kRowBytes << ": use a tile_k that is a multiple of "
           << kRowBytes / dot.elementBytes << " for " << element;
  if (dot.k % dot.microStep() != 0)
    return op.emitOpError()
           << "has a tile_k of " << dot.k << ", which is not a multiple of "
           << dot.microStep() << ", the elements that 64 lanes with 16 bytes "
           << "each cover for mfma " << dot.policy.mfma << "x"
           << dot.policy.mfma << " of " << element;
  return success();
}

LogicalResult Resolver::checkLds() {
  Budget budget, oneStage;
  for (const auto &[label, load] : loads) {
    if (!load.policy.inLds)
      continue;
    RankedTensorType tile = getTile(load.ops.front()->getResult(0));
    std::string shape = llvm::join(
        llvm::map_range(tile.getShape(),
                        [](int64_t extent) { return std::to_string(extent); }),
        "x");
    budget.add(llvm::formatv("{0}: {1} stage{2} of {3} elements of {4} bits",
                             label.getValue(), load.policy.stages,
                             load.policy.stages == 1 ? "" : "s", shape,
                             tile.getElementTypeBitWidth()),
               load.ldsBytes());
    oneStage.add("", load.tileBytes());
  }
  std::string fix = "smaller tiles, or regs for an operand";
  if (oneStage.total() <= *chip.lds.bytes)
    fix = llvm::formatv("stages = 1 needs {0} bytes", oneStage.total());
  if (failed(checkLdsBudget(kernel, chip, budget, fix)))
    return failure();
  passed(kernel, "LdsBytes",
         "LDS: " + Twine(budget.total()) + " of " + Twine(*chip.lds.bytes) +
             " bytes");
  return success();
}

/// Registers of a lane while `dot` runs: accumulators, what the next matrix
/// instructions read, what the next iteration's loads bring, addresses.
Budget Resolver::getRegisters(const DotPlan &dot) const {
  Budget budget;
  int64_t count = waves[0] * waves[1];
  budget.add(llvm::formatv("accumulators: {0}x{1} / (64 lanes * {2} waves)",
                           dot.m, dot.n, count),
             dot.m * dot.n / (64 * count));
  for (auto [name, op, extent, split] :
       {std::tuple("A", dot.a, dot.m, waves[0]),
        std::tuple("B", dot.b, dot.n, waves[1])}) {
    const LoadPlan *load = getLoad(op);
    bool inLds = load && load->policy.inLds;
    // From LDS one micro-step at a time; from global memory the whole tile.
    int64_t depth = !load || inLds ? dot.microStep() : dot.k;
    int64_t fragment = extent / split * depth * dot.elementBytes / (64 * 4);
    budget.add(llvm::formatv("fragments of {0}: {1}x{2} * {3} bytes / (64 "
                             "lanes * 4 bytes)",
                             name, extent / split, depth, dot.elementBytes),
               fragment);
    if (!load || !load->runsAhead)
      continue;
    if (inLds)
      budget.add(llvm::formatv("prefetch of {0}: {1} bytes in 16-byte loads "
                               "of {2} threads",
                               name, load->tileBytes(), threads()),
                 llvm::divideCeil(load->tileBytes(), threads() * kAccessBytes) *
                     (kAccessBytes / 4));
    else
      budget.add(
          llvm::formatv("prefetch of {0}: a second set of fragments", name),
          fragment);
  }
  budget.add("addresses (estimate)", kAddressRegisters);
  return budget;
}

LogicalResult Resolver::checkRegisters() {
  for (const DotPlan &dot : dots) {
    Budget budget = getRegisters(dot);
    unsigned least = llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
    StringRef fix =
        wavesPerEu > least && budget.total() <= registerLimit(chip, least)
            ? "a smaller waves_per_eu"
            : "smaller tiles";
    if (failed(checkRegisterBudget(kernel, chip, wavesPerEu, budget, fix)))
      return failure();
    passed(dot.op, "Registers",
           "estimated " + Twine(budget.total()) + " of " +
               Twine(registerLimit(chip, wavesPerEu)) +
               " vector registers a lane");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

void Resolver::write() {
  Builder builder(context);
  numLabels = labelled.apply();
  NamedAttrList entries;
  for (StringRef key : {"sizes", "codegen"})
    if (Attribute entry = getEntry(key))
      entries.set(key, entry);
  entries.set("waves",
              builder.getArrayAttr({builder.getI64IntegerAttr(waves[0]),
                                    builder.getI64IntegerAttr(waves[1])}));
  entries.set("waves_per_eu", builder.getI64IntegerAttr(wavesPerEu));
  StringRef order =
      gridOrder == GridOrder::NFastest ? "n_fastest" : "m_fastest";
  entries.set("grid", builder.getDictionaryAttr(builder.getNamedAttr(
                          "order", builder.getStringAttr(order))));
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind == LabelledOps::Kind::Store)
      entries.set(label, builder.getDictionaryAttr(builder.getNamedAttr(
                             "epilogue", builder.getStringAttr("direct"))));
    // A loop's entry is the default of its dots, which have their own now.
    if (group.kind == LabelledOps::Kind::Loop)
      if (Attribute entry = getEntry(label))
        entries.set(label, entry);
  }
  for (const auto &[label, load] : loads)
    entries.set(label, load.policy.toAttr(context));
  for (const DotPlan &dot : dots) {
    entries.set(dot.label, dot.policy.toAttr(context));
    if (StringAttr loop = labelled.label(dot.op->getParentOp()))
      entries.set(loop, dot.policy.toAttr(context));
  }
  kernel->setAttr(FlyDialect::getScheduleAttrName(),
                  ScheduleAttr::get(context, entries.getDictionary(context)));
}

LogicalResult Resolver::run() {
  schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  FailureOr<LabelledOps> ops = LabelledOps::collect(kernel);
  if (failed(ops))
    return failure();
  labelled = std::move(*ops);
  if (failed(checkKeys()) || failed(resolveGrid()) || failed(collectDots()) ||
      failed(collectLoads()) || failed(checkStores()))
    return failure();
  for (const DotPlan &dot : dots)
    if (failed(checkRows(dot)))
      return failure();
  if (failed(resolveWaves()) || failed(resolveWavesPerEu()) ||
      failed(resolveLoads()) || failed(checkLds()) || failed(checkRegisters()))
    return failure();
  write();
  return success();
}

namespace {
class ResolveSchedule
    : public fly::impl::FlyResolveSchedulePassBase<ResolveSchedule> {
public:
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel() || !hasTiles(kernel))
        return WalkResult::skip();
      return failed(resolve(kernel)) ? WalkResult::interrupt()
                                     : WalkResult::skip();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult resolve(gpu::GPUFuncOp kernel) {
    const arch::ArchInfo *chip = getArch(kernel);
    if (!chip)
      return failure();
    if (!chip->canCompile)
      return kernel.emitOpError()
             << "targets " << chip->name
             << ", which Fly describes but does not compile for; it compiles "
                "for: "
             << arch::knownChipNames(/*compilableOnly=*/true);
    Resolver resolver(kernel, *chip);
    if (failed(resolver.run()))
      return failure();
    ++numKernels;
    numLabels += resolver.numLabels;
    return success();
  }
};
} // namespace
