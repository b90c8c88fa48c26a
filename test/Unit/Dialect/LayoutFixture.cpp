//===- LayoutFixture.cpp - What layout tests share ------------------------===//
#include "LayoutFixture.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace fly {

bool LayoutTest::accepts(LayoutAttrInterface layout, ArrayRef<int64_t> shape) {
  // The refusals themselves are tested under test/Dialect/Fly.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  return succeeded(layout.verifyShape(
      shape, [&] { return emitError(UnknownLoc::get(&context)); }));
}

Coverage LayoutTest::cover(const LaneMap &map, ArrayRef<int64_t> shape,
                           int64_t begin, int64_t end) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  Coverage coverage;
  coverage.counts.resize(elements);
  for (int64_t thread = begin; thread < end; ++thread) {
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      llvm::SmallVector<int64_t, 2> at = map.evaluate(thread, reg);
      int64_t index = 0;
      bool inside = true;
      for (unsigned d = 0; d < shape.size(); ++d) {
        inside &= at[d] >= 0 && at[d] < shape[d];
        index = index * shape[d] + at[d];
      }
      if (inside)
        ++coverage.counts[index];
      else
        ++coverage.outside;
    }
  }
  return coverage;
}

std::vector<std::pair<int64_t, int64_t>> allWaveGrids() {
  return {{1, 1}, {1, 2}, {2, 1}, {1, 4}, {2, 2},
          {4, 1}, {1, 8}, {2, 4}, {4, 2}, {8, 1}};
}

} // namespace fly
