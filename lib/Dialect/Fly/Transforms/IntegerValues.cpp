//===- IntegerValues.cpp - Integers as attributes, values and names -------===//
//
// What an extent, stride, bound or coordinate is: a number, the same as
// another, the counter of a loop, or an argument that messages call by its
// name.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;

std::optional<int64_t> fly::getNumber(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value)) {
    auto number = dyn_cast<IntegerAttr>(attr);
    return number ? std::optional(number.getInt()) : std::nullopt;
  }
  APInt number;
  if (matchPattern(cast<Value>(value), m_ConstantInt(&number)) &&
      number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// The same, within so many comparisons: values may share operands, so n ops
/// may need 2^n.
static bool isSame(OpFoldResult lhs, OpFoldResult rhs, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  std::optional<int64_t> l = getNumber(lhs), r = getNumber(rhs);
  if (l || r)
    return l == r;
  if (isa<Attribute>(lhs) || isa<Attribute>(rhs))
    return false;
  Value a = cast<Value>(lhs), b = cast<Value>(rhs);
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || !isPure(x) || x->getNumRegions() != 0 ||
      x->getName() != y->getName() ||
      x->getNumOperands() != y->getNumOperands() ||
      x->getAttrDictionary() != y->getAttrDictionary() ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber() ||
      a.getType() != b.getType())
    return false;
  return llvm::all_of(llvm::zip(x->getOperands(), y->getOperands()),
                      [&](auto pair) {
                        return isSame(OpFoldResult(std::get<0>(pair)),
                                      OpFoldResult(std::get<1>(pair)), budget);
                      });
}

bool fly::isSame(OpFoldResult lhs, OpFoldResult rhs) {
  unsigned budget = 1000;
  return ::isSame(lhs, rhs, budget);
}

std::string fly::describeValue(OpFoldResult value) {
  if (std::optional<int64_t> number = getNumber(value))
    return std::to_string(*number);
  auto argument = dyn_cast_or_null<BlockArgument>(dyn_cast<Value>(value));
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  if (!function)
    return "the value";
  return "%" + getArgumentName(function, argument.getArgNumber());
}

std::optional<std::array<OpFoldResult, 3>> fly::getLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() != 0)
    return std::nullopt;
  Operation *parent = argument.getOwner()->getParentOp();
  using Bounds = std::array<OpFoldResult, 3>;
  if (auto loop = dyn_cast<PipelineOp>(parent))
    return Bounds{loop.getMixedLower(), loop.getMixedUpper(),
                  loop.getMixedStep()};
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && !loop.getUnsignedCmp())
    return Bounds{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  return std::nullopt;
}
