//===- TileShape.h - Extents of tiles as text and in comparisons -*- C++
//-*-===//
//
// Before fly-instantiate an extent may be a name. The verifiers compare and
// print extents as far as they are known.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H
#define FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace fly::detail {

/// One extent as text: a number, a name, or `?`.
std::string extentName(mlir::RankedTensorType type, unsigned dim);

/// Whether two extents may be equal: names and unknowns agree with anything
/// that is not provably another.
bool extentsAgree(mlir::RankedTensorType lhs, unsigned lhsDim,
                  mlir::RankedTensorType rhs, unsigned rhsDim);

/// All extents as text: "64xBK".
std::string describeShape(mlir::RankedTensorType type);

/// Emits an error on `op` about `what` unless the shape `lhs` may be `rhs`.
mlir::LogicalResult verifyShapesAgree(mlir::Operation *op, llvm::StringRef what,
                                      mlir::RankedTensorType lhs,
                                      mlir::RankedTensorType rhs);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H
