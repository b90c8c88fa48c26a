//===- Layouts.cpp - Distributed layouts as lane maps ---------------------===//
//
// What each tile layout means: its LaneMap and the shapes that it can have.
// Everything that asks where an element lives (distribute, reports, tests)
// asks here. Layouts made of another one are in DerivedLayouts.cpp.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Appends the tails of all combinations of the given per-register offsets:
/// `axes[r]` lists the offset vectors of register axis `r`.
static void enumerateTails(LaneMap &map,
                           ArrayRef<SmallVector<SmallVector<int64_t, 2>>> axes,
                           unsigned rank) {
  map.tails = {SmallVector<int64_t, 2>(rank, 0)};
  for (const auto &axis : axes) {
    map.registers.push_back(axis.size());
    SmallVector<SmallVector<int64_t, 2>> next;
    next.reserve(map.tails.size() * axis.size());
    for (const auto &tail : map.tails) {
      for (const auto &offset : axis) {
        SmallVector<int64_t, 2> sum(tail);
        for (unsigned d = 0; d < rank; ++d)
          sum[d] += offset[d];
        next.push_back(std::move(sum));
      }
    }
    map.tails = std::move(next);
  }
}

/// `count` offsets along dimension `dim`, `step` apart.
static SmallVector<SmallVector<int64_t, 2>> axis(unsigned rank, unsigned dim,
                                                 int64_t count, int64_t step) {
  SmallVector<SmallVector<int64_t, 2>> offsets;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<int64_t, 2> offset(rank, 0);
    offset[dim] = i * step;
    offsets.push_back(std::move(offset));
  }
  return offsets;
}

static LogicalResult verifyDivides(EmitError emitError, StringRef what,
                                   int64_t extent, int64_t by, StringRef why) {
  if (by > 0 && extent % by == 0)
    return success();
  return emitError() << what << " extent " << extent << " is not a multiple of "
                     << by << " (" << why << ")";
}

/// A lane cannot hold more elements than its registers have bits.
static LogicalResult verifyRegisters(EmitError emitError,
                                     ArrayRef<int64_t> counts) {
  int64_t elements = 1;
  for (int64_t count : counts)
    if (llvm::MulOverflow(elements, count, elements))
      elements = std::numeric_limits<int64_t>::max();
  if (elements <= arch::laneRegisterBits)
    return success();
  return emitError() << "tile gives each lane " << elements
                     << " elements, more than its registers have bits ("
                     << arch::laneRegisterBits
                     << "): use extents that more threads can share";
}

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

LogicalResult BlockedAttr::verify(EmitError emitError,
                                  ArrayRef<int64_t> threads, int64_t vector,
                                  int64_t rows) {
  int64_t total = 1;
  for (auto [dim, count] : llvm::enumerate(threads)) {
    if (count < 1)
      return emitError() << "blocked layout needs at least one thread in each "
                            "dimension, got "
                         << count << " in dimension " << dim;
    if (count > arch::maxWorkgroupThreads / total)
      return emitError() << "blocked layout needs more than the "
                         << arch::maxWorkgroupThreads
                         << " threads of a workgroup, got [" << threads << "]";
    total *= count;
  }
  // A vector is one access: its widest holds elements of one bit.
  int64_t widest = arch::widestAccessBytes * 8;
  if (vector < 1 || vector > widest)
    return emitError() << "blocked layout needs a vector of 1 to " << widest
                       << " elements, got " << vector;
  if (rows < 1 || rows > widest || (rows > 1 && threads.size() != 2))
    return emitError() << "blocked layout needs 1 to " << widest
                       << " rows a thread, 1 but for rank 2, got " << rows;
  return success();
}

LogicalResult BlockedAttr::verifyShape(ArrayRef<int64_t> shape,
                                       EmitError emitError) const {
  if (getThreads().size() != shape.size() || shape.empty() || shape.size() > 2)
    return emitError() << "blocked layout of " << getThreads().size()
                       << " thread extents cannot hold a tile of rank "
                       << shape.size();
  int64_t step = getThreads().back() * getVector();
  // A vector is whole in the tile or beyond it.
  if (failed(verifyDivides(emitError, "tile", shape.back(), getVector(),
                           "vector of a thread")))
    return failure();
  if (shape.size() == 2 && failed(verifyDivides(emitError, "tile", shape[0],
                                                getRows(), "rows of a thread")))
    return failure();
  int64_t rounds =
      shape.size() == 1
          ? 1
          : llvm::divideCeil(shape[0], getThreads().front() * getRows());
  return verifyRegisters(emitError,
                         {rounds, int64_t(llvm::divideCeil(shape.back(), step)),
                          getRows(), getVector()});
}

