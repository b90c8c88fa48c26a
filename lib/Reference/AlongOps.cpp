//===- AlongOps.cpp - Ops along a dimension of a tile ---------------------===//
//
// Iota, transpose, reduce, scan. A kind works on whole elements in wide
// precision and rounds once at the end, where the element type is narrower than
// f32; a combiner runs as IR, element by element. Error bounds hold for any
// order of a kind (LineResult), and are doubled for the orders of a combiner
// that were not run.
//
//===----------------------------------------------------------------------===//
#include <climits>
#include <cmath>
#include <limits>

#include "Along.h"
#include "Interpreter.h"
#include "Rounding.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

namespace {
/// The elements along one dimension of a row-major tile: `count` of them,
/// `stride` apart, for each of the starts.
struct Lines {
  Lines(ArrayRef<int64_t> shape, int64_t dim) : count(shape[dim]) {
    for (int64_t extent : shape.drop_front(dim + 1))
      stride *= extent;
    for (int64_t extent : shape.take_front(dim))
      outer *= extent;
  }
  int64_t size() const { return outer * stride; }
  /// The first element of line `line`; lines are in row-major order of the
  /// tile without the dimension.
  int64_t start(int64_t line) const {
    return line / stride * stride * count + line % stride;
  }
  int64_t count, stride = 1, outer = 1;
};

uint64_t zeroExtend(int64_t value, unsigned bits) {
  return bits >= 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}
} // namespace

static double combineFloats(ReduceKind kind, double a, double b) {
  bool isNan = std::isnan(a) || std::isnan(b);
  switch (kind) {
  case ReduceKind::Add:
    return a + b;
  case ReduceKind::Mul:
    return a * b;
  case ReduceKind::Max:
    return std::fmax(a, b);
  case ReduceKind::Min:
    return std::fmin(a, b);
  case ReduceKind::MaxNan:
    return isNan ? std::numeric_limits<double>::quiet_NaN() : std::fmax(a, b);
  default:
    return isNan ? std::numeric_limits<double>::quiet_NaN() : std::fmin(a, b);
  }
}

static int64_t combineIntegers(ReduceKind kind, ElementType type, int64_t a,
                               int64_t b) {
  uint64_t ua = uint64_t(a), ub = uint64_t(b);
  uint64_t za = zeroExtend(a, type.bits()), zb = zeroExtend(b, type.bits());
  switch (kind) {
  case ReduceKind::Add:
    return type.wrap(int64_t(ua + ub));
  case ReduceKind::Mul:
    return type.wrap(int64_t(ua * ub));
  case ReduceKind::Max:
    return std::max(a, b);
  case ReduceKind::Min:
    return std::min(a, b);
  case ReduceKind::UMax:
    return za >= zb ? a : b;
  case ReduceKind::UMin:
    return za <= zb ? a : b;
  case ReduceKind::And:
    return a & b;
  case ReduceKind::Or:
    return a | b;
  default:
    return type.wrap(int64_t(ua ^ ub));
  }
}

/// What combines with every element to that element.
static Element neutralOf(ReduceKind kind, ElementType type) {
  Element element;
  double infinity = std::numeric_limits<double>::infinity();
  int64_t highest = type.isFloat()      ? 0
                    : type.bits() >= 64 ? INT64_MAX
                                        : (int64_t(1) << (type.bits() - 1)) - 1;
  if (type.isFloat()) {
    bool isMax = kind == ReduceKind::Max || kind == ReduceKind::MaxNan;
    element.f = kind == ReduceKind::Add   ? 0.0
                : kind == ReduceKind::Mul ? 1.0
                : isMax                   ? -infinity
                                          : infinity;
    if (std::isinf(element.f) && !APFloat::semanticsHasInf(type.semantics()))
      element.f = std::copysign(
          APFloat::getLargest(type.semantics()).convertToDouble(), element.f);
    return element;
  }
  bool isAllOnes = kind == ReduceKind::And || kind == ReduceKind::UMin;
  element.i = type.wrap(kind == ReduceKind::Mul   ? 1
                        : kind == ReduceKind::Max ? -highest - 1
                        : kind == ReduceKind::Min ? highest
                        : isAllOnes               ? -1
                                                  : 0);
  return element;
}

