//===- MemoryLayoutParser.cpp - Text of layout attributes -----------------===//
//
// The attribute is written in tokens of MLIR, or in quotes. Tokens are put
// together to the text that lib/Layout parses, with the place of each, so that
// an error points at its token.
//
//===----------------------------------------------------------------------===//
#include "MemoryLayoutParser.h"

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Parser.h"
#include "fly/Layout/Product.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fly;
using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// An argument of an operation, and where its text begins.
struct Argument {
  StringRef text;
  size_t offset;
};

/// Parses arguments; the first error stays.
class Evaluator {
public:
  Evaluator(size_t &errorOffset, std::string &warning)
      : errorOffset(errorOffset), warning(warning) {}

  llvm::Expected<ComposedLayout> run(StringRef name,
                                     ArrayRef<Argument> arguments);

private:
  using Result = llvm::Expected<layout::Layout>;

  template <typename T>
  llvm::Expected<T> parse(llvm::Expected<T> (*parser)(StringRef, size_t *),
                          const Argument &argument) {
    size_t offset = 0;
    llvm::Expected<T> value = parser(argument.text, &offset);
    if (!value)
      errorOffset = argument.offset + offset;
    return value;
  }
  Result layoutOf(const Argument &argument) {
    return parse(parseLayout, argument);
  }

  Result divide(Result (*function)(const layout::Layout &, const Tiler &),
                ArrayRef<Argument> arguments);
  Result byTiler(Result (*function)(const layout::Layout &, const Tiler &),
                 ArrayRef<Argument> arguments);
  Result byLayout(Result (*function)(const layout::Layout &,
                                     const layout::Layout &),
                  ArrayRef<Argument> arguments);

  size_t &errorOffset;
  std::string &warning;
};
} // namespace

Evaluator::Result Evaluator::byTiler(Result (*function)(const layout::Layout &,
                                                        const Tiler &),
                                     ArrayRef<Argument> arguments) {
  Result layout = layoutOf(arguments[0]);
  if (!layout)
    return layout.takeError();
  llvm::Expected<Tiler> tiler = parse(parseTiler, arguments[1]);
  if (!tiler)
    return tiler.takeError();
  return function(*layout, *tiler);
}

Evaluator::Result Evaluator::divide(Result (*function)(const layout::Layout &,
                                                       const Tiler &),
                                    ArrayRef<Argument> arguments) {
  Result layout = layoutOf(arguments[0]);
  if (!layout)
    return layout.takeError();
  llvm::Expected<Tiler> tiler = parse(parseTiler, arguments[1]);
  if (!tiler)
    return tiler.takeError();
  if (llvm::Error error = checkCovers(*layout, *tiler))
    warning = llvm::toString(std::move(error));
  return function(*layout, *tiler);
}

Evaluator::Result Evaluator::byLayout(
    Result (*function)(const layout::Layout &, const layout::Layout &),
    ArrayRef<Argument> arguments) {
  Result first = layoutOf(arguments[0]);
  if (!first)
    return first.takeError();
  Result second = layoutOf(arguments[1]);
  if (!second)
    return second.takeError();
  return function(*first, *second);
}

/// Operations and their counts of arguments.
static constexpr std::pair<llvm::StringLiteral, unsigned> kOperations[] = {
    {"logical_divide", 2}, {"zipped_divide", 2},   {"tiled_divide", 2},
    {"flat_divide", 2},    {"logical_product", 2}, {"blocked_product", 2},
    {"raked_product", 2},  {"composition", 2},     {"coalesce", 1},
    {"complement", 2},     {"right_inverse", 1},   {"left_inverse", 1},
};

llvm::Expected<ComposedLayout> Evaluator::run(StringRef name,
                                              ArrayRef<Argument> arguments) {
  const auto *operation = llvm::find_if(
      kOperations, [&](const auto &entry) { return entry.first == name; });
  if (operation == std::end(kOperations)) {
    std::string known;
    for (const auto &entry : kOperations)
      known += (known.empty() ? "" : ", ") + entry.first.str();
    return llvm::createStringError("unknown operation '" + name +
                                   "'; known: " + known);
  }
  if (arguments.size() != operation->second)
    return llvm::createStringError(name + " takes " + Twine(operation->second) +
                                   " arguments, got " +
                                   Twine(arguments.size()));
  auto evaluate = [&]() -> Result {
    if (name == "logical_divide")
      return divide(logicalDivide, arguments);
    if (name == "zipped_divide")
      return divide(zippedDivide, arguments);
    if (name == "tiled_divide")
      return divide(tiledDivide, arguments);
    if (name == "flat_divide")
      return divide(flatDivide, arguments);
    if (name == "logical_product")
      return byTiler(logicalProduct, arguments);
    if (name == "blocked_product")
      return byLayout(blockedProduct, arguments);
    if (name == "raked_product")
      return byLayout(rakedProduct, arguments);
    if (name == "composition")
      return byTiler(composition, arguments);
    Result layout = layoutOf(arguments[0]);
    if (!layout || name == "coalesce")
      return layout ? coalesce(*layout) : std::move(layout);
    if (name == "right_inverse")
      return rightInverse(*layout);
    if (name == "left_inverse")
      return leftInverse(*layout);
    llvm::Expected<IntTuple> size = parse(parseIntTuple, arguments[1]);
    if (!size)
      return size.takeError();
    if (!size->isLeaf()) {
      errorOffset = arguments[1].offset;
      return llvm::createStringError("complement needs a size, got " +
                                     size->str());
    }
    return complement(*layout, size->leaf());
  };
  Result result = evaluate();
  if (!result)
    return result.takeError();
  return ComposedLayout(Swizzle(), 0, std::move(*result));
}

