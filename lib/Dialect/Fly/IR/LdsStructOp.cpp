//===- LdsStructOp.cpp - Explicit level: LDS structs and their budget -----===//
//
// Fields are objects of their own, lie over each other (a union), or lie at
// bytes of one object that they share. Refused: what is no LDS view, fields
// that no layout places, and more bytes than the chip has.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

/// Stands for the offset of a field that is an object of its own.
static constexpr int64_t kOwnObject = -1;

/// The byte that a field lies at, of generic forms too.
static int64_t offsetOf(LdsStructOp op, size_t index) {
  std::optional<ArrayRef<int64_t>> offsets = op.getOffsets();
  return offsets && index < offsets->size() ? (*offsets)[index] : kOwnObject;
}

ParseResult LdsStructOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr symbol;
  SmallVector<Attribute> names, types;
  SmallVector<int64_t> offsets;
  Builder &builder = parser.getBuilder();
  if (parser.parseSymbolName(symbol))
    return failure();
  bool overlaid = succeeded(parser.parseOptionalKeyword("union"));
  if (parser.parseLBrace())
    return failure();
  auto parseField = [&]() -> ParseResult {
    std::string name;
    Type type;
    if (parser.parseKeywordOrString(&name) || parser.parseColonType(type))
      return failure();
    names.push_back(builder.getStringAttr(name));
    types.push_back(TypeAttr::get(type));
    int64_t &offset = offsets.emplace_back(kOwnObject);
    return failure(succeeded(parser.parseOptionalKeyword("at")) &&
                   parser.parseInteger(offset));
  };
  if (failed(parser.parseOptionalRBrace()) &&
      (parser.parseCommaSeparatedList(parseField) || parser.parseRBrace()))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setSymName(symbol);
  properties.setNames(builder.getArrayAttr(names));
  properties.setTypes(builder.getArrayAttr(types));
  if (overlaid)
    properties.setOverlaid(builder.getUnitAttr());
  if (llvm::any_of(offsets, [](int64_t at) { return at != kOwnObject; }))
    properties.setOffsets(builder.getDenseI64ArrayAttr(offsets));
  return parser.parseOptionalAttrDictWithKeyword(result.attributes);
}

void LdsStructOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << (getOverlaid() ? " union { " : " { ");
  llvm::interleaveComma(
      llvm::enumerate(getNames(), getTypes()), printer, [&](auto field) {
        auto [index, name, type] = field;
        printer.printKeywordOrString(cast<StringAttr>(name));
        printer << " : " << cast<TypeAttr>(type).getValue();
        if (int64_t at = offsetOf(*this, index); at != kOwnObject)
          printer << " at " << at;
      });
  printer << " }";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"sym_name", "names", "types", "overlaid", "offsets"});
}

ViewType LdsStructOp::getFieldType(StringRef name) {
  for (auto [field, type] : llvm::zip(getNames(), getTypes()))
    if (cast<StringAttr>(field).getValue() == name)
      return dyn_cast<ViewType>(cast<TypeAttr>(type).getValue());
  return {};
}

static ViewType fieldView(Attribute type) {
  return cast<ViewType>(cast<TypeAttr>(type).getValue());
}

/// Bytes that a field takes.
static uint64_t alignedBytes(Attribute type) {
  return llvm::alignTo(fieldView(type).getSizeInBytes().value_or(0),
                       arch::widestAccessBytes);
}

static bool isDynamic(ViewType view) {
  return ShapedType::isDynamicShape(view.getShape());
}

int64_t LdsStructOp::getSizeInBytes() {
  // Saturates, so that no sum of fields looks as if it fitted.
  uint64_t bytes = getSharedBytes(), most = std::numeric_limits<int64_t>::max();
  for (auto [index, type] : llvm::enumerate(getTypes())) {
    if (offsetOf(*this, index) != kOwnObject)
      continue;
    uint64_t field = alignedBytes(type);
    bytes =
        getOverlaid() ? std::max(bytes, field) : std::min(bytes + field, most);
  }
  return bytes;
}

std::optional<int64_t> LdsStructOp::getOffset(StringRef name) {
  for (auto [index, field] : llvm::enumerate(getNames()))
    if (cast<StringAttr>(field).getValue() == name)
      if (int64_t at = offsetOf(*this, index); at != kOwnObject)
        return at;
  return std::nullopt;
}

int64_t LdsStructOp::getSharedBytes() {
  uint64_t bytes = 0, most = std::numeric_limits<int64_t>::max();
  for (auto [index, type] : llvm::enumerate(getTypes()))
    if (int64_t at = offsetOf(*this, index); at != kOwnObject)
      bytes = std::max(bytes, std::min(at + alignedBytes(type), most));
  return bytes;
}

