//===- FlyAttrs.cpp - Sizes, memory layouts, registration -----------------===//
//
// Syntax and rules of the small attributes. The schedule is in
// ScheduleAttr.cpp, the layouts of tiles in Layouts.cpp.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "fly/Arch/Wave.h"
#include "fly/Support/Preshuffle.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

/// `, transposed = true, f64 = true`: what of both differs from false.
static ParseResult parseMmaFlags(AsmParser &parser, bool &transposed,
                                 bool &f64) {
  transposed = f64 = false;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name, word;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseKeyword(&word))
      return failure();
    if ((name != "transposed" && name != "f64") ||
        (word != "true" && word != "false"))
      return parser.emitError(loc)
             << "expected 'transposed' or 'f64' as true or false";
    (name == "f64" ? f64 : transposed) = word == "true";
  }
  return success();
}

static void printMmaFlags(AsmPrinter &printer, bool transposed, bool f64) {
  if (transposed)
    printer << ", transposed = true";
  if (f64)
    printer << ", f64 = true";
}

#include "fly/Dialect/Fly/IR/FlyAttrInterfaces.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"

void FlyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// TileAttr
//===----------------------------------------------------------------------===//

Attribute TileAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> sizes;
  auto parseSize = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return failure();
      sizes.push_back(parser.getBuilder().getI64IntegerAttr(number));
      return success();
    }
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    sizes.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseSize))
    return {};
  return parser.getChecked<TileAttr>(loc, parser.getContext(), sizes);
}

LogicalResult TileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<Attribute> sizes) {
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (auto name = dyn_cast_or_null<StringAttr>(size)) {
      if (name.getValue().empty())
        return emitError() << "tile extent " << dim
                           << " has an empty name: name it as the schedule "
                              "does, as in #fly.tile<BM, BN>";
      continue;
    }
    auto number = dyn_cast_or_null<IntegerAttr>(size);
    if (!number || !number.getType().isSignlessInteger(64))
      return emitError() << "tile extent " << dim
                         << " must be a name or a number (i64), got " << size;
    if (number.getInt() < 0)
      return emitError() << "tile extent must not be negative, got "
                         << number.getInt();
  }
  return success();
}

void TileAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getSizes(), printer.getStream(), [&](Attribute size) {
    if (auto name = dyn_cast<StringAttr>(size))
      printer.printKeywordOrString(name);
    else
      printer << cast<IntegerAttr>(size).getInt();
  });
  printer << '>';
}

LogicalResult
TileAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (getSizes().size() != shape.size())
    return emitError() << "tile encoding must name " << shape.size()
                       << " extents, got " << getSizes().size();
  for (auto [dim, size] : llvm::enumerate(getSizes())) {
    auto number = dyn_cast<IntegerAttr>(size);
    if (!number && !ShapedType::isDynamic(shape[dim]))
      return emitError() << "tile extent " << dim << " is named "
                         << cast<StringAttr>(size)
                         << ", so it must be '?', got " << shape[dim];
    if (number && number.getInt() != shape[dim])
      return emitError() << "tile extent " << dim << " is " << number.getInt()
                         << " in the encoding, but "
                         << (ShapedType::isDynamic(shape[dim])
                                 ? std::string("?")
                                 : std::to_string(shape[dim]))
                         << " in the shape";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// StridedAttr, SwizzleAttr, PreshuffleAttr
//===----------------------------------------------------------------------===//

Attribute StridedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> strides;
  auto parseStride = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    int64_t &stride = strides.emplace_back();
    if (parser.parseInteger(stride))
      return failure();
    if (ShapedType::isDynamic(stride)) // The one number that would print as ?.
      return parser.emitError(loc, "stride must not be negative");
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseStride) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<StridedAttr>(loc, parser.getContext(), strides);
}

LogicalResult StridedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> strides) {
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (!ShapedType::isDynamic(stride) && stride < 0)
      return emitError() << "stride must not be negative, dimension " << dim
                         << " has " << stride;
  return success();
}

void StridedAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getStrides(), printer.getStream(), [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      printer << '?';
    else
      printer << stride;
  });
  printer << "]>";
}

Attribute SwizzleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned bits, base, shift;
  if (parser.parseLess() || parser.parseInteger(bits) || parser.parseComma() ||
      parser.parseInteger(base) || parser.parseComma() ||
      parser.parseInteger(shift) || parser.parseGreater())
    return {};
  return parser.getChecked<SwizzleAttr>(loc, parser.getContext(), bits, base,
                                        shift);
}

void SwizzleAttr::print(AsmPrinter &printer) const {
  printer << '<' << getBits() << ", " << getBase() << ", " << getShift() << '>';
}

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  unsigned bits, unsigned base,
                                  unsigned shift) {
  if (shift < bits)
    return emitError() << "swizzle needs a shift of at least its bits, to be "
                          "its own inverse; got bits "
                       << bits << " and shift " << shift;
  uint64_t reach = uint64_t(bits) + base + shift;
  if (reach > arch::ldsAddressBits)
    return emitError() << "swizzle reaches address bit " << reach
                       << ", LDS addresses have at most "
                       << arch::ldsAddressBits;
  return success();
}

Attribute PreshuffleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t rows, bytes;
  if (parser.parseLess() || parser.parseInteger(rows) || parser.parseComma() ||
      parser.parseInteger(bytes) || parser.parseGreater())
    return {};
  return parser.getChecked<PreshuffleAttr>(loc, parser.getContext(), rows,
                                           bytes);
}

void PreshuffleAttr::print(AsmPrinter &printer) const {
  printer << '<' << getRows() << ", " << getBytes() << '>';
}

/// Most rows, and most bytes of a row, of a block: far beyond any matrix
/// instruction, and a block's bytes fit an offset of 32 bits.
static constexpr int64_t kMaxPreshuffle = 4096;

LogicalResult
PreshuffleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rows, int64_t bytes) {
  if (rows < 1 || rows > kMaxPreshuffle || !llvm::isPowerOf2_64(rows))
    return emitError() << "preshuffle needs blocks of a power of two of rows, "
                          "from 1 to "
                       << kMaxPreshuffle << ", got " << rows;
  if (bytes < chunkBytes || bytes > kMaxPreshuffle ||
      !llvm::isPowerOf2_64(bytes))
    return emitError() << "preshuffle needs rows of a power of two of bytes, "
                          "from "
                       << chunkBytes << " to " << kMaxPreshuffle << ", got "
                       << bytes;
  return success();
}

LogicalResult PreshuffleAttr::verifyExtents(
    ArrayRef<int64_t> extents, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  int64_t columns = getColumns(elementType.getIntOrFloatBitWidth());
  unsigned rank = extents.size();
  for (auto [dim, unit] : {std::pair(rank - 2, getRows()), {rank - 1, columns}})
    if (!ShapedType::isDynamic(extents[dim]) && extents[dim] % unit != 0)
      return emitError() << "extent " << extents[dim] << " of dimension " << dim
                         << " must be a multiple of " << unit
                         << ": preshuffled elements lie in blocks of "
                         << getRows() << " x " << columns;
  return success();
}

int64_t PreshuffleAttr::apply(int64_t row, int64_t column, int64_t columns,
                              int64_t elementBits) const {
  return PreshuffleBlocks{getRows(), getBytes()}.place(row, column, columns,
                                                       elementBits);
}
