//===- LayoutMoves.h - What a change of layout moves ------------*- C++ -*-===//
//
// A layout made of another (the slice of a transposed layout, and so on) has
// one spelling, so that layouts which are the same compare as such; and whether
// a conversion between two layouts leaves every element in its lane.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTMOVES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTMOVES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <optional>

namespace fly {

/// The layout of a tile of rank 2 whose transpose has `layout`.
mlir::Attribute getTransposed(mlir::Attribute layout);

/// The layout of a tile of rank 1 as its broadcast along `dim`, to `extent`
/// elements of `layout`, needs it.
mlir::Attribute getSlice(int64_t dim, int64_t extent, mlir::Attribute layout);

/// The layout in which the bits of a tile in `layout` are elements of `toBits`
/// bits in the same lanes; null where they are not whole ones.
mlir::Attribute getBitcastLayout(mlir::Attribute layout, int64_t fromBits,
                                 int64_t toBits);

/// For each register of `to` the register of `from` that holds its element in
/// the same lane, for all `threads` of a workgroup alike; none where elements
/// move between lanes.
std::optional<llvm::SmallVector<unsigned>>
getRegisterMoves(const LaneMap &from, const LaneMap &to, int64_t threads);

/// Whether a conversion needs LDS: both layouts are those of lanes, and
/// elements move between them.
bool movesBetweenLanes(ConvertLayoutOp op, int64_t threads);

/// Puts the axis of registers that runs along `contiguous` inside, where the
/// innermost one runs along another dimension: what a lane holds of several
/// rows is then transposed in its registers. For each register of the new map
/// the one of the old; empty where nothing changes.
llvm::SmallVector<unsigned> orderByRuns(LaneMap &map, unsigned contiguous);

/// The longest power of two of registers that are consecutive elements along
/// `contiguous`, one behind the other in the innermost register axis, of at
/// most 16 bytes. With a `divisor` of where rows start every group starts at a
/// multiple of its length.
int64_t getContiguousGroup(const LaneMap &map, unsigned contiguous,
                           int64_t elementBits, int64_t divisor = 0);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTMOVES_H
