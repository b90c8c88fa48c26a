//===- StageLds.h - The steps of fly-stage-lds ------------------*- C++ -*-===//
//
// Part of fly-stage-lds: Contents.cpp proves that staged tiles are still there
// where they are read, Barriers.cpp orders the lanes that meet in memory;
// StageLds.cpp makes the fields.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGELDS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGELDS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fly::stage {

/// The slot of a type that is a tile in LDS, or null.
StagedAttr getStaged(mlir::Type type);

/// Whether `value` is a tile in LDS; null stands for one that was dropped.
inline bool isStaged(mlir::Value value) {
  return !value || getStaged(value.getType());
}

/// Proves that every read of a staged tile in `kernel` sees the tile it names:
/// the last one written to its slot. An error at the read otherwise, or where
/// something else than conversions, scf.for and scf.if has a staged tile.
mlir::LogicalResult verifyContents(mlir::FunctionOpInterface kernel);

/// Threads of the workgroup by the schedule; 0 without a resolved one.
int64_t getThreads(mlir::FunctionOpInterface kernel);

/// Puts a fly.copy to `field` where `write` stages a tile that is loaded for
/// this alone; false, with a remark, where the tile is not. The caller removes
/// the write and the load.
bool turnIntoCopy(ConvertLayoutOp write, mlir::Value field);

/// Inserts the barriers that keep tile accesses of different lanes in program
/// order; returns how many.
unsigned insertBarriers(mlir::FunctionOpInterface kernel);

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGELDS_H
