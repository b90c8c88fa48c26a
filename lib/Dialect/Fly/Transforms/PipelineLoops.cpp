//===- PipelineLoops.cpp - Stages of a loop run ahead of each other -------===//
//
// Turns fly.pipeline into a prologue, a steady scf.for with loop-carried
// values, and a drain. Prefetched tiles whose schedule says lds(stages = S) are
// handed over through LDS: a fly.convert_layout to #fly.staged<label, slot>
// writes a tile, one from it reads it. Slots are static, so ping and pong stay
// two objects: with two slots the steady loop holds two iterations, and an even
// trip count peels its first iteration.
//
// The steady loop runs to the last iteration, whose number is computed: sums of
// bounds and steps that could leave 32 bits are never compared.
//
// With n = ceil((hi - lo) / step) iterations, P prefetch and C compute:
//   n = 0:      the initial values, no load
//   one slot:   P(0); for i in 0 .. n-2 { P(i+1); C(i) }; C(n-1)
//   two slots:  P(0); [n even: P(1); C(0)];
//               for pairs { P(i+1); C(i); P(i+2); C(i+1) }; C(n-1)
//
// Refuses (an error, the IR untouched) where a store of compute, of tiles or of
// a lane's vectors, may write what a prefetch of a later iteration reads.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "Aliasing.h"
#include "PassRemark.h"

#define DEBUG_TYPE "fly-pipeline-loops"

