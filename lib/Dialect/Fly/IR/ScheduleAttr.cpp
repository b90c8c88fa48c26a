//===- ScheduleAttr.cpp - Syntax of schedules -----------------------------===//
//
// A schedule is a tree of `key = value`. The tree is kept in builtin
// attributes: numbers are i64 IntegerAttrs, words and shapes (`16x16`) are
// StringAttrs, lists are ArrayAttrs, entries in braces are DictionaryAttrs, and
// `word(...)` is a PolicyAttr. What keys mean is checked where they are read
// (Schedule.h), since only there the kernel's labels are known.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringExtras.h"

#include <string>

using namespace mlir;
using namespace fly;

static ParseResult parseValue(AsmParser &parser, Attribute &value);

/// `key = value` pairs up to the closing bracket, which stays unread.
static ParseResult parseEntry(AsmParser &parser, NamedAttrList &entries) {
  std::string key;
  SMLoc loc = parser.getCurrentLocation();
  Attribute value;
  if (parser.parseKeywordOrString(&key) || parser.parseEqual() ||
      parseValue(parser, value))
    return failure();
  if (entries.get(key))
    return parser.emitError(loc) << "schedule key '" << key << "' given twice";
  entries.append(key, value);
  return success();
}

/// The arguments of `word(...)` after the opening parenthesis, in any order:
/// positional values and named ones.
static ParseResult parsePolicyArguments(AsmParser &parser, StringRef name,
                                        Attribute &value) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Attribute> positional;
  NamedAttrList named;
  auto parseArgument = [&]() -> ParseResult {
    std::string key;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeywordOrString(&key)))
      return parseValue(parser, positional.emplace_back());
    if (succeeded(parser.parseOptionalLParen()))
      return parsePolicyArguments(parser, key, positional.emplace_back());
    if (failed(parser.parseOptionalEqual())) {
      positional.push_back(parser.getBuilder().getStringAttr(key));
      return success();
    }
    Attribute argument;
    if (parseValue(parser, argument))
      return failure();
    if (named.get(key))
      return parser.emitError(keyLoc)
             << "argument '" << key << "' of '" << name << "' given twice";
    named.append(key, argument);
    return success();
  };
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseCommaSeparatedList(parseArgument) || parser.parseRParen()))
    return failure();
  value = parser.getChecked<PolicyAttr>(
      loc, parser.getContext(), name, ArrayRef<Attribute>(positional),
      named.getDictionary(parser.getContext()));
  return success(bool(value));
}

static ParseResult parseValue(AsmParser &parser, Attribute &value) {
  Builder &builder = parser.getBuilder();
  // A list, entries in braces, a number or shape, or a word.
  SmallVector<Attribute> list;
  auto parseElement = [&] { return parseValue(parser, list.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare())) {
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(parseElement) || parser.parseRSquare()))
      return failure();
    value = builder.getArrayAttr(list);
    return success();
  }
  if (succeeded(parser.parseOptionalLBrace())) {
    NamedAttrList entries;
    if (failed(parser.parseOptionalRBrace()) &&
        (parser.parseCommaSeparatedList(
             [&] { return parseEntry(parser, entries); }) ||
         parser.parseRBrace()))
      return failure();
    value = entries.getDictionary(parser.getContext());
    return success();
  }
  int64_t number;
  OptionalParseResult parsedNumber = parser.parseOptionalInteger(number);
  if (parsedNumber.has_value()) {
    if (failed(*parsedNumber))
      return failure();
    // `16x16` arrives as the number 16 and the word x16.
    StringRef rest;
    if (succeeded(parser.parseOptionalKeyword(&rest))) {
      int64_t second;
      if (!rest.consume_front("x") || rest.getAsInteger(10, second))
        return parser.emitError(parser.getCurrentLocation())
               << "expected a number or a shape like 16x16 in the schedule";
      value = builder.getStringAttr(std::to_string(number) + "x" +
                                    std::to_string(second));
      return success();
    }
    value = builder.getI64IntegerAttr(number);
    return success();
  }
  std::string word;
  if (succeeded(parser.parseOptionalKeywordOrString(&word))) {
    if (failed(parser.parseOptionalLParen())) {
      value = builder.getStringAttr(word);
      return success();
    }
    return parsePolicyArguments(parser, word, value);
  }
  return parser.emitError(parser.getCurrentLocation())
         << "expected a schedule value: a number, a word, a shape like 16x16, "
            "a list, entries in braces, or a policy like lds(stages = 2)";
}

static void printValue(AsmPrinter &printer, Attribute value);

