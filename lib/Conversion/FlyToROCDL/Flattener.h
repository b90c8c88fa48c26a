//===- Flattener.h - Register arrays as lists of registers ------*- C++ -*-===//
//
// The state of one kernel's flattening: which registers an array has become.
// Vectors.cpp walks control flow, VectorOps.cpp has the ops.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_FLATTENER_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_FLATTENER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fly::flatten {

using Parts = llvm::SmallVector<mlir::Value>;

/// The type as a register array, or null for other types.
inline mlir::VectorType getArray(mlir::Type type) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return vector && vector.getRank() > 1 ? vector : mlir::VectorType();
}

inline mlir::VectorType getRegister(mlir::VectorType array) {
  return mlir::VectorType::get(array.getShape().back(), array.getElementType());
}

inline int64_t countRegisters(mlir::VectorType array) {
  return mlir::ShapedType::getNumElements(array.getShape().drop_back());
}

/// Flattens blocks, op by op.
class Flattener {
public:
  mlir::LogicalResult flatten(mlir::Block &block);
  void eraseOld() {
    // Ops that moved into a new loop still name arguments of the old one.
    for (mlir::Operation *op : old)
      op->dropAllReferences();
    for (mlir::Operation *op : llvm::reverse(old))
      op->erase();
  }

private:
  mlir::LogicalResult flattenOp(mlir::Operation *op);
  mlir::LogicalResult flattenLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult flattenWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult flattenBranch(mlir::scf::IfOp branch);
  /// An op other than control flow that touches arrays.
  mlir::LogicalResult visitOp(mlir::Operation *op);
  mlir::LogicalResult elementwise(mlir::Operation *op);
  mlir::LogicalResult visit(mlir::arith::ConstantOp op);
  mlir::LogicalResult visit(mlir::ub::PoisonOp op);
  mlir::LogicalResult visit(mlir::vector::BroadcastOp op);
  mlir::LogicalResult visit(mlir::vector::ExtractOp op);
  mlir::LogicalResult visit(mlir::vector::InsertOp op);
  mlir::LogicalResult visit(mlir::vector::ShapeCastOp op);
  mlir::LogicalResult visit(mlir::vector::BitCastOp op);
  mlir::LogicalResult visit(mlir::vector::ExtractStridedSliceOp op);
  mlir::LogicalResult visit(mlir::vector::InsertStridedSliceOp op);
  mlir::LogicalResult visit(mlir::vector::FromElementsOp op);
  mlir::LogicalResult visit(mlir::vector::ToElementsOp op);

  /// A value as registers: itself if it is no array.
  Parts getParts(mlir::Value value) {
    auto found = parts.find(value);
    return found == parts.end() ? Parts{value} : found->second;
  }
  Parts getParts(mlir::ValueRange values) {
    Parts all;
    for (mlir::Value value : values)
      llvm::append_range(all, getParts(value));
    return all;
  }
  /// Takes the registers of `types` from the front of `values` and gives them
  /// to `olds`: arrays as parts, other values by replacement.
  void bind(mlir::ValueRange olds, mlir::ValueRange values);
  llvm::SmallVector<mlir::Type> expandTypes(mlir::TypeRange types);
  mlir::LogicalResult done(mlir::Operation *op, Parts result) {
    if (getArray(op->getResult(0).getType()))
      parts[op->getResult(0)] = std::move(result);
    else
      op->getResult(0).replaceAllUsesWith(result.front());
    old.push_back(op);
    return mlir::success();
  }
  llvm::SmallVector<mlir::Value> getElements(mlir::Value value,
                                             mlir::OpBuilder &builder);
  Parts fromElements(mlir::VectorType type,
                     llvm::ArrayRef<mlir::Value> elements,
                     mlir::OpBuilder &builder, mlir::Location loc);

  llvm::DenseMap<mlir::Value, Parts> parts;
  llvm::SmallVector<mlir::Operation *> old;
};

} // namespace fly::flatten

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_FLATTENER_H
