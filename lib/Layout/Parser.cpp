//===- Parser.cpp - Reads the text forms of layouts -----------------------===//
//
// Recursive descent over characters. Nesting is bounded, since the text may
// come from anywhere and everything after the parser recurses over it.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly::layout;

namespace {

constexpr unsigned maxNesting = 64;

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text) {}

  llvm::Expected<Int> integer(unsigned nesting);
  llvm::Expected<IntTuple> tuple(unsigned nesting = 0);
  llvm::Expected<Layout> layout();
  llvm::Expected<Tiler> tiler(unsigned nesting = 0);
  llvm::Expected<Swizzle> swizzle();
  llvm::Expected<ComposedLayout> composed();

  /// Calls `parse`, and checks that nothing follows.
  template <typename T>
  llvm::Expected<T> all(llvm::Expected<T> result) {
    if (result && !atEnd())
      return expected("the end of the text");
    return result;
  }

  size_t position = 0;

private:
  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  char peek() { return atEnd() ? '\0' : text[position]; }
  bool consume(char c) {
    if (peek() != c || atEnd())
      return false;
    ++position;
    return true;
  }
  llvm::Error expected(const char *what) {
    std::string found =
        atEnd() ? "the end" : "'" + std::string(1, text[position]) + "'";
    return llvm::createStringError(llvm::formatv(
        "column {0}: expected {1}, got {2}", position + 1, what, found));
  }
  /// `error`, found at `start`.
  llvm::Error at(size_t start, llvm::Error error) {
    position = start;
    return llvm::createStringError(llvm::formatv(
        "column {0}: {1}", start + 1, llvm::toString(std::move(error))));
  }
  llvm::Error tooDeep() {
    return llvm::createStringError(
        llvm::formatv("column {0}: expected at most {1} levels of nesting",
                      position + 1, maxNesting));
  }
  llvm::Expected<int64_t> number();
  llvm::Expected<Int> factor(unsigned nesting);
  llvm::Expected<Int> quotient(unsigned nesting);

  llvm::StringRef text;
};

} // namespace

llvm::Expected<int64_t> Parser::number() {
  skipSpace();
  size_t start = position;
  if (peek() == '-')
    ++position;
  size_t digits = position;
  while (position < text.size() && llvm::isDigit(text[position]))
    ++position;
  if (position == digits)
    return expected("an integer");
  llvm::StringRef token = text.slice(start, position);
  int64_t value;
  if (token.getAsInteger(10, value))
    return at(start, llvm::createStringError(llvm::formatv(
                         "expected an integer of 64 bits, got {0}", token)));
  return value;
}

/// ceil(a/b), whose name is read.
llvm::Expected<Int> Parser::quotient(unsigned nesting) {
  size_t start = position;
  if (!consume('('))
    return expected("'(' after 'ceil'");
  llvm::Expected<Int> above = integer(nesting + 1);
  if (!above)
    return above;
  if (!consume('/'))
    return expected("'/'");
  llvm::Expected<Int> below = integer(nesting + 1);
  if (!below)
    return below;
  if (!consume(')'))
    return expected("')'");
  if (above->factor() < 1 || below->factor() < 1)
    return at(start, llvm::createStringError(
                         llvm::formatv("expected values of at least 1, got "
                                       "{0} and {1}",
                                       *above, *below)));
  llvm::Expected<Int> result = Int::ceilDivide(*above, *below);
  if (!result)
    return at(start, result.takeError());
  return result;
}

llvm::Expected<Int> Parser::factor(unsigned nesting) {
  if (nesting > maxNesting)
    return tooDeep();
  skipSpace();
  if (consume('?')) {
    size_t start = position;
    while (position < text.size() &&
           (llvm::isAlnum(text[position]) || text[position] == '_'))
      ++position;
    llvm::Expected<Int> value = Int::unknown(text.slice(start, position));
    if (value)
      return value;
    llvm::consumeError(value.takeError());
    position = start;
    return expected("the name of an unknown value after '?'");
  }
  if (text.substr(position).starts_with("ceil")) {
    position += 4;
    return quotient(nesting);
  }
  if (!llvm::isDigit(peek()) && peek() != '-')
    return expected("an integer, '?' or '('");
  llvm::Expected<int64_t> value = number();
  if (!value)
    return value.takeError();
  return Int(*value);
}

llvm::Expected<Int> Parser::integer(unsigned nesting) {
  skipSpace();
  size_t start = position;
  llvm::Expected<Int> result = factor(nesting);
  while (result && consume('*')) {
    llvm::Expected<Int> next = factor(nesting);
    if (!next)
      return next;
    llvm::Expected<Int> both = Int::multiply(*result, *next);
    if (!both)
      return at(start, both.takeError());
    result = std::move(both);
  }
  return result;
}

llvm::Expected<IntTuple> Parser::tuple(unsigned nesting) {
  if (nesting > maxNesting)
    return tooDeep();
  if (!consume('(')) {
    llvm::Expected<Int> leaf = integer(nesting);
    if (!leaf)
      return leaf.takeError();
    return IntTuple(*leaf);
  }
  std::vector<IntTuple> elements;
  do {
    llvm::Expected<IntTuple> element = tuple(nesting + 1);
    if (!element)
      return element;
    elements.push_back(std::move(*element));
  } while (consume(','));
  if (!consume(')'))
    return expected("',' or ')'");
  return IntTuple::tuple(std::move(elements));
}

