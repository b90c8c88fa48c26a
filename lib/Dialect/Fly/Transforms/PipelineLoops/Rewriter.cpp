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
// In general stage s runs d(s) iterations ahead of the last, and step i runs
// stage s of iteration i + d(s), the first stage first. D = d(0) steps before
// the loop fill it with the iterations that exist, n - D steps are the loop, D
// steps after it drain it. A stage whose next runs g iterations later keeps g
// values under way, in registers but the one that is taken next. Where n < D,
// iterations run one after the other.
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

SmallVector<Value> PipelineRewriter::toSlots(unsigned stage, ValueRange values,
                                             int64_t step) {
  Values staged;
  for (auto [value, handover] : llvm::zip(values, handovers[stage])) {
    if (!handover.throughLds()) {
      staged.push_back(value);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    auto encoding = StagedAttr::get(builder.getContext(), handover.buffer,
                                    handover.slotOf(step));
    staged.push_back(ConvertLayoutOp::create(
        builder, loc, type.cloneWithEncoding(encoding), value));
  }
  return staged;
}

SmallVector<Value> PipelineRewriter::runStage(unsigned stage, Value k,
                                              ValueRange handed,
                                              ValueRange carried) {
  Values arguments = {k};
  SmallVector<ConvertLayoutOp> reads;
  if (stage > 0)
    for (auto [value, argument] : llvm::zip(handed, op.getHandedArgs(stage))) {
      if (value.getType() == argument.getType()) {
        arguments.push_back(value);
        continue;
      }
      reads.push_back(
          ConvertLayoutOp::create(builder, loc, argument.getType(), value));
      arguments.push_back(reads.back());
    }
  if (stage + 1 == stages.size())
    llvm::append_range(arguments, carried);
  Values next = clone(*stages[stage], arguments);
  // Read from LDS directly in the layout that is needed.
  for (ConvertLayoutOp read : reads) {
    // What is handed on keeps its type.
    for (OpOperand &use : llvm::make_early_inc_range(read->getUses()))
      if (auto convert = dyn_cast<ConvertLayoutOp>(use.getOwner()))
        convert.getSourceMutable().assign(read.getSource());
    if (read->use_empty() && !llvm::is_contained(next, read.getResult()))
      read.erase();
  }
  return next;
}

void PipelineRewriter::runStep(State &state, int64_t step,
                               function_ref<Value(unsigned)> k) {
  unsigned last = stages.size() - 1;
  SmallVector<Values, 2> yielded(last);
  for (unsigned stage = 0; stage <= last; ++stage) {
    Value at = k(stage);
    if (!at)
      continue;
    Values handed;
    if (stage > 0)
      handed = state.lines[stage - 1].front();
    Values values = runStage(stage, at, handed, state.carried);
    (stage == last ? state.carried : yielded[stage]) = std::move(values);
  }
  for (unsigned stage = 0; stage < last; ++stage) {
    auto &line = state.lines[stage];
    line.erase(line.begin());
    line.push_back(std::move(yielded[stage]));
    if (!line.front().empty())
      line.front() = toSlots(stage, line.front(), step + 1);
  }
}

/// `from` and `number` steps.
Value PipelineRewriter::iteration(Value from, int64_t number) {
  for (int64_t i = 0; i < number; ++i)
    from = add(from, step);
  return from;
}

/// The iteration that `number` others precede.
Value PipelineRewriter::iterationAfter(Value number) {
  // From a negative start the way may be longer than a signed number.
  auto flags = isNonNegative(lower) ? arith::IntegerOverflowFlags::nsw
                                    : arith::IntegerOverflowFlags::none;
  Value way = arith::MulIOp::create(builder, loc, number, step, flags);
  return arith::AddIOp::create(builder, loc, lower, way, flags);
}

PipelineRewriter::State PipelineRewriter::fill(int64_t next) {
  State state;
  for (unsigned stage = 0; stage + 1 < stages.size(); ++stage)
    state.lines.emplace_back(distances[stage] - distances[stage + 1]);
  llvm::append_range(state.carried, op.getInits());
  for (int64_t i = -getDepth(); i < 0; ++i)
    runStep(state, next + i, [&](unsigned stage) {
      int64_t number = i + distances[stage];
      bool exists = number >= 0 && stage + 1 < stages.size();
      return exists ? iteration(lower, number) : Value();
    });
  return state;
}

SmallVector<Value> PipelineRewriter::flatten(const State &state) {
  Values values;
  for (const auto &line : state.lines)
    for (const Values &each : line)
      llvm::append_range(values, each);
  llvm::append_range(values, state.carried);
  return values;
}

PipelineRewriter::State PipelineRewriter::unflatten(ValueRange values) {
  State state;
  for (unsigned stage = 0; stage + 1 < stages.size(); ++stage) {
    auto &line = state.lines.emplace_back();
    for (int64_t i = distances[stage + 1]; i < distances[stage]; ++i) {
      line.emplace_back(values.take_front(handovers[stage].size()));
      values = values.drop_front(handovers[stage].size());
    }
  }
  llvm::append_range(state.carried, values);
  return state;
}

Value PipelineRewriter::peelIfOdd(Value steps, State &state) {
  Value one = constant(1);
  Value isOdd = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne,
      arith::AndIOp::create(builder, loc, steps, one), constant(0));
  Value second = add(lower, step);
  Value start = arith::SelectOp::create(builder, loc, isOdd, second, lower);
  // A load that both ways begin with stands before them.
  bool isPair = getDepth() == 1;
  Values first = isPair ? runStage(0, lower, {}, {}) : Values();
  auto fillFor = [&](int64_t next) {
    if (!isPair)
      return fill(next);
    State filled;
    filled.lines.emplace_back().push_back(toSlots(0, first, next));
    llvm::append_range(filled.carried, op.getInits());
    return filled;
  };
  OpBuilder::InsertPoint here = builder.saveInsertionPoint();
  // The types are known once a branch is built, so the branches come first.
  SmallVector<Type> types;
  auto yield = [&](const State &next) {
    Values results = flatten(next);
    types = llvm::to_vector(ValueRange(results).getTypes());
    scf::YieldOp::create(builder, loc, results);
  };
  Region odd, even;
  builder.createBlock(&odd);
  {
    State peeled = fillFor(-1);
    runStep(peeled, -1, [&](unsigned stage) {
      // The second iteration's number stands before the branch.
      return distances[stage] == 0 ? lower
                                   : iteration(second, distances[stage] - 1);
    });
    yield(peeled);
  }
  builder.createBlock(&even);
  yield(fillFor(0));
  builder.restoreInsertionPoint(here);
  auto branch =
      scf::IfOp::create(builder, loc, types, isOdd, /*withElseRegion=*/true);
  branch.getThenRegion().takeBody(odd);
  branch.getElseRegion().takeBody(even);
  builder.setInsertionPointAfter(branch);
  state = unflatten(branch.getResults());
  return start;
}

