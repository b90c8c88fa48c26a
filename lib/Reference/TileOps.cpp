//===- TileOps.cpp - Ops that make tiles ----------------------------------===//
//
// Constants, elementwise arithmetic, broadcast, dot, cast. The dot is the one
// loop that costs time: it runs over columns of the transposed B, so that the
// compiler can keep several sums in one register without changing their order.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <limits>

#include "DotBound.h"
#include "Interpreter.h"
#include "Rounding.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

FailureOr<int64_t> Interpreter::sizeOf(StringRef name, Operation *at) {
  auto it = sizes.find(name.str());
  if (it != sizes.end())
    return it->second;
  InFlightDiagnostic diag = at->emitError() << "size '" << name
                                            << "' has no value in the schedule";
  if (sizes.empty()) {
    diag << ", which gives no sizes";
  } else {
    diag << ", it gives: ";
    llvm::interleaveComma(sizes, diag,
                          [&](const auto &size) { diag << size.first; });
  }
  return diag;
}

FailureOr<int64_t> Interpreter::resolve(OpFoldResult entry, Operation *at) {
  if (auto value = dyn_cast<Value>(entry))
    return getCertain(value, at);
  auto attribute = cast<Attribute>(entry);
  if (auto name = dyn_cast<StringAttr>(attribute))
    return sizeOf(name.getValue(), at);
  return cast<IntegerAttr>(attribute).getInt();
}

FailureOr<SmallVector<int64_t, 4>>
Interpreter::resolveAll(ArrayRef<OpFoldResult> entries, Operation *at) {
  SmallVector<int64_t, 4> numbers;
  for (OpFoldResult entry : entries) {
    FailureOr<int64_t> number = resolve(entry, at);
    if (failed(number))
      return failure();
    numbers.push_back(*number);
  }
  return numbers;
}

FailureOr<SmallVector<int64_t, 4>> Interpreter::shapeOf(Type type,
                                                        Operation *at) {
  auto tensor = cast<ShapedType>(type);
  SmallVector<int64_t, 4> shape(tensor.getShape());
  TileAttr names;
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    names = dyn_cast_or_null<TileAttr>(ranked.getEncoding());
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    auto name = names ? dyn_cast<StringAttr>(names.getSizes()[dim]) : nullptr;
    if (!name)
      return at->emitError() << "extent " << dim << " of " << type
                             << " has neither a number nor a name";
    FailureOr<int64_t> size = sizeOf(name.getValue(), at);
    if (failed(size))
      return failure();
    extent = *size;
  }
  return shape;
}

/// A tile, or a number where `type` is none, with every element `element`.
static RuntimeValue fill(Type type, ArrayRef<int64_t> shape, bool isFloat,
                         Element element) {
  if (!isa<ShapedType>(type))
    return scalarOf(isFloat, element);
  auto tile = Tile::make(shape, isFloat);
  if (element.error != 0)
    tile->errors.assign(tile->size(), element.error);
  if (isFloat)
    std::fill(tile->floats.begin(), tile->floats.end(), element.f);
  else
    std::fill(tile->integers.begin(), tile->integers.end(), element.i);
  return TilePtr(tile);
}

static Element elementOfAttribute(Attribute attribute, ElementType type) {
  Element element;
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    APFloat wide = number.getValue();
    bool losesInfo;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    element.f = wide.convertToDouble();
  } else {
    element.i = type.wrap(
        int64_t(cast<IntegerAttr>(attribute).getValue().getZExtValue()));
  }
  return element;
}

LogicalResult Interpreter::executeConstant(Operation *op) {
  Type type = op->getResult(0).getType();
  std::optional<ElementType> elementType = typeOf(type);
  SmallVector<int64_t, 4> shape;
  if (isa<ShapedType>(type)) {
    FailureOr<SmallVector<int64_t, 4>> resolved = shapeOf(type, op);
    if (failed(resolved))
      return failure();
    shape = *resolved;
  }
  Attribute value;
  if (auto constant = dyn_cast<ConstantOp>(op))
    value = constant.getElementAttr();
  else if (!isa<ub::PoisonOp>(op))
    matchPattern(op, m_Constant(&value));
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!elementType || (dense && !dense.isSplat()))
    return op->emitError() << "the reference executor knows numbers and tiles "
                              "of one number as constants, got "
                           << type;
  Element element;
  if (!value) // Poison: whatever depends on it should look wrong.
    element.f = std::numeric_limits<double>::quiet_NaN();
  else
    element = elementOfAttribute(
        dense ? dense.getSplatValue<Attribute>() : value, *elementType);
  if (!value && elementType->isInteger())
    element.i = 0x5a;
  set(op->getResult(0), fill(type, shape, elementType->isFloat(), element));
  return success();
}

