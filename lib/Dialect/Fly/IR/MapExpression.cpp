//===- MapExpression.cpp - The infix language of fly.map ------------------===//
//
// A recursive-descent parser. Precedence, from low to high: ?:, comparison,
// + and -, * and /, unary minus, calls. Nesting is bounded, so that no input
// exhausts the stack.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/MapExpression.h"

#include "fly/Dialect/Fly/IR/Schedule.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly;
using namespace llvm;

static constexpr unsigned kMaxDepth = 200;
/// Bounds the depth of chains (a + b + c ...), which nest in the tree.
static constexpr unsigned kMaxOperators = 1000;

static constexpr MapFunction kFunctions[] = {
    {"min", 2, "the smaller; a number wins over NaN"},
    {"max", 2, "the larger; a number wins over NaN"},
    {"abs", 1, "magnitude"},
    {"exp", 1, "e to the power"},
    {"exp2", 1, "2 to the power"},
    {"log", 1, "natural logarithm"},
    {"log2", 1, "logarithm to base 2"},
    {"pow", 2, "the first to the power of the second, as in C"},
    {"sin", 1, "sine"},
    {"cos", 1, "cosine"},
    {"erf", 1, "error function"},
    {"tanh", 1, "hyperbolic tangent"},
    {"sqrt", 1, "square root"},
    {"rsqrt", 1, "1 / sqrt"},
    {"floor", 1, "the integer not above"},
    {"ceil", 1, "the integer not below"},
    {"sigmoid", 1, "1 / (1 + exp(-x))"},
    {"silu", 1, "x * sigmoid(x)"},
    {"relu", 1, "max(x, 0)"},
    {"gelu_tanh", 1, "0.5 x (1 + tanh(0.7978845608 x (1 + 0.044715 x^2)))"},
    {"gelu_erf", 1, "0.5 x (1 + erf(x / sqrt(2)))"},
};

ArrayRef<MapFunction> fly::getMapFunctions() { return kFunctions; }

bool MapNode::isComparison() const {
  return kind == Binary &&
         (text[0] == '<' || text[0] == '>' || text[0] == '=' || text[0] == '!');
}

namespace {
class Parser {
public:
  Parser(StringRef text, MapSyntaxError &error) : text(text), error(error) {}

  std::unique_ptr<MapNode> parse() {
    auto root = parseSelect();
    if (!root)
      return nullptr;
    if (!atEnd())
      return fail(pos, Twine("expected an operator or the end, got '") +
                           text.substr(pos, 1) + "'");
    if (root->isComparison())
      return fail(root->offset, "a comparison is not a value: use it as "
                                "'condition ? a : b'");
    return root;
  }

private:
  using Node = std::unique_ptr<MapNode>;

  Node fail(size_t offset, const Twine &message) {
    if (!failed) {
      failed = true;
      error = {offset, message.str()};
    }
    return nullptr;
  }

  void skipSpace() {
    while (pos < text.size() && isSpace(text[pos]))
      ++pos;
  }
  bool atEnd() {
    skipSpace();
    return pos == text.size();
  }
  bool consume(StringRef token) {
    skipSpace();
    if (!text.substr(pos).starts_with(token))
      return false;
    pos += token.size();
    return true;
  }
  static Node make(MapNode::Kind kind, size_t offset, StringRef name = {}) {
    auto node = std::make_unique<MapNode>();
    node->kind = kind;
    node->offset = offset;
    node->text = name.str();
    return node;
  }
  Node makeBinary(StringRef op, size_t offset, Node lhs, Node rhs) {
    if (!lhs || !rhs)
      return nullptr;
    if (++operators > kMaxOperators)
      return fail(offset, Twine("expression has more than ") +
                              Twine(kMaxOperators) + " operators");
    if (lhs->isComparison() || rhs->isComparison())
      return fail(offset, Twine("'") + op + "' needs numbers on both sides");
    Node node = make(MapNode::Binary, offset, op);
    node->children.push_back(std::move(lhs));
    node->children.push_back(std::move(rhs));
    return node;
  }

  Node parseSelect() {
    if (++depth > kMaxDepth)
      return fail(pos, "expression is nested too deeply (limit 200)");
    skipSpace();
    size_t start = pos;
    Node condition = parseComparison();
    if (condition && consume("?")) {
      if (!condition->isComparison())
        return fail(start, "expected a comparison before '?'");
      Node whenTrue = parseSelect();
      if (!whenTrue)
        return nullptr;
      if (!consume(":"))
        return fail(pos, "expected ':' of '?'");
      Node whenFalse = parseSelect();
      if (!whenFalse)
        return nullptr;
      if (whenTrue->isComparison() || whenFalse->isComparison())
        return fail(start, "both choices of '?' must be numbers");
      Node node = make(MapNode::Select, start);
      node->children.push_back(std::move(condition));
      node->children.push_back(std::move(whenTrue));
      node->children.push_back(std::move(whenFalse));
      condition = std::move(node);
    }
    --depth;
    return condition;
  }

