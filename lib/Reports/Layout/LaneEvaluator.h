//===- LaneEvaluator.h - Integers of a lane ---------------------*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_LAYOUT_LANEEVALUATOR_H
#define FLY_LIB_REPORTS_LAYOUT_LANEEVALUATOR_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace fly::reports {

/// Evaluates index arithmetic for one thread of a workgroup. What the launch or
/// memory decides (scalars, block ids, counters of loops) counts as 0: it is
/// the same for all lanes of a wave, and moves their addresses together.
class LaneEvaluator {
public:
  explicit LaneEvaluator(int64_t thread) : thread(thread) {}

  struct Result {
    int64_t value = 0;
    /// Nothing that counts as 0 is in it.
    bool isKnown = true;
  };
  Result evaluate(mlir::Value value);

private:
  Result compute(mlir::Value value);

  int64_t thread;
  llvm::DenseMap<mlir::Value, Result> results;
};

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_LAYOUT_LANEEVALUATOR_H
