//===- CopyLayout.cpp - Layouts of tiles that move as they lie ------------===//
//
// Threads stand in rows and columns over the tile; each takes vectors of 16
// bytes, so that memory is accessed as wide as it can be, and neighbours take
// neighbouring vectors. Where tiles are reduced, the grid of threads follows
// what the lanes must exchange.
//
//===----------------------------------------------------------------------===//
#include "CopyLayout.h"

#include "fly/Arch/Wave.h"

#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir;
using namespace fly;

BlockedAttr fly::getCopyLayout(RankedTensorType type, const CopyTraits &traits,
                               const Schedule &schedule) {
  int64_t threads = schedule.threads();
  int64_t bits =
      traits.accessBits ? traits.accessBits : type.getElementTypeBitWidth();
  int64_t columns = type.getShape().back();
  int64_t vector = std::gcd(
      columns, std::max<int64_t>(1, arch::widestAccessBytes * 8 / bits));
  int64_t chunks = columns / vector;
  // Threads of a row must divide its chunks, so that rounds are whole.
  int64_t perRow = std::min(chunks, threads);
  auto [reducesColumns, reducesRows] = traits.reducesAlong;
  if (reducesRows && type.getRank() == 2) {
    // As the schedule splits columns over waves; no row leaves threads idle.
    int64_t most = std::max(arch::waveLanes * schedule.waves[1],
                            threads / std::min(threads, type.getDimSize(0)));
    perRow = std::min(perRow, most);
  }
  // Lanes that reduce exchange with the lane whose number differs in one bit,
  // so powers of two of them share each dimension.
  if (reducesColumns || reducesRows)
    perRow = std::gcd(chunks, int64_t(llvm::bit_floor(uint64_t(perRow))));
  while (chunks % perRow != 0)
    --perRow;
  if (type.getRank() == 1)
    return BlockedAttr::get(type.getContext(), {perRow}, vector);
  int64_t rows = threads / perRow;
  // Each of them has as many rows; threads beyond repeat what others do.
  if (reducesColumns)
    rows = std::gcd(rows, type.getDimSize(0));
  return BlockedAttr::get(type.getContext(), {rows, perRow}, vector);
}