llvm::Expected<ComposedLayout> fly::evaluateMemoryLayout(StringRef text,
                                                         size_t &errorOffset,
                                                         std::string &warning) {
  errorOffset = 0;
  StringRef name =
      text.take_while([](char c) { return llvm::isAlpha(c) || c == '_'; });
  if (name.empty() || !text.drop_front(name.size()).starts_with("(") ||
      !text.ends_with(")") || name == "ceil")
    return parseMemoryLayout(text, &errorOffset);
  // Arguments end at the commas outside of brackets.
  SmallVector<Argument> arguments;
  size_t begin = name.size() + 1, depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    char c = text[i];
    if (c == '(' || c == '<')
      ++depth;
    bool isEnd = i + 1 == text.size() || (c == ',' && depth == 0);
    if (isEnd) {
      size_t skipped =
          text.slice(begin, i).size() - text.slice(begin, i).ltrim().size();
      arguments.push_back({text.slice(begin, i).trim(), begin + skipped});
      begin = i + 1;
    } else if (c == ')' || c == '>') {
      if (depth == 0) {
        errorOffset = i;
        return llvm::createStringError("unbalanced '" + Twine(c) + "'");
      }
      --depth;
    }
  }
  return Evaluator(errorOffset, warning).run(name, arguments);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
/// The text of an attribute, and where its characters are in the file.
class TokenText {
public:
  explicit TokenText(AsmParser &parser) : parser(parser) {}

  /// Reads up to the '>' that closes the attribute, which stays.
  ParseResult parse() {
    if (parseQuoted())
      return success();
    unsigned angles = 0;
    while (true) {
      SMLoc place = parser.getCurrentLocation();
      std::string token;
      if (parseToken(token, angles)) {
        // Spaces that the text form has around 'o' and behind commas mean
        // nothing, but words must not run together.
        if (!text.empty() && llvm::isAlnum(text.back()) &&
            llvm::isAlnum(token.front()))
          add(" ", place);
        add(token == "o" ? " o " : token, place);
        continue;
      }
      return failure(isMalformed);
    }
  }

  StringRef get() const { return text; }
  SMLoc placeOf(size_t offset) const {
    if (places.empty())
      return parser.getCurrentLocation();
    return places[std::min(offset, places.size() - 1)];
  }

private:
  bool parseQuoted() {
    SMLoc place = parser.getCurrentLocation();
    std::string quoted;
    if (failed(parser.parseOptionalString(&quoted)))
      return false;
    text = quoted;
    for (size_t i = 0; i <= text.size(); ++i)
      places.push_back(SMLoc::getFromPointer(place.getPointer() + 1 + i));
    return true;
  }

  void add(StringRef token, SMLoc place) {
    text += token;
    places.append(token.size(), place);
  }

  bool parseToken(std::string &token, unsigned &angles) {
    using Optional = ParseResult (AsmParser::*)();
    static constexpr std::pair<char, Optional> punctuation[] = {
        {'(', &AsmParser::parseOptionalLParen},
        {')', &AsmParser::parseOptionalRParen},
        {',', &AsmParser::parseOptionalComma},
        {':', &AsmParser::parseOptionalColon},
        {'?', &AsmParser::parseOptionalQuestion},
        {'*', &AsmParser::parseOptionalStar},
    };
    for (auto [character, optional] : punctuation)
      if (succeeded((parser.*optional)())) {
        token = character;
        return true;
      }
    if (succeeded(parser.parseOptionalLess())) {
      ++angles;
      token = '<';
      return true;
    }
    if (angles && succeeded(parser.parseOptionalGreater())) {
      --angles;
      token = '>';
      return true;
    }
    StringRef word;
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      token = word.str();
      return true;
    }
    int64_t number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    isMalformed = parsed.has_value() && failed(*parsed);
    if (!parsed.has_value() || isMalformed)
      return false;
    token = std::to_string(number);
    return true;
  }

  AsmParser &parser;
  std::string text;
  SmallVector<SMLoc> places;
  /// The parser has said that a token is none.
  bool isMalformed = false;
};
} // namespace

Attribute MemoryLayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc begin = parser.getCurrentLocation();
  TokenText text(parser);
  if (text.parse())
    return {};
  size_t offset = 0;
  std::string warning;
  llvm::Expected<ComposedLayout> layout =
      evaluateMemoryLayout(text.get(), offset, warning);
  if (!layout) {
    parser.emitError(text.placeOf(offset), "layout: ")
        << llvm::toString(layout.takeError());
    return {};
  }
  if (!warning.empty())
    mlir::emitWarning(parser.getEncodedSourceLoc(begin))
        << "layout: " << warning;
  if (parser.parseGreater())
    return {};
  std::string canonical = printMemoryLayout(*layout);
  return parser.getChecked<MemoryLayoutAttr>(begin, parser.getContext(),
                                             StringRef(canonical));
}

void MemoryLayoutAttr::print(AsmPrinter &printer) const {
  bool isQuoted = getText().contains('/');
  printer << '<' << (isQuoted ? "\"" : "") << getText()
          << (isQuoted ? "\"" : "") << '>';
}