Element fly::reference::combine(ReduceKind kind, ElementType type, Element a,
                                Element b) {
  Element result;
  bool isSum = kind == ReduceKind::Add, isProduct = kind == ReduceKind::Mul;
  if (!type.isFloat()) {
    result.i = combineIntegers(kind, type, a.i, b.i);
    bool isChoice = kind == ReduceKind::Max || kind == ReduceKind::Min ||
                    kind == ReduceKind::UMax || kind == ReduceKind::UMin;
    result.error = isChoice             ? std::max(a.error, b.error)
                   : isSum              ? a.error + b.error
                   : a.error || b.error ? kUnbounded
                                        : 0;
    return result;
  }
  result.f = combineFloats(kind, a.f, b.f);
  if (!isSum && !isProduct) {
    result.error = std::max(a.error, b.error);
    return result;
  }
  double error = isSum ? a.error + b.error : productError(a, b);
  return roundResult(type, result.f, error, Order::Any);
}

namespace {
/// The elements of a line combined by a kind, and how far any order of
/// combining them may be from it.
class LineResult {
public:
  LineResult(ReduceKind kind, ElementType type)
      : kind(kind), type(type), running(neutralOf(kind, type)) {}

  void include(Element next) {
    if (type.isFloat() &&
        (kind == ReduceKind::Add || kind == ReduceKind::Mul)) {
      double size = std::fabs(next.f) + next.error;
      lowest = std::min(lowest, lowestBit(next.f));
      magnitude = kind == ReduceKind::Add ? magnitude + size : magnitude * size;
      largestProduct *= std::max(size, 1.0);
      running.f = count ? combineFloats(kind, running.f, next.f) : next.f;
      running.error += next.error;
    } else {
      running = count ? combine(kind, type, running, next) : next;
    }
    ++count;
    if (count == 1 && kind == ReduceKind::Mul)
      magnitude = std::fabs(next.f) + next.error;
  }

  /// Narrow floats are rounded once, from sums in f32.
  Element get() const {
    Element result = running;
    if (!type.isFloat())
      return result;
    if (kind == ReduceKind::Add)
      result.error += sumRounding();
    else if (kind == ReduceKind::Mul)
      result.error = productBound();
    return type.bits() < 32 ? roundToType(type, result, /*saturate=*/false)
                            : result;
  }

private:
  double sumRounding() const {
    if (running.error == 0 && isSumExact(type, lowest, magnitude))
      return 0;
    // Infinity and NaN stay what they are in any order.
    return std::isfinite(running.f) ? sumError(type, count, magnitude) : 0;
  }
  double productBound() const {
    // Partial products of integers are integers, and none is larger.
    if (running.error == 0 &&
        (count < 2 || (lowest >= 0 && isSumExact(type, 0, largestProduct))))
      return 0;
    if (!std::isfinite(running.f))
      return 0;
    return magnitude - std::fabs(running.f) + sumError(type, count, magnitude);
  }

  ReduceKind kind;
  ElementType type;
  Element running;
  int64_t count = 0;
  int lowest = INT_MAX;
  double magnitude = 0, largestProduct = 1;
};
} // namespace

