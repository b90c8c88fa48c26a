//===- CheckOps.cpp - Asserts and prints ----------------------------------===//
//
// An assert that fails is an error at its op, with the element that is false;
// one whose condition is uncertain passes (docs/Rationale/ErrorBounds.md). A
// print writes one line, with the workgroup in front, to the stream that the
// caller gave; without one it does nothing.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/raw_ostream.h"

#include "Interpreter.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

LogicalResult Interpreter::executeAssert(AssertOp op) {
  const RuntimeValue &condition = get(op.getCondition());
  if (auto *number = std::get_if<Integer>(&condition)) {
    // What is uncertain may hold on the device.
    if (number->value || number->error != 0)
      return success();
    options.noteFailedCheck();
    return op.emitError() << "assertion failed: " << op.getMessage();
  }
  const Tile &tile = *std::get<TilePtr>(condition);
  int64_t first = -1, count = 0;
  for (int64_t i = 0, e = tile.size(); i < e; ++i) {
    Element element = tile.at(i);
    if (element.i || element.error != 0)
      continue;
    first = count++ == 0 ? i : first;
  }
  if (count == 0)
    return success();
  options.noteFailedCheck();
  // The coordinates of the first element that is false.
  int64_t rest = first;
  SmallVector<int64_t, 4> at(tile.shape.size());
  for (size_t d = tile.shape.size(); d-- > 0; rest /= tile.shape[d])
    at[d] = rest % tile.shape[d];
  InFlightDiagnostic diag = op.emitError();
  diag << "assertion failed: " << op.getMessage() << " (element [";
  llvm::interleaveComma(at, diag);
  return diag << "], " << count << " of " << tile.size()
              << " elements are false)";
}

/// `[[1, 2], [3, 4]]`: dimension `dim` on, from flat element `first` on.
static void printElements(raw_ostream &os, const Tile &tile, size_t dim,
                          int64_t first) {
  if (dim == tile.shape.size()) {
    if (tile.isFloat)
      os << llvm::format("%.9g", tile.floats[first]);
    else
      os << tile.integers[first];
    return;
  }
  int64_t inner = 1;
  for (int64_t extent : ArrayRef<int64_t>(tile.shape).drop_front(dim + 1))
    inner *= extent;
  os << '[';
  llvm::interleaveComma(
      llvm::seq<int64_t>(0, tile.shape[dim]), os,
      [&](int64_t i) { printElements(os, tile, dim + 1, first + i * inner); });
  os << ']';
}

LogicalResult Interpreter::executePrint(PrintOp op) {
  if (!options.print)
    return success();
  std::string line;
  llvm::raw_string_ostream os(line);
  os << "workgroup (";
  llvm::interleaveComma(workgroup, os);
  os << "): ";
  StringRef rest = op.getText();
  for (Value operand : op.getValues()) {
    auto [before, after] = rest.split("{}");
    os << before;
    rest = after;
    const RuntimeValue &value = get(operand);
    if (auto *number = std::get_if<Integer>(&value)) {
      os << number->value;
    } else if (auto *number = std::get_if<Real>(&value)) {
      os << llvm::format("%.9g", number->value);
    } else {
      const Tile &tile = *std::get<TilePtr>(value);
      llvm::interleave(tile.shape, os, "x");
      os << ' ';
      printElements(os, tile, 0, 0);
    }
  }
  *options.print << line << rest << '\n';
  return success();
}