LogicalResult Interpreter::executeElementwise(Operation *op,
                                              const ElementFn &fn) {
  Type type = op->getResult(0).getType();
  bool isFloat = typeOf(type)->isFloat();
  const char *fault = nullptr;
  SmallVector<const Tile *, 3> tiles;
  SmallVector<Element, 3> elements(op->getNumOperands());
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    const RuntimeValue &value = get(operand);
    auto *tile = std::get_if<TilePtr>(&value);
    tiles.push_back(tile ? tile->get() : nullptr);
    if (!tile)
      elements[index] = elementOf(value);
  }
  if (!isa<ShapedType>(type)) {
    set(op->getResult(0), scalarOf(isFloat, fn(elements.data(), fault)));
  } else {
    // Operands that are no tiles (the condition of a select) stay as they are.
    FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(type, op);
    if (failed(shape))
      return failure();
    auto tile = Tile::make(*shape, isFloat);
    for (int64_t i = 0, e = tile->size(); i < e; ++i) {
      for (auto [index, operand] : llvm::enumerate(tiles))
        if (operand)
          elements[index] = operand->at(i);
      tile->set(i, fn(elements.data(), fault));
    }
    set(op->getResult(0), TilePtr(tile));
  }
  if (fault)
    return op->emitError() << fault;
  return success();
}

LogicalResult Interpreter::executeSplat(SplatOp op) {
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  if (failed(shape))
    return failure();
  bool isFloat = typeOf(op.getType())->isFloat();
  set(op, fill(op.getType(), *shape, isFloat, elementOf(get(op.getScalar()))));
  return success();
}

LogicalResult Interpreter::executeBroadcast(BroadcastOp op) {
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  if (failed(shape))
    return failure();
  const Tile &source = getTile(op.getSource());
  auto tile = Tile::make(*shape, source.isFloat);
  // Row-major: `inner` elements lie below the new dimension.
  int64_t inner = 1, extent = (*shape)[op.getDim()];
  for (int64_t d = op.getDim() + 1; d < int64_t(shape->size()); ++d)
    inner *= (*shape)[d];
  for (int64_t i = 0, e = tile->size(); i < e; ++i) {
    int64_t from = i / (inner * extent) * inner + i % inner;
    tile->set(i, source.at(from));
  }
  set(op, TilePtr(tile));
  return success();
}

/// acc[m, n] += sum over k of a[m, k] * b[n, k], for each (m, n) in the order
/// of k.
template <typename Number>
static void multiply(const std::vector<Number> &a, const std::vector<Number> &b,
                     std::vector<Number> &acc, int64_t m, int64_t n,
                     int64_t k) {
  std::vector<Number> columns(b.size());
  for (int64_t j = 0; j < n; ++j)
    for (int64_t p = 0; p < k; ++p)
      columns[p * n + j] = b[j * k + p];
  for (int64_t i = 0; i < m; ++i) {
    Number *__restrict row = acc.data() + i * n;
    for (int64_t p = 0; p < k; ++p) {
      Number factor = a[i * k + p];
      const Number *__restrict column = columns.data() + p * n;
      for (int64_t j = 0; j < n; ++j)
        row[j] += factor * column[j];
    }
  }
}

/// The tile with the last 13 bits of each f32 dropped, as xf32 instructions
/// read it [AMD].
static Tile cutToXf32(const Tile &tile) {
  Tile cut = tile;
  for (int64_t i = 0, e = tile.size(); i < e; ++i) {
    uint32_t bits = llvm::bit_cast<uint32_t>(float(tile.floats[i]));
    Element element = tile.at(i);
    element.f = llvm::bit_cast<float>(bits & ~uint32_t(0x1fff));
    // What is off may be cut at the next place.
    if (element.error != 0)
      element.error += std::ldexp(std::abs(tile.floats[i]), -10);
    cut.set(i, element);
  }
  return cut;
}

