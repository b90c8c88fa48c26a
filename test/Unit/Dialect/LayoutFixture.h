//===- LayoutFixture.h - What layout tests share ----------------*- C++ -*-===//
//
// A context with the fly dialect, and counts of how often the threads of a
// workgroup hold each element of a tile.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_UNIT_DIALECT_LAYOUTFIXTURE_H
#define FLY_TEST_UNIT_DIALECT_LAYOUTFIXTURE_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/MLIRContext.h"

#include <vector>

#include "gtest/gtest.h"

namespace fly {

/// How often each element of a tile is held, in row-major order, and what lies
/// beyond the tile.
struct Coverage {
  std::vector<int> counts;
  /// Register elements whose coordinates are outside the tile.
  int64_t outside = 0;
};

class LayoutTest : public testing::Test {
protected:
  LayoutTest() { context.loadDialect<FlyDialect>(); }

  /// Whether a tile of this shape can have the layout.
  bool accepts(LayoutAttrInterface layout, llvm::ArrayRef<int64_t> shape);

  /// Counts the elements that threads [begin, end) hold.
  static Coverage cover(const LaneMap &map, llvm::ArrayRef<int64_t> shape,
                        int64_t begin, int64_t end);

  mlir::MLIRContext context;
};

/// The wave grids of 1, 2, 4 and 8 waves: rows then columns.
std::vector<std::pair<int64_t, int64_t>> allWaveGrids();

} // namespace fly

#endif // FLY_TEST_UNIT_DIALECT_LAYOUTFIXTURE_H
