//===- TileRegisters.h - Registers of a lane that a tile takes --*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEREGISTERS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEREGISTERS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/BuiltinTypes.h"

namespace fly {

/// An error at `loc` if a tile of this type would take more registers of a lane
/// than a wave of the schedule has, however its layout shares it: before a
/// layout is made for it, which takes as long as the tile is large.
mlir::LogicalResult checkTileFits(mlir::Location loc,
                                  mlir::RankedTensorType type,
                                  const arch::ArchInfo &chip,
                                  const Schedule &schedule);

/// The same for a tile that has `layout`, which the shape must verify for.
mlir::LogicalResult checkTileFits(mlir::Location loc,
                                  mlir::RankedTensorType type,
                                  mlir::Attribute layout,
                                  const arch::ArchInfo &chip,
                                  const Schedule &schedule);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEREGISTERS_H
