//===- Scan.cpp - Running combinations on lanes ---------------------------===//
//
// Coordinates count, from the fastest to the slowest, a lane's run, lanes,
// waves and rounds (ScanOrder). A lane combines its runs one element after the
// other; lanes learn what those before them have by exchanges with the lane
// whose number differs in one bit, each doubling the lanes that are known;
// waves write what each has combined in a round to LDS and read that of all.
// Every element then is combined with what comes before its run.
//
// The first run has nothing before it, and a combiner has no neutral element:
// whether there is something is known when compiling (Nothing, Something), or a
// truth value of the lane.
//
// Refused: layouts that hold the dimension in another order, and scans across
// waves without scratch.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

#include "../ScanOrder.h"
#include "Combiner.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

namespace {
/// Elements that may be none.
struct Maybe {
  enum class Kind { Nothing, Something, AtRunTime };
  Kind kind = Kind::Nothing;
  Combiner::Elements elements;
  /// Whether there are elements, at run time.
  Value exists;

  bool isNothing() const { return kind == Kind::Nothing; }
  bool isAtRunTime() const { return kind == Kind::AtRunTime; }
};

/// What a lane has of one line of the tile in one round.
struct Run {
  /// The register of each element, in the order of the scan.
  SmallVector<int64_t> registers;
  /// The combinations of the run's elements up to each.
  SmallVector<Combiner::Elements> running;
  /// What lanes before this one have combined in this round.
  Maybe before;
  /// What the wave has combined in this round.
  Combiner::Elements total;
};

/// A line of the tile along the dimension.
struct Line {
  /// Its offset in the other dimension.
  int64_t other = 0;
  SmallVector<Run> rounds;
};

/// The lowering of one scan.
class ScanLowering {
public:
  using Elements = Combiner::Elements;

  ScanLowering(OpBuilder &builder, ScanOp op, const ScanOrder &order,
               const LaneMap &map, LaneCoordinates &coordinates)
      : builder(builder), loc(op.getLoc()), op(op), order(order), map(map),
        coordinates(coordinates),
        combiner(builder, op.getLoc(), op.getKind(), op.getCombiner()) {}

  /// The elements of the results, by result and register.
  SmallVector<SmallVector<Value>> run(ArrayRef<Value> arrays,
                                      ArrayRef<Value> scratch);

private:
  void collectLines();
  void scanRun(Run &run, ArrayRef<Value> arrays);
  Value makeExists(unsigned index) {
    unsigned dim = op.getDim();
    int64_t extent = tileType(op.getSources().front()).getDimSize(dim);
    return coordinates.makeExists(builder, map, extent, index, dim, loc);
  }
  void scanLanes(Run &run);
  void writeTotals(ArrayRef<Value> scratch);
  /// What precedes each round of a line.
  SmallVector<Maybe> getCarries(const Line &line, ArrayRef<Value> scratch);
  void finish(const Run &run, const Maybe &before,
              SmallVectorImpl<SmallVector<Value>> &results);

  Elements select(Value condition, const Elements &yes, const Elements &no);
  Maybe join(const Maybe &first, const Maybe &second);
  /// `second` behind what there may be.
  Elements follow(const Maybe &first, const Elements &second);
  Value getTerm(ArrayRef<LaneTerm> terms);
  Value isEqual(Value index, int64_t number);
  SmallVector<Value> getPlace(int64_t part, Value dynamic, const Line &line);
  /// Position `i` of `count` in the order of the scan.
  int64_t at(int64_t i, int64_t count) {
    return op.getReverse() ? count - 1 - i : i;
  }

  OpBuilder &builder;
  Location loc;
  ScanOp op;
  const ScanOrder &order;
  const LaneMap &map;
  LaneCoordinates &coordinates;
  Combiner combiner;
  SmallVector<Line> lines;
};
} // namespace

Combiner::Elements ScanLowering::select(Value condition, const Elements &yes,
                                        const Elements &no) {
  Elements elements;
  for (auto [y, n] : llvm::zip(yes, no))
    elements.push_back(arith::SelectOp::create(builder, loc, condition, y, n));
  return elements;
}

Combiner::Elements ScanLowering::follow(const Maybe &first,
                                        const Elements &second) {
  if (first.isNothing())
    return second;
  Elements both = combiner.combine(first.elements, second);
  return first.isAtRunTime() ? select(first.exists, both, second) : both;
}

Maybe ScanLowering::join(const Maybe &first, const Maybe &second) {
  if (second.isNothing())
    return first;
  Maybe both = second;
  both.elements = follow(first, second.elements);
  if (first.isNothing() || !second.isAtRunTime())
    return both;
  both.elements = select(second.exists, both.elements, first.elements);
  if (first.isAtRunTime())
    both.exists =
        arith::OrIOp::create(builder, loc, first.exists, second.exists);
  else
    both.kind = Maybe::Kind::Something;
  return both;
}