SmallVector<Value> PipelineRewriter::emitSteady(Value steps) {
  // Steps of the loop: all but those that drain it.
  if (getDepth() > 1)
    steps = sub(steps, constant(getDepth() - 1));
  Value start = lower;
  State state;
  if (unroll == 1)
    state = fill(0);
  else
    start = peelIfOdd(steps, state);

  // Steady loop: `unroll` further iterations follow the one at k, since their
  // number is a multiple of it; the loop ends at the last one exactly.
  Value last = iterationAfter(steps);
  Value stride = step;
  for (int64_t i = 1; i < unroll; ++i)
    stride = arith::AddIOp::create(builder, loc, stride, step);
  auto loop =
      scf::ForOp::create(builder, loc, start, last, stride, flatten(state));
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (op.getLabelAttr())
    loop->setAttr(FlyDialect::getLabelAttrName(), op.getLabelAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = loop.getBody();
    if (!body->empty())
      body->back().erase();
    builder.setInsertionPointToStart(body);
    State now = unflatten(loop.getRegionIterArgs());
    Value current = loop.getInductionVar();
    for (int64_t i = 0; i < unroll; ++i) {
      Value next = add(current, step);
      runStep(now, i, [&](unsigned stage) {
        return distances[stage] == 0 ? current
                                     : iteration(next, distances[stage] - 1);
      });
      current = next;
    }
    scf::YieldOp::create(builder, loc, flatten(now));
  }
  // Drain: the last iterations.
  state = unflatten(loop.getResults());
  for (int64_t i = 0; i < getDepth(); ++i)
    runStep(state, i, [&](unsigned stage) {
      int64_t number = i + distances[stage];
      return number < getDepth() ? iteration(last, number) : Value();
    });
  return state.carried;
}

SmallVector<Value> PipelineRewriter::runIteration(Value k, ValueRange carried) {
  Values values;
  for (unsigned stage = 0; stage < stages.size(); ++stage) {
    if (stage > 0)
      values = toSlots(stage - 1, values, 0);
    values = runStage(stage, k, values, carried);
  }
  return values;
}

SmallVector<Value> PipelineRewriter::emitSequential(Value steps) {
  Value last = lower;
  Values carried(op.getInits());
  // Fewer iterations than the depth: of two, that is one.
  if (getDepth() > 2) {
    last = iterationAfter(steps);
    auto loop = scf::ForOp::create(builder, loc, lower, last, step, carried);
    OpBuilder::InsertionGuard guard(builder);
    Block *body = loop.getBody();
    if (!body->empty())
      body->back().erase();
    builder.setInsertionPointToStart(body);
    Values next = runIteration(loop.getInductionVar(),
                               ValueRange(loop.getRegionIterArgs()));
    scf::YieldOp::create(builder, loc, next);
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  }
  return runIteration(last, carried);
}

SmallVector<Value> PipelineRewriter::emitNonEmpty() {
  // Steps after the first iteration: hi > lo holds here.
  Value steps = arith::DivUIOp::create(
      builder, loc, sub(sub(upper, lower), constant(1)), step);
  if (getDepth() == 1)
    return emitSteady(steps);
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                       steps, constant(getDepth() - 1));
  auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(), isLong,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emitSteady(steps));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, emitSequential(steps));
  return Values(branch.getResults());
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
