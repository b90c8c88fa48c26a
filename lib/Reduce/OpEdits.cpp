//===- OpEdits.cpp - Smaller modules by fewer ops -------------------------===//
//
// Erasing takes what nobody uses; replacing frees ops for it, by an operand of
// the same type (the init of a loop, the input of arithmetic) or by zero.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

#include "Edits.h"

using namespace mlir;
using namespace fly::reduce;

/// The ops that satisfy `filter`, in the order of the text.
static SmallVector<Operation *>
collectOps(ModuleOp module, function_ref<bool(Operation *)> filter) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module.getOperation() && filter(op))
      ops.push_back(op);
  });
  return ops;
}

//===----------------------------------------------------------------------===//
// Erase
//===----------------------------------------------------------------------===//

static bool mayErase(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>();
}

static unsigned countErasable(ModuleOp module) {
  return collectOps(module, mayErase).size();
}

static bool eraseOps(ModuleOp module, unsigned begin, unsigned end) {
  SmallVector<Operation *> ops = collectOps(module, mayErase);
  bool changed = false;
  // Users come after what they use, nested ops after those around them.
  for (unsigned i = end; i-- > begin;) {
    if (!ops[i]->use_empty())
      continue;
    ops[i]->erase();
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Replace
//===----------------------------------------------------------------------===//

static bool isConstant(Operation *op) {
  return isa<fly::ConstantOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
}

static bool isReplaceable(Operation *op) {
  return !op->use_empty() && !isConstant(op);
}

static unsigned countReplaceable(ModuleOp module) {
  return collectOps(module, isReplaceable).size();
}

/// Zero of a type that has one, made in front of `op`; else null.
static Value makeZero(Operation *op, Type type) {
  OpBuilder builder(op);
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrIndexOrFloat())
    return {};
  if (isa<RankedTensorType>(type)) {
    Attribute zero = isa<FloatType>(element)
                         ? Attribute(builder.getF64FloatAttr(0.0))
                         : Attribute(builder.getI64IntegerAttr(0));
    return fly::ConstantOp::create(builder, op->getLoc(), type, zero);
  }
  TypedAttr zero = builder.getZeroAttr(type);
  return zero ? Value(arith::ConstantOp::create(builder, op->getLoc(), zero))
              : Value();
}

/// Replaces the results of a range of ops by what `makeValue` gives.
static bool replaceResults(ModuleOp module, unsigned begin, unsigned end,
                           function_ref<Value(Operation *, Value)> makeValue) {
  SmallVector<Operation *> ops = collectOps(module, isReplaceable);
  bool changed = false;
  for (unsigned i = end; i-- > begin;) {
    Operation *op = ops[i];
    for (Value result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value value = makeValue(op, result);
      if (!value)
        continue;
      result.replaceAllUsesWith(value);
      changed = true;
    }
    if (op->use_empty() && mayErase(op))
      op->erase();
  }
  return changed;
}

static bool replaceByOperands(ModuleOp module, unsigned begin, unsigned end) {
  return replaceResults(
      module, begin, end, [](Operation *op, Value result) -> Value {
        for (Value operand : op->getOperands())
          if (operand.getType() == result.getType() && operand != result)
            return operand;
        return {};
      });
}

static bool replaceByZeros(ModuleOp module, unsigned begin, unsigned end) {
  return replaceResults(module, begin, end, [](Operation *op, Value result) {
    return makeZero(op, result.getType());
  });
}

//===----------------------------------------------------------------------===//
// Open regions
//===----------------------------------------------------------------------===//

static bool isOpenable(Operation *op) {
  if (auto loop = dyn_cast<fly::PipelineOp>(op))
    return !loop.getMixedLower().isNull();
  return isa<scf::IfOp, scf::ForOp>(op);
}

static unsigned countOpenable(ModuleOp module) {
  return collectOps(module, isOpenable).size();
}

/// Moves a block in front of `op`; gives what its terminator handed on.
static SmallVector<Value> inlineBefore(RewriterBase &rewriter, Operation *op,
                                       Block *block, ValueRange arguments) {
  Operation *terminator = block->getTerminator();
  SmallVector<Value> values(terminator->getOperands());
  // An argument may be handed on as it came.
  for (Value &value : values)
    for (auto [from, to] : llvm::zip_equal(block->getArguments(), arguments))
      if (value == from)
        value = to;
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(block, op, arguments);
  return values;
}

/// A branch becomes the code of its first region, a loop its first iteration.
static bool open(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    results = inlineBefore(rewriter, op, branch.thenBlock(), {});
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> arguments = {loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    results = inlineBefore(rewriter, op, loop.getBody(), arguments);
  } else {
    auto pipeline = cast<fly::PipelineOp>(op);
    OpFoldResult bound = pipeline.getMixedLower();
    Value lower = dyn_cast<Value>(bound);
    if (!lower) {
      auto number = dyn_cast<IntegerAttr>(cast<Attribute>(bound));
      if (!number) // A name of a size.
        return false;
      lower = arith::ConstantOp::create(
          rewriter, op->getLoc(), rewriter.getI32IntegerAttr(number.getInt()));
    }
    SmallVector<Value> inits(pipeline.getInits());
    SmallVector<Region *, 3> stages = pipeline.getStages();
    for (Region *stage : stages) {
      SmallVector<Value> arguments = {lower};
      llvm::append_range(arguments, results);
      if (stage == stages.back())
        llvm::append_range(arguments, inits);
      results = inlineBefore(rewriter, op, &stage->front(), arguments);
    }
  }
  rewriter.replaceOp(op, results);
  return true;
}

static bool openRegions(ModuleOp module, unsigned begin, unsigned end) {
  SmallVector<Operation *> ops = collectOps(module, isOpenable);
  IRRewriter rewriter(module.getContext());
  bool changed = false;
  // Inner ones first, before they move.
  for (unsigned i = end; i-- > begin;)
    changed |= open(rewriter, ops[i]);
  return changed;
}

llvm::ArrayRef<Edit> fly::reduce::getOpEdits() {
  static constexpr Edit edits[] = {
      {"erase ops", countErasable, eraseOps, false},
      {"replace values by operands", countReplaceable, replaceByOperands,
       false},
      {"replace values by zero", countReplaceable, replaceByZeros, false},
      {"open regions", countOpenable, openRegions, false},
      {"erase ops", countErasable, eraseOps, false},
  };
  return edits;
}