LogicalResult Interpreter::executeDot(DotOp op) {
  const Tile &a = getTile(op.getA());
  const Tile &b = getTile(op.getB());
  const Tile &acc = getTile(op.getAcc());
  int64_t m = a.shape[0], k = a.shape[1], n = b.shape[0];
  if (b.shape[1] != k || acc.shape[0] != m || acc.shape[1] != n)
    return op.emitError() << "multiplies " << m << "x" << k << " with " << n
                          << "x" << b.shape[1] << " into " << acc.shape[0]
                          << "x" << acc.shape[1];
  if (op.getXf32()) {
    setProduct(op, cutToXf32(a), cutToXf32(b), acc);
    return success();
  }
  setProduct(op, a, b, acc);
  return success();
}

void Interpreter::setProduct(DotOp op, const Tile &a, const Tile &b,
                             const Tile &acc) {
  int64_t m = a.shape[0], k = a.shape[1], n = b.shape[0];
  auto result = std::make_shared<Tile>(acc);
  if (acc.isFloat) {
    boundDot(*typeOf(op.getType()), a, b, acc, *result);
    multiply(a.floats, b.floats, result->floats, m, n, k);
  } else {
    if (!a.errors.empty() || !b.errors.empty() || !acc.errors.empty())
      result->errors.assign(result->size(), kUnbounded);
    multiply(a.integers, b.integers, result->integers, m, n, k);
    ElementType type = *typeOf(op.getType());
    for (int64_t &value : result->integers)
      value = type.wrap(value);
  }
  set(op, TilePtr(result));
}

/// An element of `from` as an integer of type `to`, none where it is out of
/// range and must not be.
static std::optional<Element> castToInteger(Element source, bool isFloat,
                                            ElementType to, bool saturate) {
  Element result;
  int64_t value = isFloat ? 0 : source.i;
  int64_t largest =
      to.bits() >= 64 ? INT64_MAX : (int64_t(1) << (to.bits() - 1)) - 1;
  if (isFloat) {
    double rounded = std::nearbyint(source.f);
    // A power of two is exact, which the largest of 64 bits is not.
    double limit = std::ldexp(1.0, int(to.bits()) - 1);
    bool fits = rounded >= -limit && rounded < limit;
    if (!fits && !saturate)
      return std::nullopt;
    value = fits                    ? int64_t(rounded)
            : std::isnan(rounded)   ? 0
            : std::signbit(rounded) ? -largest - 1
                                    : largest;
    result.error =
        stepError(source, [](double v) { return std::nearbyint(v); });
  } else {
    if (saturate)
      value = std::clamp(value, -largest - 1, largest);
    result.error = source.error;
  }
  result.i = to.wrap(value);
  return result;
}

LogicalResult Interpreter::executeCast(CastOp op) {
  std::optional<ElementType> from = typeOf(op.getSource().getType());
  std::optional<ElementType> to = typeOf(op.getType());
  if (!from || !to)
    return op.emitError() << "the reference executor cannot convert "
                          << op.getSource().getType() << " to " << op.getType();
  const Tile &source = getTile(op.getSource());
  bool saturate = op.getOverflow() == Overflow::Saturate;
  auto tile = Tile::make(source.shape, to->isFloat());
  for (int64_t i = 0, e = tile->size(); i < e; ++i) {
    Element element = source.at(i);
    if (to->isFloat()) {
      if (!source.isFloat)
        element.f = double(element.i);
      if (op.getRounding() == Rounding::Sr)
        element =
            roundAtRandom(element, *to, i, uint32_t(getInteger(op.getSeed())));
      tile->set(i, roundToType(*to, element, saturate));
      continue;
    }
    std::optional<Element> result =
        castToInteger(element, source.isFloat, *to, saturate);
    if (!result)
      return op.emitError() << "value " << element.f
                            << " is out of the range of " << to->name();
    tile->set(i, *result);
  }
  set(op, TilePtr(tile));
  return success();
}
