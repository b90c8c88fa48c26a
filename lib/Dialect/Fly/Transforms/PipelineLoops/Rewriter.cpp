//===- Rewriter.cpp - One pipeline to prologue, loop and drain ------------===//
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
//===----------------------------------------------------------------------===//
#include "Rewriter.h"

#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fly;
using namespace fly::pipeline;

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
