//===- FlyOps.cpp - Shared syntax of the ops ------------------------------===//
//
// The directives of the declarative formats, the mixed lists, and the generated
// definitions of all ops. What each op means is checked in the files named
// after groups of ops (TileOps, AccessOps, ReduceOps and so on).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Mixed lists
//===----------------------------------------------------------------------===//

ParseResult fly::detail::parseMixed(OpAsmParser &parser,
                                    UnresolvedList &operands,
                                    SmallVectorImpl<Attribute> &entries) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    operands.push_back(operand);
    entries.push_back(builder.getUnitAttr());
    return success();
  }
  int64_t number;
  parsed = parser.parseOptionalInteger(number);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    entries.push_back(builder.getI64IntegerAttr(number));
    return success();
  }
  std::string name;
  if (failed(parser.parseOptionalKeywordOrString(&name)))
    return parser.emitError(parser.getCurrentLocation())
           << "expected a value, a number, or the name of a size";
  entries.push_back(builder.getStringAttr(name));
  return success();
}

ParseResult fly::detail::parseMixedList(OpAsmParser &parser,
                                        OpAsmParser::Delimiter delimiter,
                                        UnresolvedList &operands,
                                        ArrayAttr &entries) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(
          delimiter, [&] { return parseMixed(parser, operands, list); }))
    return failure();
  entries = parser.getBuilder().getArrayAttr(list);
  return success();
}

void fly::detail::printMixed(OpAsmPrinter &printer, OpFoldResult element) {
  if (auto value = dyn_cast<Value>(element))
    printer << value;
  else if (auto name = dyn_cast<StringAttr>(cast<Attribute>(element)))
    printer.printKeywordOrString(name);
  else
    printer << cast<IntegerAttr>(cast<Attribute>(element)).getInt();
}

void fly::detail::printMixedList(OpAsmPrinter &printer,
                                 ArrayRef<OpFoldResult> elements) {
  llvm::interleaveComma(elements, printer,
                        [&](OpFoldResult e) { printMixed(printer, e); });
}

SmallVector<OpFoldResult> fly::detail::getMixed(ArrayAttr entries,
                                                ValueRange operands) {
  SmallVector<OpFoldResult> mixed;
  size_t next = 0;
  for (Attribute entry : entries) {
    if (isa<UnitAttr>(entry))
      mixed.push_back(operands[next++]);
    else
      mixed.push_back(entry);
  }
  return mixed;
}

LogicalResult fly::detail::verifyMixed(Operation *op, StringRef what,
                                       ArrayAttr entries, ValueRange operands,
                                       size_t expected) {
  if (entries.size() != expected)
    return op->emitOpError() << "expects " << expected << " " << what
                             << ", got " << entries.size();
  size_t dynamic = 0;
  for (Attribute entry : entries) {
    if (isa<UnitAttr>(entry)) {
      ++dynamic;
      continue;
    }
    auto number = dyn_cast<IntegerAttr>(entry);
    bool isNumber = number && number.getType().isSignlessInteger(64);
    if (!isNumber && !isa<StringAttr>(entry))
      return op->emitOpError()
             << what << " must be values, numbers (i64) or names, got "
             << entry;
    if (number && (number.getInt() < std::numeric_limits<int32_t>::min() ||
                   number.getInt() > std::numeric_limits<int32_t>::max()))
      return op->emitOpError()
             << what << " must fit 32 bits, got " << number.getInt();
  }
  if (dynamic != operands.size())
    return op->emitOpError()
           << "has " << operands.size() << " " << what
           << " as values where the attribute says " << dynamic;
  return success();
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

static ParseResult parseKeyword(OpAsmParser &parser, StringAttr &word) {
  std::string text;
  if (parser.parseKeywordOrString(&text))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}
static void printKeyword(OpAsmPrinter &printer, Operation *, StringAttr word) {
  printer.printKeywordOrString(word);
}

static ParseResult parseSizeValue(OpAsmParser &parser, Attribute &value) {
  int64_t number;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (parsed.has_value()) {
    value = parser.getBuilder().getI64IntegerAttr(number);
    return *parsed;
  }
  std::string name;
  if (failed(parser.parseOptionalKeywordOrString(&name)))
    return parser.emitError(parser.getCurrentLocation())
           << "expected a number or the name of a size";
  value = parser.getBuilder().getStringAttr(name);
  return success();
}
static void printSizeValue(OpAsmPrinter &printer, Operation *,
                           Attribute value) {
  printMixed(printer, OpFoldResult(value));
}

static ParseResult parsePlainInteger(OpAsmParser &parser, IntegerAttr &value) {
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  value = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}
static void printPlainInteger(OpAsmPrinter &printer, Operation *,
                              IntegerAttr value) {
  printer << value.getInt();
}
static ParseResult parseOptionalPlainInteger(OpAsmParser &parser,
                                             IntegerAttr &value) {
  return parsePlainInteger(parser, value);
}
static void printOptionalPlainInteger(OpAsmPrinter &printer, Operation *op,
                                      IntegerAttr value) {
  printPlainInteger(printer, op, value);
}

static ParseResult parseCount(OpAsmParser &parser, IntegerAttr &value) {
  int32_t number;
  if (parser.parseInteger(number))
    return failure();
  value = parser.getBuilder().getI32IntegerAttr(number);
  return success();
}
static void printCount(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

/// A keyword of an enumeration; the error lists the known ones.
template <typename AttrT, typename Symbolize>
static ParseResult parseEnumKeyword(OpAsmParser &parser, AttrT &attr,
                                    Symbolize symbolize, StringRef known) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&word))
    return parser.emitError(loc) << "expected one of: " << known;
  auto value = symbolize(word);
  if (!value)
    return parser.emitError(loc)
           << "unknown word '" << word << "', expected one of: " << known;
  attr = AttrT::get(parser.getContext(), *value);
  return success();
}

