//===- ExprParser.cpp - Reads the text form of expressions ----------------===//
//
// A precedence-climbing parser. Operator words (floordiv, mod, and, ...) are
// operators only where an operator is expected, so that arguments may bear any
// name. Nesting is bounded: the text may come from a foreign file.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/Expr.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly::contract;

namespace {

struct Operator {
  const char *text;
  Expr::Kind kind;
  unsigned precedence;
};

// Longer symbols before their prefixes.
constexpr Operator operators[] = {
    {"==", Expr::Kind::Eq, 3},
    {"!=", Expr::Kind::Ne, 3},
    {"<=", Expr::Kind::Le, 3},
    {">=", Expr::Kind::Ge, 3},
    {"<", Expr::Kind::Lt, 3},
    {">", Expr::Kind::Gt, 3},
    {"+", Expr::Kind::Add, 4},
    {"-", Expr::Kind::Sub, 4},
    {"*", Expr::Kind::Mul, 5},
    {"floordiv", Expr::Kind::FloorDiv, 5},
    {"ceildiv", Expr::Kind::CeilDiv, 5},
    {"mod", Expr::Kind::Mod, 5},
    {"and", Expr::Kind::And, 2},
    {"or", Expr::Kind::Or, 1},
};

constexpr unsigned comparisonPrecedence = 3;

bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text) {}

  llvm::Expected<Expr> run() {
    llvm::Expected<Expr> expr = binary(1);
    if (!expr)
      return expr;
    skipSpace();
    if (position != text.size())
      return error("unexpected text");
    return expr;
  }

private:
  static constexpr unsigned maxDepth = 256;
  /// Bounds the depth of chains (a + b + c ...), which nest in the tree.
  static constexpr unsigned maxOperators = 4096;

  llvm::StringRef text;
  size_t position = 0;
  unsigned depth = 0;
  unsigned operatorCount = 0;

  llvm::Error error(const char *what) {
    return llvm::createStringError(
        llvm::formatv("{0} at column {1} of '{2}'", what, position + 1, text));
  }

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }

  bool consume(char c) {
    skipSpace();
    if (position == text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  /// The operator at the position, without consuming it.
  const Operator *peek() {
    skipSpace();
    llvm::StringRef rest = text.drop_front(position);
    for (const Operator &op : operators) {
      llvm::StringRef spelling = op.text;
      if (!rest.starts_with(spelling))
        continue;
      bool word = llvm::isAlpha(spelling.front());
      if (word && rest.size() > spelling.size() &&
          isNameChar(rest[spelling.size()]))
        continue;
      return &op;
    }
    return nullptr;
  }

  llvm::Expected<Expr> binary(unsigned minimum) {
    if (++depth > maxDepth)
      return error("expression nested too deeply");
    llvm::Expected<Expr> lhs = primary();
    if (!lhs)
      return lhs;
    Expr result = *lhs;
    bool compared = false;
    while (const Operator *op = peek()) {
      if (op->precedence < minimum)
        break;
      bool comparison = op->precedence == comparisonPrecedence;
      if (comparison && compared)
        return error("comparisons do not chain");
      compared |= comparison;
      if (++operatorCount > maxOperators)
        return error("too many operators");
      position += llvm::StringRef(op->text).size();
      llvm::Expected<Expr> rhs = binary(op->precedence + 1);
      if (!rhs)
        return rhs;
      result = Expr::binary(op->kind, result, *rhs);
    }
    --depth;
    return result;
  }

  llvm::Expected<Expr> number(bool negative) {
    size_t begin = position;
    while (position < text.size() && llvm::isDigit(text[position]))
      ++position;
    // Read with the sign, since -2^63 has no positive counterpart.
    std::string digits =
        (negative ? "-" : "") + text.slice(begin, position).str();
    int64_t value;
    if (llvm::StringRef(digits).getAsInteger(10, value))
      return error("number does not fit 64 bits");
    return Expr::constant(value);
  }

  llvm::Expected<Expr> call(llvm::StringRef function) {
    llvm::SmallVector<Expr, 3> operands;
    do {
      llvm::Expected<Expr> operand = binary(1);
      if (!operand)
        return operand;
      operands.push_back(*operand);
    } while (consume(','));
    if (!consume(')'))
      return error("expected ')'");
    if (function == "select" && operands.size() == 3)
      return Expr::select(operands[0], operands[1], operands[2]);
    if (function == "min" && operands.size() == 2)
      return Expr::binary(Expr::Kind::Min, operands[0], operands[1]);
    if (function == "max" && operands.size() == 2)
      return Expr::binary(Expr::Kind::Max, operands[0], operands[1]);
    return error("expected min(a, b), max(a, b) or select(c, a, b) before");
  }

  llvm::Expected<Expr> primary() {
    skipSpace();
    if (position == text.size())
      return error("expected a value");
    char c = text[position];
    if (llvm::isDigit(c))
      return number(/*negative=*/false);
    if (consume('-')) {
      skipSpace();
      if (position < text.size() && llvm::isDigit(text[position]))
        return number(/*negative=*/true);
      if (++depth > maxDepth)
        return error("expression nested too deeply");
      llvm::Expected<Expr> operand = primary();
      --depth;
      if (!operand)
        return operand;
      return Expr::binary(Expr::Kind::Sub, Expr::constant(0), *operand);
    }
    if (consume('(')) {
      llvm::Expected<Expr> inner = binary(1);
      if (!inner)
        return inner;
      if (!consume(')'))
        return error("expected ')'");
      return inner;
    }
    if (consume('`')) {
      size_t end = text.find('`', position);
      if (end == llvm::StringRef::npos)
        return error("expected a closing '`'");
      llvm::StringRef name = text.slice(position, end);
      position = end + 1;
      return Expr::argument(name);
    }
    if (!llvm::isAlpha(c) && c != '_')
      return error("expected a value");
    size_t begin = position;
    while (position < text.size() && isNameChar(text[position]))
      ++position;
    llvm::StringRef name = text.slice(begin, position);
    if (consume('('))
      return call(name);
    return Expr::argument(name);
  }
};

} // namespace

llvm::Expected<Expr> Expr::parse(llvm::StringRef text) {
  return Parser(text).run();
}
