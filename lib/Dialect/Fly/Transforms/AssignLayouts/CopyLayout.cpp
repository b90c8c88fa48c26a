//===- CopyLayout.cpp - Layouts of tiles that move as they lie ------------===//
//
// Threads stand in rows and columns over the tile; each takes vectors of 16
// bytes, so that memory is accessed as wide as it can be, and neighbours take
// neighbouring vectors. Where tiles are reduced, the grid of threads follows
// what the lanes must exchange: powers of two of them share each dimension.
//
// A grid that divides the tile needs no guards. Where extents have large odd
// factors such a grid leaves most threads idle, so one that reaches beyond the
// tile is taken when it saves a fourth of the registers.
//
// Where some accesses run along rows and others along columns, a thread's
// vectors are patches.
//
//===----------------------------------------------------------------------===//
#include "CopyLayout.h"

#include "fly/Arch/Wave.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "../LayoutMoves.h"

using namespace mlir;
using namespace fly;

void CopyTraits::addAccess(RankedTensorType tile, ViewType view) {
  int64_t bits = tile.getElementTypeBitWidth();
  accessBits = accessBits ? std::min(accessBits, bits) : bits;
  widestBits = std::max(widestBits, bits);
  // Leading dimensions of a view pick one index each.
  unsigned picked = view.getRank() - tile.getRank();
  std::optional<unsigned> contiguous = view.getContiguousDim();
  byRows += contiguous == view.getRank() - 1;
  byColumns += contiguous == picked && picked + 1 != view.getRank();
}

namespace {
/// Rows and columns of threads over a tile of so many rows and vectors a row.
struct Grid {
  int64_t rows = 1, perRow = 1;

  /// Vectors that a thread has.
  int64_t count(int64_t tileRows, int64_t chunks) const {
    return llvm::divideCeil(tileRows, rows) * llvm::divideCeil(chunks, perRow);
  }
};

/// What a grid is chosen for.
struct ThreadGridRequest {
  int64_t threads, tileRows, chunks;
  /// Threads of a row at most.
  int64_t mostPerRow;
  const CopyTraits &traits;

  bool reduces() const {
    return traits.reducesAlong[0] || traits.reducesAlong[1];
  }
};
} // namespace

/// The grid that divides the tile.
static Grid getEvenGrid(const ThreadGridRequest &request) {
  Grid grid;
  grid.perRow = std::min(request.chunks, request.mostPerRow);
  // Lanes that reduce exchange with the lane whose number differs in one bit,
  // so powers of two of them share each dimension.
  if (request.reduces())
    grid.perRow = std::gcd(request.chunks,
                           int64_t(llvm::bit_floor(uint64_t(grid.perRow))));
  while (request.chunks % grid.perRow != 0)
    --grid.perRow;
  grid.rows = request.threads / grid.perRow;
  // Each of them has as many rows; threads beyond repeat what others do.
  if (request.traits.reducesAlong[0])
    grid.rows = std::gcd(grid.rows, request.tileRows);
  return grid;
}

/// The grid of powers of two with the fewest vectors a thread, of equals the
/// one with the longest rows. It divides the dimensions that must be even.
static Grid getUnevenGrid(const ThreadGridRequest &request) {
  Grid best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t perRow = llvm::bit_floor(uint64_t(request.mostPerRow));
       perRow > 0; perRow /= 2) {
    if (request.traits.evenAlong[1] && request.chunks % perRow != 0)
      continue;
    Grid grid = {request.threads / perRow, perRow};
    if (request.traits.evenAlong[0])
      grid.rows = std::gcd(grid.rows, request.tileRows);
    else if (request.traits.reducesAlong[0])
      grid.rows =
          std::min<int64_t>(grid.rows, llvm::PowerOf2Ceil(request.tileRows));
    int64_t count = grid.count(request.tileRows, request.chunks);
    if (count >= least)
      continue;
    best = grid;
    least = count;
  }
  return best;
}

