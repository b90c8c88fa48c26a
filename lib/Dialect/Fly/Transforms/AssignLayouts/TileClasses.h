//===- TileClasses.h - Tiles that share a layout ----------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECLASSES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECLASSES_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include "../TileFlow.h"
#include "CopyLayout.h"

namespace fly {

/// The tiles of one kernel, in classes that share a layout.
class TileClasses {
public:
  explicit TileClasses(mlir::FunctionOpInterface kernel) : kernel(kernel) {}

  /// Finds the classes; an error at a tile that no layout holds.
  mlir::LogicalResult collect(const arch::ArchInfo &chip,
                              const Schedule &schedule);
  /// All tiles, in the order of the kernel.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// What stands for the class of `value`.
  const void *leader(mlir::Value value) {
    return classes.getOrInsertLeaderValue(value.getAsOpaquePointer());
  }
  CopyTraits &getTraits(mlir::Value value) { return traits[leader(value)]; }
  /// A load of the class, fly.load or fly.gather, or null.
  mlir::Operation *findLoad(mlir::Value value);

private:
  void tie(mlir::Value lhs, mlir::Value rhs) {
    if (tileType(lhs) && tileType(rhs))
      classes.unionSets(lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer());
  }
  void tieAll(mlir::ValueRange lhs, mlir::ValueRange rhs) {
    for (auto [l, r] : llvm::zip(lhs, rhs))
      tie(l, r);
  }
  void tieOp(mlir::Operation *op);
  void tieWholes();

  mlir::FunctionOpInterface kernel;
  llvm::SmallVector<mlir::Value> values;
  llvm::EquivalenceClasses<const void *> classes;
  llvm::DenseMap<const void *, CopyTraits> traits;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECLASSES_H
