//===- PingPong.h - Two groups of waves that take turns ---------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Clusters.h"

namespace fly::hotloop {

/// What became of a loop.
struct Turns {
  unsigned early = 0; ///< Waves that are not a turn behind.
  unsigned matrixClusters = 0, memoryClusters = 0;
  unsigned mfmas = 0, mostMfmas = 0; ///< Of all matrix clusters, and of one.
  size_t barriers = 0, barriersBefore = 0;
};

/// Gives `loop` the order of its clusters: a barrier between any two, raised
/// priority in matrix clusters, and the second wave of each SIMD one barrier
/// behind the first, from before the loop to behind it. An error where that
/// cannot be; nothing is changed then.
mlir::FailureOr<Turns> orderByTurns(mlir::scf::ForOp loop,
                                    const arch::ArchInfo &chip);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