Value ScanLowering::getTerm(ArrayRef<LaneTerm> terms) {
  LaneMap sum;
  sum.base.emplace_back(terms.begin(), terms.end());
  return coordinates.getBase(sum, 0, loc);
}

Value ScanLowering::isEqual(Value index, int64_t number) {
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, index,
      arith::ConstantIndexOp::create(builder, loc, number));
}

void ScanLowering::collectLines() {
  unsigned dim = op.getDim();
  std::map<int64_t, std::map<int64_t, int64_t>> byOther;
  for (auto [index, tail] : llvm::enumerate(map.tails))
    byOther[map.rank() == 1 ? 0 : tail[1 - dim]][tail[dim]] = index;
  int64_t step = order.run * order.numLanes() * order.spread.numParts;
  for (auto &[other, registers] : byOther) {
    Line &line = lines.emplace_back();
    line.other = other;
    for (int64_t round = 0; round < order.rounds; ++round) {
      Run &run = line.rounds.emplace_back();
      for (int64_t i = 0; i < order.run; ++i)
        run.registers.push_back(
            registers[at(round, order.rounds) * step + at(i, order.run)]);
    }
  }
}

void ScanLowering::scanRun(Run &run, ArrayRef<Value> arrays) {
  for (int64_t index : run.registers) {
    Elements elements;
    for (Value array : arrays) {
      auto type = cast<VectorType>(array.getType());
      Value element = combiner.widen(vector::ExtractOp::create(
          builder, loc, array, positionOf(type.getShape(), index)));
      // Backwards, what lies beyond the tile comes first.
      if (Value exists = op.getReverse() ? makeExists(index) : Value())
        element = arith::SelectOp::create(
            builder, loc, exists, element,
            combiner.makeIgnored(type.getElementType()));
      elements.push_back(element);
    }
    run.running.push_back(run.running.empty()
                              ? elements
                              : combiner.combine(run.running.back(), elements));
  }
  run.total = run.running.back();
}

void ScanLowering::scanLanes(Run &run) {
  for (unsigned bit : order.spread.laneBits) {
    Elements others;
    for (Value element : run.total)
      others.push_back(exchangeLanes(builder, loc, element, bit));
    // Whether the other lanes come before this one.
    Value isAfter =
        isEqual(getTerm({{LaneTerm::Lane, int64_t(1) << bit, 2, 1}}),
                op.getReverse() ? 0 : 1);
    run.before = join({Maybe::Kind::AtRunTime, others, isAfter}, run.before);
    // By a kind the order of two does not matter.
    Elements total = combiner.combine(run.total, others);
    run.total =
        op.getKind()
            ? total
            : select(isAfter, combiner.combine(others, run.total), total);
  }
}

/// Coordinates in the scratch of part `part`, plus `dynamic` where it is given.
SmallVector<Value> ScanLowering::getPlace(int64_t part, Value dynamic,
                                          const Line &line) {
  auto sum = [&](Value value, int64_t constant) -> Value {
    Value number = arith::ConstantIndexOp::create(builder, loc, constant);
    return value ? arith::AddIOp::create(builder, loc, value, number) : number;
  };
  Value other = map.rank() == 1
                    ? Value()
                    : coordinates.getBase(map, 1 - op.getDim(), loc);
  return {sum(dynamic, part), sum(other, line.other)};
}

void ScanLowering::writeTotals(ArrayRef<Value> scratch) {
  auto inBounds = builder.getDenseBoolArrayAttr({true, true});
  Value part = getTerm(order.spread.part);
  for (const Line &line : lines)
    for (auto [round, run] : llvm::enumerate(line.rounds))
      for (auto [total, view] : llvm::zip(run.total, scratch)) {
        Type type = cast<ViewType>(view.getType()).getElementType();
        Value value = total;
        if (value.getType() != type)
          value = arith::ExtUIOp::create(builder, loc, type, value);
        WriteOp::create(builder, loc, value, view,
                        getPlace(round * order.spread.numParts, part, line),
                        Cache::Default, inBounds, IntegerAttr());
      }
  BarrierOp::create(builder, loc, BarrierKind::Lds);
}

