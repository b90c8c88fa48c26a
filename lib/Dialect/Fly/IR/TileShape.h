//===- TileShape.h - Extents of tiles as text and in comparisons -*- C++
//-*-===//
//
// Before fly-instantiate an extent may be a name. The verifiers compare and
// print extents as far as they are known.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H
#define FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

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

/// Emits an error on `op` about a name in `types` to which the schedule of the
/// kernel around it gives no value. It explains two extents that disagree
/// better than the verifiers, which only see two names; helpers have no
/// schedule and pass.
mlir::LogicalResult verifySizesKnown(mlir::Operation *op,
                                     llvm::ArrayRef<mlir::Type> types);

/// All extents as text: "64xBK".
std::string describeShape(mlir::RankedTensorType type);

/// Emits an error on `op` about `what` unless the shape `lhs` may be `rhs`.
mlir::LogicalResult verifyShapesAgree(mlir::Operation *op, llvm::StringRef what,
                                      mlir::RankedTensorType lhs,
                                      mlir::RankedTensorType rhs);

/// Emits an error on `op` unless `a` may be M x K, `b` N x K and `acc` M x N.
mlir::LogicalResult verifyDotShapes(mlir::Operation *op,
                                    mlir::RankedTensorType a,
                                    mlir::RankedTensorType b,
                                    mlir::RankedTensorType acc);

/// Emits an error on `op` unless the mask, if there is one, is a tile of i1 of
/// the shape of `tile`.
mlir::LogicalResult verifyMask(mlir::Operation *op, mlir::Value mask,
                               mlir::RankedTensorType tile);

/// Emits an error on `op` unless the elements of `tile` have the pad.
mlir::LogicalResult verifyPad(mlir::Operation *op, Pad pad,
                              mlir::RankedTensorType tile);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_TILESHAPE_H
