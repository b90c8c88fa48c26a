//===- ScheduleAttr.cpp - Syntax of schedules -----------------------------===//
//
// A schedule is a tree of `key = value`. The tree is kept in builtin
// attributes: numbers are i64 IntegerAttrs, words and shapes (`16x16`) are
// StringAttrs, lists are ArrayAttrs, entries in braces are DictionaryAttrs, and
// `word(...)` is a PolicyAttr. What keys mean is checked where they are read
// (Schedule.h), since only there the kernel's labels are known.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringExtras.h"

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
  SmallVector<Attribute> positional;
  NamedAttrList named;
  auto parseArgument = [&]() -> ParseResult {
    std::string key;
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeywordOrString(&key)))
      return parseValue(parser, positional.emplace_back());
    if (failed(parser.parseOptionalEqual())) {
      positional.push_back(parser.getBuilder().getStringAttr(key));
      return success();
    }
    Attribute argument;
    if (parseValue(parser, argument))
      return failure();
    if (named.get(key))
      return parser.emitError(loc)
             << "argument '" << key << "' of '" << name << "' given twice";
    named.append(key, argument);
    return success();
  };
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseCommaSeparatedList(parseArgument) || parser.parseRParen()))
    return failure();
  value = PolicyAttr::get(parser.getContext(), name, positional,
                          named.getDictionary(parser.getContext()));
  return success();
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

static bool isBareWord(StringRef word) {
  if (word.empty() || !(llvm::isAlpha(word.front()) || word.front() == '_'))
    return false;
  return llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  });
}

static void printWord(AsmPrinter &printer, StringRef word) {
  auto [first, second] = word.split('x');
  bool isShape = !first.empty() && !second.empty() &&
                 llvm::all_of(first, llvm::isDigit) &&
                 llvm::all_of(second, llvm::isDigit);
  if (isBareWord(word) || isShape)
    printer << word;
  else
    printer << '"' << word << '"';
}

static void printEntries(AsmPrinter &printer, DictionaryAttr entries) {
  llvm::interleaveComma(entries, printer.getStream(), [&](NamedAttribute e) {
    printWord(printer, e.getName());
    printer << " = ";
    printValue(printer, e.getValue());
  });
}

static void printPolicy(AsmPrinter &printer, PolicyAttr policy) {
  printWord(printer, policy.getName());
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