llvm::Expected<Layout> Parser::layout() {
  skipSpace();
  size_t start = position;
  llvm::Expected<IntTuple> shape = tuple();
  if (!shape)
    return shape.takeError();
  if (!consume(':'))
    return expected("':' and a stride");
  llvm::Expected<IntTuple> stride = tuple();
  if (!stride)
    return stride.takeError();
  llvm::Expected<Layout> result =
      Layout::get(std::move(*shape), std::move(*stride));
  if (!result)
    return at(start, result.takeError());
  return result;
}

llvm::Expected<Tiler> Parser::tiler(unsigned nesting) {
  if (nesting > maxNesting)
    return tooDeep();
  if (consume('_'))
    return Tiler::keep();
  if (consume('<')) {
    std::vector<Tiler> entries;
    do {
      llvm::Expected<Tiler> entry = tiler(nesting + 1);
      if (!entry)
        return entry;
      entries.push_back(std::move(*entry));
    } while (consume(','));
    if (!consume('>'))
      return expected("',' or '>'");
    return Tiler::list(std::move(entries));
  }
  skipSpace();
  size_t start = position;
  llvm::Expected<IntTuple> shape = tuple();
  if (!shape)
    return shape.takeError();
  // An integer alone stands for itself at stride 1.
  IntTuple stride(1);
  if (!shape->isLeaf() || peek() == ':') {
    if (!consume(':'))
      return expected("':' and a stride");
    llvm::Expected<IntTuple> given = tuple();
    if (!given)
      return given.takeError();
    stride = std::move(*given);
  }
  llvm::Expected<Layout> result =
      Layout::get(std::move(*shape), std::move(stride));
  if (!result)
    return at(start, result.takeError());
  return Tiler(std::move(*result));
}

llvm::Expected<Swizzle> Parser::swizzle() {
  skipSpace();
  size_t start = position;
  if (!consume('S') || !consume('<'))
    return expected("'S<bits,base,shift>'");
  int64_t values[3];
  for (int i = 0; i < 3; ++i) {
    if (i && !consume(','))
      return expected("','");
    llvm::Expected<int64_t> value = number();
    if (!value)
      return value.takeError();
    values[i] = *value;
  }
  if (!consume('>'))
    return expected("'>'");
  llvm::Expected<Swizzle> result =
      Swizzle::get(values[0], values[1], values[2]);
  if (!result)
    return at(start, result.takeError());
  return result;
}

llvm::Expected<ComposedLayout> Parser::composed() {
  ComposedLayout::Outer outer;
  if (peek() == 'S') {
    llvm::Expected<Swizzle> first = swizzle();
    if (!first)
      return first.takeError();
    outer = *first;
  } else {
    llvm::Expected<Layout> first = layout();
    if (!first)
      return first.takeError();
    outer = std::move(*first);
  }
  if (!consume('o'))
    return expected("'o' and an offset");
  llvm::Expected<int64_t> offset = number();
  if (!offset)
    return offset.takeError();
  if (!consume('o'))
    return expected("'o' and a layout");
  llvm::Expected<Layout> inner = layout();
  if (!inner)
    return inner.takeError();
  return ComposedLayout(std::move(outer), *offset, std::move(*inner));
}

/// Runs one of the parser's functions over all of `text`.
template <typename T, typename Function>
static llvm::Expected<T> parse(llvm::StringRef text, size_t *errorOffset,
                               Function function) {
  Parser parser(text);
  llvm::Expected<T> result = parser.all<T>(function(parser));
  if (!result && errorOffset)
    *errorOffset = parser.position;
  return result;
}

llvm::Expected<IntTuple> fly::layout::parseIntTuple(llvm::StringRef text,
                                                    size_t *errorOffset) {
  return parse<IntTuple>(text, errorOffset,
                         [](Parser &parser) { return parser.tuple(); });
}

llvm::Expected<Layout> fly::layout::parseLayout(llvm::StringRef text,
                                                size_t *errorOffset) {
  return parse<Layout>(text, errorOffset,
                       [](Parser &parser) { return parser.layout(); });
}

llvm::Expected<Tiler> fly::layout::parseTiler(llvm::StringRef text,
                                              size_t *errorOffset) {
  return parse<Tiler>(text, errorOffset,
                      [](Parser &parser) { return parser.tiler(); });
}

llvm::Expected<Swizzle> fly::layout::parseSwizzle(llvm::StringRef text,
                                                  size_t *errorOffset) {
  return parse<Swizzle>(text, errorOffset,
                        [](Parser &parser) { return parser.swizzle(); });
}

llvm::Expected<ComposedLayout>
fly::layout::parseComposedLayout(llvm::StringRef text, size_t *errorOffset) {
  return parse<ComposedLayout>(
      text, errorOffset, [](Parser &parser) { return parser.composed(); });
}
