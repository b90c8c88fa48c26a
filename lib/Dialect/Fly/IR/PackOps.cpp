//===- PackOps.cpp - Tiles of packed elements -----------------------------===//
//
// Rules of fly.bitcast and fly.repeat. Labels C1.. are those of the definition
// (FlyPackOps.td). Extents that have names are compared once they are numbers.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

LogicalResult BitcastOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  int64_t rank = source.getRank();
  bool agree = rank >= 1 && rank == result.getRank();
  for (int64_t d = 0; agree && d + 1 < rank; ++d)
    agree = extentsAgree(source, d, result, d);
  if (!agree) { // C1
    if (failed(verifySizesKnown(*this, {source, result})))
      return failure();
    return emitOpError() << "expects a result of the source's extents but the "
                            "last, got "
                         << describeShape(result) << " of "
                         << describeShape(source);
  }
  for (RankedTensorType type : {source, result}) // C3
    if (!type.getElementType().isIntOrFloat())
      return emitOpError() << "expects elements that are integers or floats, "
                              "got "
                           << type.getElementType();
  if (source.isDynamicDim(rank - 1) || result.isDynamicDim(rank - 1))
    return success();
  int64_t from, to;
  if (llvm::MulOverflow<int64_t>(source.getShape().back(),
                                 source.getElementTypeBitWidth(), from) ||
      llvm::MulOverflow<int64_t>(result.getShape().back(),
                                 result.getElementTypeBitWidth(), to) ||
      from != to) // C2
    return emitOpError() << "expects rows of as many bits, got "
                         << describeShape(source) << " of "
                         << source.getElementType() << " and "
                         << describeShape(result) << " of "
                         << result.getElementType();
  return success();
}

LogicalResult RepeatOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  int64_t dim = getDim(), factor = getFactor();
  if (dim < 0 || dim >= source.getRank()) // C1
    return emitOpError() << "repeats along " << dim << ", but its source has "
                         << source.getRank() << " dimensions";
  if (factor < 1)
    return emitOpError() << "repeats " << factor
                         << " times: expected at least 1";
  bool agree = source.getRank() == result.getRank() &&
               source.getElementType() == result.getElementType();
  for (int64_t d = 0; agree && d < source.getRank(); ++d) {
    if (d != dim)
      agree = extentsAgree(source, d, result, d);
    else if (!source.isDynamicDim(d) && !result.isDynamicDim(d))
      agree = result.getDimSize(d) % factor == 0 &&
              result.getDimSize(d) / factor == source.getDimSize(d);
  }
  if (agree) // C2
    return success();
  if (failed(verifySizesKnown(*this, {source, result})))
    return failure();
  return emitOpError() << "by " << factor << " along " << dim << " cannot turn "
                       << describeShape(source) << " of "
                       << source.getElementType() << " into "
                       << describeShape(result) << " of "
                       << result.getElementType();
}
