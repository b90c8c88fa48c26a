//===- GemmChoice.cpp - A GEMM for a problem ------------------------------===//
//
// Tiles are tried from the one that the guide recommends to smaller ones. The
// first legal one is taken if it has a workgroup for each compute unit; else
// the one whose rounds over the machine are done first, by the matrix
// instructions or the bytes of a tile, whichever takes longer. Then the other
// levers follow from the tile. A lever that this version of the generator does
// not take is left out, which its line says.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/GemmChoice.h"

#include "fly/Arch/MatrixFormats.h"
#include "fly/Arch/Products.h"
#include "fly/Plan/Machine.h"
#include "fly/Plan/Rules.h"
#include "fly/Plan/WaveSplit.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::gen;
using llvm::formatv;
using llvm::StringRef;
using llvm::Twine;
using plan::DotTile;

namespace {
/// Up to so many rows the guide takes the smallest tile with the longest rows
/// of K, from so many its largest.
constexpr int64_t kSmallBatch = 32, kLargeBatch = 4096;
/// Tiles with so many rows have the work to hide copies without registers; with
/// so many columns they gain by an epilogue through LDS.
constexpr int64_t kAsyncRows = 128, kShuffleColumns = 128;
/// Hints do not pay for 16-bit types with so few accumulators along N.
constexpr int64_t kFewAccumulators = 2;
/// Rows of K shorter than this are for problems that have no more: in bytes,
/// and in elements for small batches.
constexpr int64_t kShortRowBytes = 128, kShortBatchRow = 256;
/// How much less another tile must take than one before it, in hundredths.
constexpr int64_t kMargin = 2;
/// A part of a split K has at least so many tiles, or its prologue shows.
constexpr int64_t kLeastTilesPerPart = 4;
constexpr int64_t kMostParts = 16;
/// Of LDS, for the number by which the last part knows that it is (the
/// dialect's ScalarSlot.h).
constexpr int64_t kCountBytes = 8;

struct Shape {
  int64_t m, n, k;
};

/// What a tile shall have beside being legal.
struct Wish {
  unsigned stages;
  int64_t rowBytes;
};

/// What the matrix unit multiplies.
struct InputTypes {
  arch::ElementType a, b;
  /// B is computed in registers, of weights of so many bits; 0: is loaded.
  unsigned weightBits = 0;

  unsigned bits() const {
    return std::max(arch::bitWidth(a), arch::bitWidth(b));
  }
};

/// Decides one GEMM.
class Chooser {
public:
  Chooser(GemmOptions &options, const arch::ArchInfo &chip,
          const arch::Product &product, const InputTypes &types)
      : options(options), chip(chip), product(product), types(types) {}

  llvm::Error run();
  std::vector<std::string> lines;

private:
  void say(const Twine &line) { lines.push_back(line.str()); }
  llvm::SmallVector<Shape> getCandidates();
  DotTile describeTile(const Shape &shape, int64_t k, unsigned stages) const;
  std::optional<DotTile> makeLegal(Shape shape, const Wish &wish,
                                   std::string &why);
  double getCycles(const DotTile &tile) const;
  std::optional<DotTile> findTile(llvm::ArrayRef<Shape> shapes,
                                  const Wish &wish, std::string &why);
  llvm::Error chooseTile();
  void chooseCopy();
  void chooseEpilogue();
  void chooseHints();
  void chooseWalk();
  void chooseParts();
  void requireMultiples();
  bool attempt(llvm::function_ref<void(GemmOptions &)> change, StringRef name,
               const Twine &why);

  int64_t workgroupsOf(const DotTile &tile) const {
    return llvm::divideCeil(*options.m, tile.m) *
           llvm::divideCeil(*options.n, tile.n);
  }
  int64_t computeUnits() const { return *product.computeUnits; }
  bool isPreshuffled() const { return options.bLayout == "preshuffle"; }

  GemmOptions &options;
  const arch::ArchInfo &chip;
  const arch::Product &product;
  const InputTypes &types;
  DotTile tile;
};
} // namespace

