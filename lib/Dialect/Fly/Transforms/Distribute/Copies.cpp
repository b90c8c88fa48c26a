//===- Copies.cpp - Tiles that are copied to LDS --------------------------===//
//
// Lane l of a wave fills bytes l * width of each copy's run, since a wave
// writes LDS in one run. Runs of a wave lie one behind the other as far as the
// immediate of the instruction reaches, so that the copies share the register
// that the base in LDS takes; the immediate counts for the source, too, so that
// is for rows that follow each other no closer in memory than in LDS. Which
// element belongs there is what the field's swizzle says, and that is what the
// lane reads: so the permutation is applied to the source, and readers of the
// field see it as any other swizzled one.
//
// Copies that lie a whole number of rows and of periods of the swizzle apart
// share the lane's coordinates but for a constant number of rows.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/SharedTarget.h"
#include "fly/Plan/Rules.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <map>
#include <numeric>

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

namespace {
/// How the bytes of a field are dealt out to threads.
struct CopyPlan {
  SwizzleAttr swizzle;
  int64_t rowBytes, width, threads, total;
  /// Runs of a wave that lie one behind the other.
  int64_t group = 1;

  /// Bytes of a copy of one wave.
  int64_t run() const { return arch::waveLanes * width; }
  int64_t copies() const { return total / (threads * width); }
  /// Where the first wave writes in a copy; the next ones follow by groups.
  int64_t firstOf(int64_t copy) const {
    return copy / group * group * threads * width + copy % group * run();
  }
  int64_t offsetOf(int64_t thread) const {
    return thread / arch::waveLanes * group * run() +
           thread % arch::waveLanes * width;
  }
  /// Copies that lie so many bytes apart share the coordinates of a lane but
  /// for a constant number of rows.
  int64_t unit() const {
    int64_t period = swizzle ? int64_t(1)
                                   << (swizzle.getBase() + swizzle.getShift() +
                                       swizzle.getBits())
                             : 1;
    return std::lcm(rowBytes, period);
  }
  int64_t permute(int64_t offset) const {
    return swizzle ? swizzle.apply(offset) : offset;
  }

  /// Whether every lane writes where readers of the field look for what it
  /// copied: each byte of each round, by enumeration.
  bool agreesWithReaders() const {
    for (int64_t copy = 0; copy < copies(); ++copy) {
      int64_t first = firstOf(copy), rest = first % unit();
      for (int64_t thread = 0; thread < threads; ++thread) {
        int64_t place = permute(rest + offsetOf(thread));
        int64_t row = place / rowBytes + (first - rest) / rowBytes;
        for (int64_t byte = 0; byte < width; ++byte) {
          int64_t column = place % rowBytes + byte;
          if (permute(row * rowBytes + column) !=
              first + offsetOf(thread) + byte)
            return false;
        }
      }
    }
    return true;
  }
};
} // namespace

/// Whether rows of the tile follow each other in memory no closer than in LDS:
/// where all columns of the tile are inside, a row of the view has them.
static bool hasWideRows(CopyOp op, int64_t columns) {
  auto view = op.getSource().getDefiningOp<ViewOp>();
  if (!view || !op.isInBounds(op.getSource().getType().getRank() - 1))
    return false;
  if (view.getMixedStrides().empty())
    return true;
  std::optional<int64_t> stride =
      getConstantIntValue(view.getMixedStrides().front());
  return stride && *stride >= columns;
}

/// Runs that share a base: what the immediate reaches, and no more than there
/// are.
static int64_t getGroup(const CopyPlan &plan, const arch::ArchInfo &chip) {
  if (plan.run() % plan.rowBytes != 0)
    return 1;
  int64_t reach = (*chip.buffer.maxImmediate + 1) / plan.run();
  int64_t group = 1;
  while (2 * group <= reach && plan.copies() % (2 * group) == 0)
    group *= 2;
  return group;
}

LogicalResult Distributor::distribute(CopyOp op) {
  Location loc = op.getLoc();
  ViewType target = op.getTarget().getType();
  RankedTensorType tile = op.getTileType();
  int64_t bytes = target.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t rowBytes = tile.getShape().back() * bytes;
  int64_t total = tile.getNumElements() * bytes;
  std::optional<int64_t> width =
      plan::findDirectCopy(chip, bytes * 8, rowBytes, total, threads);
  if (!width)
    return op.emitOpError() << "cannot be shared by the threads: "
                            << plan::checkDirectCopy(chip, "", bytes * 8,
                                                     rowBytes, total, threads)
                                   .text;
  if (op.getSource().getType().getContiguousDim() !=
      op.getSource().getType().getRank() - 1u)
    return op.emitOpError() << "copies rows that are contiguous in memory, got "
                            << op.getSource().getType();
  CopyPlan plan = {dyn_cast_or_null<SwizzleAttr>(target.getLayout()), rowBytes,
                   *width, threads, total};
  // Of a tile of rank 1 there is one row.
  bool hasRows = tile.getRank() == 2;
  if (hasRows && hasWideRows(op, tile.getShape().back()))
    plan.group = getGroup(plan, chip);
  if (!plan.agreesWithReaders())
    return op.emitOpError()
           << "fills " << target << " with pieces of " << *width
           << " bytes, which readers of it would look for elsewhere: its "
              "swizzle takes them apart or is not its own inverse (S >= M)";
  FailureOr<Window> window = makeWindow(op);
  if (failed(window))
    return failure();

  int64_t unit = plan.unit();
  std::map<int64_t, SmallVector<Value, 2>> places;
  auto type = VectorType::get({*width / bytes}, target.getElementType());
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto add = [&](Value sum, Value value) -> Value {
    return arith::AddIOp::create(builder, loc, sum, value);
  };
  int64_t share = plan.group * plan.run();
  Value wave = coordinates.getScaledWave(share / bytes, loc);
  SmallVector<Value> targetPlace(target.getRank(), index(0));
  for (int64_t copy = 0; copy < plan.copies(); ++copy) {
    int64_t first = plan.firstOf(copy);
    int64_t rest = hasRows ? first % unit : first;
    SmallVector<Value, 2> &place = places[rest];
    if (place.empty())
      place = coordinates.getPlace(target, *width, share, rest, loc);
    SmallVector<Value> at(place.begin(), place.end());
    if (first != rest)
      at[0] = add(at[0], index((first - rest) / rowBytes));
    for (auto [coordinate, origin] : llvm::zip_equal(at, window->origin))
      if (origin)
        coordinate = add(coordinate, origin);
    targetPlace.back() = first == 0 ? wave : add(wave, index(first / bytes));
    auto dma = DmaOp::create(
        builder, loc, window->view, at, lookup(op.getTarget()), targetPlace,
        type, window->cache, builder.getDenseBoolArrayAttr(window->inBounds),
        builder.getI64IntegerAttr(
            std::gcd(window->align, type.getNumElements())));
    if (int64_t behind = copy % plan.group * plan.run())
      dma->setAttr(targetImmediateAttrName, builder.getI64IntegerAttr(behind));
  }
  return success();
}