  Node parseComparison() {
    Node lhs = parseSum();
    if (!lhs)
      return nullptr;
    skipSpace();
    size_t offset = pos;
    for (StringRef op : {"<=", ">=", "==", "!=", "<", ">"})
      if (consume(op))
        return makeBinary(op, offset, std::move(lhs), parseSum());
    return lhs;
  }

  Node parseSum() {
    Node lhs = parseProduct();
    while (lhs) {
      skipSpace();
      size_t offset = pos;
      StringRef op = consume("+") ? "+" : consume("-") ? "-" : "";
      if (op.empty())
        return lhs;
      lhs = makeBinary(op, offset, std::move(lhs), parseProduct());
    }
    return nullptr;
  }

  Node parseProduct() {
    Node lhs = parseUnary();
    while (lhs) {
      skipSpace();
      size_t offset = pos;
      StringRef op = consume("*") ? "*" : consume("/") ? "/" : "";
      if (op.empty())
        return lhs;
      lhs = makeBinary(op, offset, std::move(lhs), parseUnary());
    }
    return nullptr;
  }

  Node parseUnary() {
    skipSpace();
    size_t offset = pos;
    if (!consume("-"))
      return parsePrimary();
    if (++depth > kMaxDepth)
      return fail(pos, "expression is nested too deeply (limit 200)");
    Node operand = parseUnary();
    --depth;
    if (!operand)
      return nullptr;
    if (operand->isComparison())
      return fail(offset, "'-' needs a number");
    Node node = make(MapNode::Unary, offset, "-");
    node->children.push_back(std::move(operand));
    return node;
  }

  Node parsePrimary() {
    skipSpace();
    size_t start = pos;
    if (pos == text.size())
      return fail(pos, "expected a number, a name or '(', got the end");
    if (consume("(")) {
      Node inner = parseSelect();
      if (inner && !consume(")"))
        return fail(pos, "expected ')'");
      return inner;
    }
    if (isDigit(text[pos]) || text[pos] == '.')
      return parseNumber();
    if (!isAlpha(text[pos]) && text[pos] != '_')
      return fail(pos, Twine("expected a number, a name or '(', got '") +
                           text.substr(pos, 1) + "'");
    while (pos < text.size() && (isAlnum(text[pos]) || text[pos] == '_'))
      ++pos;
    StringRef name = text.slice(start, pos);
    if (consume("("))
      return parseCall(name, start);
    return make(MapNode::Name, start, name);
  }

  Node parseNumber() {
    size_t start = pos;
    auto digits = [&] {
      while (pos < text.size() && isDigit(text[pos]))
        ++pos;
    };
    digits();
    if (pos < text.size() && text[pos] == '.') {
      ++pos;
      digits();
    }
    if (pos < text.size() && (text[pos] == 'e' || text[pos] == 'E')) {
      ++pos;
      if (pos < text.size() && (text[pos] == '+' || text[pos] == '-'))
        ++pos;
      digits();
    }
    Node node = make(MapNode::Number, start, text.slice(start, pos));
    if (text.slice(start, pos).getAsDouble(node->number))
      return fail(start,
                  Twine("'") + text.slice(start, pos) + "' is not a number");
    return node;
  }

  Node parseCall(StringRef name, size_t start) {
    const MapFunction *function = llvm::find_if(
        kFunctions, [&](const MapFunction &f) { return f.name == name; });
    if (function == std::end(kFunctions)) {
      auto known = llvm::map_to_vector(
          kFunctions, [](const MapFunction &f) -> StringRef { return f.name; });
      return fail(start, Twine("unknown function '") + name + "'" +
                             suggestWord(name, known) +
                             ", known are: " + llvm::join(known, ", "));
    }
    Node node = make(MapNode::Call, start, name);
    if (!consume(")")) {
      do {
        Node argument = parseSelect();
        if (!argument)
          return nullptr;
        if (argument->isComparison())
          return fail(argument->offset, "arguments must be numbers");
        node->children.push_back(std::move(argument));
      } while (consume(","));
      if (!consume(")"))
        return fail(pos, "expected ',' or ')'");
    }
    if (node->children.size() != function->arguments)
      return fail(start, Twine("'") + name + "' takes " +
                             Twine(function->arguments) + " arguments, got " +
                             Twine(node->children.size()));
    return node;
  }

  StringRef text;
  MapSyntaxError &error;
  size_t pos = 0;
  unsigned depth = 0;
  unsigned operators = 0;
  bool failed = false;
};
} // namespace

std::unique_ptr<MapNode> fly::parseMapExpression(StringRef text,
                                                 MapSyntaxError &error) {
  return Parser(text, error).parse();
}
