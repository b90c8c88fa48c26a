//===- Parts.h - Which ops of a stage run in one step -----------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_PARTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_PARTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace fly::pipeline {

/// How one value that a stage yields reaches the next stage.
struct Handover {
  /// Label of the LDS buffer; empty where the value stays in registers.
  llvm::StringRef buffer;
  int64_t slots = 1;
  /// The tile goes to its slot past the registers.
  bool isAsync = false;
  /// Iterations that the schedule wants the value to be under way at least.
  int64_t ahead = 1;

  bool throughLds() const { return !buffer.empty(); }
  /// The slot of a tile that step `step` of the loop takes.
  int64_t slotOf(int64_t step) const { return (step % slots + slots) % slots; }
  /// Of a tile that is under way for `distance` steps: the steps before the one
  /// that takes it when it goes into its slot. One slot is free only when its
  /// tile has been taken; of several, all but the one that is being read.
  int64_t entryOf(int64_t distance) const {
    int64_t most = slots > 1 ? slots - 1 : 1;
    return (distance < most ? distance : most) - 1;
  }
  /// Whether the tile goes into its slot where it is loaded, at the start of a
  /// step: the slot has been read in the step before.
  bool entersAtLoad(int64_t distance) const {
    return isAsync && slots > distance;
  }
};

/// The handovers of what each stage but the last yields.
using Handovers = llvm::SmallVector<llvm::SmallVector<Handover>, 2>;

using OpSet = llvm::SmallDenseSet<mlir::Operation *>;

/// Ops of a stage that run together, so many iterations ahead of the last
/// stage.
struct Part {
  unsigned stage = 0;
  int64_t distance = 0;
  /// Numbers of the values that they give to the next stage.
  llvm::SmallVector<unsigned> values;
  /// The ops, where they are not all of the stage.
  std::optional<OpSet> ops;

  bool has(mlir::Operation *op) const { return !ops || ops->contains(op); }
};

/// Adds the ops at the top of a stage that `value` needs.
void collectSlice(mlir::Value value, mlir::Region &stage, OpSet &slice);

/// The parts of all stages, in the order in which a step runs them. A prefetch
/// that compute follows falls apart where its values shall run ahead by
/// different numbers of iterations; loads are in one part each.
llvm::SmallVector<Part> planParts(PipelineOp op, const Handovers &handovers);

} // namespace fly::pipeline

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_PARTS_H
