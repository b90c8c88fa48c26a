//===- MemoryLayout.cpp - Layouts of the algebra as an attribute ----------===//
//
// The attribute holds the canonical text of a layout; lib/Layout has the rest.
// Text is parsed again where the layout is wanted: it is short, and equal
// layouts are then equal attributes.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Parser.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "MemoryLayoutParser.h"

using namespace mlir;
using namespace fly;
using namespace fly::layout;

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

std::string fly::printMemoryLayout(const ComposedLayout &layout) {
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  bool isPlain = swizzle && swizzle->isIdentity() && layout.offset() == 0;
  return isPlain ? layout.inner().str() : layout.str();
}

llvm::Expected<ComposedLayout> fly::parseMemoryLayout(StringRef text,
                                                      size_t *errorOffset) {
  // Chains are told by their " o ".
  if (text.contains(" o ") || text.starts_with("S"))
    return parseComposedLayout(text, errorOffset);
  llvm::Expected<layout::Layout> plain = parseLayout(text, errorOffset);
  if (!plain)
    return plain.takeError();
  return ComposedLayout(Swizzle(), 0, std::move(*plain));
}

LogicalResult
MemoryLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringRef text) {
  llvm::Expected<ComposedLayout> layout = parseMemoryLayout(text);
  if (!layout)
    return emitError() << "layout: " << llvm::toString(layout.takeError());
  std::string canonical = printMemoryLayout(*layout);
  if (canonical == text)
    return success();
  return emitError() << "layout '" << text << "' is not canonical: expected '"
                     << canonical << "'";
}

ComposedLayout MemoryLayoutAttr::getLayout() const {
  return llvm::cantFail(parseMemoryLayout(getText()));
}

unsigned MemoryLayoutAttr::getRank() const {
  return getLayout().inner().rank();
}

bool MemoryLayoutAttr::isStatic() const {
  return getLayout().inner().isStatic();
}

Swizzle MemoryLayoutAttr::getSwizzle() const {
  ComposedLayout layout = getLayout();
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  return swizzle ? *swizzle : Swizzle();
}

/// Names of unknown extents by the mode that they are the extent of.
static llvm::Expected<ComposedLayout> bindExtents(const ComposedLayout &layout,
                                                  ArrayRef<int64_t> extents) {
  auto bindings = [&](StringRef name) -> std::optional<int64_t> {
    for (unsigned mode = 0; mode < layout.inner().rank(); ++mode) {
      const IntTuple &shape = layout.inner().shape().mode(mode);
      if (shape.isLeaf() && shape.leaf().str() == ("?" + name).str() &&
          mode < extents.size())
        return extents[mode];
    }
    return std::nullopt;
  };
  llvm::Expected<layout::Layout> inner = layout.inner().bind(bindings);
  if (!inner)
    return inner.takeError();
  return layout.withInner(std::move(*inner));
}

llvm::Expected<ComposedLayout>
MemoryLayoutAttr::bind(ArrayRef<int64_t> extents) const {
  return bindExtents(getLayout(), extents);
}

std::optional<unsigned> MemoryLayoutAttr::getContiguousMode() const {
  const layout::Layout inner = getLayout().inner();
  for (unsigned mode = inner.rank(); mode-- > 0;) {
    llvm::Expected<layout::Layout> one = coalesce(inner.mode(mode));
    if (one && one->isLeaf() && one->stride().leaf().is(1))
      return mode;
    if (!one)
      llvm::consumeError(one.takeError());
  }
  return std::nullopt;
}

std::optional<int64_t> MemoryLayoutAttr::getCosize() const {
  ComposedLayout layout = getLayout();
  llvm::Expected<int64_t> size = cosize(layout);
  if (size)
    return *size;
  llvm::consumeError(size.takeError());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The modes are the dimensions.
static LogicalResult verifyModes(const layout::Layout &inner,
                                 ArrayRef<int64_t> extents,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (inner.rank() != extents.size())
    return emitError() << "layout " << inner.str() << " has " << inner.rank()
                       << " modes, expected one for each of the view's "
                       << extents.size() << " dimensions";
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Int size = inner.mode(dim).size();
    bool isUnknown = ShapedType::isDynamic(extent);
    std::string text = inner.shape().mode(dim).str();
    if (isUnknown && (text[0] != '?' || StringRef(text).contains('*')))
      return emitError() << "dimension " << dim
                         << " of the view is '?', expected the mode of the "
                            "layout to be an unknown value such as ?M, got "
                         << inner.shape().mode(dim).str();
    if (!isUnknown && !size.is(extent))
      return emitError() << "dimension " << dim << " of the view has extent "
                         << extent << ", but the mode of the layout has size "
                         << size.str();
  }
  for (const Leaf &leaf : inner.leaves())
    if (leaf.stride.factor() < 0)
      return emitError() << "view layout needs strides of at least 0, got "
                         << leaf.stride.str();
  return success();
}

LogicalResult MemoryLayoutAttr::verifyView(
    ArrayRef<int64_t> extents, Type elementType, bool inLds,
    function_ref<InFlightDiagnostic()> emitError) const {
  ComposedLayout layout = getLayout();
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  if (!swizzle || layout.offset() < 0)
    return emitError() << "view layout may have a swizzle and an offset of at "
                          "least 0 in front, got "
                       << getText();
  if (failed(verifyModes(layout.inner(), extents, emitError)))
    return failure();
  if (elementType.getIntOrFloatBitWidth() % 8 != 0)
    return emitError() << "view layout needs elements of whole bytes, got "
                       << elementType;
  if (!isStatic()) {
    if (inLds)
      return emitError() << "LDS view needs a layout without unknown values, "
                            "got "
                         << getText();
    // Any extents show which names are none.
    SmallVector<int64_t> ones(extents.size(), 1);
    llvm::Expected<ComposedLayout> bound = bindExtents(layout, ones);
    if (!bound)
      return emitError() << "strides of a view may use its extents alone: "
                         << llvm::toString(bound.takeError());
    return success();
  }
  if (inLds && !swizzle->isIdentity() &&
      (swizzle->shift() <= 0 ||
       !llvm::isPowerOf2_64(elementType.getIntOrFloatBitWidth())))
    return emitError() << "LDS view needs a swizzle of a shift above 0 and "
                          "elements of a power of two of bytes, got "
                       << swizzle->str() << " of " << elementType;
  if (!getCosize())
    return emitError() << "view layout reaches beyond 2^63 elements: "
                       << getText();
  return success();
}