/// The types of `--in`: as MLIR or as the matrix table spells them.
static llvm::Expected<InputTypes> parseInputTypes(StringRef in,
                                                  const arch::ArchInfo &chip) {
  auto find = [&](StringRef name) {
    std::optional<arch::ElementType> found =
        arch::elementTypeOfMlir(name, *chip.fp8);
    using E = arch::ElementType;
    for (E type : {E::Fp8, E::Bf8, E::Fp6, E::Bf6, E::Fp4})
      if (name == arch::elementTypeName(type))
        found = type;
    return found;
  };
  auto [first, second] = in.split(',');
  bool isInt4 = second == "i4";
  auto a = find(first), b = find(second.empty() || isInt4 ? first : second);
  if (!a || !b)
    return llvm::createStringError("--in=" + in +
                                   ": no tile is chosen for these types; say "
                                   "--tile=MxNxK");
  return InputTypes{*a, *b, isInt4 ? 4u : 0u};
}

static std::string describe(const Shape &shape) {
  return formatv("{0}x{1}x{2}", shape.m, shape.n, shape.k);
}

/// The guide's tiles for the problem, then smaller ones.
llvm::SmallVector<Shape> Chooser::getCandidates() {
  int64_t m = *options.m;
  if (m <= kSmallBatch) {
    say(formatv("M = {0} is a small batch (at most {1}): 16 rows, long rows of "
                "K",
                m, kSmallBatch)
            .str());
    return {{16, 128, 512}, {16, 64, 512}, {16, 128, 256}, {16, 64, 256}};
  }
  llvm::SmallVector<Shape> shapes;
  bool isLarge = m >= kLargeBatch;
  say(formatv("M = {0} is {1} {2}: {3}", m, isLarge ? "at least" : "below",
              kLargeBatch,
              isLarge ? "the guide's large batch" : "the guide's medium batch")
          .str());
  if (types.bits() < 8)
    return {{64, 256, 256}, {64, 128, 256}, {32, 256, 256}, {32, 128, 256}};
  if (isLarge)
    shapes.push_back({128, 256, 128});
  // Both operands in LDS: nearest to a square reads least.
  if (isLarge && !isPreshuffled())
    shapes.push_back({128, 128, 128});
  for (Shape shape :
       {Shape{64, 256, 128}, Shape{64, 128, 128}, Shape{32, 128, 128},
        Shape{32, 64, 128}, Shape{16, 64, 256}})
    shapes.push_back(shape);
  return shapes;
}

/// A tile of the problem as the kernel will have it, whose waves are not known
/// yet.
DotTile Chooser::describeTile(const Shape &shape, int64_t k,
                              unsigned stages) const {
  DotTile tile;
  tile.m = shape.m;
  tile.n = shape.n;
  tile.k = k;
  tile.isScaled = options.scales == "mx";
  tile.a.bits = arch::bitWidth(types.a);
  tile.b.bits = arch::bitWidth(types.b);
  tile.b.inLds = !isPreshuffled() && !types.weightBits;
  tile.b.isLoaded = !types.weightBits;
  tile.a.stages = tile.b.stages = stages;
  // What requireMultiples() will say of rows: whole packs, or nothing.
  auto getLoadBytes = [&](unsigned bits, bool isTransposed, int64_t rows) {
    int64_t extent = isTransposed ? rows : *options.k;
    bool isWide = extent * bits % (plan::accessBytes * 8) == 0;
    return isWide ? plan::accessBytes : std::max<int64_t>(1, bits / 8);
  };
  tile.a.loadBytes =
      getLoadBytes(tile.a.bits, options.operands[0] == 't', *options.m);
  if (!isPreshuffled())
    tile.b.loadBytes =
        getLoadBytes(tile.b.bits, options.operands[1] == 'n', *options.n);
  if (tile.isScaled)
    for (plan::OperandTile *operand : {&tile.a, &tile.b})
      operand->sources.push_back({"scales", k / arch::scaleBlock, 8});
  if (unsigned bits = types.weightBits) {
    // As many elements as 16 bytes of the weights have are read of both.
    tile.pack = plan::accessBytes * 8 / bits;
    while (tile.pack > plan::accessBytes * 8 / tile.a.bits &&
           k % tile.microStep() != 0)
      tile.pack /= 2;
    int64_t bytes = getLoadBytes(bits, /*isTransposed=*/false, *options.n);
    tile.b.widestBits = 32;
    tile.b.sources.push_back({formatv("weights of {0} bits", bits), k, bits,
                              std::min(tile.pack, bytes * 8 / bits)});
    tile.b.sources.push_back(
        {"scales", (k + options.group - 1) / options.group, tile.b.bits});
  }
  return tile;
}

