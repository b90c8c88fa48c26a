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
// With S slots the loop holds S steps, so that each slot is a static place, and
// what is left over runs before it: a nest of branches in which the way in
// depends on how many there are, and each step stands once. Where registers are
// few such a step takes what it was handed before it loads for the next: its
// sums have only begun, so that LLVM sees room for both, which is gone at its
// end.
//
// In general part p of a stage (Parts.h) runs d(p) iterations ahead of the last
// stage, and step i runs part p of iteration i + d(p), the first stage first.
// D = max d(p) steps before the loop fill it with the iterations that exist,
// n - D steps are the loop, D steps after it drain it. A value whose next stage
// runs g iterations later has g of it under way: with S slots in LDS the oldest
// S - 1 are there (with one slot the oldest, which enters when the tile before
// has been taken), the others in registers. Copies past the registers enter
// when they are issued. Where n < D, iterations run one after the other.
//
//===----------------------------------------------------------------------===//
#include "Rewriter.h"

#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fly;
using namespace fly::pipeline;

SmallVector<Value> PipelineRewriter::clone(Region &region, const Part &part,
                                           ValueRange arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), arguments);
  for (Operation &inner : region.front().without_terminator())
    if (part.has(&inner))
      builder.clone(inner, mapping);
  Operation *yield = region.front().getTerminator();
  if (part.stage + 1 == stages.size())
    return llvm::map_to_vector(yield->getOperands(), [&](Value value) {
      return mapping.lookupOrDefault(value);
    });
  return llvm::map_to_vector(part.values, [&](unsigned index) {
    return mapping.lookupOrDefault(yield->getOperand(index));
  });
}

Value PipelineRewriter::toSlot(const Handover &handover, Value value,
                               int64_t step) {
  auto type = cast<RankedTensorType>(value.getType());
  auto encoding = StagedAttr::get(builder.getContext(), handover.buffer,
                                  handover.slotOf(step));
  return ConvertLayoutOp::create(builder, loc, type.cloneWithEncoding(encoding),
                                 value);
}

SmallVector<Value> PipelineRewriter::runPart(const Part &part, Value k,
                                             ValueRange handed,
                                             ValueRange carried) {
  Values arguments = {k};
  SmallVector<ConvertLayoutOp> reads;
  if (part.stage > 0)
    for (auto [value, argument] :
         llvm::zip(handed, op.getHandedArgs(part.stage))) {
      if (value.getType() == argument.getType()) {
        arguments.push_back(value);
        continue;
      }
      reads.push_back(
          ConvertLayoutOp::create(builder, loc, argument.getType(), value));
      arguments.push_back(reads.back());
    }
  if (part.stage + 1 == stages.size())
    llvm::append_range(arguments, carried);
  Values next = clone(*stages[part.stage], part, arguments);
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

SmallVector<Value> PipelineRewriter::takeHanded(const Part &part,
                                                const State &state) {
  if (part.stage == 0)
    return {};
  return llvm::map_to_vector(state.lines[part.stage - 1],
                             [](const Values &line) { return line.front(); });
}

void PipelineRewriter::runStep(State &state, int64_t step,
                               function_ref<Value(int64_t)> k, bool lastFirst) {
  // What is taken in a step was handed on before it.
  SmallVector<SmallVector<Values, 4>, 2> lines = state.lines;
  for (auto &stage : lines)
    for (Values &line : stage) {
      line.erase(line.begin());
      line.push_back(Value());
    }
  Values carried;
  auto runLast = [&](const Part &part) {
    if (Value at = k(part.distance))
      carried = runPart(part, at, takeHanded(part, state), state.carried);
  };
  if (lastFirst)
    runLast(parts.back());
  for (const Part &part : parts) {
    if (part.stage + 1 == stages.size()) {
      if (!lastFirst)
        runLast(part);
      continue;
    }
    Value at = k(part.distance);
    if (!at)
      continue;
    Values values = runPart(part, at, takeHanded(part, state), state.carried);
    for (auto [index, value] : llvm::zip(part.values, values)) {
      const Handover &handover = handovers[part.stage][index];
      Values &line = lines[part.stage][index];
      if (handover.throughLds() && handover.entersAtLoad(line.size()))
        value = toSlot(handover, value, step + line.size());
      line.back() = value;
    }
  }
  for (auto [list, stage] : llvm::zip(handovers, lines))
    for (auto [handover, line] : llvm::zip(list, stage)) {
      if (!handover.throughLds() || handover.entersAtLoad(line.size()))
        continue;
      int64_t entry = handover.entryOf(line.size());
      if (line[entry])
        line[entry] = toSlot(handover, line[entry], step + 1 + entry);
    }
  state.lines = std::move(lines);
  if (!carried.empty())
    state.carried = std::move(carried);
}

PipelineRewriter::State PipelineRewriter::makeState() {
  State state;
  for (const auto &list : handovers)
    state.lines.emplace_back(list.size());
  for (const Part &part : parts)
    for (unsigned index : part.values)
      state.lines[part.stage][index].resize(part.distance -
                                            op.getDistances()[part.stage + 1]);
  return state;
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
  State state = makeState();
  llvm::append_range(state.carried, op.getInits());
  if (!shared.empty()) {
    for (auto [index, value] : llvm::enumerate(shared)) {
      const Handover &handover = handovers.front()[index];
      state.lines.front()[index] = {
          handover.throughLds() ? toSlot(handover, value, next) : value};
    }
    return state;
  }
  bool copies = llvm::any_of(handovers.front(), [](const Handover &handover) {
    return handover.isAsync;
  });
  for (int64_t i = -getDepth(); i < 0; ++i) {
    runStep(state, next + i, [&](int64_t distance) {
      int64_t number = i + distance;
      return number >= 0 ? iteration(lower, number) : Value();
    });
    // Copies of one tile stay before those of the next, so that a wait can tell
    // them apart by their number.
    if (copies && i < -1)
      SchedBarrierOp::create(builder, loc);
  }
  return state;
}

/// Visits all values under way, the oldest of each line first.
template <typename StateT, typename VisitT>
static void forEachUnderWay(StateT &state, VisitT visit) {
  for (auto &stage : state.lines) {
    size_t longest = 0;
    for (const auto &line : stage)
      longest = std::max<size_t>(longest, line.size());
    for (size_t age = 0; age < longest; ++age)
      for (auto &line : stage)
        if (age < line.size())
          visit(line[age]);
  }
}

SmallVector<Value> PipelineRewriter::flatten(const State &state) {
  Values values;
  forEachUnderWay(state, [&](Value value) { values.push_back(value); });
  llvm::append_range(values, state.carried);
  return values;
}

PipelineRewriter::State PipelineRewriter::unflatten(ValueRange values) {
  State state = makeState();
  forEachUnderWay(state, [&](Value &value) {
    value = values.front();
    values = values.drop_front();
  });
  llvm::append_range(state.carried, values);
  return state;
}

bool PipelineRewriter::canShareFirst() const {
  return getDepth() == 1 && parts.size() == 2 &&
         llvm::none_of(handovers.front(), [](const Handover &handover) {
           return handover.throughLds() && handover.entersAtLoad(1);
         });
}

PipelineRewriter::State PipelineRewriter::peel(int64_t step, Value rest) {
  // As many are left as could be: the first iteration is here.
  if (step + 1 == unroll)
    return fill(-step);
  OpBuilder::InsertPoint here = builder.saveInsertionPoint();
  // The types are known once a branch is built, so the branches come first.
  SmallVector<Type> types;
  auto yield = [&](const State &next) {
    Values results = flatten(next);
    types = llvm::to_vector(ValueRange(results).getTypes());
    scf::YieldOp::create(builder, loc, results);
  };
  Value hasMore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                        rest, constant(step));
  Region more, start;
  builder.createBlock(&more);
  {
    State state = peel(step + 1, rest);
    bool isFirst = step + 2 == unroll;
    Value at = isFirst ? lower : iterationAfter(fewer(rest, step + 1));
    runStep(
        state, -(step + 1),
        [&](int64_t distance) { return iteration(at, distance); },
        /*lastFirst=*/isTight);
    yield(state);
  }
  builder.createBlock(&start);
  yield(fill(-step));
  builder.restoreInsertionPoint(here);
  auto branch =
      scf::IfOp::create(builder, loc, types, hasMore, /*withElseRegion=*/true);
  branch.getThenRegion().takeBody(more);
  branch.getElseRegion().takeBody(start);
  builder.setInsertionPointAfter(branch);
  return unflatten(branch.getResults());
}

