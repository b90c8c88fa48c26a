//===- GemmChoice.cpp - A GEMM for a problem ------------------------------===//
//
// The tile is chosen first (TileChoice.cpp), then the other levers follow from
// it. What the compiler decides better, since it sees the code, is left to it,
// which the line says. So is a lever that the generator does not take.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/GemmChoice.h"

#include "fly/Arch/MatrixFormats.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "TileChoice.h"

using namespace fly;
using namespace fly::gen;
using llvm::formatv;
using llvm::StringRef;
using llvm::Twine;
using plan::DotTile;

namespace {
/// Tiles with so many rows have the work to hide copies without registers; with
/// so many columns they gain by an epilogue through LDS.
constexpr int64_t kAsyncRows = 128, kShuffleColumns = 128;
/// Hints do not pay for 16-bit types with so few accumulators along N.
constexpr int64_t kFewAccumulators = 2;
/// A part of a split K has at least so many tiles, or its prologue shows.
constexpr int64_t kLeastTilesPerPart = 4;
constexpr int64_t kMostParts = 16;

/// Decides one GEMM.
class Chooser {
public:
  explicit Chooser(Problem &problem)
      : problem(problem), options(problem.options), chip(problem.chip),
        types(problem.types) {}

  llvm::Error run();

private:
  void say(const Twine &line) { problem.say(line); }
  llvm::Error takeTile();
  void chooseCopy();
  void chooseEpilogue();
  void chooseHints();
  void chooseWalk();
  void chooseParts();
  void requireMultiples();
  bool attempt(llvm::function_ref<void(GemmOptions &)> change, StringRef name,
               const Twine &why);

  int64_t workgroups() const { return problem.workgroupsOf(tile); }
  int64_t computeUnits() const { return problem.computeUnits(); }

  Problem &problem;
  GemmOptions &options;
  const arch::ArchInfo &chip;
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

llvm::Error Chooser::takeTile() {
  llvm::Expected<DotTile> chosen = chooseTile(problem);
  if (!chosen)
    return chosen.takeError();
  tile = *chosen;
  options.tile = describe(tile);
  say(formatv("tile = {0}: {1} workgroups for {2} compute units, {3} "
              "accumulator registers a lane",
              options.tile, workgroups(), computeUnits(),
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
    bool twoFit = two.ldsBytes() <= int64_t(*chip.lds.bytes);
    say(formatv("lds_stages = {0}: two buffers take {1} of {2} bytes{3}",
                options.ldsStages, two.ldsBytes(), *chip.lds.bytes,
                tile.a.stages == 1 && twoFit
                    ? ", one leaves room for another workgroup"
                    : "")
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
  if (int64_t widest = chip.dma.widths->back(); widest < plan::accessBytes)
    return say(formatv("copy = sync: past the registers a lane copies {0} "
                       "bytes at once on {1}, through them {2}",
                       widest, chip.name, plan::accessBytes)
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
  say("hot_loop = auto: the compiler times the loop with hints, without, and "
      "with waves in turns where there are eight");
}

void Chooser::chooseWalk() {
  if (options.xcdSwizzle || !problem.product.xcds)
    return;
  int64_t xcds = *problem.product.xcds;
  if (workgroups() <= computeUnits())
    return say(
        formatv("xcd = off: {0} workgroups are one round", workgroups()).str());
  attempt([](GemmOptions &o) { o.xcdSwizzle = true; }, "xcd = on",
          formatv("{0} workgroups are more than one round, neighbours share "
                  "the L2 of one of {1} dies",
                  workgroups(), xcds)
              .str());
}

/// More parts of K where the grid leaves most of the machine idle.
void Chooser::chooseParts() {
  int64_t tiles = llvm::divideCeil(*options.k, tile.k);
  int64_t parts = 1;
  while (parts * 2 * workgroups() <= computeUnits() && parts < kMostParts &&
         tiles >= parts * 2 * kLeastTilesPerPart)
    parts *= 2;
  if (!options.splitK.empty() || !options.streamK.empty())
    return;
  if (parts == 1)
    return say(formatv("split_k = 1: {0} workgroups for {1} compute units, {2} "
                       "tiles of K",
                       workgroups(), computeUnits(), tiles)
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
                  workgroups(), computeUnits() - workgroups(), computeUnits(),
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
  if (llvm::Error error = takeTile())
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
  Problem problem{options, *chip, *product, *types, {}};
  if (llvm::Error error = Chooser(problem).run())
    return std::move(error);
  return std::move(problem.lines);
}
