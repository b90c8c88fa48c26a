//===- LdsFieldCost.h - Cycles of tile accesses to an LDS field -*- C++ -*-===//
//
// What the accesses of a tile to a field cost by the chip's bank model
// (lib/Arch/LdsModel), evaluated on the addresses that the lanes use.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDCOST_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDCOST_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/LdsModel.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// One access to a field: the tile's type (with its layout) and direction.
struct LdsTileAccess {
  mlir::RankedTensorType tile;
  arch::LdsDirection direction;

  bool operator==(const LdsTileAccess &other) const {
    return tile == other.tile && direction == other.direction;
  }
};

/// What one wave needs.
struct LdsFieldCost {
  /// Cycles of the data port, and how many of them are conflicts.
  unsigned cycles = 0, conflicts = 0;
  /// Instructions, and bytes that the narrowest of them moves for a lane.
  unsigned instructions = 0, narrowest = arch::widestAccessBytes;
  /// The most lanes that wait for each other; 1 is free of conflicts.
  unsigned degree = 1;
  /// Registers of a lane that hold addresses: one for each direction, and one
  /// more for each constant that a swizzle does not let pass
  /// (FlyToROCDL/LdsAccess.cpp).
  unsigned bases = 0;
};

/// The cost of all accesses of the first wave to a field of this type, whose
/// strides are static. Waves differ by whole blocks of rows, which changes no
/// bank of a power-of-two row.
LdsFieldCost evaluateLdsField(const arch::ArchInfo &chip, ViewType field,
                              llvm::ArrayRef<LdsTileAccess> accesses);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDCOST_H
