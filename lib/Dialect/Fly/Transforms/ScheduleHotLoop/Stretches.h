//===- Stretches.h - Machine operations between barriers --------*- C++ -*-===//
//
// What the body of a loop with matrix instructions holds, stretch by stretch,
// and the orders that fly-schedule-hot-loop knows for a stretch.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_STRETCHES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_STRETCHES_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"

#include "mlir/IR/Block.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace fly::hotloop {

inline unsigned &at(SchedCounts &counts, SchedClass schedClass) {
  return counts[size_t(schedClass)];
}

/// Machine operations of a loop's body between two barriers.
struct Stretch {
  /// The barrier or terminator that ends it.
  mlir::Operation *end = nullptr;
  SchedCounts counts = {};
  /// Elements that arithmetic makes, about an instruction each.
  uint64_t arithmetic = 0;
  /// Runs of LDS reads and matrix instructions in the order of the program: a
  /// step is what is read and what is multiplied then.
  struct Step {
    unsigned reads = 0, mfmas = 0;
  };
  llvm::SmallVector<Step> steps;
  /// Matrix instructions from the first on that share an operand.
  unsigned group = 0;
};

/// Whether `op` is one matrix instruction of the machine.
bool isMatrixOp(mlir::Operation *op);

/// Cycles that the matrix unit needs for `op`, a matrix instruction; 0 where
/// the chip lacks it.
unsigned getMatrixCycles(mlir::Operation *op, const arch::ArchInfo &chip);

/// The machine operations that `op` becomes: its class and their number;
/// nothing for ops that are neither memory nor matrix operations.
std::optional<SchedGroup> getMachineOps(mlir::Operation *op);

/// Stretches of a body; failure where it has control flow or hints, which
/// `why` says.
mlir::FailureOr<llvm::SmallVector<Stretch>> findStretches(mlir::Block &body,
                                                          std::string &why);

/// The evenly spread form: groups for all operations of the stretch. Loads of
/// global memory go evenly over the first \p loadSlots matrix instructions, or
/// with 0 one a matrix instruction from the front.
llvm::SmallVector<SchedGroup> spread(const Stretch &stretch,
                                     unsigned loadSlots = 0);

/// The tuning guide's form, each class clipped to what the stretch has.
llvm::SmallVector<SchedGroup> guide(const Stretch &stretch);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_STRETCHES_H
