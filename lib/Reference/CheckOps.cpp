//===- CheckOps.cpp - Asserts and prints ----------------------------------===//
//
// An assert that fails is an error at its op, with the element that is false
// and what its condition compares; one whose condition is uncertain passes
// (docs/Rationale/ErrorBounds.md). A print writes one line, with the workgroup
// in front, to the stream that the caller gave; without one it does nothing.
// The words are those of compiled kernels (fly/Contract/Checks.h).
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Checks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/raw_ostream.h"

#include "Interpreter.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Element `index` of a tile, or the scalar, as text.
static std::string printElement(const RuntimeValue &value, int64_t index) {
  if (auto *number = std::get_if<Integer>(&value))
    return contract::printNumber(number->value);
  if (auto *number = std::get_if<Real>(&value))
    return contract::printNumber(number->value);
  const Tile &tile = *std::get<TilePtr>(value);
  return tile.isFloat ? contract::printNumber(tile.floats[index])
                      : contract::printNumber(tile.integers[index]);
}

LogicalResult Interpreter::executeAssert(AssertOp op) {
  const RuntimeValue &condition = get(op.getCondition());
  std::optional<std::vector<int64_t>> extents;
  int64_t element = 0;
  uint64_t count = 1;
  if (auto *number = std::get_if<Integer>(&condition)) {
    // What is uncertain may hold on the device.
    if (number->value || number->error != 0)
      return success();
  } else {
    const Tile &tile = *std::get<TilePtr>(condition);
    count = 0;
    for (int64_t i = 0, e = tile.size(); i < e; ++i) {
      Element one = tile.at(i);
      if (one.i || one.error != 0)
        continue;
      element = count++ == 0 ? i : element;
    }
    if (count == 0)
      return success();
    extents.emplace(tile.shape.begin(), tile.shape.end());
  }
  std::vector<std::string> compared;
  Operation *compare = op.getCondition().getDefiningOp();
  if (isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(compare))
    for (Value operand : compare->getOperands())
      compared.push_back(printElement(get(operand), element));
  options.noteFailedCheck();
  return op.emitError() << contract::printFailure(
             op.getMessage(), workgroup, extents, element, compared, count);
}

LogicalResult Interpreter::executePrint(PrintOp op) {
  if (!options.print)
    return success();
  std::vector<std::string> values;
  for (Value operand : op.getValues()) {
    const RuntimeValue &value = get(operand);
    std::optional<std::vector<int64_t>> extents;
    std::vector<std::string> numbers;
    int64_t size = 1;
    if (auto *tile = std::get_if<TilePtr>(&value)) {
      extents.emplace((*tile)->shape.begin(), (*tile)->shape.end());
      size = (*tile)->size();
    }
    for (int64_t i = 0; i < size; ++i)
      numbers.push_back(printElement(value, i));
    values.push_back(contract::printValue(extents, numbers));
  }
  *options.print << contract::printLine(op.getText(), workgroup, values)
                 << '\n';
  return success();
}
