//===- TileChoice.cpp - The tile of a GEMM for a problem ------------------===//
//
// The guide's tile for the size of the batch, larger and smaller ones are tried
// with rows of K as long as LDS holds, with two buffers and with one. All that
// are legal are ranked by the cycles of their rounds over the machine
// (fly/Plan/TileCost.h).
//
//===----------------------------------------------------------------------===//
#include "TileChoice.h"

#include "fly/Arch/MatrixFormats.h"
#include "fly/Plan/Rules.h"
#include "fly/Plan/TileCost.h"
#include "fly/Plan/WaveSplit.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::gen;
using llvm::formatv;
using plan::DotTile;

namespace {
/// Rows of K of small batches have at least so many elements where K does.
constexpr int64_t kShortBatchRow = 256;
/// With one buffer the next tile waits in registers: more loads of a lane than
/// these crowd out the fragments, and the matrix unit waits for them.
constexpr int64_t kMostWaitingLoads = 12;
/// How much less another tile must take than one before it, in hundredths.
constexpr int64_t kMargin = 2;

struct Shape {
  int64_t m, n, k;
};

/// A legal tile and what its whole problem takes.
struct Ranked {
  DotTile tile;
  plan::TileCost cost;
  int64_t resident = 1; ///< Workgroups of a compute unit at once.
  double cycles = 0;
};

class TileChooser {
public:
  explicit TileChooser(Problem &problem)
      : problem(problem), options(problem.options), chip(problem.chip),
        types(problem.types) {}

  llvm::Expected<DotTile> run();

private:
  llvm::SmallVector<Shape> getCandidates();
  DotTile describeTile(const Shape &shape, int64_t k, unsigned stages) const;
  std::optional<Ranked> findBestShape(llvm::ArrayRef<Shape> shapes);
  bool isWorthTrying(const Shape &shape, int64_t k);
  bool isLegal(DotTile &tile);
  Ranked rank(const DotTile &tile) const;
  std::optional<Ranked> findBest(const Shape &shape);
  void sayCost(const Ranked &ranked);

  Problem &problem;
  const GemmOptions &options;
  const arch::ArchInfo &chip;
  const InputTypes &types;
  /// Rows of small batches may be short: no long ones are legal.
  bool mayBeShort = false;
  std::string why; ///< The rule that failed last.
};
} // namespace

std::string fly::gen::describe(const DotTile &tile) {
  return formatv("{0}x{1}x{2}", tile.m, tile.n, tile.k);
}

static bool isLess(const Ranked &ranked, const std::optional<Ranked> &best) {
  return !best || ranked.cycles * 100 < best->cycles * (100 - kMargin);
}

/// The guide's tile for the problem first.
llvm::SmallVector<Shape> TileChooser::getCandidates() {
  int64_t m = *options.m;
  if (m <= kSmallBatch) {
    problem.say(formatv("M = {0} is a small batch (at most {1}): 16 rows, long "
                        "rows of K",
                        m, kSmallBatch)
                    .str());
    return {{16, 128, 512}, {16, 64, 512}};
  }
  bool isLarge = m >= kLargeBatch, isNarrow = types.bits() < 8;
  Shape recommended = isNarrow  ? Shape{64, 256, 256}
                      : isLarge ? Shape{128, 256, 128}
                                : Shape{64, 256, 128};
  problem.say(formatv("M = {0} is {1} {2}: the guide's tile for a {3} batch is "
                      "{4}x{5}x{6}",
                      m, isLarge ? "at least" : "below", kLargeBatch,
                      isLarge ? "large" : "medium", recommended.m,
                      recommended.n, recommended.k)
                  .str());
  llvm::SmallVector<Shape> shapes = {recommended};
  auto add = [&](std::initializer_list<Shape> more) {
    for (const Shape &shape : more)
      if (shape.m != recommended.m || shape.n != recommended.n)
        shapes.push_back(shape);
  };
  if (isNarrow) {
    add({{64, 128, 256}, {32, 256, 256}, {32, 128, 256}});
    return shapes;
  }
  // A square of 256 takes eight waves, two a SIMD. Its accumulators leave no
  // registers to compute weights in, and are twice as many in double.
  if (!types.weightBits && types.bits() <= 32)
    add({{256, 256, 128}});
  add({{128, 256, 128}});
  // Both operands in LDS: nearest to a square reads least.
  if (!problem.isPreshuffled())
    add({{128, 128, 128}});
  add({{64, 256, 128},
       {64, 128, 128},
       {32, 128, 128},
       {32, 64, 128},
       {16, 64, 256}});
  return shapes;
}

