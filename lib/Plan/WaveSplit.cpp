//===- WaveSplit.cpp - How waves share the tiles of dots ------------------===//
#include "fly/Plan/WaveSplit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fly;
using namespace fly::plan;

bool fly::plan::splits(llvm::ArrayRef<DotTile> tiles, const WaveGrid &grid) {
  return llvm::all_of(tiles, [&](const DotTile &tile) {
    return tile.m % (grid[0] * tile.mfma) == 0 &&
           tile.n % (grid[1] * tile.mfma) == 0;
  });
}

std::optional<WaveGrid> fly::plan::findSplit(llvm::ArrayRef<DotTile> tiles,
                                             int64_t count) {
  std::optional<WaveGrid> best;
  int64_t bestReads = 0;
  for (int64_t rows = 1; rows <= count; ++rows) {
    WaveGrid grid = {rows, count / rows};
    if (count % rows != 0 || !splits(tiles, grid))
      continue;
    int64_t reads = 0;
    for (const DotTile &tile : tiles)
      reads +=
          (tile.m / grid[0] + tile.n / grid[1]) * tile.rowBytes(DotTile::A);
    if (tiles.empty() && rows != count) // Rows of waves for elementwise code.
      continue;
    if (best && reads >= bestReads)
      continue;
    best = grid;
    bestReads = reads;
  }
  return best;
}

int64_t fly::plan::accumulatorsOf(llvm::ArrayRef<DotTile> tiles,
                                  int64_t count) {
  int64_t most = 0;
  for (const DotTile &tile : tiles)
    most = std::max(most, tile.m * tile.n / (arch::waveLanes * count));
  return most;
}

std::optional<WaveGrid> fly::plan::chooseWaves(const arch::ArchInfo &chip,
                                               llvm::ArrayRef<DotTile> tiles,
                                               bool mayDouble) {
  int64_t simds = *chip.simdsPerCu;
  std::optional<WaveGrid> best;
  for (int64_t count = simds; !best && count > 0; count /= 2)
    best = findSplit(tiles, count);
  if (!best || (*best)[0] * (*best)[1] != simds || !mayDouble ||
      accumulatorsOf(tiles, simds) < *chip.registers.maxArchVgprs)
    return best;
  std::optional<WaveGrid> more = findSplit(tiles, 2 * simds);
  return more ? more : best;
}