SmallVector<Maybe> ScanLowering::getCarries(const Line &line,
                                            ArrayRef<Value> scratch) {
  SmallVector<Maybe> carries;
  Maybe carry;
  int64_t parts = order.spread.numParts;
  auto advance = [&](const Elements &total) {
    carry.elements = follow(carry, total);
    carry.kind = Maybe::Kind::Something;
  };
  if (parts == 1) {
    for (const Run &run : line.rounds) {
      carries.push_back(carry);
      advance(run.total);
    }
    return carries;
  }
  auto inBounds = builder.getDenseBoolArrayAttr({true, true});
  Value part = getTerm(order.spread.part);
  for (int64_t round = 0; round < order.rounds; ++round) {
    Maybe mine;
    for (int64_t i = 0; i < parts; ++i) {
      int64_t wave = at(i, parts);
      Value isMine = isEqual(part, wave);
      // The last of what this wave has passed is what precedes it.
      if (!carry.isNothing() && mine.isNothing()) {
        mine = carry;
        if (i != 0) {
          mine.kind = Maybe::Kind::AtRunTime;
          mine.exists = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ne, part,
              arith::ConstantIndexOp::create(builder, loc, at(0, parts)));
        }
      } else if (!carry.isNothing()) {
        mine.elements = select(isMine, carry.elements, mine.elements);
      }
      Elements total;
      for (auto [view, source] : llvm::zip(scratch, op.getSources())) {
        Type type = cast<ViewType>(view.getType()).getElementType();
        Value value =
            ReadOp::create(builder, loc, type, view,
                           getPlace(round * parts + wave, Value(), line),
                           Pad::Zero, Cache::Default, inBounds, IntegerAttr());
        total.push_back(combiner.narrow(
            value, combiner.wideType(tileType(source).getElementType())));
      }
      advance(total);
    }
    carries.push_back(mine);
  }
  return carries;
}

void ScanLowering::finish(const Run &run, const Maybe &before,
                          SmallVectorImpl<SmallVector<Value>> &results) {
  for (auto [i, index] : llvm::enumerate(run.registers)) {
    Elements elements;
    if (!op.getExclusive()) {
      elements = follow(before, run.running[i]);
    } else if (i != 0) {
      elements = follow(before, run.running[i - 1]);
    } else {
      elements = before.elements;
      if (before.kind != Maybe::Kind::Something) {
        Elements neutral = {combiner.makeNeutral(
            tileType(op.getSources().front()).getElementType())};
        elements = before.isNothing()
                       ? neutral
                       : select(before.exists, elements, neutral);
      }
    }
    for (auto [values, element, result] :
         llvm::zip(results, elements, op.getResults()))
      values[index] =
          combiner.narrow(element, tileType(result).getElementType());
  }
}

SmallVector<SmallVector<Value>> ScanLowering::run(ArrayRef<Value> arrays,
                                                  ArrayRef<Value> scratch) {
  collectLines();
  for (Line &line : lines)
    for (Run &each : line.rounds) {
      scanRun(each, arrays);
      scanLanes(each);
    }
  if (order.spread.numParts > 1)
    writeTotals(scratch);
  SmallVector<SmallVector<Value>> results(op.getNumResults(),
                                          SmallVector<Value>(map.tails.size()));
  for (const Line &line : lines)
    for (auto [each, carry] : llvm::zip(line.rounds, getCarries(line, scratch)))
      finish(each, join(carry, each.before), results);
  return results;
}

LogicalResult Distributor::distribute(ScanOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = tileType(op.getSources().front());
  for (Value tile : llvm::concat<Value>(SmallVector<Value>(op.getSources()),
                                        SmallVector<Value>(op.getResults())))
    if (!type.getEncoding() ||
        tileType(tile).getEncoding() != type.getEncoding())
      return op.emitOpError() << "has tiles of different layouts, or of none: "
                                 "run fly-assign-layouts first";
  for (Value source : op.getSources())
    if (Type element = tileType(source).getElementType();
        !element.isIntOrFloat())
      return op.emitOpError() << "combines elements of " << element
                              << ", which lanes do not exchange: use integers "
                                 "or floats";
  LaneMap map = distribute::getLaneMap(type);
  std::optional<ScanOrder> order = getScanOrder(map, op.getDim(), threads);
  if (!order || (map.isPartial(op.getDim()) && needsEvenLanes(op)))
    return op.emitOpError()
           << "runs along dimension " << op.getDim() << ", which "
           << type.getEncoding()
           << " does not give to lanes in the order of coordinates: give its "
              "tile its layout by fly-assign-layouts";
  if (order->spread.numParts > 1 && op.getScratch().empty())
    return op.emitOpError() << "combines what different waves hold: "
                               "fly-stage-lds gives the scratch for that";
  auto arrays = llvm::map_to_vector(
      op.getSources(), [&](Value source) { return lookup(source); });
  auto scratch = llvm::map_to_vector(op.getScratch(),
                                     [&](Value view) { return lookup(view); });
  ScanLowering lowering(builder, op, *order, map, coordinates);
  for (auto [values, result] :
       llvm::zip(lowering.run(arrays, scratch), op.getResults()))
    mapping.map(result,
                vector::FromElementsOp::create(
                    builder, loc, getRegisterType(tileType(result)), values));
  return success();
}
