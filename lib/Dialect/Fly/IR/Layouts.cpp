//===- Layouts.cpp - Distributed layouts as lane maps ---------------------===//
//
// What each tile layout means: its LaneMap and the shapes that it can have.
// Everything that asks where an element lives (distribute, reports, tests)
// asks here.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

#include <set>

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
// Slice
//===----------------------------------------------------------------------===//

/// The shape of the tile that the slice is broadcast to.
static SmallVector<int64_t> parentShape(SliceAttr slice,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> full(shape);
  full.insert(full.begin() + slice.getDim(), slice.getExtent());
  return full;
}

LogicalResult SliceAttr::verifyShape(ArrayRef<int64_t> shape,
                                     EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "slice layout needs a distributed parent, got "
                       << getParent();
  if (getDim() < 0 || getDim() > int64_t(shape.size()) || getExtent() < 1)
    return emitError() << "slice layout cannot remove dimension " << getDim()
                       << " of extent " << getExtent() << " next to rank "
                       << shape.size();
  return parent.verifyShape(parentShape(*this, shape), emitError);
}

LaneMap SliceAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap parent = cast<LayoutAttrInterface>(getParent())
                       .getLaneMap(parentShape(*this, shape));
  LaneMap map;
  for (unsigned d = 0; d < parent.rank(); ++d)
    if (int64_t(d) != getDim()) {
      map.partial |= unsigned(parent.isPartial(d)) << map.base.size();
      map.base.push_back(parent.base[d]);
    }
  // Registers that differ only in the removed dimension hold the same element;
  // the first of each stands for all.
  std::set<SmallVector<int64_t, 2>> seen;
  for (const auto &tail : parent.tails) {
    SmallVector<int64_t, 2> sliced;
    for (unsigned d = 0; d < parent.rank(); ++d)
      if (int64_t(d) != getDim())
        sliced.push_back(tail[d]);
    if (seen.insert(sliced).second)
      map.tails.push_back(std::move(sliced));
  }
  map.registers = {int64_t(map.tails.size())};
  return map;
}

//===----------------------------------------------------------------------===//
// Repeated
//===----------------------------------------------------------------------===//

/// The shape of the tile that neighbours make of this one.
static SmallVector<int64_t> repeatedShape(RepeatedAttr repeated,
                                          ArrayRef<int64_t> shape) {
  SmallVector<int64_t> full(shape);
  full[repeated.getDim()] *= repeated.getFactor();
  return full;
}

/// Splits the base of a repeated dimension: terms whose quotient is again a
/// term. The rest must not reach from one element to the next; `reach` is what
/// it adds at most, none where it has no bound.
static SmallVector<LaneTerm, 3> divideBase(ArrayRef<LaneTerm> base,
                                           int64_t factor,
                                           std::optional<int64_t> &reach) {
  SmallVector<LaneTerm, 3> quotient;
  reach = 0;
  for (LaneTerm term : base) {
    if (term.mul % factor == 0) {
      term.mul /= factor;
      quotient.push_back(term);
      continue;
    }
    // Without a modulus the lanes of a wave bound the term.
    int64_t count = term.mod;
    if (!count && term.source == LaneTerm::Lane)
      count = llvm::divideCeil(arch::waveLanes, term.div);
    // So many steps of the term are one of the quotient.
    int64_t steps = factor % term.mul == 0 ? factor / term.mul : 0;
    if (count && (!steps || count <= steps)) {
      *reach += (count - 1) * term.mul;
    } else if (steps && (!term.mod || term.mod % steps == 0)) {
      *reach += (steps - 1) * term.mul;
      term.div *= steps;
      term.mod /= steps;
      term.mul = 1;
      quotient.push_back(term);
    } else {
      reach = std::nullopt;
      return quotient;
    }
  }
  return quotient;
}

LogicalResult RepeatedAttr::verifyShape(ArrayRef<int64_t> shape,
                                        EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "repeated layout needs a distributed parent, got "
                       << getParent();
  if (getDim() < 0 || getDim() >= int64_t(shape.size()) || getFactor() < 1 ||
      getFactor() > arch::laneRegisterBits)
    return emitError() << "repeated layout cannot repeat " << getFactor()
                       << " times along dimension " << getDim() << " of rank "
                       << shape.size();
  SmallVector<int64_t> full = repeatedShape(*this, shape);
  if (failed(parent.verifyShape(full, emitError)))
    return failure();
  LaneMap map = parent.getLaneMap(full);
  std::optional<int64_t> reach;
  divideBase(map.base[getDim()], getFactor(), reach);
  bool fits = reach && llvm::all_of(map.tails, [&](const auto &tail) {
                return tail[getDim()] % getFactor() + *reach < getFactor();
              });
  if (fits && !map.isPartial(getDim()))
    return success();
  return emitError() << "repeated layout of " << getParent() << ": registers "
                     << "of a lane would hold another one of " << getFactor()
                     << " neighbours in each lane";
}

LaneMap RepeatedAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap parent = cast<LayoutAttrInterface>(getParent())
                       .getLaneMap(repeatedShape(*this, shape));
  LaneMap map;
  map.base = parent.base;
  map.partial = parent.partial;
  std::optional<int64_t> reach;
  map.base[getDim()] = divideBase(parent.base[getDim()], getFactor(), reach);
  std::set<SmallVector<int64_t, 2>> seen;
  for (SmallVector<int64_t, 2> tail : parent.tails) {
    tail[getDim()] /= getFactor();
    if (seen.insert(tail).second)
      map.tails.push_back(std::move(tail));
  }
  map.registers = {int64_t(map.tails.size())};
  return map;
}

//===----------------------------------------------------------------------===//
// Transposed
//===----------------------------------------------------------------------===//

LogicalResult TransposedAttr::verifyShape(ArrayRef<int64_t> shape,
                                          EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "transposed layout needs a distributed parent, got "
                       << getParent();
  if (shape.size() != 2)
    return emitError() << "transposed layout holds tiles of rank 2, got rank "
                       << shape.size();
  return parent.verifyShape({shape[1], shape[0]}, emitError);
}

LaneMap TransposedAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap map =
      cast<LayoutAttrInterface>(getParent()).getLaneMap({shape[1], shape[0]});
  std::swap(map.base[0], map.base[1]);
  for (auto &tail : map.tails)
    std::swap(tail[0], tail[1]);
  map.partial = unsigned(map.isPartial(1)) | unsigned(map.isPartial(0)) << 1;
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