/// Elements of 16 bytes, as far as they divide a row; a power of two.
static int64_t getVector(int64_t columns, int64_t bits) {
  return std::gcd(columns,
                  std::max<int64_t>(1, arch::widestAccessBytes * 8 / bits));
}

static BlockedAttr getRowLayout(RankedTensorType type, const CopyTraits &its,
                                const Schedule &schedule) {
  // A tile of rank 1 is a row.
  bool isRow = type.getRank() == 1;
  CopyTraits traits = its;
  if (isRow) {
    traits.reducesAlong = {false, its.reducesAlong[0]};
    traits.evenAlong = {false, its.evenAlong[0]};
  }
  int64_t bits =
      traits.accessBits ? traits.accessBits : type.getElementTypeBitWidth();
  int64_t columns = type.getShape().back();
  int64_t rows = isRow ? 1 : type.getDimSize(0);
  int64_t vector = getVector(columns, bits);
  // Of elements of several widths the narrow ones move 16 bytes as long as that
  // leaves no thread without any.
  int64_t least = getVector(columns, std::max(bits, traits.widestBits));
  while (vector > least && rows * (columns / vector) < schedule.threads())
    vector /= 2;
  ThreadGridRequest request = {schedule.threads(), rows, columns / vector,
                               schedule.threads(), traits};
  if (request.reduces())
    request.threads = llvm::bit_floor(uint64_t(request.threads));
  request.mostPerRow = request.threads;
  if (traits.reducesAlong[1] && !isRow) {
    // As the schedule splits columns over waves; no row leaves threads idle.
    int64_t idle =
        request.threads / std::min(request.threads, request.tileRows);
    request.mostPerRow = std::min(
        request.threads, std::max(arch::waveLanes * schedule.waves[1], idle));
  }
  Grid grid = getEvenGrid(request), uneven = getUnevenGrid(request);
  if (4 * uneven.count(request.tileRows, request.chunks) <=
      3 * grid.count(request.tileRows, request.chunks))
    grid = uneven;
  if (isRow)
    return BlockedAttr::get(type.getContext(), {grid.perRow}, vector);
  return BlockedAttr::get(type.getContext(), {grid.rows, grid.perRow}, vector);
}

/// Memory has the columns of the tile next to each other, a reader wants its
/// rows: each thread takes a patch of several of both, so that it reads along
/// columns and, transposed in its registers, writes along rows. Of the elements
/// that a thread has, memory gets its 16 bytes first.
static Attribute getPatchLayout(RankedTensorType type, const CopyTraits &traits,
                                const Schedule &schedule) {
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  int64_t bits =
      traits.accessBits ? traits.accessBits : type.getElementTypeBitWidth();
  int64_t most = std::max<int64_t>(1, arch::widestAccessBytes * 8 / bits);
  int64_t vector = std::gcd(rows, most), run = std::gcd(columns, most);
  int64_t share = std::max<int64_t>(1, rows * columns / schedule.threads());
  while (vector * run > share && (vector > 1 || run > 1))
    (run >= vector ? run : vector) /= 2;
  ThreadGridRequest request = {schedule.threads(), columns / run, rows / vector,
                               schedule.threads(), traits};
  Grid grid = getEvenGrid(request);
  return getTransposed(BlockedAttr::get(type.getContext(),
                                        {grid.rows, grid.perRow}, vector, run));
}

Attribute fly::getCopyLayout(RankedTensorType type, const CopyTraits &traits,
                             const Schedule &schedule) {
  bool reduces = traits.reducesAlong[0] || traits.reducesAlong[1];
  if (type.getRank() == 2 && traits.byRows && traits.byColumns && !reduces)
    return getPatchLayout(type, traits, schedule);
  if (type.getRank() != 2 || traits.byRows || !traits.byColumns)
    return getRowLayout(type, traits, schedule);
  CopyTraits turned = traits;
  std::swap(turned.reducesAlong[0], turned.reducesAlong[1]);
  std::swap(turned.evenAlong[0], turned.evenAlong[1]);
  return getTransposed(getRowLayout(
      type.clone({type.getDimSize(1), type.getDimSize(0)}), turned, schedule));
}