/// The tile with as long rows of K as LDS holds. None where a rule fails, which
/// `why` tells.
std::optional<DotTile> Chooser::makeLegal(Shape shape, const Wish &wish,
                                          std::string &why) {
  auto fails = [&](const plan::Rule &rule) {
    if (!rule.holds)
      why = rule.name + ": " + rule.text;
    return !rule.holds;
  };
  auto isShort = [&](int64_t k) {
    return k * types.bits() / 8 < wish.rowBytes;
  };
  for (int64_t k = shape.k; k * types.bits() / 8 >= plan::rowBlockBytes;
       k /= 2) {
    DotTile tile = describeTile(shape, k, wish.stages);
    // Rows beyond K are padding.
    if (k / 2 >= *options.k && !isShort(k / 2))
      continue;
    if (isShort(k) && *options.k >= 2 * k)
      continue;
    if (types.weightBits && k % options.group != 0) {
      // Of shorter rows the reason is why longer ones are not taken.
      if (k == shape.k)
        why = formatv("{0} elements of K are no multiple of the {1} that share "
                      "a scale",
                      k, options.group);
      continue;
    }
    if (isPreshuffled() && *options.k % k != 0) {
      why = formatv("K = {0} is no multiple of {1}", *options.k, k);
      continue;
    }
    auto waves = plan::chooseWaves(chip, tile, /*mayDouble=*/true);
    if (!waves) {
      why = "no split over waves";
      return std::nullopt;
    }
    tile.wavesM = (*waves)[0];
    tile.wavesN = (*waves)[1];
    plan::Budget lds;
    lds.add(formatv("{0} buffers", wish.stages), tile.ldsBytes());
    if (!options.splitK.empty() || !options.streamK.empty())
      lds.add("the count of parts", kCountBytes);
    if (fails(plan::checkInstruction(chip, tile, types.a, types.b)) ||
        fails(plan::checkRows(tile)) || fails(plan::checkPacks(tile)) ||
        fails(plan::checkLds(chip, lds)) ||
        fails(plan::checkSpills(
            chip, tile, llvm::divideCeil(tile.waves(), *chip.simdsPerCu))))
      continue;
    return tile;
  }
  return std::nullopt;
}

/// Cycles of all rounds: of each tile of K the matrix instructions of a SIMD,
/// or the bytes of both operands into a compute unit.
double Chooser::getCycles(const DotTile &tile) const {
  const arch::MfmaRow *row =
      plan::findInstruction(chip, tile, types.a, types.b);
  double rounds = llvm::divideCeil(workgroupsOf(tile), computeUnits());
  double steps = llvm::divideCeil(*options.k, tile.k);
  double matrix = double(tile.mfmasPerTile(*row)) *
                  row->passesOn(chip.chip, types.bits() < 8) *
                  *chip.issue.mfmaPass * tile.waves() / *chip.simdsPerCu;
  double bytes =
      double(tile.tileBytes(DotTile::A) + tile.tileBytes(DotTile::B));
  return rounds * steps * std::max(matrix, bytes / *chip.issue.vmemBytes);
}

std::optional<DotTile> Chooser::findTile(llvm::ArrayRef<Shape> shapes,
                                         const Wish &wish, std::string &why) {
  std::optional<DotTile> best;
  llvm::SmallVector<std::string> tried;
  for (const Shape &shape : shapes) {
    std::optional<DotTile> legal = makeLegal(shape, wish, why);
    if (!legal) {
      say(formatv("not {0} with {1} buffer{2}, rows of {3} bytes: {4}",
                  describe(shape), wish.stages, wish.stages == 1 ? "" : "s",
                  wish.rowBytes, why)
              .str());
      continue;
    }
    std::string name = describe({legal->m, legal->n, legal->k});
    if (llvm::is_contained(tried, name))
      continue;
    tried.push_back(name);
    int64_t workgroups = workgroupsOf(*legal);
    say(formatv("{0}: {1} workgroups, {2} round{3} of {4} compute units, "
                "{5:f0} cycles at least",
                name, workgroups, llvm::divideCeil(workgroups, computeUnits()),
                workgroups <= computeUnits() ? "" : "s", computeUnits(),
                getCycles(*legal))
            .str());
    if (!best && workgroups >= computeUnits())
      return legal;
    if (!best || getCycles(*legal) * 100 < getCycles(*best) * (100 - kMargin))
      best = legal;
  }
  return best;
}