bool LdsStructOp::overlap(StringRef lhs, StringRef rhs) {
  if (lhs == rhs || getOverlaid())
    return true;
  std::optional<int64_t> l = getOffset(lhs), r = getOffset(rhs);
  auto end = [&](StringRef name, int64_t at) {
    return uint64_t(at) + getFieldType(name).getSizeInBytes().value_or(0);
  };
  return l && r && uint64_t(*l) < end(rhs, *r) && uint64_t(*r) < end(lhs, *l);
}

StringAttr LdsStructOp::getDynamicField() {
  if (getTypes().empty() ||
      !isDynamic(fieldView(getTypes()[getTypes().size() - 1])))
    return {};
  return cast<StringAttr>(getNames()[getNames().size() - 1]);
}

std::string LdsStructOp::describeFields() {
  std::string text, shared;
  for (auto [index, name, type] : llvm::enumerate(getNames(), getTypes())) {
    ViewType view = fieldView(type);
    int64_t at = offsetOf(*this, index);
    std::string &list = at == kOwnObject ? text : shared;
    if (!list.empty())
      list += at == kOwnObject && !getOverlaid() ? " + " : ", ";
    list +=
        cast<StringAttr>(name).getValue().str() + " " +
        (isDynamic(view) ? "dynamic"
                         : std::to_string(view.getSizeInBytes().value_or(0)));
    if (at != kOwnObject)
      list += " at " + std::to_string(at);
  }
  if (!shared.empty())
    text += (text.empty() ? "shared " : " + shared ") +
            std::to_string(getSharedBytes()) + " of (" + shared + ")";
  return getOverlaid() ? "largest of " + text : text;
}

static LogicalResult verifyOffsets(LdsStructOp op) {
  std::optional<ArrayRef<int64_t>> offsets = op.getOffsets();
  if (!offsets)
    return success();
  if (offsets->size() != op.getNames().size())
    return op.emitOpError() << "expects one offset a name, -1 for an object of "
                               "its own";
  for (auto [name, type, at] :
       llvm::zip(op.getNames(), op.getTypes(), *offsets)) {
    if (at == kOwnObject)
      continue;
    if (at < 0 || at % arch::widestAccessBytes != 0)
      return op.emitOpError()
             << "field " << name << " must be at a multiple of "
             << arch::widestAccessBytes << " bytes from 0, got " << at;
    if (op.getOverlaid())
      return op.emitOpError() << "field " << name
                              << " of a union lies at its beginning and at no "
                                 "other byte, got "
                              << at;
    if (isDynamic(fieldView(type)))
      return op.emitOpError() << "field " << name
                              << " is dynamic, so it lies behind all others "
                                 "and at no byte of its own, got "
                              << at;
  }
  return success();
}

LogicalResult LdsStructOp::verify() {
  if (getSymName().empty())
    return emitOpError() << "needs a name";
  if (getNames().size() != getTypes().size())
    return emitOpError() << "expects one type a name";
  llvm::StringSet<> seen;
  for (auto [name, type] : llvm::zip(getNames(), getTypes())) { // C1
    if (!seen.insert(cast<StringAttr>(name).getValue()).second)
      return emitOpError() << "has two fields " << name;
    auto view = dyn_cast<ViewType>(cast<TypeAttr>(type).getValue());
    if (!view || !view.getInLds())
      return emitOpError() << "field " << name << " must be a view in LDS, got "
                           << cast<TypeAttr>(type).getValue();
    bool isLast = name == getNames()[getNames().size() - 1];
    if (isDynamic(view) && (getOverlaid() || !isLast))
      return emitOpError()
             << "field " << name
             << (getOverlaid() ? " of a union must have static extents, got "
                               : " must have static extents (only the last "
                                 "may be dynamic), got ")
             << view;
    if (!isDynamic(view) && !view.getSizeInBytes())
      return emitOpError() << "field " << name
                           << " has more bytes than 64 bits count, got "
                           << view;
  }
  if (failed(verifyOffsets(*this))) // C3
    return failure();
  // C2: the budget, where exactly one chip is meant. Several targets are
  // checked for each when its object is made.
  const arch::ArchInfo *chip = lookupArchOrNull(*this);
  if (!chip || !chip->lds.bytes)
    return success();
  int64_t bytes = getSizeInBytes(), limit = *chip->lds.bytes;
  if (bytes <= limit)
    return success();
  InFlightDiagnostic diag =
      emitOpError() << "LDS struct '" << getSymName() << "' needs " << bytes
                    << " bytes on " << chip->name << ", the limit is " << limit;
  diag.attachNote() << "members: " << describeFields();
  return diag;
}