LaneMap BlockedAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  unsigned rank = shape.size();
  LaneMap map;
  map.base.resize(rank);
  int64_t perRow = getThreads().back();
  map.base[rank - 1].push_back({LaneTerm::Thread, 1, perRow, getVector()});
  int64_t step = perRow * getVector();
  int64_t roundsOfColumns = llvm::divideCeil(shape.back(), step);
  map.partial = unsigned(shape.back() % step != 0) << (rank - 1);
  auto vector = axis(rank, rank - 1, getVector(), 1);
  auto columns = axis(rank, rank - 1, roundsOfColumns, step);
  if (rank == 1) {
    enumerateTails(map, {columns, vector}, rank);
    return map;
  }
  int64_t rows = getThreads().front();
  // Threads that the layout does not need repeat its first ones.
  map.base[0].push_back({LaneTerm::Thread, perRow, rows, getRows()});
  int64_t rowStep = rows * getRows();
  auto roundsOfRows =
      axis(rank, 0, llvm::divideCeil(shape[0], rowStep), rowStep);
  map.partial |= unsigned(shape[0] % rowStep != 0);
  if (getRows() == 1)
    enumerateTails(map, {roundsOfRows, columns, vector}, rank);
  else
    enumerateTails(map,
                   {roundsOfRows, columns, axis(rank, 0, getRows(), 1), vector},
                   rank);
  return map;
}

//===----------------------------------------------------------------------===//
// Mma
//===----------------------------------------------------------------------===//

LogicalResult MmaAttr::verify(EmitError emitError, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> waves, bool, bool f64) {
  if (shape.size() != 2 || shape[0] != shape[1] ||
      (shape[0] != 16 && shape[0] != 32))
    return emitError() << "mma layout needs blocks of 16x16 or 32x32";
  if (f64 && shape[0] != 16)
    return emitError() << "mma layout of f64 needs blocks of 16x16";
  if (waves.size() != 2 || waves[0] < 1 || waves[1] < 1 ||
      waves[0] > arch::maxWorkgroupWaves / waves[1])
    return emitError() << "mma layout needs two wave counts whose product is "
                          "at most "
                       << arch::maxWorkgroupWaves << ", got [" << waves << "]";
  return success();
}

LogicalResult MmaAttr::verifyShape(ArrayRef<int64_t> shape,
                                   EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "mma layout holds tiles of rank 2, got rank "
                       << shape.size();
  for (unsigned d = 0; d < 2; ++d)
    if (failed(verifyDivides(emitError, d == 0 ? "row" : "column", shape[d],
                             getWaves()[d] * getShape()[d],
                             "waves times block")))
      return failure();
  int64_t block = getShape()[0];
  return verifyRegisters(emitError, {shape[0] / getWaves()[0] / block,
                                     shape[1] / getWaves()[1] / block,
                                     block * block / arch::waveLanes});
}

LaneMap MmaAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap map;
  map.base.resize(2);
  int64_t block = getShape()[0];
  int64_t wavesM = getWaves()[0], wavesN = getWaves()[1];
  int64_t partM = shape[0] / wavesM, partN = shape[1] / wavesN;
  if (wavesM > 1)
    map.base[0].push_back({LaneTerm::Wave, wavesN, wavesM, partM});
  if (wavesN > 1)
    map.base[1].push_back({LaneTerm::Wave, 1, wavesN, partN});
  // `along` is the dimension in which a lane holds several elements.
  unsigned along = getTransposed() ? 1 : 0;
  map.base[along].push_back({LaneTerm::Lane, block, 0, getF64() ? 1 : 4});
  map.base[1 - along].push_back({LaneTerm::Lane, 1, block, 1});
  // Groups of four; with 32x32 the groups are eight apart, four per half-wave.
  SmallVector<SmallVector<int64_t, 2>> elements;
  int64_t count = block * block / arch::waveLanes;
  for (int64_t v = 0; v < count; ++v) {
    SmallVector<int64_t, 2> offset(2, 0);
    offset[along] = getF64() ? 4 * v : 8 * (v / 4) + v % 4;
    elements.push_back(std::move(offset));
  }
  enumerateTails(map,
                 {axis(2, 0, partM / block, block),
                  axis(2, 1, partN / block, block), elements},
                 2);
  return map;
}

