//===- TileCost.h - What a tile of K costs a compute unit -------*- C++ -*-===//
//
// What problem: of several legal tiles one must be taken before any is
// compiled.
// What idea: a compute unit has matrix units, ports of LDS and one path from
// memory; a tile takes the time of the busiest of them, and a round what all
// workgroups wait for beside that.
// What it leaves open: caches behind the path, the rate of issue, what the code
// generator makes of it. It ranks tiles; it predicts no time.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_TILECOST_H
#define FLY_PLAN_TILECOST_H

#include "fly/Plan/DotTile.h"

#include <algorithm>

namespace fly::plan {

/// Cycles of a compute unit for one tile of K of one workgroup.
struct TileCost {
  double matrix = 0; ///< Matrix instructions of a SIMD.
  double lds = 0;    ///< Reads and writes at the ports of LDS.
  double memory = 0; ///< Bytes of the operands over the path from memory.
  double waits = 0;  ///< Beside them, once for all resident workgroups.

  double busiest() const { return std::max({matrix, lds, memory}); }
  /// Of `workgroups` that are resident at once.
  double ofResident(int64_t workgroups) const {
    return double(workgroups) * busiest() + waits;
  }
};

/// The cost of a tile that the instruction `row` multiplies; `isNarrow`: both
/// operands have less than 8 bits, which is faster on some chips.
TileCost estimateCost(const arch::ArchInfo &chip, const DotTile &tile,
                      const arch::MfmaRow &row, bool isNarrow);

/// Workgroups that a compute unit holds at once, at least 1: of LDS and of the
/// estimate of registers.
int64_t estimateResident(const arch::ArchInfo &chip, const DotTile &tile);

} // namespace fly::plan

#endif // FLY_PLAN_TILECOST_H