SmallVector<Value> PipelineRewriter::emitSteady(Value steps) {
  // Steps of the loop: all but those that drain it.
  if (getDepth() > 1)
    steps = fewer(steps, getDepth() - 1);
  Value start = lower;
  State state;
  if (unroll == 1) {
    state = fill(0);
  } else {
    // Steps that leave a multiple of `unroll` run before the loop.
    Value rest = arith::RemUIOp::create(builder, loc, steps, constant(unroll));
    start = iterationAfter(rest);
    // A load that both ways begin with stands before them.
    if (canShareFirst())
      shared = runPart(parts.front(), lower, {}, {});
    state = peel(0, rest);
    shared.clear();
  }

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
      runStep(now, i, [&](int64_t distance) {
        return distance == 0 ? current : iteration(next, distance - 1);
      });
      current = next;
    }
    scf::YieldOp::create(builder, loc, flatten(now));
  }
  // Drain: the last iterations.
  state = unflatten(loop.getResults());
  for (int64_t i = 0; i < getDepth(); ++i)
    runStep(state, i, [&](int64_t distance) {
      int64_t number = i + distance;
      return number < getDepth() ? iteration(last, number) : Value();
    });
  return state.carried;
}

SmallVector<Value> PipelineRewriter::runIteration(Value k, ValueRange carried) {
  State state = makeState();
  for (const Part &part : parts) {
    Values values = runPart(part, k, takeHanded(part, state), carried);
    if (part.stage + 1 == stages.size())
      return values;
    for (auto [index, value] : llvm::zip(part.values, values)) {
      const Handover &handover = handovers[part.stage][index];
      state.lines[part.stage][index].front() =
          handover.throughLds() ? toSlot(handover, value, 0) : value;
    }
  }
  llvm_unreachable("the last part is of the last stage");
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

// Of a branch without results the builder ends the blocks; ours end themselves.
scf::IfOp PipelineRewriter::createBranch(Value condition) {
  auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(), condition,
                                  /*withElseRegion=*/true);
  branch.thenBlock()->clear();
  branch.elseBlock()->clear();
  return branch;
}

SmallVector<Value> PipelineRewriter::emitNonEmpty() {
  // Steps after the first iteration: hi > lo holds here.
  Value steps = arith::DivUIOp::create(
      builder, loc, sub(sub(upper, lower), constant(1)), step);
  if (getDepth() == 1)
    return emitSteady(steps);
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                       steps, constant(getDepth() - 1));
  auto branch = createBranch(isLong);
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
  auto branch = createBranch(any);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emitNonEmpty());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, op.getInits());
  op->replaceAllUsesWith(branch.getResults());
  op.erase();
}