//===----------------------------------------------------------------------===//
// Operand
//===----------------------------------------------------------------------===//

LogicalResult OperandAttr::verify(EmitError emitError, OperandSide,
                                  MmaAttr parent, int64_t pack) {
  if (!parent)
    return emitError() << "operand layout needs the layout of an accumulator";
  int64_t widest = arch::widestAccessBytes * 8;
  if (pack < 1 || pack > widest)
    return emitError() << "operand layout needs a pack of 1 to " << widest
                       << " elements, got " << pack;
  return success();
}

LogicalResult OperandAttr::verifyShape(ArrayRef<int64_t> shape,
                                       EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "operand layout holds tiles of rank 2, got rank "
                       << shape.size();
  int64_t block = getParent().getShape()[0];
  int64_t waves = getParent().getWaves()[getSide() == OperandSide::A ? 0 : 1];
  int64_t step = getPack() * arch::waveLanes / block;
  if (failed(verifyDivides(emitError, "operand row", shape[0], waves * block,
                           "waves times block")) ||
      failed(verifyDivides(emitError, "operand K", shape[1], step,
                           "micro-step of the matrix instruction")))
    return failure();
  return verifyRegisters(
      emitError, {shape[0] / waves / block, shape[1] / step, getPack()});
}

LaneMap OperandAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap map;
  map.base.resize(2);
  int64_t block = getParent().getShape()[0];
  int64_t wavesM = getParent().getWaves()[0],
          wavesN = getParent().getWaves()[1];
  int64_t waves = getSide() == OperandSide::A ? wavesM : wavesN;
  int64_t part = shape[0] / waves;
  if (waves > 1)
    map.base[0].push_back({LaneTerm::Wave,
                           getSide() == OperandSide::A ? wavesN : 1, waves,
                           part});
  map.base[0].push_back({LaneTerm::Lane, 1, block, 1});
  map.base[1].push_back({LaneTerm::Lane, block, 0, getPack()});
  int64_t step = getPack() * arch::waveLanes / block;
  enumerateTails(map,
                 {axis(2, 0, part / block, block),
                  axis(2, 1, shape[1] / step, step), axis(2, 1, getPack(), 1)},
                 2);
  return map;
}

//===----------------------------------------------------------------------===//
// Encodings of tensors
//===----------------------------------------------------------------------===//

static LogicalResult verifyExtents(ArrayRef<int64_t> shape,
                                   EmitError emitError) {
  if (ShapedType::isDynamicShape(shape))
    return emitError() << "a layout needs static extents: run fly-instantiate "
                          "before layouts are assigned";
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent < 1)
      return emitError() << "a layout needs extents of at least 1, dimension "
                         << dim << " is " << extent;
  return success();
}

#define FLY_DEFINE_LAYOUT_ENCODING(Layout)                                     \
  LogicalResult Layout::verifyEncoding(ArrayRef<int64_t> shape, Type,          \
                                       EmitError emitError) const {            \
    if (failed(verifyExtents(shape, emitError)))                               \
      return failure();                                                        \
    return verifyShape(shape, emitError);                                      \
  }
FLY_DEFINE_LAYOUT_ENCODING(BlockedAttr)
FLY_DEFINE_LAYOUT_ENCODING(MmaAttr)
FLY_DEFINE_LAYOUT_ENCODING(OperandAttr)
FLY_DEFINE_LAYOUT_ENCODING(SliceAttr)
FLY_DEFINE_LAYOUT_ENCODING(RepeatedAttr)
FLY_DEFINE_LAYOUT_ENCODING(TransposedAttr)
#undef FLY_DEFINE_LAYOUT_ENCODING

LogicalResult StagedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         EmitError emitError) const {
  if (getSlot() < 0)
    return emitError() << "staged layout needs a slot of at least 0, got "
                       << getSlot();
  return verifyExtents(shape, emitError);
}