#define FLY_ENUM_DIRECTIVE(Directive, Enum, known)                             \
  static ParseResult parse##Directive(OpAsmParser &parser, Enum##Attr &attr) { \
    return parseEnumKeyword(                                                   \
        parser, attr, [](StringRef word) { return symbolize##Enum(word); },    \
        known);                                                                \
  }                                                                            \
  static void print##Directive(OpAsmPrinter &printer, Operation *,             \
                               Enum##Attr attr) {                              \
    printer << stringify##Enum(attr.getValue());                               \
  }
FLY_ENUM_DIRECTIVE(OverflowKeyword, Overflow, "ieee, saturate")
FLY_ENUM_DIRECTIVE(ActivationKeyword, Activation,
                   "sigmoid, silu, gelu_tanh, gelu_erf")
FLY_ENUM_DIRECTIVE(RoundingKeyword, Rounding, "rne, sr")
FLY_ENUM_DIRECTIVE(PadKeyword, Pad, "zero, one, neg_inf, pos_inf, lowest")
FLY_ENUM_DIRECTIVE(CacheKeyword, Cache, "default, stream")
FLY_ENUM_DIRECTIVE(BarrierKeyword, BarrierKind, "lds, all, bare")
FLY_ENUM_DIRECTIVE(AtomicKeyword, AtomicKind,
                   "add, max, min, umax, umin, and, or, xor, xchg")
FLY_ENUM_DIRECTIVE(OrderKeyword, MemoryOrder,
                   "relaxed, acquire, release, acq_rel, seq_cst")
FLY_ENUM_DIRECTIVE(ScopeKeyword, MemoryScope, "workgroup, agent, system")
#undef FLY_ENUM_DIRECTIVE

/// The entries of a list whose brackets the format gives.
static ParseResult
parseMixedEntries(OpAsmParser &parser,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                  ArrayAttr &entries) {
  UnresolvedList list;
  if (parseMixedList(parser, OpAsmParser::Delimiter::None, list, entries))
    return failure();
  operands.append(list.begin(), list.end());
  return success();
}
static void printMixedEntries(OpAsmPrinter &printer, Operation *,
                              OperandRange operands, ArrayAttr entries) {
  printMixedList(printer, getMixed(entries, operands));
}

static ParseResult parseConstantValue(OpAsmParser &parser, Attribute &value) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    if (word != "neg_inf" && word != "pos_inf" && word != "lowest" &&
        word != "nan")
      return parser.emitError(loc)
             << "unknown constant '" << word
             << "', expected a number, neg_inf, pos_inf, lowest or nan";
    value = parser.getBuilder().getStringAttr(word);
    return success();
  }
  // The sign is read first: the parser of integers would take it from a float.
  bool negative = succeeded(parser.parseOptionalMinus());
  APInt integer;
  OptionalParseResult parsed = parser.parseOptionalInteger(integer);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    // One bit more, so that the magnitude of -2^63 is no negative number.
    integer = integer.zextOrTrunc(std::max(integer.getActiveBits() + 1, 65u));
    if (negative)
      integer.negate();
    if (!integer.isSignedIntN(64))
      return parser.emitError(loc, "constant does not fit 64 bits");
    value = parser.getBuilder().getI64IntegerAttr(integer.getSExtValue());
    return success();
  }
  double number;
  if (parser.parseFloat(number))
    return failure();
  value = parser.getBuilder().getF64FloatAttr(negative ? -number : number);
  return success();
}
static void printConstantValue(OpAsmPrinter &printer, Operation *,
                               Attribute value) {
  if (auto word = dyn_cast<StringAttr>(value)) {
    printer << word.getValue();
    return;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream, /*elideType=*/true);
  // MLIR falls back to bits in hexadecimal, which read as an integer here.
  if (auto number = dyn_cast<FloatAttr>(value))
    if (StringRef(text).starts_with("0x"))
      text = llvm::formatv("{0:e17}", number.getValueAsDouble()).str();
  printer << text;
}

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOpInterfaces.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"