/// A tile of the problem as the kernel will have it, whose waves are not known
/// yet.
DotTile TileChooser::describeTile(const Shape &shape, int64_t k,
                                  unsigned stages) const {
  DotTile tile;
  tile.m = shape.m;
  tile.n = shape.n;
  tile.k = k;
  tile.isScaled = options.scales == "mx";
  tile.a.bits = arch::bitWidth(types.a);
  tile.b.bits = arch::bitWidth(types.b);
  tile.b.inLds = !problem.isPreshuffled() && !types.weightBits;
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
  if (!problem.isPreshuffled())
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

/// Whether rows of k elements suit the problem.
bool TileChooser::isWorthTrying(const Shape &shape, int64_t k) {
  bool isSmallBatch = *options.m <= kSmallBatch && !mayBeShort;
  bool isShortest = k * types.bits() / 8 < 2 * plan::rowBlockBytes;
  // Rows beyond K are padding.
  if (k / 2 >= *options.k && !isShortest)
    return false;
  if (isSmallBatch && k < kShortBatchRow && *options.k >= 2 * k)
    return false;
  if (types.weightBits && k % options.group != 0) {
    // Of shorter rows the reason is why longer ones are not taken.
    if (k == shape.k)
      why = formatv("{0} elements of K are no multiple of the {1} that share a "
                    "scale",
                    k, options.group);
    return false;
  }
  if (problem.isPreshuffled() && *options.k % k != 0) {
    why = formatv("K = {0} is no multiple of {1}", *options.k, k);
    return false;
  }
  return true;
}

/// Splits the tile over waves and applies all rules; `why` keeps which fails.
bool TileChooser::isLegal(DotTile &tile) {
  auto waves = plan::chooseWaves(chip, tile, /*mayDouble=*/true);
  if (!waves) {
    why = "no split over waves";
    return false;
  }
  tile.wavesM = (*waves)[0];
  tile.wavesN = (*waves)[1];
  int64_t loads = tile.copyRounds(DotTile::A) +
                  (tile.b.inLds ? tile.copyRounds(DotTile::B) : 0);
  if (tile.a.stages == 1 && loads > kMostWaitingLoads && !mayBeShort) {
    why = formatv("one buffer: {0} loads of a lane wait for it in registers, "
                  "more than {1}",
                  loads, kMostWaitingLoads);
    return false;
  }
  plan::Budget lds;
  lds.add(
      formatv("{0} buffer{1}", tile.a.stages, tile.a.stages == 1 ? "" : "s"),
      tile.ldsBytes());
  if (!options.splitK.empty() || !options.streamK.empty())
    lds.add("the count of parts", kCountBytes);
  for (const plan::Rule &rule :
       {plan::checkInstruction(chip, tile, types.a, types.b),
        plan::checkRows(tile), plan::checkPacks(tile),
        plan::checkLds(chip, lds),
        plan::checkSpills(chip, tile,
                          llvm::divideCeil(tile.waves(), *chip.simdsPerCu))})
    if (!rule.holds) {
      why = rule.name + ": " + rule.text;
      return false;
    }
  return true;
}

/// Of full rounds over the machine, and of one with what is left.
Ranked TileChooser::rank(const DotTile &tile) const {
  Ranked ranked;
  ranked.tile = tile;
  ranked.cost = plan::estimateCost(
      chip, tile, *plan::findInstruction(chip, tile, types.a, types.b),
      types.bits() < 8);
  ranked.resident = plan::estimateResident(chip, tile);
  int64_t workgroups = problem.workgroupsOf(tile);
  int64_t slots = problem.computeUnits() * ranked.resident;
  double steps = llvm::divideCeil(*options.k, tile.k);
  ranked.cycles =
      steps * (workgroups / slots) * ranked.cost.ofResident(ranked.resident);
  if (int64_t rest = workgroups % slots)
    ranked.cycles +=
        steps *
        ranked.cost.ofResident(llvm::divideCeil(rest, problem.computeUnits()));
  return ranked;
}

/// The best rows and buffers of a shape; none where a rule fails for all.
std::optional<Ranked> TileChooser::findBest(const Shape &shape) {
  std::optional<Ranked> best;
  for (int64_t k = shape.k; k * types.bits() / 8 >= plan::rowBlockBytes;
       k /= 2) {
    if (!isWorthTrying(shape, k))
      continue;
    for (unsigned stages : {2, 1}) {
      DotTile tile = describeTile(shape, k, stages);
      if (!isLegal(tile))
        continue;
      Ranked ranked = rank(tile);
      if (isLess(ranked, best))
        best = ranked;
    }
  }
  return best;
}

void TileChooser::sayCost(const Ranked &ranked) {
  const DotTile &tile = ranked.tile;
  int64_t workgroups = problem.workgroupsOf(tile);
  problem.say(
      formatv("{0}, {1} buffer{2}: {3} workgroups, {4} at once on each of {5} "
              "compute units, about {6:f0} cycles; a tile of K: matrix {7:f0}, "
              "LDS {8:f0}, memory {9:f0}, waits {10:f0}",
              describe(tile), tile.a.stages, tile.a.stages == 1 ? "" : "s",
              workgroups, ranked.resident, problem.computeUnits(),
              ranked.cycles, ranked.cost.matrix, ranked.cost.lds,
              ranked.cost.memory, ranked.cost.waits)
          .str());
}

std::optional<Ranked> TileChooser::findBestShape(llvm::ArrayRef<Shape> shapes) {
  std::optional<Ranked> best;
  for (const Shape &shape : shapes) {
    std::optional<Ranked> ranked = findBest(shape);
    if (!ranked) {
      problem.say(formatv("not {0}x{1}: {2}", shape.m, shape.n, why).str());
      continue;
    }
    sayCost(*ranked);
    if (isLess(*ranked, best))
      best = ranked;
  }
  return best;
}

llvm::Expected<DotTile> TileChooser::run() {
  llvm::SmallVector<Shape> shapes = getCandidates();
  std::optional<Ranked> best = findBestShape(shapes);
  if (!best) {
    mayBeShort = true;
    best = findBestShape(shapes);
  }
  if (!best)
    return llvm::createStringError("--tile=auto: no recommended tile is legal "
                                   "on " +
                                   llvm::Twine(chip.name) + " for " +
                                   options.in + "; the last one: " + why);
  return best->tile;
}

llvm::Expected<DotTile> fly::gen::chooseTile(Problem &problem) {
  return TileChooser(problem).run();
}
