//===- Rewriter.h - One pipeline to prologue, loop and drain ----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <numeric>

#include "Parts.h"

namespace fly::pipeline {

/// Rewrites one pipeline.
class PipelineRewriter {
public:
  /// `isTight`: tiles under way leave few registers.
  PipelineRewriter(PipelineOp op, Handovers handoverLists, bool isTight)
      : isTight(isTight), op(op), handovers(std::move(handoverLists)),
        stages(op.getStages()), parts(planParts(op, handovers)), builder(op),
        loc(op.getLoc()) {
    for (const auto &list : handovers)
      for (const Handover &handover : list)
        unroll = std::lcm(unroll, handover.slots);
    for (const Part &part : parts)
      depth = std::max(depth, part.distance);
  }

  void rewrite();
  int64_t getUnroll() const { return unroll; }
  /// Iterations that the farthest op runs ahead of the last stage.
  int64_t getDepth() const { return depth; }

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
  /// `number` less `by`, of which it has as many; written so that the result is
  /// seen not to be negative, as coordinates of tiles must be.
  mlir::Value fewer(mlir::Value number, int32_t by) {
    return mlir::arith::MaxSIOp::create(builder, loc, sub(number, constant(by)),
                                        constant(0));
  }
  mlir::Value less(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::slt, lhs, rhs);
  }

  /// What the iterations under way have handed on, and what compute carries.
  struct State {
    /// For each stage but the last and each value that it hands on, those that
    /// the next stage has not taken, the oldest first: the last ones before
    /// that in their LDS slots, the others in registers. Null where the stage
    /// has not run yet.
    llvm::SmallVector<llvm::SmallVector<Values, 4>, 2> lines;
    Values carried;
  };

  /// Clones what `part` has of a region's body; returns what it yields.
  Values clone(mlir::Region &region, const Part &part,
               mlir::ValueRange arguments);
  /// Runs a part of the iteration at `k` on what the stage before handed over;
  /// the last also takes the carried values. Returns what the part hands on.
  Values runPart(const Part &part, mlir::Value k, mlir::ValueRange handed,
                 mlir::ValueRange carried);
  /// What a part is handed: the oldest of each line of the stage before.
  Values takeHanded(const Part &part, const State &state);
  /// Writes a tile that goes through LDS into its slot; `step` is the one that
  /// takes it.
  mlir::Value toSlot(const Handover &handover, mlir::Value value, int64_t step);
  /// One step: each part whose iteration exists, then the handovers. `k` gives
  /// the iteration so far ahead, null where there is none. `lastFirst`: what
  /// the last stage takes is taken before others load for later steps.
  void runStep(State &state, int64_t step,
               llvm::function_ref<mlir::Value(int64_t)> k,
               bool lastFirst = false);
  /// Lines without values.
  State makeState();
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
  /// A branch with the pipeline's results, whose blocks are empty.
  mlir::scf::IfOp createBranch(mlir::Value condition);
  /// Everything that runs where there is at least one iteration.
  Values emitNonEmpty();
  /// The state in which step -`step` can run. `rest` steps, more than
  /// `step` - 1 of them, run before the loop: those before this one have run.
  State peel(int64_t step, mlir::Value rest);
  /// Whether all parts share what a loop with two ways in begins with: one tile
  /// ahead, loaded to registers.
  bool canShareFirst() const;

  bool isTight;
  PipelineOp op;
  Handovers handovers;
  llvm::SmallVector<mlir::Region *, 3> stages;
  llvm::SmallVector<Part> parts;
  mlir::OpBuilder builder;
  mlir::Location loc;
  int64_t unroll = 1, depth = 0;
  /// Values of the first iteration that were loaded before the ways part.
  Values shared;
  mlir::Value lower, upper, step;
};

} // namespace fly::pipeline

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
