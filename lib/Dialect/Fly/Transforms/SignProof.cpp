//===- SignProof.cpp - Scalars that are at least 0 ------------------------===//
//
// Recursion over defining ops, of bounded depth and work. A value that a loop
// carries is taken to be at least 0 while its next value is looked at
// (induction).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "fly/Dialect/Fly/IR/ArgumentAttributes.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace fly;

namespace {
class SignProof {
public:
  SignProof(SmallVectorImpl<Operation *> *sums,
            SmallVectorImpl<BlockArgument> *arguments)
      : sums(sums), arguments(arguments) {}
  bool isNonNegative(Value value);

private:
  bool areNonNegative(ValueRange values) {
    return llvm::all_of(values,
                        [&](Value value) { return isNonNegative(value); });
  }
  /// Calls `visit` for each value that may become `value` through structured
  /// control flow; false if the sources are not all known.
  bool visitSources(Value value, function_ref<void(Value)> visit);
  bool isResultNonNegative(Operation *op);
  bool isArgumentNonNegative(BlockArgument argument, Operation *parent);
  /// Whether a sum, product or shift is not to be trusted.
  bool mayWrap(Operation *op);

  SmallVectorImpl<Operation *> *sums;
  SmallVectorImpl<BlockArgument> *arguments;
  llvm::SmallDenseSet<Value, 8> assumed;
  unsigned depth = 0;
  /// Bounds the work on values that are used many times.
  unsigned steps = 1000;
  static constexpr unsigned maxDepth = 32;
};
} // namespace

bool SignProof::visitSources(Value value, function_ref<void(Value)> visit) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *owner =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  unsigned index = argument ? argument.getArgNumber()
                            : cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    if (argument && index == 0)
      return false;
    index -= argument ? 1 : 0;
    visit(loop.getInitArgs()[index]);
    visit(loop.getYieldedValues()[index]);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    if (argument && argument.getOwner() == loop.getBeforeBody()) {
      visit(loop.getInits()[index]);
      visit(loop.getYieldOp().getOperand(index));
    } else {
      visit(loop.getConditionOp().getArgs()[index]);
    }
    return true;
  }
  if (auto loop = dyn_cast<PipelineOp>(owner)) {
    if (Value handed = argument ? loop.getHandedValue(argument) : Value()) {
      visit(handed);
      return true;
    }
    // Else of compute: the iteration, what the stage before hands over, what is
    // carried.
    unsigned before = 1 + loop.getNumPrefetched();
    if (argument && (index < before ||
                     argument.getOwner()->getParent() != &loop.getCompute()))
      return false;
    index -= argument ? before : 0;
    visit(loop.getInits()[index]);
    visit(loop.getComputeYield().getValues()[index]);
    return true;
  }
  auto branch = dyn_cast<scf::IfOp>(owner);
  if (!branch || argument)
    return false;
  visit(branch.thenYield().getOperand(index));
  visit(branch.elseYield().getOperand(index));
  return true;
}

bool SignProof::mayWrap(Operation *op) {
  if (op->getResult(0).getType().isIndex() ||
      cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap())
    return false;
  if (!sums)
    return true;
  sums->push_back(op);
  return false;
}

/// Whether `part` is at least 0 and at most `whole`, which is not negative.
static bool isPartOf(Value part, Value whole) {
  Operation *op = part.getDefiningOp();
  if (isa_and_nonnull<arith::RemUIOp, arith::RemSIOp, arith::DivUIOp,
                      arith::ShRUIOp>(op))
    return op->getOperand(0) == whole;
  return isa_and_nonnull<arith::AndIOp, arith::MinUIOp>(op) &&
         llvm::is_contained(op->getOperands(), whole);
}

bool SignProof::isResultNonNegative(Operation *op) {
  APInt constant;
  if (isa<GridOp, LaneOp, WaveOp, gpu::ThreadIdOp, gpu::BlockIdOp,
          gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          arith::ExtUIOp>(op))
    return true;
  if (isa<arith::AddIOp, arith::MulIOp>(op))
    return areNonNegative(op->getOperands()) && !mayWrap(op);
  if (isa<arith::ShLIOp>(op))
    return isNonNegative(op->getOperand(0)) && !mayWrap(op);
  if (isa<arith::DivSIOp, arith::MinSIOp, arith::MaxUIOp, arith::OrIOp,
          arith::XOrIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
    return areNonNegative(op->getOperands());
  // What is left where a part is taken away: nothing wraps.
  if (isa<arith::SubIOp>(op))
    return isNonNegative(op->getOperand(0)) &&
           (cast<arith::SubIOp>(op).hasNoUnsignedWrap() ||
            isPartOf(op->getOperand(1), op->getOperand(0)));
  // Halved at least once, an unsigned number has no sign bit.
  if (auto quotient = dyn_cast<arith::DivUIOp>(op))
    if (matchPattern(quotient.getRhs(), m_ConstantInt(&constant)) &&
        constant.ugt(1))
      return true;
  // As unsigned numbers the results are at most one of the operands: for the
  // minimum, the remainder and the bits in common, whichever it is.
  if (isa<arith::AndIOp, arith::MaxSIOp, arith::RemUIOp, arith::MinUIOp>(op))
    return llvm::any_of(op->getOperands(),
                        [&](Value value) { return isNonNegative(value); });
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::RemSIOp, arith::IndexCastOp,
          arith::ExtSIOp, arith::DivUIOp, arith::CeilDivUIOp>(op))
    return isNonNegative(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return areNonNegative({select.getTrueValue(), select.getFalseValue()});
  return false;
}

/// An argument of the kernel, of which the launch knows whether it is.
bool SignProof::isArgumentNonNegative(BlockArgument argument,
                                      Operation *parent) {
  auto kernel = dyn_cast<FunctionOpInterface>(parent);
  if (!kernel || argument.getArgNumber() >= kernel.getNumArguments() ||
      !argument.getType().isIntOrIndex())
    return false;
  if (kernel.getArgAttr(argument.getArgNumber(), nonNegativeAttrName))
    return true;
  if (arguments)
    arguments->push_back(argument);
  return bool(arguments);
}

bool SignProof::isNonNegative(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (assumed.contains(value))
    return true;
  if (depth >= maxDepth || steps == 0)
    return false;
  ++depth, --steps;
  llvm::scope_exit leave([&] { --depth; });
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && argument == loop.getInductionVar())
      return !loop.getUnsignedCmp() && isNonNegative(loop.getLowerBound());
    if (auto loop = dyn_cast<PipelineOp>(parent);
        loop && argument.getArgNumber() == 0) {
      OpFoldResult lower = loop.getMixedLower();
      if (auto number = dyn_cast<Attribute>(lower))
        return isa<IntegerAttr>(number) &&
               cast<IntegerAttr>(number).getInt() >= 0;
      return isNonNegative(cast<Value>(lower));
    }
    if (!isa<scf::ForOp, scf::WhileOp, PipelineOp>(parent))
      return isArgumentNonNegative(argument, parent);
  }
  bool all = true;
  assumed.insert(value);
  bool carried = visitSources(
      value, [&](Value source) { all = all && isNonNegative(source); });
  assumed.erase(value);
  return carried ? all
                 : value.getDefiningOp() &&
                       isResultNonNegative(value.getDefiningOp());
}

bool fly::isNonNegative(Value value, SmallVectorImpl<Operation *> *sums,
                        SmallVectorImpl<BlockArgument> *arguments) {
  return SignProof(sums, arguments).isNonNegative(value);
}
