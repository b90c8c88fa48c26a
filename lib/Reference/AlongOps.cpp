//===- AlongOps.cpp - Ops along a dimension of a tile ---------------------===//
//
// Iota, transpose, reduce, scan. A kind works on whole elements in wide
// precision and rounds once at the end, where the element type is narrower than
// f32; a combiner runs as IR, element by element. Error bounds hold for any
// order of a kind (LineResult), and are doubled for the orders of a combiner
// that were not run.
//
//===----------------------------------------------------------------------===//
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
