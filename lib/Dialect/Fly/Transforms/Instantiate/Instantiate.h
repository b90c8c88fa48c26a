//===- Instantiate.h - Parts of fly-instantiate -----------------*- C++ -*-===//
//
// What the pass knows of a kernel before it changes anything: the numbers
// behind the names, and that all of it can be instantiated.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATE_INSTANTIATE_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATE_INSTANTIATE_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fly {

/// The named sizes of one kernel, in the order of the schedule.
class Sizes {
public:
  /// Reads them; emits an error for one that is no positive number.
  static mlir::FailureOr<Sizes> get(mlir::gpu::GPUFuncOp kernel);

  const int64_t *lookup(mlir::StringAttr name) const {
    const auto *it = values.find(name);
    return it == values.end() ? nullptr : &it->second;
  }
  llvm::SmallVector<llvm::StringRef> getNames() const;
  /// "BM = 128, BN = 256", or "none".
  std::string describe() const;

private:
  llvm::MapVector<mlir::StringAttr, int64_t> values;
};

/// Whether a kernel says itself what each lane does: it has no tiles, and says
/// how many waves it is written for.
bool isExplicitKernel(mlir::gpu::GPUFuncOp kernel);

/// Checks one kernel with all it reaches, without changing anything.
class Preflight {
public:
  /// `isScheduleShared`: other kernels have the very same schedule.
  Preflight(mlir::gpu::GPUFuncOp kernel, const Sizes &sizes,
            bool isScheduleShared)
      : kernel(kernel), sizes(sizes), isTileLevel(hasTiles(kernel)),
        isScheduleShared(isScheduleShared) {}

  mlir::LogicalResult check() {
    if (mlir::failed(checkBody(kernel)) ||
        mlir::failed(checkExplicitSchedule()))
      return mlir::failure();
    warnOfUnused();
    return mlir::success();
  }

private:
  mlir::LogicalResult checkBody(mlir::Operation *function);
  mlir::LogicalResult checkOp(mlir::Operation *op);
  mlir::LogicalResult checkCall(mlir::func::CallOp call);
  mlir::LogicalResult checkTypes(mlir::Operation *op, mlir::TypeRange types);
  /// A tile with numbers in the place of names, which are known.
  mlir::RankedTensorType resolve(mlir::Type type);
  void warnOfUnused();
  mlir::LogicalResult checkExplicitSchedule();
  mlir::LogicalResult checkMap(MapOp map);

  mlir::gpu::GPUFuncOp kernel;
  const Sizes &sizes;
  bool isTileLevel, isScheduleShared;
  /// Names met in the kernel and in what it calls.
  llvm::SetVector<mlir::StringAttr> used;
  /// Helpers that are checked with all they call: each is looked at once,
  /// however often it is called.
  llvm::DenseSet<mlir::Operation *> checkedHelpers;
  /// Helpers on the way from the kernel to here.
  llvm::SmallVector<mlir::Operation *> path;
};

/// An error where unrolling and inlining would make a kernel of more ops than
/// later passes work through. For kernels whose names and calls are checked.
mlir::LogicalResult checkUnrolledSize(mlir::gpu::GPUFuncOp kernel,
                                      const Sizes &sizes);

/// Unrolls every fly.static_for, whose bounds are numbers by now; returns how
/// many there were.
unsigned unrollStaticLoops(mlir::gpu::GPUFuncOp kernel);

/// Folds ops whose operands are constants.
void foldConstants(mlir::gpu::GPUFuncOp kernel);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATE_INSTANTIATE_H
