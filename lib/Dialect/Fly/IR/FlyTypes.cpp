//===- FlyTypes.cpp - Pointers, views and LDS handles ---------------------===//
//
// Syntax and rules of `!fly.view`, and what its layout says about contiguity.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"

void FlyDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"
      >();
}

static LogicalResult
verifyElementType(function_ref<InFlightDiagnostic()> emitError, Type type,
                  StringRef what) {
  if (type.isIntOrFloat())
    return success();
  return emitError() << what << " elements must be integers or floats, got "
                     << type;
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type elementType) {
  return verifyElementType(emitError, elementType, "pointer");
}

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType))
    return {};
  bool inLds = false;
  Attribute layout;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc partLoc = parser.getCurrentLocation();
    if (!inLds && !layout && succeeded(parser.parseOptionalKeyword("lds"))) {
      inLds = true;
      continue;
    }
    if (layout) {
      parser.emitError(partLoc, "expected '>' after the view's layout");
      return {};
    }
    if (parser.parseAttribute(layout))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(loc, parser.getContext(), shape,
                                     elementType, inLds, layout);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << getElementType();
  if (getInLds())
    printer << ", lds";
  if (getLayout())
    printer << ", " << getLayout();
  printer << '>';
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               bool inLds, Attribute layout) {
  if (shape.empty() || shape.size() > 4) // C1
    return emitError() << "view must have 1 to 4 dimensions, got "
                       << shape.size();
  if (failed(verifyElementType(emitError, elementType, "view")))
    return failure();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (inLds && dim > 0 && ShapedType::isDynamic(extent)) // C2
      return emitError() << "LDS view must have static extents after the "
                            "first, dimension "
                         << dim << " is '?'";
    if (!ShapedType::isDynamic(extent) && extent < 0)
      return emitError() << "view extent must not be negative, dimension "
                         << dim << " is " << extent;
  }
  if (!layout)
    return success();
  if (auto strided = dyn_cast<StridedAttr>(layout)) { // C4
    if (strided.getStrides().size() == shape.size())
      return success();
    return emitError() << "strided layout must give " << shape.size()
                       << " strides, got " << strided.getStrides().size();
  }
  if (isa<SwizzleAttr>(layout)) { // C3
    if (!inLds)
      return emitError() << "swizzle is a layout of LDS views: write "
                            "'lds' before it";
    if (elementType.getIntOrFloatBitWidth() % 8 != 0)
      return emitError() << "swizzle needs elements of whole bytes, got "
                         << elementType;
    return success();
  }
  return emitError() << "view layout must be #fly.strided or #fly.swizzle, got "
                     << layout;
}

ViewType ViewType::withLayout(Attribute layout) const {
  return get(getShape(), getElementType(), getInLds(), layout);
}

std::optional<unsigned> ViewType::getContiguousDim() const {
  auto strided = dyn_cast_or_null<StridedAttr>(getLayout());
  if (!strided)
    return getRank() - 1;
  for (unsigned dim = getRank(); dim-- > 0;)
    if (strided.getStrides()[dim] == 1)
      return dim;
  return std::nullopt;
}

std::optional<int64_t> ViewType::getSizeInBytes() const {
  int64_t elements = 1;
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    if (llvm::MulOverflow(elements, extent, elements))
      return std::nullopt;
  }
  int64_t bits;
  if (llvm::MulOverflow(
          elements, int64_t(getElementType().getIntOrFloatBitWidth()), bits))
    return std::nullopt;
  return bits / 8 + (bits % 8 != 0);
}
