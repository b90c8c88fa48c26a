//===- LaneAccess.h - A tile's accesses as a lane makes them ----*- C++ -*-===//
//
// Part of fly-distribute: from coordinates in IR to reads and writes of
// contiguous elements, and back to register arrays.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANEACCESS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANEACCESS_H

#include "fly/Arch/ArchInfo.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "LaneCoordinates.h"

namespace fly::distribute {

/// A memory op's view and coordinates once the tile's origin has been moved
/// into the view's base where that keeps offsets small.
struct Window {
  mlir::Value view;
  ViewType type;
  mlir::RankedTensorType tile;
  /// Coordinates of the tile's origin in `view`, index; null where 0.
  llvm::SmallVector<mlir::Value, 2> origin;
  llvm::SmallVector<bool, 2> inBounds;
  /// Elements that the start of every row of the tile is a multiple of.
  int64_t align = 1;
  /// Of LDS: whether the view has a place for what lanes have beyond the tile,
  /// in which nothing else is.
  bool holdsBeyond = false;
  Cache cache = Cache::Default;
  Pad pad = Pad::Zero;
  /// Of rows given by number: the view of each register's row, in which it is
  /// row 0. `view` is the whole one then.
  llvm::SmallVector<mlir::Value> rowViews;
};

/// What an atomic does.
struct Update {
  AtomicKind kind;
  MemoryScope scope;
  /// Whether this lane does it, for elements that several hold; null: yes.
  mlir::Value isOwner;
};

/// Reads one group of contiguous elements, or writes it.
class LaneAccess {
public:
  /// `mayReorder`: the caller asks getOrder().
  LaneAccess(mlir::OpBuilder &builder, mlir::Location loc,
             LaneCoordinates &coordinates, const Window &window,
             mlir::RankedTensorType tile, bool mayReorder = false);

  /// Reads tiles of LDS whose columns lanes hold by the chip's transposing
  /// reads, where it has them. Not for writes.
  void transposeReads(const arch::ArchInfo &chip);

  /// For each register of the access the tile's; empty where they are the same.
  llvm::ArrayRef<unsigned> getOrder() const { return order; }
  /// The shape of the access's registers.
  llvm::ArrayRef<int64_t> getRegisters() const { return map.registers; }

  /// Elements of a group: the longest run of registers that is contiguous in
  /// the view, at most 16 bytes, or what a transposing read gives.
  int64_t getGroup() const { return group; }
  bool isInLds() const { return window.type.getInLds(); }
  unsigned getNumGroups() const { return map.tails.size() / group; }
  mlir::Type getElementType() const { return tile.getElementType(); }

  /// Reads group `index`: a `vector<group x T>`.
  mlir::Value read(unsigned index);
  /// Writes group `index`, guarded where it may lie beyond the tile. `mask`
  /// holds an i1 for each element, null for all of them.
  void write(unsigned index, mlir::Value value, mlir::Value mask = {});
  /// Combines group `index` with memory, in no order. (Atomics.cpp)
  void update(unsigned index, mlir::Value value, mlir::Value mask,
              const Update &what);

private:
  void writeMasked(unsigned index, mlir::Value value, mlir::Value mask);
  void updateElements(unsigned index, mlir::Value value, mlir::Value mask,
                      const Update &what);
  bool canAddPairs(AtomicKind kind) const;
  /// The view's extent, an index.
  mlir::Value toIndexExtent(unsigned dim);
  /// The view of group `index`.
  mlir::Value getView(unsigned index) const {
    return window.rowViews.empty() ? window.view
                                   : window.rowViews[index * group];
  }
  /// `at` with its coordinate along the contiguous dimension `by` elements on.
  llvm::SmallVector<mlir::Value> shift(llvm::ArrayRef<mlir::Value> at,
                                       int64_t by);
  /// Coordinates of group `index` in the view.
  llvm::SmallVector<mlir::Value> getCoordinates(unsigned index);
  /// What the lanes' columns of the first register are a multiple of.
  int64_t getColumnDivisor(unsigned dim) const;
  mlir::Value getCoordinate(unsigned dim, unsigned index, bool withOrigin);
  /// Whether this lane's group is in the tile; null where it always is.
  mlir::Value getExists(unsigned index);
  /// Whether some lane's group lies beyond the tile in dimension `dim`.
  bool isPartial(unsigned index, unsigned dim) const;
  mlir::DenseBoolArrayAttr getInBounds(unsigned index) const;
  mlir::IntegerAttr getAlign() const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  LaneCoordinates &coordinates;
  const Window &window;
  mlir::RankedTensorType tile;
  LaneMap map;
  llvm::SmallVector<unsigned> order;
  int64_t group = 1;
  /// Whether `map` says which chunk a lane names, not what it gets.
  bool isTransposing = false;
};

} // namespace fly::distribute

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANEACCESS_H