llvm::Error Chooser::chooseTile() {
  std::string why;
  llvm::SmallVector<Shape> shapes = getCandidates();
  int64_t rowBytes = *options.m <= kSmallBatch
                         ? kShortBatchRow * types.bits() / 8
                         : kShortRowBytes;
  // Better one buffer than short rows, and short rows than none.
  std::optional<DotTile> best;
  for (const Wish &wish :
       {Wish{2, rowBytes}, Wish{1, rowBytes}, Wish{1, plan::rowBlockBytes}})
    if (!best)
      best = findTile(shapes, wish, why);
  if (!best)
    return llvm::createStringError("--tile=auto: no recommended tile is legal "
                                   "on " +
                                   Twine(chip.name) + " for " + options.in +
                                   "; the last one: " + why);
  tile = *best;
  options.tile = describe({tile.m, tile.n, tile.k});
  say(formatv("tile = {0}: {1} workgroups for {2} compute units, {3} "
              "accumulator registers a lane",
              options.tile, workgroupsOf(tile), computeUnits(),
              tile.accumulatorRegisters())
          .str());
  if (options.waves.empty()) {
    options.waves = formatv("{0}x{1}", tile.wavesM, tile.wavesN);
    say("waves = " + options.waves +
        ": the split with the least reads a matrix instruction");
  }
  if (options.ldsStages.empty()) {
    options.ldsStages = std::to_string(tile.a.stages);
    DotTile two = tile;
    two.a.stages = two.b.stages = 2;
    say(formatv("lds_stages = {0}: two buffers take {1} of {2} bytes",
                options.ldsStages, two.ldsBytes(), *chip.lds.bytes)
            .str());
  }
  return llvm::Error::success();
}

/// Takes a change if the generator does; else says that it does not.
bool Chooser::attempt(llvm::function_ref<void(GemmOptions &)> change,
                      StringRef name, const Twine &why) {
  GemmOptions changed = options;
  change(changed);
  llvm::Expected<std::string> text = generateGemm(changed);
  if (!text) {
    say(name + " would be right, " + why +
        ", but: " + llvm::toString(text.takeError()));
    return false;
  }
  options = changed;
  say(name + ": " + why);
  return true;
}

void Chooser::chooseCopy() {
  if (options.async)
    return;
  if (tile.m < kAsyncRows)
    return say(formatv("copy = sync: {0} rows are less than {1}, too little "
                       "work to hide a copy without registers",
                       tile.m, kAsyncRows)
                   .str());
  attempt([](GemmOptions &o) { o.async = true; }, "copy = async",
          formatv("{0} rows are at least {1}, and it frees {2} registers of a "
                  "lane",
                  tile.m, kAsyncRows,
                  tile.copyRounds(DotTile::A) * plan::accessBytes / 4)
              .str());
}

void Chooser::chooseEpilogue() {
  if (options.store != "auto")
    return;
  if (tile.n < kShuffleColumns) {
    options.store = "direct";
    return say(formatv("epilogue = direct: {0} columns are less than {1}",
                       tile.n, kShuffleColumns)
                   .str());
  }
  // What it costs follows from layouts, which the compiler makes.
  say(formatv("epilogue = auto: {0} columns are at least {1}; "
              "fly-resolve-schedule takes cshuffle if it needs no LDS of its "
              "own",
              tile.n, kShuffleColumns)
          .str());
}

void Chooser::chooseHints() {
  if (options.hotLoop != "auto")
    return;
  if (types.bits() == 16 && tile.accumulatorsN() <= kFewAccumulators) {
    options.hotLoop = "off";
    return say(formatv("hot_loop = off: 16-bit types with num_acc_n = {0}, at "
                       "most {1}",
                       tile.accumulatorsN(), kFewAccumulators)
                   .str());
  }
  if (options.async)
    attempt([](GemmOptions &o) { o.hotLoop = "on"; }, "hot_loop = on",
            formatv("copies without registers and {0} rows", tile.m).str());
}

