//===- WaveSplit.h - How waves share the tiles of dots ----------*- C++ -*-===//
//
// All splits of a number of waves run as many matrix instructions; they differ
// in what each wave reads. The rule: the least reads a matrix instruction.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_WAVESPLIT_H
#define FLY_PLAN_WAVESPLIT_H

#include "fly/Plan/DotTile.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>

namespace fly::plan {

/// Wave grids are written [rows, columns].
using WaveGrid = std::array<int64_t, 2>;

/// Whether each wave has whole matrix instructions of every tile.
bool splits(llvm::ArrayRef<DotTile> tiles, const WaveGrid &grid);
/// The split of `count` waves with the least reads: all splits have as many
/// instructions, and a wave reads its rows and columns. Of equal ones that with
/// fewer rows; without dots rows alone.
std::optional<WaveGrid> findSplit(llvm::ArrayRef<DotTile> tiles, int64_t count);
/// Accumulator registers of a lane, where `count` waves share the largest tile.
int64_t accumulatorsOf(llvm::ArrayRef<DotTile> tiles, int64_t count);
/// The default: one wave a SIMD, fewer where the tiles are too small to split,
/// and, if `mayDouble`, two where the accumulators alone would fill the
/// architectural registers.
std::optional<WaveGrid> chooseWaves(const arch::ArchInfo &chip,
                                    llvm::ArrayRef<DotTile> tiles,
                                    bool mayDouble);

} // namespace fly::plan

#endif // FLY_PLAN_WAVESPLIT_H
