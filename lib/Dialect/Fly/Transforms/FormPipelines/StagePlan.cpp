//===- StagePlan.cpp - Which stage each op of a loop runs in --------------===//
//
// An op runs as far ahead as the ops that take its values, and no farther
// unless it was asked to. What runs ahead writes nothing, takes nothing that
// the loop carries, and reads nothing that the loop may write.
//
//===----------------------------------------------------------------------===//
#include "StagePlan.h"

#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"

#include "../Aliasing.h"
#include "../LabelledOps.h"

using namespace mlir;
using namespace fly;

void StagePlan::forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      visit(operand);
  });
}

bool StagePlan::isRepeated(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) && op->getNumResults() > 0 &&
         llvm::none_of(op->getResultTypes(),
                       [](Type type) { return isa<ShapedType>(type); }) &&
         llvm::none_of(op->getOperandTypes(),
                       [](Type type) { return isa<ShapedType>(type); });
}

/// "load 'k'", "fly.dot".
static std::string describe(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  StringAttr label = getWrittenLabel(op);
  return label ? name + " '" + label.getValue().str() + "'" : name;
}

/// What keeps an op that shall run ahead where it is.
std::optional<StageViolation> StagePlan::checkMoves(Operation *op) {
  int64_t distance = distanceOf[op];
  std::string where = describe(op) + " cannot run " + std::to_string(distance) +
                      " iterations ahead: ";
  std::optional<StageViolation> violation;
  op->walk([&](Operation *inner) {
    if (violation || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return;
    auto effects = getEffectsRecursively(inner);
    if (effects && llvm::none_of(*effects, [](const auto &effect) {
          return isa<MemoryEffects::Write, MemoryEffects::Free>(
              effect.getEffect());
        }))
      return;
    violation = {op, where + "it may write memory"};
  });
  forEachOperand(op, [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (violation || !argument || argument.getOwner() != loop.getBody() ||
        argument == loop.getInductionVar())
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    AsmState state(loop->getParentOp());
    argument.printAsOperand(os, state);
    violation = {op, where + "it takes " + text +
                         ", which the iteration before it yields"};
    violation->other = loop;
    violation->note = "carried by this loop";
  });
  return violation;
}

/// Reads that run ahead against everything that the loop writes.
std::optional<StageViolation> StagePlan::checkMemory() {
  struct Access {
    Operation *op;
    Value view;
  };
  SmallVector<Access> reads, writes;
  loop.getBody()->walk([&](Operation *op) {
    // What checks write no load reads.
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<AssertOp, PrintOp>(op))
      return;
    auto effects = getEffectsRecursively(op);
    if (!effects) {
      writes.push_back({op, {}});
      return;
    }
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
      if (!isRead)
        writes.push_back({op, effect.getValue()});
      else if (distanceOf.lookup(inBody(op)) > 0)
        reads.push_back({op, effect.getValue()});
    }
  });
  for (const Access &write : writes)
    for (const Access &read : reads) {
      if (write.view && read.view && !mayAlias(write.view, read.view))
        continue;
      StageViolation violation;
      violation.at = read.op;
      violation.text = describe(read.op) +
                       " cannot run ahead: the loop may write what it reads";
      violation.other = write.op;
      violation.note = "by this op";
      return violation;
    }
  return std::nullopt;
}

std::optional<StageViolation> StagePlan::solve() {
  llvm::SetVector<int64_t> used;
  used.insert(0);
  for (Operation &op : llvm::reverse(*loop.getBody())) {
    int64_t distance = 0;
    Operation *taker = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *at = inBody(user);
      int64_t needed = at ? distanceOf.lookup(at) : 0;
      if (needed > distance) {
        distance = needed;
        taker = at;
      }
    }
    auto *asked = requested.find(&op);
    if (asked != requested.end()) {
      if (asked->second < distance) {
        StageViolation violation;
        violation.at = &op;
        violation.text = describe(&op) + " is to run " +
                         std::to_string(asked->second) +
                         " iterations ahead, but what takes its value runs " +
                         std::to_string(distance) + " ahead";
        violation.other = taker;
        violation.note = "this " + describe(taker);
        return violation;
      }
      distance = asked->second;
    }
    distanceOf[&op] = distance;
    if (distance == 0)
      continue;
    if (auto violation = checkMoves(&op))
      return violation;
    if (!isRepeated(&op))
      used.insert(distance);
  }
  if (auto violation = checkMemory())
    return violation;
  distances.assign(used.begin(), used.end());
  llvm::sort(distances, std::greater<int64_t>());
  return std::nullopt;
}

