//===- ShapeOps.cpp - Tiles cut and put together --------------------------===//
//
// Upstream's slices, concatenation and reshapes on tiles, with numbers for
// offsets and extents.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

#include "Interpreter.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Calls `visit` with the flat number of each element of a slice of a tile, in
/// the slice's order.
static void visitSlice(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                       function_ref<void(int64_t slice, int64_t tile)> visit) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, flat = 0, stride = 1;
    for (int64_t d = int64_t(sizes.size()) - 1; d >= 0; --d) {
      flat += (offsets[d] + rest % sizes[d] * strides[d]) * stride;
      rest /= sizes[d];
      stride *= shape[d];
    }
    visit(i, flat);
  }
}

/// An error unless offsets, sizes and strides are numbers, and inside of a tile
/// of this shape: where extents have names the verifier does not see it.
static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface op,
                                ArrayRef<int64_t> shape) {
  for (ArrayRef<int64_t> list :
       {op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()})
    if (ShapedType::isDynamicShape(list))
      return op->emitError() << "the reference executor takes offsets, sizes "
                                "and strides of slices as numbers";
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t first = op.getStaticOffsets()[d], last;
    if (llvm::MulOverflow(op.getStaticSizes()[d] - 1, op.getStaticStrides()[d],
                          last) ||
        llvm::AddOverflow(first, last, last))
      last = std::numeric_limits<int64_t>::max();
    if (std::min(first, last) < 0 || std::max(first, last) >= extent)
      return op->emitOpError()
             << "reaches from " << first << " to " << last << " in dimension "
             << d << " of a tile of " << extent;
  }
  return success();
}

LogicalResult Interpreter::executeShape(Operation *op) {
  FailureOr<SmallVector<int64_t, 4>> shape =
      shapeOf(op->getResult(0).getType(), op);
  if (failed(shape))
    return failure();
  const Tile &first = getTile(op->getOperand(0));
  auto result = Tile::make(*shape, first.isFloat);
  int64_t given = 0;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      given += getTile(operand).size();
  if (!isa<OffsetSizeAndStrideOpInterface>(op) && given != result->size())
    return op->emitOpError()
           << "makes a tile of " << result->size() << " elements of " << given;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (failed(checkSlice(slice, first.shape)))
      return failure();
    visitSlice(first.shape, slice.getStaticOffsets(), slice.getStaticSizes(),
               slice.getStaticStrides(), [&](int64_t at, int64_t from) {
                 result->set(at, first.at(from));
               });
  } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    *result = getTile(slice.getDest());
    if (failed(checkSlice(slice, result->shape)))
      return failure();
    visitSlice(result->shape, slice.getStaticOffsets(), slice.getStaticSizes(),
               slice.getStaticStrides(),
               [&](int64_t at, int64_t to) { result->set(to, first.at(at)); });
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<int64_t> offsets(shape->size(), 0), ones(shape->size(), 1);
    for (Value input : concat.getInputs()) {
      const Tile &part = getTile(input);
      visitSlice(*shape, offsets, part.shape, ones,
                 [&](int64_t at, int64_t to) { result->set(to, part.at(at)); });
      offsets[concat.getDim()] += part.shape[concat.getDim()];
    }
  } else { // Expanded or collapsed: the order stays.
    for (int64_t i = 0, e = result->size(); i < e; ++i)
      result->set(i, first.at(i));
  }
  set(op->getResult(0), TilePtr(result));
  return success();
}
