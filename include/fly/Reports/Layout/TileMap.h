//===- TileMap.h - Which wave, lane, register hold an element ---*- C++ -*-===//
//
// A lane map answers where a register's element lies; people ask the other way
// round as well. This is the whole table of one tile, in both directions.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_LAYOUT_TILEMAP_H
#define FLY_REPORTS_LAYOUT_TILEMAP_H

#include "fly/Dialect/Fly/IR/LaneMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace fly::reports {

/// Where an element is: element `slot` of lane `lane` of wave `wave`, slots
/// counted in row-major order of the layout's register shape.
struct Holder {
  unsigned wave = 0, lane = 0, slot = 0;

  bool operator==(const Holder &other) const {
    return wave == other.wave && lane == other.lane && slot == other.slot;
  }
};

/// Elements of one row that one lane holds in consecutive slots.
struct Run {
  int64_t row = 0, column = 0; ///< Of the first; a tile of rank 1 has row 0.
  int64_t count = 1;
  Holder first;
};

class TileMap {
public:
  /// The map of a tile of rank 1 or 2 over `threads` threads, a multiple of 64.
  TileMap(LaneMap map, llvm::ArrayRef<int64_t> shape, int64_t threads);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  const LaneMap &getLaneMap() const { return map; }
  int64_t getThreads() const { return threads; }
  int64_t getRows() const { return shape.size() < 2 ? 1 : shape.front(); }
  int64_t getColumns() const { return shape.back(); }

  /// All holders of an element, in order of wave, lane, slot.
  llvm::ArrayRef<Holder> holders(int64_t row, int64_t column) const {
    return table[row * getColumns() + column];
  }
  /// Row and column of the element in a slot; {-1, -1} where the slot holds no
  /// element of the tile.
  std::pair<int64_t, int64_t> element(const Holder &holder) const;
  /// The tile as runs of its first holders, row by row.
  std::vector<Run> runs() const;
  /// The most holders of any element, and the fewest: both 1 where each element
  /// is held once.
  std::pair<unsigned, unsigned> multiplicity() const;
  /// The coordinate of dimension `dim` of slot 0 as a formula of wave, lane and
  /// thread.
  std::string formula(unsigned dim) const;

private:
  LaneMap map;
  llvm::SmallVector<int64_t, 2> shape;
  int64_t threads;
  std::vector<llvm::SmallVector<Holder, 1>> table;
};

} // namespace fly::reports

#endif // FLY_REPORTS_LAYOUT_TILEMAP_H
