//===- LaneCoordinates.h - What lanes hold, as values -----------*- C++ -*-===//
//
// Part of fly-distribute: from a tile's LaneMap to coordinates in IR.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANECOORDINATES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANECOORDINATES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/MapVector.h"

#include <array>
#include <map>

namespace fly::distribute {

/// The type of one lane's registers of a tile: `vector<RxCxVxT>`.
mlir::VectorType getRegisterType(mlir::RankedTensorType tile);

/// The lane map of a tile that has a distributed layout.
LaneMap getLaneMap(mlir::RankedTensorType tile);

/// Emits coordinates. Everything that depends on the lane alone is emitted
/// once, at the kernel's entry.
class LaneCoordinates {
public:
  /// `threads` of the workgroup.
  LaneCoordinates(mlir::Block &entry, int64_t threads)
      : entry(entry), threads(threads) {}

  /// The base of dimension `dim` of a map, an index; null where it is 0.
  mlir::Value getBase(const LaneMap &map, unsigned dim, mlir::Location loc);

  /// Whether this lane's element of register `index` lies before `extent` in
  /// dimension `dim`, made by `builder`; null where it always does.
  mlir::Value makeExists(mlir::OpBuilder &builder, const LaneMap &map,
                         int64_t extent, unsigned index, unsigned dim,
                         mlir::Location loc);
  /// The coordinates, index, of the element that lies in the bytes that each
  /// lane fills `first` bytes behind `width` times its number and `share` times
  /// its wave's, in a field of LDS in which every row follows the one before.
  llvm::SmallVector<mlir::Value, 2> getPlace(ViewType field, int64_t width,
                                             int64_t share, int64_t first,
                                             mlir::Location loc);
  /// This wave's number times `scale`, an index; uniform.
  mlir::Value getScaledWave(int64_t scale, mlir::Location loc);
  /// The largest value of a term.
  int64_t getMost(const LaneTerm &term) const;
  /// Whether this lane is the first of those that hold the same elements, an
  /// i1; null where every element has one lane alone.
  mlir::Value getOwner(const LaneMap &map, mlir::Location loc);

private:
  /// Source, div, mod and mul of a term.
  using TermKey = std::array<int64_t, 4>;

  mlir::Value getConstant(int64_t number, mlir::Location loc);
  mlir::Value getSource(LaneTerm::Source source, mlir::Location loc);
  mlir::Value getTerm(LaneTerm term, mlir::Location loc);
  /// The term without a modulus that no thread of the workgroup reaches.
  LaneTerm simplify(LaneTerm term) const;
  mlir::OpBuilder atEntry();

  mlir::Block &entry;
  int64_t threads;
  mlir::Operation *last = nullptr;
  llvm::MapVector<unsigned, mlir::Value> sources;
  std::map<TermKey, mlir::Value> terms;
  std::map<llvm::SmallVector<TermKey>, mlir::Value> sums;
  std::map<int64_t, mlir::Value> constants;
  /// By the owners, one bit a lane for each wave.
  std::map<llvm::SmallVector<uint64_t>, mlir::Value> ownerships;
};

} // namespace fly::distribute

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_LANECOORDINATES_H
