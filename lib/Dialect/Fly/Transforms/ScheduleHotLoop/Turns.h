//===- Turns.h - Whether two groups of waves gain by turns ------*- C++ -*-===//
//
// What problem: turns (PingPong.h) hide what one wave of a SIMD reads behind
// what the other one multiplies, and cost a barrier each. Where too little is
// multiplied they only cost.
// What idea: what is known of the clusters, in cycles of the chip: those of the
// matrix unit, of the LDS ports, and between accesses of global memory and the
// waits for them.
// What it leaves open: bank conflicts, and how long memory really takes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_TURNS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_TURNS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>

#include "Clusters.h"

namespace fly::hotloop {

/// A round of turns, in cycles.
struct TurnCost {
  /// Matrix clusters, and what their instructions keep the matrix unit busy
  /// for, of one wave.
  unsigned turns = 0, matrix = 0;
  /// What the LDS accesses of one group, a wave of each SIMD, take of its ports
  /// without conflicts.
  unsigned lds = 0;
  /// The least that both groups multiply between an access of global memory and
  /// the wait for it; none where nothing is waited for in the same round or the
  /// next.
  std::optional<unsigned> hidden;
};

/// What turns of `clusters` come to; none where the chip's facts do not say.
std::optional<TurnCost> weighTurns(mlir::scf::ForOp loop,
                                   const Clusters &clusters,
                                   const arch::ArchInfo &chip);

/// "2048 cycles of matrix instructions in 4 turns, 1200 of LDS accesses".
std::string describe(const TurnCost &cost);

/// Why waves that take turns would not gain, with the numbers; empty where they
/// do.
std::string whyInStep(const TurnCost &cost, const arch::ArchInfo &chip);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_TURNS_H