unsigned StagePlan::stageOf(Operation *op) const {
  return llvm::find(distances, distanceOf.lookup(op)) - distances.begin();
}

/// What each stage makes again, and what it is handed.
void StagePlan::findNeeds() {
  repeats.resize(distances.size());
  handed.resize(distances.size());
  for (unsigned stage = 0; stage < distances.size(); ++stage) {
    SmallVector<Operation *> worklist;
    for (Operation &op : *loop.getBody())
      if (!isRepeated(&op) && stageOf(&op) == stage)
        worklist.push_back(&op);
    while (!worklist.empty()) {
      forEachOperand(worklist.pop_back_val(), [&](Value value) {
        Operation *made = value.getDefiningOp();
        if (!made || made->getBlock() != loop.getBody())
          return;
        if (isRepeated(made)) {
          if (repeats[stage].insert(made))
            worklist.push_back(made);
          return;
        }
        for (unsigned from = stageOf(made) + 1; from <= stage; ++from)
          handed[from].insert(value);
      });
    }
  }
  // In the order of the loop.
  for (llvm::SetVector<Value> &values : handed) {
    llvm::SetVector<Value> ordered;
    for (Operation &op : *loop.getBody())
      for (Value result : op.getResults())
        if (values.contains(result))
          ordered.insert(result);
    values = std::move(ordered);
  }
}

PipelineOp StagePlan::build(StringAttr label) {
  findNeeds();
  OpBuilder builder(loop);
  SmallVector<Attribute> bounds;
  auto bound = [&](Value value) -> Value {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number))) {
      bounds.push_back(builder.getUnitAttr());
      return value;
    }
    bounds.push_back(builder.getI64IntegerAttr(number.getSExtValue()));
    return {};
  };
  Value lower = bound(loop.getLowerBound());
  Value upper = bound(loop.getUpperBound());
  Value step = bound(loop.getStep());
  unsigned last = distances.size() - 1;
  bool isUsual = distances.front() == int64_t(last);
  auto pipeline = PipelineOp::create(
      builder, loop.getLoc(), loop.getResultTypes(), label, lower, upper, step,
      builder.getArrayAttr(bounds),
      isUsual ? DenseI64ArrayAttr()
              : builder.getDenseI64ArrayAttr(
                    ArrayRef<int64_t>(distances).drop_back()),
      loop.getInitArgs(), /*middlesCount=*/last - 1);
  for (NamedAttribute attr : loop->getDiscardableAttrs())
    if (attr.getName() != FlyDialect::getLabelAttrName())
      pipeline->setDiscardableAttr(attr.getName(), attr.getValue());
  for (unsigned stage = 0; stage <= last; ++stage) {
    Block &block = pipeline.getStages()[stage]->emplaceBlock();
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                block.addArgument(builder.getI32Type(),
                                  loop.getInductionVar().getLoc()));
    for (Value value : handed[stage])
      mapping.map(value, block.addArgument(value.getType(), value.getLoc()));
    if (stage == last)
      for (BlockArgument argument : loop.getRegionIterArgs())
        mapping.map(argument,
                    block.addArgument(argument.getType(), argument.getLoc()));
    builder.setInsertionPointToStart(&block);
    for (Operation &op : loop.getBody()->without_terminator())
      if (isRepeated(&op) ? repeats[stage].contains(&op)
                          : stageOf(&op) == stage)
        builder.clone(op, mapping);
    ValueRange yielded = loop.getYieldedValues();
    if (stage < last)
      yielded = handed[stage + 1].getArrayRef();
    YieldOp::create(builder, loop.getLoc(),
                    llvm::map_to_vector(yielded, [&](Value value) {
                      return mapping.lookupOrDefault(value);
                    }));
  }
  loop->replaceAllUsesWith(pipeline.getResults());
  loop.erase();
  return pipeline;
}