namespace fly {
#define GEN_PASS_DEF_FLYPIPELINELOOPSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// The view that `op` reads, or null.
static Value getReadView(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getView();
  auto read = dyn_cast<ReadOp>(op);
  return read ? Value(read.getView()) : Value();
}

/// The view that `op` writes, or null.
static Value getWrittenView(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getView();
  auto write = dyn_cast<WriteOp>(op);
  return write ? Value(write.getView()) : Value();
}

/// C1 across iterations: compute's stores against prefetch's loads.
static LogicalResult verifyNoAlias(PipelineOp op) {
  SmallVector<Operation *> loads;
  op.getPrefetch().walk([&](Operation *load) {
    if (getReadView(load))
      loads.push_back(load);
  });
  WalkResult walk = op.getCompute().walk([&](Operation *store) {
    Value written = getWrittenView(store);
    for (Operation *load : loads) {
      if (!written || !mayAlias(written, getReadView(load)))
        continue;
      InFlightDiagnostic diag =
          store->emitOpError()
          << "may write what a prefetch of a later iteration reads";
      diag.attachNote(load->getLoc()) << "this load runs ahead of the store; "
                                         "move the store after the pipeline, "
                                         "or use a plain scf.for";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
/// How one prefetched value reaches compute.
struct Handover {
  /// Label of the LDS buffer; empty where the value stays in registers.
  StringRef buffer;
  int64_t slots = 1;

  bool throughLds() const { return !buffer.empty(); }
  /// The slot of a tile when the loop holds `unroll` iterations.
  int64_t slotOf(int64_t iteration) const { return iteration % slots; }
};

/// Rewrites one pipeline.
class PipelineRewriter {
public:
  PipelineRewriter(PipelineOp op, SmallVector<Handover> handoverList)
      : op(op), handovers(std::move(handoverList)), builder(op),
        loc(op.getLoc()) {
    for (const Handover &handover : handovers)
      unroll = std::max(unroll, handover.slots);
  }

  void rewrite();
  int64_t getUnroll() const { return unroll; }

private:
  using Values = SmallVector<Value>;

  Value constant(int32_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value materialize(OpFoldResult bound) {
    if (auto value = dyn_cast<Value>(bound))
      return value;
    return constant(cast<IntegerAttr>(cast<Attribute>(bound)).getInt());
  }
  /// Of iterations that there are, so the sum does not wrap.
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs,
                                 arith::IntegerOverflowFlags::nsw);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  Value less(Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs,
                                 rhs);
  }

  /// Clones a region's body; returns what it yields.
  Values clone(Region &region, ValueRange arguments);
  /// Prefetch of the iteration at `k`: values as prefetch yields them.
  Values prefetch(Value k) { return clone(op.getPrefetch(), {k}); }
  /// Writes the prefetched tiles that go through LDS into their slots.
  Values stage(ValueRange values, int64_t iteration);
  /// Compute of the iteration at `k`; returns the next carried values.
  Values compute(Value k, ValueRange staged, ValueRange carried);
  /// Everything that runs where there is at least one iteration.
  Values emitNonEmpty();
  /// With two slots and an even trip count, runs the first iteration, so that
  /// the rest is odd and starts in slot 0. Returns where the rest starts.
  Value peelIfEven(Value steps, Values &staged, Values &carried);

  PipelineOp op;
  SmallVector<Handover> handovers;
  OpBuilder builder;
  Location loc;
  int64_t unroll = 1;
  Value lower, upper, step;
};
} // namespace

SmallVector<Value> PipelineRewriter::clone(Region &region,
                                           ValueRange arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), arguments);
  for (Operation &inner : region.front().without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(
      region.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value> PipelineRewriter::stage(ValueRange values,
                                           int64_t iteration) {
  Values staged;
  for (auto [value, handover] : llvm::zip(values, handovers)) {
    if (!handover.throughLds()) {
      staged.push_back(value);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    auto encoding = StagedAttr::get(builder.getContext(), handover.buffer,
                                    handover.slotOf(iteration));
    staged.push_back(ConvertLayoutOp::create(
        builder, loc, type.cloneWithEncoding(encoding), value));
  }
  return staged;
}

SmallVector<Value> PipelineRewriter::compute(Value k, ValueRange staged,
                                             ValueRange carried) {
  Values arguments = {k};
  SmallVector<ConvertLayoutOp> reads;
  for (auto [value, argument] : llvm::zip(staged, op.getPrefetchedArgs())) {
    if (value.getType() == argument.getType()) {
      arguments.push_back(value);
      continue;
    }
    reads.push_back(
        ConvertLayoutOp::create(builder, loc, argument.getType(), value));
    arguments.push_back(reads.back());
  }
  llvm::append_range(arguments, carried);
  Values next = clone(op.getCompute(), arguments);
  // Read from LDS directly in the layout that is needed.
  for (ConvertLayoutOp read : reads) {
    for (OpOperand &use : llvm::make_early_inc_range(read->getUses()))
      if (auto convert = dyn_cast<ConvertLayoutOp>(use.getOwner()))
        convert.getSourceMutable().assign(read.getSource());
    if (read->use_empty())
      read.erase();
  }
  return next;
}

Value PipelineRewriter::peelIfEven(Value steps, Values &staged,
                                   Values &carried) {
  // n = steps + 1 is even where steps is odd.
  Value one = constant(1);
  Value isEven = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne,
      arith::AndIOp::create(builder, loc, steps, one), constant(0));
  Value second = add(lower, step);
  Value start = arith::SelectOp::create(builder, loc, isEven, second, lower);
  Values first = prefetch(lower);
  OpBuilder::InsertPoint here = builder.saveInsertionPoint();
  // The types are known once a branch is built, so the branches come first.
  SmallVector<Type> types;
  auto yield = [&](ValueRange nextStaged, ValueRange nextCarried) {
    Values results(nextStaged);
    llvm::append_range(results, nextCarried);
    types = llvm::to_vector(ValueRange(results).getTypes());
    scf::YieldOp::create(builder, loc, results);
  };
  Region even, odd;
  builder.createBlock(&even);
  {
    Values peeled = stage(first, 1);
    Values next = prefetch(second);
    Values computed = compute(lower, peeled, carried);
    yield(stage(next, 0), computed);
  }
  builder.createBlock(&odd);
  yield(stage(first, 0), carried);
  builder.restoreInsertionPoint(here);
  auto branch =
      scf::IfOp::create(builder, loc, types, isEven, /*withElseRegion=*/true);
  branch.getThenRegion().takeBody(even);
  branch.getElseRegion().takeBody(odd);
  builder.setInsertionPointAfter(branch);
  staged.assign(branch.getResults().begin(),
                branch.getResults().begin() + handovers.size());
  carried.assign(branch.getResults().begin() + handovers.size(),
                 branch.getResults().end());
  return start;
}

SmallVector<Value> PipelineRewriter::emitNonEmpty() {
  // Steps after the first iteration: hi > lo holds here.
  Value steps = arith::DivUIOp::create(
      builder, loc, sub(sub(upper, lower), constant(1)), step);
  Value start = lower;
  Values staged, carried(op.getInits());
  if (unroll == 1)
    staged = stage(prefetch(lower), 0);
  else
    start = peelIfEven(steps, staged, carried);

  // Steady loop: `unroll` further iterations follow the one at k, since their
  // number is a multiple of it; the loop ends at the last one exactly.
  // From a negative start the way may be longer than a signed number.
  auto flags = isNonNegative(lower) ? arith::IntegerOverflowFlags::nsw
                                    : arith::IntegerOverflowFlags::none;
  Value way = arith::MulIOp::create(builder, loc, steps, step, flags);
  Value last = arith::AddIOp::create(builder, loc, lower, way, flags);
  Value stride = step;
  for (int64_t i = 1; i < unroll; ++i)
    stride = arith::AddIOp::create(builder, loc, stride, step);
  Values inits(staged);
  llvm::append_range(inits, carried);
  auto loop = scf::ForOp::create(builder, loc, start, last, stride, inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (op.getLabelAttr())
    loop->setAttr(FlyDialect::getLabelAttrName(), op.getLabelAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = loop.getBody();
    if (!body->empty())
      body->back().erase();
    builder.setInsertionPointToStart(body);
    Value current = loop.getInductionVar();
    Values stagedNow(loop.getRegionIterArgs().take_front(handovers.size()));
    Values carriedNow(loop.getRegionIterArgs().drop_front(handovers.size()));
    for (int64_t i = 0; i < unroll; ++i) {
      Value next = add(current, step);
      Values fetched = prefetch(next);
      carriedNow = compute(current, stagedNow, carriedNow);
      stagedNow = stage(fetched, i + 1);
      current = next;
    }
    Values yielded(stagedNow);
    llvm::append_range(yielded, carriedNow);
    scf::YieldOp::create(builder, loc, yielded);
  }
  // Drain: the last iteration.
  Values stagedLast(loop.getResults().take_front(handovers.size()));
  Values carriedLast(loop.getResults().drop_front(handovers.size()));
  return compute(last, stagedLast, carriedLast);
}

void PipelineRewriter::rewrite() {
  lower = materialize(op.getMixedLower());
  upper = materialize(op.getMixedUpper());
  step = materialize(op.getMixedStep());
  Value any = less(lower, upper);
  auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(), any,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emitNonEmpty());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, op.getInits());
  op->replaceAllUsesWith(branch.getResults());
  op.erase();
}

/// The handover of each prefetched value, by the load it comes from. Refuses
/// two loads that would share a buffer.
static FailureOr<SmallVector<Handover>> getHandovers(PipelineOp op,
                                                     const Schedule &schedule) {
  SmallVector<Handover> handovers;
  llvm::StringMap<LoadOp> buffers;
  for (Value value : op.getPrefetchYield().getValues()) {
    Handover handover;
    auto load = value.getDefiningOp<LoadOp>();
    if (load && load.getLabel()) {
      const OperandPolicy *policy = schedule.operand(*load.getLabel());
      if (policy && policy->inLds) {
        handover.buffer = *load.getLabel();
        handover.slots = policy->stages;
        LoadOp other = buffers.try_emplace(handover.buffer, load).first->second;
        if (other != load) {
          InFlightDiagnostic diag =
              load.emitOpError()
              << "shares the LDS buffer of label '" << handover.buffer
              << "' with another load of its pipeline: give it a label of its "
                 "own";
          diag.attachNote(other.getLoc()) << "the other load";
          return diag;
        }
      }
    }
    handovers.push_back(handover);
  }
  return handovers;
}

/// Hands a value that prefetch yields twice over once.
static void mergeRepeated(PipelineOp op, SmallVector<Handover> &handovers) {
  YieldOp yield = op.getPrefetchYield();
  for (unsigned i = 0; i < handovers.size(); ++i) {
    Value value = yield.getValues()[i];
    for (unsigned j = handovers.size(); --j > i;) {
      if (yield.getValues()[j] != value)
        continue;
      op.getPrefetchedArgs()[j].replaceAllUsesWith(op.getPrefetchedArgs()[i]);
      op.getCompute().eraseArgument(1 + j);
      yield->eraseOperand(j);
      handovers.erase(handovers.begin() + j);
    }
  }
}

namespace {
struct FlyPipelineLoopsPass
    : fly::impl::FlyPipelineLoopsPassBase<FlyPipelineLoopsPass> {
  using FlyPipelineLoopsPassBase::FlyPipelineLoopsPassBase;

  void runOnOperation() override {
    // What may be refused is asked of all pipelines before one is changed.
    SmallVector<std::pair<PipelineOp, SmallVector<Handover>>> plans;
    WalkResult walk = getOperation()->walk([&](PipelineOp op) {
      if (failed(verifyNoAlias(op)))
        return WalkResult::interrupt();
      FailureOr<Schedule> schedule =
          Schedule::get(op->getParentOfType<FunctionOpInterface>());
      if (failed(schedule))
        return WalkResult::interrupt();
      auto handovers = getHandovers(op, *schedule);
      if (failed(handovers))
        return WalkResult::interrupt();
      plans.push_back({op, std::move(*handovers)});
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    // Inner pipelines come first, so that outer ones clone what they became.
    for (auto &[op, handovers] : plans) {
      mergeRepeated(op, handovers);
      size_t prefetched = handovers.size();
      PipelineRewriter rewriter(op, std::move(handovers));
      remarkPassed(op, DEBUG_TYPE, "Pipelined",
                   "steady loop of " + Twine(rewriter.getUnroll()) +
                       " iterations, " + Twine(prefetched) +
                       " tiles prefetched");
      rewriter.rewrite();
      ++numPipelines;
    }
  }
};
} // namespace
