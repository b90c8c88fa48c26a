//===- Rewriter.h - One pipeline to prologue, loop and drain ----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fly::pipeline {

/// How one prefetched value reaches compute.
struct Handover {
  /// Label of the LDS buffer; empty where the value stays in registers.
  llvm::StringRef buffer;
  int64_t slots = 1;

  bool throughLds() const { return !buffer.empty(); }
  /// The slot of a tile when the loop holds `unroll` iterations.
  int64_t slotOf(int64_t iteration) const { return iteration % slots; }
};

/// Rewrites one pipeline.
class PipelineRewriter {
public:
  PipelineRewriter(PipelineOp op, llvm::SmallVector<Handover> handoverList)
      : op(op), handovers(std::move(handoverList)), builder(op),
        loc(op.getLoc()) {
    for (const Handover &handover : handovers)
      unroll = std::max(unroll, handover.slots);
  }

  void rewrite();
  int64_t getUnroll() const { return unroll; }

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

  /// Clones a region's body; returns what it yields.
  Values clone(mlir::Region &region, mlir::ValueRange arguments);
  /// Prefetch of the iteration at `k`: values as prefetch yields them.
  Values prefetch(mlir::Value k) { return clone(op.getPrefetch(), {k}); }
  /// Writes the prefetched tiles that go through LDS into their slots.
  Values stage(mlir::ValueRange values, int64_t iteration);
  /// Compute of the iteration at `k`; returns the next carried values.
  Values compute(mlir::Value k, mlir::ValueRange staged,
                 mlir::ValueRange carried);
  /// Everything that runs where there is at least one iteration.
  Values emitNonEmpty();
  /// With two slots and an even trip count, runs the first iteration, so that
  /// the rest is odd and starts in slot 0. Returns where the rest starts.
  mlir::Value peelIfEven(mlir::Value steps, Values &staged, Values &carried);

  PipelineOp op;
  llvm::SmallVector<Handover> handovers;
  mlir::OpBuilder builder;
  mlir::Location loc;
  int64_t unroll = 1;
  mlir::Value lower, upper, step;
};

} // namespace fly::pipeline

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PIPELINELOOPS_REWRITER_H
