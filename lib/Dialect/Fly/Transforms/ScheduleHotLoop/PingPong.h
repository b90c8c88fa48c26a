//===- PingPong.h - Two groups of waves that take turns ---------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Clusters.h"

namespace fly::hotloop {

/// Clusters that two groups of waves may take by turns.
struct Turns {
  Clusters clusters;
  unsigned early = 0; ///< Waves of the group that is ahead, one a SIMD.
};

/// Whether the workgroup of the loop has two waves on each SIMD of the chip.
bool hasTwoWavesASimd(mlir::scf::ForOp loop, const arch::ArchInfo &chip);

/// The turns of a loop; failure where it has none, which `why` says. Nothing is
/// changed.
mlir::FailureOr<Turns> findTurns(mlir::scf::ForOp loop,
                                 const arch::ArchInfo &chip, std::string &why);

/// Gives `loop` the order of its clusters: a barrier between any two, raised
/// priority in matrix clusters, and the waves behind the early ones one
/// barrier behind the others, from before the loop to behind it. Marks the
/// kernel, so that its machine code is held to that.
void takeTurns(mlir::scf::ForOp loop, const Turns &turns);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_PINGPONG_H