/// A number as the parser of shapes would write it: 0x10 is hexadecimal to the
/// lexer, so no leading zeros.
static bool isPlainNumber(StringRef text) {
  int64_t number;
  return !text.getAsInteger(10, number) && text == std::to_string(number) &&
         number > 0;
}

static void printWord(AsmPrinter &printer, StringRef word) {
  auto [first, second] = word.split('x');
  if (isPlainNumber(first) && isPlainNumber(second))
    printer << word;
  else
    printer.printKeywordOrString(word);
}

static void printEntries(AsmPrinter &printer, DictionaryAttr entries) {
  llvm::interleaveComma(entries, printer.getStream(), [&](NamedAttribute e) {
    printer.printKeywordOrString(e.getName());
    printer << " = ";
    printValue(printer, e.getValue());
  });
}

static void printPolicy(AsmPrinter &printer, PolicyAttr policy) {
  printer.printKeywordOrString(policy.getName());
  printer << '(';
  llvm::interleaveComma(policy.getPositional(), printer.getStream(),
                        [&](Attribute a) { printValue(printer, a); });
  if (!policy.getPositional().empty() && !policy.getNamed().empty())
    printer << ", ";
  printEntries(printer, policy.getNamed());
  printer << ')';
}

static void printValue(AsmPrinter &printer, Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    printer << number.getInt();
  } else if (auto word = dyn_cast<StringAttr>(value)) {
    printWord(printer, word);
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    printer << '[';
    llvm::interleaveComma(list, printer.getStream(),
                          [&](Attribute a) { printValue(printer, a); });
    printer << ']';
  } else if (auto entries = dyn_cast<DictionaryAttr>(value)) {
    printer << '{';
    printEntries(printer, entries);
    printer << '}';
  } else {
    printPolicy(printer, cast<PolicyAttr>(value));
  }
}

/// Only what the syntax can write is a value of a schedule.
static LogicalResult verifyValue(function_ref<InFlightDiagnostic()> emitError,
                                 Attribute value) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(value)) {
    if (number.getType().isSignlessInteger(64))
      return success();
  } else if (auto list = dyn_cast_or_null<ArrayAttr>(value)) {
    for (Attribute element : list)
      if (failed(verifyValue(emitError, element)))
        return failure();
    return success();
  } else if (auto entries = dyn_cast_or_null<DictionaryAttr>(value)) {
    for (NamedAttribute entry : entries)
      if (failed(verifyValue(emitError, entry.getValue())))
        return failure();
    return success();
  } else if (isa_and_nonnull<StringAttr, PolicyAttr>(value)) {
    return success();
  }
  return emitError() << "schedule holds i64 numbers, words, lists, entries and "
                        "policies, got "
                     << value;
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   DictionaryAttr entries) {
  return verifyValue(emitError, entries);
}

LogicalResult
SchedulesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      DictionaryAttr chips) {
  if (chips.empty())
    return emitError() << "schedules hold none: name a chip, as in {gfx942 = "
                          "#fly.schedule<>}";
  for (NamedAttribute entry : chips) {
    if (!arch::ArchInfo::lookup(entry.getName()))
      return emitError() << "schedules name the unknown chip '"
                         << entry.getName().getValue()
                         << "'; known chips: " << arch::knownChipNames();
    if (!isa<ScheduleAttr>(entry.getValue()))
      return emitError() << "schedules hold a #fly.schedule for "
                         << entry.getName().getValue() << ", got "
                         << entry.getValue();
  }
  return success();
}

LogicalResult PolicyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name, ArrayRef<Attribute> positional,
                                 DictionaryAttr named) {
  if (name.empty())
    return emitError() << "policy needs a name";
  for (Attribute argument : positional)
    if (failed(verifyValue(emitError, argument)))
      return failure();
  return verifyValue(emitError, named);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  NamedAttrList entries;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    if (parser.parseCommaSeparatedList(
            [&] { return parseEntry(parser, entries); }) ||
        parser.parseGreater())
      return {};
  }
  return get(parser.getContext(), entries.getDictionary(parser.getContext()));
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printEntries(printer, getEntries());
  printer << '>';
}

ScheduleAttr ScheduleAttr::with(StringRef key, Attribute value) const {
  NamedAttrList entries(getEntries());
  entries.set(key, value);
  return get(getContext(), entries.getDictionary(getContext()));
}

Attribute PolicyAttr::parse(AsmParser &parser, Type) {
  Attribute value;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseValue(parser, value) || parser.parseGreater())
    return {};
  if (!isa<PolicyAttr>(value)) {
    parser.emitError(loc, "expected a policy like lds(stages = 2)");
    return {};
  }
  return value;
}

void PolicyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printPolicy(printer, *this);
  printer << '>';
}