LogicalResult Interpreter::executeIota(IotaOp op) {
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  if (failed(shape))
    return failure();
  auto tile = Tile::make(*shape, /*isFloat=*/false);
  Lines lines(*shape, op.getDim());
  int64_t from = op.getFrom() ? getCertain(op.getFrom(), op) : 0;
  ElementType type = *typeOf(op.getType());
  for (int64_t line = 0; line < lines.size(); ++line)
    for (int64_t i = 0; i < lines.count; ++i)
      tile->integers[lines.start(line) + i * lines.stride] =
          type.wrap(from + i);
  set(op, TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeTranspose(TransposeOp op) {
  const Tile &source = getTile(op.getSource());
  ArrayRef<int64_t> permutation = op.getPermutation();
  size_t rank = permutation.size();
  SmallVector<int64_t, 4> shape, strides(rank, 1), step(rank);
  for (size_t d = rank; d-- > 1;)
    strides[d - 1] = strides[d] * source.shape[d];
  for (size_t d = 0; d < rank; ++d) {
    shape.push_back(source.shape[permutation[d]]);
    step[d] = strides[permutation[d]];
  }
  auto tile = Tile::make(shape, source.isFloat);
  for (int64_t i = 0, e = tile->size(); i < e; ++i) {
    int64_t rest = i, from = 0;
    for (size_t d = rank; d-- > 0; rest /= shape[d])
      from += rest % shape[d] * step[d];
    tile->set(i, source.at(from));
  }
  set(op, TilePtr(tile));
  return success();
}

/// Runs a combiner on the running elements `a` and the next ones `b`; the
/// result is the new `a`.
LogicalResult Interpreter::runCombiner(Region &combiner,
                                       MutableArrayRef<Element> a,
                                       ArrayRef<Element> b) {
  auto terminator = combiner.front().getTerminator();
  Results arguments, results;
  for (ArrayRef<Element> elements : {ArrayRef<Element>(a), b})
    for (auto [element, value] : llvm::zip(elements, terminator->getOperands()))
      arguments.push_back(scalarOf(isa<FloatType>(value.getType()), element));
  if (failed(runRegion(combiner, arguments, results)))
    return failure();
  for (auto [element, result] : llvm::zip(a, results))
    element = elementOf(result);
  return success();
}

/// Combines the elements `begin` to `end` of a line.
LogicalResult Interpreter::reduceLine(ReduceOp op, ArrayRef<const Tile *> tiles,
                                      int64_t start, int64_t stride,
                                      int64_t count,
                                      MutableArrayRef<Element> running) {
  ElementType type = *typeOf(op.getSources().front().getType());
  if (op.getKind()) {
    LineResult line(*op.getKind(), type);
    for (int64_t i = 0; i < count; ++i)
      line.include(tiles[0]->at(start + i * stride));
    running[0] = line.get();
    return success();
  }
  SmallVector<Element> next(tiles.size());
  for (int64_t i = 0; i < count; ++i) {
    for (auto [element, tile] : llvm::zip(next, tiles))
      element = tile->at(start + i * stride);
    if (i == 0)
      llvm::copy(next, running.begin());
    else if (failed(runCombiner(op.getCombiner(), running, next)))
      return failure();
  }
  if (count > 2)
    for (Element &element : running)
      element.error *= 2;
  return success();
}

LogicalResult Interpreter::executeReduce(ReduceOp op) {
  SmallVector<const Tile *> sources;
  for (Value source : op.getSources())
    sources.push_back(&getTile(source));
  SmallVector<int64_t, 4> shape(sources.front()->shape);
  Lines lines(shape, op.getDim());
  int64_t parts = op.getParts().value_or(1);
  if (lines.count == 0 || lines.count % parts != 0)
    return op.emitError() << "reduces along an extent of " << lines.count
                          << " in " << parts << " parts";
  if (op.getParts())
    shape[op.getDim()] = parts;
  else
    shape.erase(shape.begin() + op.getDim());
  SmallVector<std::shared_ptr<Tile>> results;
  for (const Tile *source : sources) {
    if (source->shape != sources.front()->shape)
      return op.emitError() << "reduces tiles of different shapes";
    results.push_back(Tile::make(shape, source->isFloat));
  }
  int64_t perPart = lines.count / parts;
  SmallVector<Element> running(sources.size());
  for (int64_t line = 0; line < lines.size(); ++line) {
    for (int64_t part = 0; part < parts; ++part) {
      int64_t start = lines.start(line) + part * perPart * lines.stride;
      if (failed(
              reduceLine(op, sources, start, lines.stride, perPart, running)))
        return failure();
      int64_t at = line / lines.stride * lines.stride * parts +
                   line % lines.stride + part * lines.stride;
      for (auto [result, element] : llvm::zip(results, running))
        result->set(at, element);
    }
  }
  for (auto [value, tile] : llvm::zip(op.getResults(), results))
    set(value, TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeScan(ScanOp op) {
  SmallVector<const Tile *> sources;
  SmallVector<std::shared_ptr<Tile>> results;
  for (Value source : op.getSources()) {
    sources.push_back(&getTile(source));
    results.push_back(
        Tile::make(sources.back()->shape, sources.back()->isFloat));
    if (sources.back()->shape != sources.front()->shape)
      return op.emitError() << "scans tiles of different shapes";
  }
  Lines lines(sources.front()->shape, op.getDim());
  ElementType type = *typeOf(op.getSources().front().getType());
  SmallVector<Element> running(sources.size()), next(sources.size());
  for (int64_t line = 0; line < lines.size(); ++line) {
    LineResult sum(op.getKind().value_or(ReduceKind::Add), type);
    for (int64_t i = 0; i < lines.count; ++i) {
      int64_t along = op.getReverse() ? lines.count - 1 - i : i;
      int64_t at = lines.start(line) + along * lines.stride;
      for (auto [element, source] : llvm::zip(next, sources))
        element = source->at(at);
      if (op.getKind()) {
        if (op.getExclusive())
          results[0]->set(at, sum.get());
        sum.include(next[0]);
        if (!op.getExclusive())
          results[0]->set(at, sum.get());
        continue;
      }
      if (i == 0)
        running = next;
      else if (failed(runCombiner(op.getCombiner(), running, next)))
        return failure();
      for (auto [result, element] : llvm::zip(results, running)) {
        Element bounded = element;
        bounded.error *= i > 1 ? 2 : 1;
        result->set(at, bounded);
      }
    }
  }
  for (auto [value, tile] : llvm::zip(op.getResults(), results))
    set(value, TilePtr(tile));
  return success();
}
