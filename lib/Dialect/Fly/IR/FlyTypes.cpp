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

/// C5: the permutation moves bytes within aligned blocks, so whole blocks must
/// fill the view; else some byte would land behind it.
static LogicalResult
verifySwizzleBlock(function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<int64_t> shape, Type elementType,
                   SwizzleAttr swizzle) {
  int64_t block = int64_t(1) << (swizzle.getBits() + swizzle.getBase());
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  // The remainder of a product is that of the factors' remainders.
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent))
      bytes = bytes % block * (extent % block) % block;
  if (bytes % block == 0)
    return success();
  return emitError() << "swizzle permutes blocks of " << block
                     << " bytes, which the view does not fill: its bytes "
                        "leave a rest of "
                     << bytes % block;
}

/// C6: whole chunks of elements, whole blocks of rows and columns.
static LogicalResult
verifyPreshuffle(function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> shape, Type elementType, bool inLds,
                 PreshuffleAttr layout) {
  if (inLds)
    return emitError() << "preshuffle is a layout of global views, got an LDS "
                          "view";
  if (shape.size() < 2)
    return emitError() << "preshuffle needs a view of 2 dimensions at least, "
                          "got "
                       << shape.size();
  unsigned bits = elementType.getIntOrFloatBitWidth();
  if (bits < 4 || PreshuffleAttr::chunkBytes * 8 % bits != 0)
    return emitError() << "preshuffle needs elements of 4 bits, or of 1, 2, 4, "
                          "8 or 16 bytes, got "
                       << elementType;
  return layout.verifyExtents(shape, elementType, emitError);
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
    if (strided.getStrides().size() != shape.size())
      return emitError() << "strided layout must give " << shape.size()
                         << " strides, got " << strided.getStrides().size();
    if (inLds && ShapedType::isDynamicShape(strided.getStrides()))
      return emitError() << "LDS view must have static strides, got "
                         << strided;
    return success();
  }
  if (isa<SwizzleAttr>(layout)) { // C3
    if (!inLds)
      return emitError() << "swizzle is a layout of LDS views: write "
                            "'lds' before it";
    if (elementType.getIntOrFloatBitWidth() % 8 != 0)
      return emitError() << "swizzle needs elements of whole bytes, got "
                         << elementType;
    return verifySwizzleBlock(emitError, shape, elementType,
                              cast<SwizzleAttr>(layout));
  }
  if (auto preshuffle = dyn_cast<PreshuffleAttr>(layout)) // C6
    return verifyPreshuffle(emitError, shape, elementType, inLds, preshuffle);
  if (auto general = dyn_cast<MemoryLayoutAttr>(layout)) // C7
    return general.verifyView(shape, elementType, inLds, emitError);
  return emitError() << "view layout must be #fly.strided, #fly.swizzle, "
                        "#fly.preshuffle or #fly.layout, got "
                     << layout;
}

ViewType ViewType::withLayout(Attribute layout) const {
  return get(getShape(), getElementType(), getInLds(), layout);
}

std::optional<unsigned> ViewType::getContiguousDim() const {
  if (auto general = dyn_cast_or_null<MemoryLayoutAttr>(getLayout()))
    return general.getContiguousMode();
  auto strided = dyn_cast_or_null<StridedAttr>(getLayout());
  if (!strided)
    return getRank() - 1;
  for (unsigned dim = getRank(); dim-- > 0;)
    if (strided.getStrides()[dim] == 1)
      return dim;
  return std::nullopt;
}

std::optional<int64_t> ViewType::getSizeInBytes() const {
  if (ShapedType::isDynamicShape(getShape()))
    return std::nullopt;
  if (auto general = dyn_cast_or_null<MemoryLayoutAttr>(getLayout())) {
    std::optional<int64_t> elements = general.getCosize();
    int64_t bytes = getElementType().getIntOrFloatBitWidth() / 8;
    if (!elements || llvm::MulOverflow(*elements, bytes, bytes))
      return std::nullopt;
    return llvm::is_contained(getShape(), 0) ? 0 : bytes;
  }
  auto strided = dyn_cast_or_null<StridedAttr>(getLayout());
  // Elements from the first to behind the last.
  int64_t elements = 1;
  for (auto [dim, extent] : llvm::enumerate(getShape())) {
    if (strided) {
      int64_t stride = strided.getStrides()[dim], steps;
      if (ShapedType::isDynamic(stride) ||
          llvm::MulOverflow(extent - 1, stride, steps) ||
          llvm::AddOverflow(elements, steps, elements))
        return std::nullopt;
    } else if (llvm::MulOverflow(elements, extent, elements)) {
      return std::nullopt;
    }
  }
  if (llvm::is_contained(getShape(), 0))
    elements = 0;
  int64_t bits;
  if (llvm::MulOverflow(
          elements, int64_t(getElementType().getIntOrFloatBitWidth()), bits))
    return std::nullopt;
  return bits / 8 + (bits % 8 != 0);
}