void Chooser::chooseWalk() {
  int64_t workgroups = workgroupsOf(tile);
  if (options.xcdSwizzle || !product.xcds)
    return;
  int64_t xcds = *product.xcds;
  if (workgroups <= computeUnits())
    return say(
        formatv("xcd = off: {0} workgroups are one round", workgroups).str());
  attempt([](GemmOptions &o) { o.xcdSwizzle = true; }, "xcd = on",
          formatv("{0} workgroups are more than one round, neighbours share "
                  "the L2 of one of {1} dies",
                  workgroups, xcds)
              .str());
}

/// More parts of K where the grid leaves most of the machine idle.
void Chooser::chooseParts() {
  int64_t workgroups = workgroupsOf(tile);
  int64_t tiles = llvm::divideCeil(*options.k, tile.k);
  int64_t parts = 1;
  while (parts * 2 * workgroups <= computeUnits() && parts < kMostParts &&
         tiles >= parts * 2 * kLeastTilesPerPart)
    parts *= 2;
  if (!options.splitK.empty() || !options.streamK.empty())
    return;
  if (parts == 1)
    return say(formatv("split_k = 1: {0} workgroups for {1} compute units, {2} "
                       "tiles of K",
                       workgroups, computeUnits(), tiles)
                   .str());
  if (tile.ldsBytes() + kCountBytes > *chip.lds.bytes)
    return say(formatv("split_k = 1: {0} parts would fill more of the machine, "
                       "but the buffers take {1} of {2} bytes of LDS and the "
                       "count of parts {3}",
                       parts, tile.ldsBytes(), *chip.lds.bytes, kCountBytes)
                   .str());
  attempt([&](GemmOptions &o) { o.splitK = std::to_string(parts); },
          formatv("split_k = {0}", parts).str(),
          formatv("{0} workgroups leave {1} of {2} compute units idle, {3} "
                  "tiles of K",
                  workgroups, computeUnits() - workgroups, computeUnits(),
                  tiles)
              .str());
}

/// The multiples that the problem has, so that accesses are wide.
void Chooser::requireMultiples() {
  if (!options.require.empty())
    return;
  int64_t pack = tile.packElements();
  std::string text;
  auto add = [&](StringRef name, int64_t extent, int64_t most) {
    int64_t multiple = extent % most == 0   ? most
                       : extent % pack == 0 ? pack
                                            : 1;
    if (multiple > 1)
      text += formatv("{0}{1}:{2}", text.empty() ? "" : ",", name, multiple);
  };
  add("K", *options.k, tile.k);
  add("N", *options.n, tile.n);
  // Rows of memory are along M where it holds A^T.
  if (options.operands[0] == 't')
    add("M", *options.m, tile.m);
  if (text.empty())
    return say(formatv("no multiples are required: K = {0} and N = {1} are no "
                       "multiples of {2}, accesses are narrow",
                       *options.k, *options.n, pack)
                   .str());
  options.require = text;
  say("require = " + text +
      ": accesses of 16 bytes; other sizes are refused "
      "at launch");
}

llvm::Error Chooser::run() {
  if (llvm::Error error = chooseTile())
    return error;
  chooseCopy();
  chooseEpilogue();
  chooseHints();
  chooseWalk();
  chooseParts();
  requireMultiples();
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
fly::gen::chooseGemm(GemmOptions &options) {
  if (!options.m || !options.n || !options.k)
    return llvm::createStringError(
        "--tile=auto: a tile is chosen for a problem; say M=.. N=.. K=..");
  for (auto [name, extent] :
       {std::pair("M", *options.m), std::pair("N", *options.n),
        std::pair("K", *options.k)})
    if (extent < 1 || extent > INT32_MAX)
      return llvm::createStringError(Twine(name) + "=" + Twine(extent) +
                                     ": expected a number from 1 to " +
                                     Twine(INT32_MAX));
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(options.chip);
  const arch::Product *product =
      chip ? arch::defaultProduct(chip->chip) : nullptr;
  if (!chip || !chip->canCompile || !product)
    return llvm::createStringError(
        "--chip=" + options.chip + ": unknown, known are: " +
        arch::knownChipNames(/*compilableOnly=*/true));
  llvm::Expected<InputTypes> types = parseInputTypes(options.in, *chip);
  if (!types)
    return types.takeError();
  Chooser chooser(options, *chip, *product, *types);
  if (llvm::Error error = chooser.run())
    return std::move(error);
  return std::move(chooser.lines);
}
