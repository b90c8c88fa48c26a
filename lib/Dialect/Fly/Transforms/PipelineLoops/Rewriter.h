//===- Rewriter.h - One pipeline to prologue, loop and drain ----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fly::pipeline {

/// How one value that a stage yields reaches the next stage.
struct Handover {
  /// Label of the LDS buffer; empty where the value stays in registers.
  llvm::StringRef buffer;
  int64_t slots = 1;

  bool throughLds() const { return !buffer.empty(); }
  /// The slot of a tile that is written in step `step` - 1 of the loop.
  int64_t slotOf(int64_t step) const { return (step % slots + slots) % slots; }
};

/// The handovers of what each stage but the last yields.
using Handovers = llvm::SmallVector<llvm::SmallVector<Handover>, 2>;

/// Rewrites one pipeline.
class PipelineRewriter {
public:
  PipelineRewriter(PipelineOp op, Handovers handoverLists)
      : op(op), handovers(std::move(handoverLists)), stages(op.getStages()),
        distances(op.getDistances()), builder(op), loc(op.getLoc()) {
    for (const auto &list : handovers)
      for (const Handover &handover : list)
        unroll = std::max(unroll, handover.slots);
  }

  void rewrite();
  int64_t getUnroll() const { return unroll; }
  /// Iterations that the first stage runs ahead of the last.
  int64_t getDepth() const { return distances.front(); }

private:
  using Values = llvm::SmallVector<mlir::Value>;

  mlir::Value constant(int32_t value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getI32IntegerAttr(value));
  }
  mlir::Value materialize(mlir::OpFoldResult bound) {
    if (auto value = mlir::dyn_cast<mlir::Value>(bound))
      return value;
    return constant(
        mlir::cast<mlir::IntegerAttr>(mlir::cast<mlir::Attribute>(bound))
            .getInt());
  }
  /// Of iterations that there are, so the sum does not wrap.
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::AddIOp::create(builder, loc, lhs, rhs,
                                       mlir::arith::IntegerOverflowFlags::nsw);
  }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  mlir::Value less(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::slt, lhs, rhs);
  }

  /// What the iterations under way have handed on, and what compute carries.
  struct State {
    /// For each stage but the last, its values that the next has not taken, the
    /// oldest first: that one is in its LDS slots, the others in registers.
    /// Empty where the stage has not run yet.
    llvm::SmallVector<llvm::SmallVector<Values, 1>, 2> lines;
    Values carried;
  };

  /// Clones a region's body; returns what it yields.
  Values clone(mlir::Region &region, mlir::ValueRange arguments);
  /// Runs a stage of the iteration at `k` on what the one before handed over;
  /// the last also takes the carried values.
  Values runStage(unsigned stage, mlir::Value k, mlir::ValueRange handed,
                  mlir::ValueRange carried);
  /// Writes the tiles of a stage that go through LDS into their slots; `step`
  /// is the one that takes them.
  Values toSlots(unsigned stage, mlir::ValueRange values, int64_t step);
  /// One step: each stage whose iteration exists, then the handovers. `k` gives
  /// the iteration of a stage, null where there is none.
  void runStep(State &state, int64_t step,
               llvm::function_ref<mlir::Value(unsigned)> k);
  /// Steps in which the first iterations fill the lines; the loop, or what is
  /// before it, goes on with step `next`.
  State fill(int64_t next);
  mlir::Value iteration(mlir::Value from, int64_t number);
  mlir::Value iterationAfter(mlir::Value number);
  Values flatten(const State &state);
  State unflatten(mlir::ValueRange values);

  /// Where there are as many iterations as stages run ahead, or more.
  Values emitSteady(mlir::Value steps);
  /// One stage after the other, for the few iterations of short loops.
  Values emitSequential(mlir::Value steps);
  Values runIteration(mlir::Value k, mlir::ValueRange carried);
  /// Everything that runs where there is at least one iteration.
  Values emitNonEmpty();
  /// With two slots and an odd number of steps, runs the first one, so that the
  /// rest is even and starts in slot 0. Returns where the rest starts.
  mlir::Value peelIfOdd(mlir::Value steps, State &state);

  PipelineOp op;
  Handovers handovers;
  llvm::SmallVector<mlir::Region *, 3> stages;
  llvm::SmallVector<int64_t, 3> distances;
  mlir::OpBuilder builder;
  mlir::Location loc;
  int64_t unroll = 1;
  mlir::Value lower, upper, step;
};

} // namespace fly::pipeline

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
