//===- MemoryAccess.h - Elements of a view in memory ------------*- C++ -*-===//
//
// What loads, stores, gathers and atomics share: which elements of a tile's row
// lie in the view, whether they lie in the memory behind it, and where.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_MEMORYACCESS_H
#define FLY_LIB_REFERENCE_MEMORYACCESS_H

#include "Elementwise.h"
#include "RuntimeValue.h"

namespace fly::reference {

/// The part of a tile's row (its innermost dimension) that lies in the view:
/// tile elements [begin, end) at element address `address` and `stride` apart.
struct RowSpan {
  int64_t begin = 0, end = 0;
  int64_t address = 0, stride = 1;
};

/// The span of row `row` (its flat number) of a tile at `origin`.
RowSpan spanOf(const View &view, llvm::ArrayRef<int64_t> origin,
               llvm::ArrayRef<int64_t> shape, int64_t row);

/// Checks that the span's elements lie in the memory.
mlir::LogicalResult checkSpan(mlir::Operation *op, const View &view,
                              const RowSpan &span);

/// Calls `visit(element of the tile, element of the memory)` for each element
/// of row `row` of a tile at `origin` that lies in the view and is not masked.
mlir::LogicalResult visitRow(mlir::Operation *op, const View &view,
                             llvm::ArrayRef<int64_t> origin,
                             llvm::ArrayRef<int64_t> shape, int64_t row,
                             const Tile *mask,
                             llvm::function_ref<void(int64_t, int64_t)> visit);

/// Rows of a tile of this shape, each its innermost dimension.
int64_t countRows(llvm::ArrayRef<int64_t> shape);

/// The element number after the view's swizzle or preshuffle.
int64_t physical(const View &view, int64_t element);

/// The element that a read outside gives.
Element padOf(Pad pad, ElementType type);

/// The error bounds of a view's memory, null where all elements are exact.
const ErrorBounds *boundsOf(const View &view);

/// One element of a view's memory, as a number of its type, and its error.
Element loadElement(const View &view, int64_t element);
void storeElement(const View &view, int64_t element, Element value);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_MEMORYACCESS_H
