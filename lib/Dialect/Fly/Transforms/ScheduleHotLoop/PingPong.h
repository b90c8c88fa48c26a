//===- PingPong.h - Two groups of waves that take turns ---------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Clusters.h"

namespace fly::hotloop {

/// Gives `loop` the order of its clusters: a barrier between any two, raised
/// priority in matrix clusters, and the waves from number `early` on one
/// barrier behind the others, from before the loop to behind it.
void takeTurns(mlir::scf::ForOp loop, const Clusters &clusters, unsigned early);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
