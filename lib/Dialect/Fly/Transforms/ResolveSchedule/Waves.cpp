//===- Waves.cpp - How many waves, and how they split tiles --------------===//
//
// The rule is that of fly/Plan/WaveSplit.h. Refused: splits that do not divide
// a tile, more waves than a workgroup holds, fewer waves a SIMD than it brings,
// turns of waves where a SIMD has not two.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "Resolver.h"

using namespace mlir;
using namespace fly;

std::string fly::describe(const WaveGrid &grid) {
  return llvm::formatv("[{0}, {1}]", grid[0], grid[1]);
}

SmallVector<plan::DotTile> ScheduleResolver::getTiles() const {
  return llvm::map_to_vector(dots,
                             [](const DotPlan &dot) { return dot.tile(); });
}

LogicalResult ScheduleResolver::checkSplit(const WaveGrid &grid) {
  for (const DotPlan &dot : dots) {
    plan::DotTile tile = dot.tile();
    tile.wavesM = grid[0];
    tile.wavesN = grid[1];
    bool splits[] = {holds(plan::checkSplit(tile, plan::DotTile::A)),
                     holds(plan::checkSplit(tile, plan::DotTile::B))};
    for (auto [what, extent, count, isSplit] :
         {std::tuple("rows", dot.m, grid[0], splits[0]),
          std::tuple("columns", dot.n, grid[1], splits[1])}) {
      if (isSplit)
        continue;
      ProductOpInterface op = dot.op;
      InFlightDiagnostic diag =
          op->emitOpError()
          << "tile of " << dot.m << "x" << dot.n
          << " does not split over waves = " << describe(grid) << ": " << extent
          << " " << what << " are not a multiple of " << count * dot.policy.mfma
          << " (" << count << " waves * mfma of " << dot.policy.mfma << ")";
      if (auto other = plan::findSplit(getTiles(), grid[0] * grid[1]))
        diag.attachNote(kernel.getLoc())
            << "fix: waves = " << describe(*other) << " fits this tile";
      return diag;
    }
  }
  return success();
}

static bool isAuto(Attribute entry) {
  auto word = dyn_cast_or_null<StringAttr>(entry);
  return !entry || (word && word.getValue() == "auto");
}

/// The numbers of the entry `waves`: rows and columns, a count alone, or none.
static FailureOr<SmallVector<int64_t, 2>>
readWaves(gpu::GPUFuncOp kernel, const arch::ArchInfo &chip, Attribute entry) {
  SmallVector<int64_t, 2> numbers;
  if (isAuto(entry))
    return numbers;
  SmallVector<Attribute, 2> values = {entry};
  if (auto list = dyn_cast<ArrayAttr>(entry))
    values.assign(list.begin(), list.end());
  for (Attribute value : values)
    if (auto number = dyn_cast<IntegerAttr>(value))
      numbers.push_back(number.getInt());
  if (numbers.size() != values.size() || numbers.empty() || numbers.size() > 2)
    return kernel.emitOpError()
           << "schedule entry 'waves': expected rows and columns, as in [2, "
              "2], a number of waves, or auto";
  int64_t most = *chip.workgroups.maxThreads / *chip.waveSize;
  int64_t count = 1;
  for (int64_t number : numbers)
    count = number < 1 || number > most ? 0 : count * number;
  if (count <= most && llvm::isPowerOf2_64(count))
    return numbers;
  return kernel.emitOpError()
         << "schedule entry 'waves': the number of waves must be a power of "
            "two from 1 to "
         << most << " (" << *chip.workgroups.maxThreads << " threads on "
         << chip.name << "), got "
         << (numbers.size() == 2 ? describe({numbers[0], numbers[1]})
                                 : std::to_string(numbers[0]));
}

LogicalResult ScheduleResolver::resolveWaves() {
  Attribute entry = getEntry("waves");
  auto numbers = readWaves(kernel, chip, entry);
  if (failed(numbers))
    return failure();
  if (isa_and_nonnull<ArrayAttr>(entry)) {
    waves = {numbers->front(), numbers->size() == 2 ? numbers->back() : 1};
    return checkSplit(waves);
  }
  // Twice the waves are half the registers of each.
  bool mayDouble = isAuto(getEntry("waves_per_eu"));
  std::optional<WaveGrid> best =
      numbers->empty() ? plan::chooseWaves(chip, getTiles(), mayDouble)
                       : plan::findSplit(getTiles(), numbers->front());
  if (!best) // One of the checks fails and says why.
    return checkSplit({1, numbers->empty() ? 1 : numbers->front()});
  waves = *best;
  (void)checkSplit(waves); // Holds; the rules of the kernel are noted.
  int64_t simds = *chip.simdsPerCu;
  std::string why = ": the split with the least LDS reads a matrix instruction";
  if (numbers->empty() && waves[0] * waves[1] > simds)
    why += "; " + std::to_string(simds) + " waves would have " +
           std::to_string(plan::accumulatorsOf(getTiles(), simds)) +
           " accumulators a lane";
  passed(kernel, "Waves", "waves = " + describe(waves) + why);
  return success();
}

LogicalResult ScheduleResolver::resolveWavesPerEu() {
  unsigned least = llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
  wavesPerEu = least;
  Attribute entry = getEntry("waves_per_eu");
  if (isAuto(entry)) {
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

/// Turns are of two waves on each SIMD.
LogicalResult ScheduleResolver::checkTurns() {
  for (const LoopWish &wish : loopWishes) {
    auto word = dyn_cast_or_null<StringAttr>(wish.hotLoop);
    int64_t count = waves[0] * waves[1];
    if (word && word == "pingpong" && !holds(plan::checkTurns(chip, count)))
      return wish.op->emitOpError()
             << "cannot have 'hot_loop = pingpong': two waves on each of "
             << *chip.simdsPerCu
             << " SIMDs take turns, that is waves = " << 2 * *chip.simdsPerCu
             << "; the workgroup has " << count;
  }
  return success();
}
