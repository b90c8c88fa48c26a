//===- TileAccess.h - Where an access of a tile begins ----------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEACCESS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEACCESS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <string>

#include "IntegerFacts.h"

namespace fly {

/// What proofs need of a load, a store, or another access of a tile.
struct TileAccess {
  mlir::Operation *op;
  ViewOp view;
  /// One for each dimension of the view; null for rows given by number.
  llvm::SmallVector<mlir::OpFoldResult> coordinates;
  mlir::RankedTensorType tile;
  mlir::StringAttr label;

  /// The access of `op`; none where the view is not made in the kernel, or the
  /// tile has names for extents.
  template <typename OpT>
  static std::optional<TileAccess> get(OpT op) {
    auto view = op.getView().template getDefiningOp<ViewOp>();
    auto type = llvm::cast<mlir::RankedTensorType>(op.getTile().getType());
    if (!view || !type.hasStaticShape())
      return std::nullopt;
    TileAccess access{op, view, op.getMixedCoordinates(), type, {}};
    if constexpr (!std::is_same_v<OpT, AtomicOp>)
      access.label = op.getLabelAttr();
    if (access.isByNumber(0))
      access.coordinates.insert(access.coordinates.begin(),
                                mlir::OpFoldResult());
    return access;
  }

  unsigned rank() const { return coordinates.size(); }
  /// Extent of the tile along dimension `dim` of the view; 1 where the
  /// coordinate picks one index.
  int64_t tileExtent(unsigned dim) const {
    unsigned picked = rank() - tile.getRank();
    return dim < picked ? 1 : tile.getDimSize(dim - picked);
  }
  /// Whether dimension `dim` of the view holds rows given by number, of which
  /// nothing is known.
  bool isByNumber(unsigned dim) const {
    return dim == 0 && mlir::isa<GatherOp, ScatterOp>(op);
  }
  std::string describe() const {
    std::string kind = op->getName().stripDialect().str();
    return label ? kind + " '" + label.getValue().str() + "'" : kind;
  }
};

/// How the rows of a tile lie in memory. A row runs along the contiguous
/// dimension.
struct RowAlignment {
  /// Elements that every row starts at a multiple of, and those of the widest
  /// access; 1 and 1 where no dimension is contiguous.
  uint64_t elements = 1, most = 1;
  unsigned elementBits = 8;
  /// Strides and extents that would have to be multiples of `most`.
  llvm::SmallVector<mlir::OpFoldResult> multiples;
  /// The pointer, where it would have to be aligned to the widest access.
  mlir::BlockArgument pointer;
  /// What `elements` falls short of `most` by, for a remark: what starts there,
  /// how wide accesses are, which requirement would help. Empty if nothing is
  /// amiss.
  std::string shortfall;
};

RowAlignment getRowAlignment(const TileAccess &access, IntegerFacts &facts);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEACCESS_H
