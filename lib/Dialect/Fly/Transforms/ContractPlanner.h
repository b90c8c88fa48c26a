//===- ContractPlanner.h - The launch contract of a kernel ------*- C++ -*-===//
//
// Collects what a launcher must know from a kernel that still has its grid, its
// requirements and its views. Changes nothing; fly-plan-grid writes the result.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTPLANNER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTPLANNER_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Contract/LaunchContract.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/SetVector.h"

#include "HostExpression.h"

namespace fly {

class ContractPlanner {
public:
  ContractPlanner(mlir::gpu::GPUFuncOp kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), host(kernel) {}

  /// Makes the contract; one error where the host cannot compute something
  /// that it needs.
  mlir::LogicalResult plan();

  const contract::LaunchContract &getContract() const { return contract; }
  /// The grid of the kernel, null if it has none, and its walk.
  GridOp getGrid() const { return grid; }
  const GridPolicy &getWalk() const { return walk; }
  /// The ops whose content the contract has now.
  llvm::ArrayRef<mlir::Operation *> getRequirements() const {
    return requirements;
  }
  /// Sums and products that do not wrap in any launch that meets the contract.
  llvm::ArrayRef<mlir::Operation *> getExactSums() const { return exactSums; }
  /// Arguments that the contract requires to be at least 0.
  llvm::ArrayRef<mlir::BlockArgument> getNonNegative() const {
    return nonNegative.getArrayRef();
  }

private:
  mlir::LogicalResult collect();
  mlir::LogicalResult planBlock();
  mlir::LogicalResult planDynamicLds();
  mlir::LogicalResult planArguments();
  mlir::LogicalResult planGrid();
  mlir::LogicalResult planRequirements();
  mlir::LogicalResult planTileOffsets();
  mlir::LogicalResult planTileOffset(mlir::Operation *access,
                                     mlir::Value viewValue,
                                     mlir::RankedTensorType tile,
                                     llvm::ArrayRef<mlir::OpFoldResult> origin);
  mlir::LogicalResult planBlocks(ViewOp view);
  mlir::LogicalResult requireUnit(ViewOp view, mlir::OpFoldResult number,
                                  int64_t unit, llvm::StringRef what);
  void planLaneView(ViewOp view);
  void planCoordinates();
  /// Notes whether sums depend on which workgroup comes first.
  void planSumOrder();
  /// The most that a value which is not negative may be; none where the host
  /// cannot compute it.
  std::optional<contract::Expr> getUpper(mlir::OpFoldResult value,
                                         unsigned depth);
  void planMemory(contract::Argument &argument, mlir::BlockArgument pointer);

  /// The expression, or an error at `op` about `what`.
  mlir::FailureOr<contract::Expr>
  getExpr(mlir::Operation *op, mlir::OpFoldResult value, llvm::StringRef what);
  /// A view as the host sees it; none where it cannot compute it.
  std::optional<contract::View> getView(ViewOp view);
  /// Strides of a view in elements; none where the host cannot compute them.
  std::optional<std::vector<contract::Expr>> getStrides(ViewOp view);
  void require(contract::Expr expr, std::string message);

  mlir::gpu::GPUFuncOp kernel;
  const arch::ArchInfo &chip;
  HostExpressions host;
  GridOp grid;
  GridPolicy walk;
  llvm::SmallVector<mlir::Operation *> requirements, exactSums;
  llvm::SetVector<mlir::BlockArgument> nonNegative;
  contract::LaunchContract contract;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTPLANNER_H
