//===- Uniformity.h - Which values a whole wave agrees on -------*- C++ -*-===//
//
// At the explicit level a value may differ from lane to lane. Barriers must
// stand where the wave agrees, and addresses are cheapest where their uniform
// part is in scalar registers; both ask this analysis. It is conservative: a
// value that it does not know is divergent.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_TRANSFORMS_UNIFORMITY_H
#define FLY_DIALECT_FLY_TRANSFORMS_UNIFORMITY_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace fly {

/// Uniformity of the values of one function in structured control flow.
/// Function arguments, block numbers and `fly.wave` are uniform; `fly.lane`,
/// thread numbers and what depends on them diverge.
class Uniformity {
public:
  explicit Uniformity(mlir::Operation *function);

  /// True if all lanes of a wave hold the same value. Values made after the
  /// analysis are not known and count as divergent.
  bool isUniform(mlir::Value value) const {
    return known.contains(value) && !divergent.contains(value);
  }
  /// Says that `to`, which is made later, takes the place of `from`.
  void replace(mlir::Value from, mlir::Value to) {
    if (isUniform(from))
      known.insert(to);
  }
  /// For a divergent value, a value that it diverges because of: follow it to
  /// reach the source. Null for sources and unknown values.
  mlir::Value getCause(mlir::Value value) const { return causes.lookup(value); }

private:
  bool visit(mlir::Operation *op);
  bool visitRegionOp(mlir::Operation *op);
  bool markDivergent(mlir::Value value, mlir::Value cause);
  bool joinInto(mlir::Value to, mlir::Value from);

  llvm::DenseSet<mlir::Value> known, divergent;
  llvm::DenseMap<mlir::Value, mlir::Value> causes;
};

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_UNIFORMITY_H
