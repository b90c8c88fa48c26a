//===- Clusters.h - Memory and matrix operations by turns -------*- C++ -*-===//
//
// What problem: two groups of waves that take turns, one at the memory
// operations and one at the matrix instructions, need the body of a loop as
// such turns, and must not meet in LDS although they are a turn apart.
// What idea: the body is cut into clusters, strictly by turns memory and
// matrix, with a barrier between any two. Matrix clusters touch no LDS, so
// between accesses of two memory clusters lie two barriers: one that orders
// them, and one for the turn that the groups are apart. What a barrier of the
// program separates is never in one memory cluster.
// What it refuses: control flow, accesses and barriers whose reach is more than
// LDS, and loops that lack one of the two kinds.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CLUSTERS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CLUSTERS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace fly::hotloop {

/// A turn: memory operations, or matrix instructions, and what else stands with
/// them in the program. A matrix cluster may be empty: a turn that is let pass.
struct Cluster {
  bool isMatrix = false;
  bool touchesLds = false;
  unsigned mfmas = 0;
  unsigned cycles = 0; ///< Of the matrix unit.
  llvm::SmallVector<mlir::Operation *> ops;
};

struct Clusters {
  llvm::SmallVector<Cluster> all;
  /// The last one goes on in the first one of the next round.
  bool joinsRound = false;
  /// The barriers of the program, which the order replaces.
  llvm::SmallVector<BarrierOp> barriers;
};

/// Clusters of a loop's body in the order in which they run; failure where it
/// cannot be cut, which `why` says. Nothing is changed.
mlir::FailureOr<Clusters>
formClusters(mlir::Block &body, const arch::ArchInfo &chip, std::string &why);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CLUSTERS_H
