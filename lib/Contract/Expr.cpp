//===- Expr.cpp - Construction, printing and evaluation -------------------===//
//
// The nodes, their text form and their value. The parser is ExprParser.cpp.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::contract;

struct Expr::Node {
  Kind kind;
  int64_t value = 0;
  std::string name;
  llvm::SmallVector<Expr, 3> operands;
  uint32_t numOperators = 0;

  void countOperators() {
    numOperators = 1;
    for (const Expr &operand : operands)
      numOperators = llvm::SaturatingAdd(numOperators, operand.numOperators());
  }
};

Expr Expr::constant(int64_t value) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::Constant;
  node->value = value;
  return Expr(std::move(node));
}

Expr Expr::argument(llvm::StringRef name) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::Argument;
  node->name = name.str();
  return Expr(std::move(node));
}

Expr Expr::binary(Kind kind, Expr lhs, Expr rhs) {
  assert(kind >= Kind::Add && kind <= Kind::Or && "two operands");
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->operands.push_back(std::move(lhs));
  node->operands.push_back(std::move(rhs));
  node->countOperators();
  return Expr(std::move(node));
}

Expr Expr::select(Expr condition, Expr then, Expr otherwise) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::Select;
  node->operands.push_back(std::move(condition));
  node->operands.push_back(std::move(then));
  node->operands.push_back(std::move(otherwise));
  node->countOperators();
  return Expr(std::move(node));
}

Expr::Kind Expr::kind() const { return node->kind; }
int64_t Expr::value() const { return node->value; }
llvm::StringRef Expr::name() const { return node->name; }
unsigned Expr::numOperands() const { return node->operands.size(); }
const Expr &Expr::operand(unsigned index) const {
  return node->operands[index];
}
uint32_t Expr::numOperators() const { return node->numOperators; }

namespace fly::contract {
bool operator==(const Expr &a, const Expr &b) {
  if (a.node == b.node)
    return true;
  return a.node->kind == b.node->kind && a.node->value == b.node->value &&
         a.node->name == b.node->name && a.node->operands == b.node->operands;
}
} // namespace fly::contract

static void collectNames(const Expr &expr,
                         llvm::SmallVector<std::string> &names) {
  if (expr.kind() == Expr::Kind::Argument &&
      !llvm::is_contained(names, expr.name()))
    names.push_back(expr.name().str());
  for (unsigned i = 0; i < expr.numOperands(); ++i)
    collectNames(expr.operand(i), names);
}

llvm::SmallVector<std::string> Expr::argumentNames() const {
  llvm::SmallVector<std::string> names;
  collectNames(*this, names);
  return names;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {

/// How an operator is written: as a function if the precedence is 0.
struct Spelling {
  const char *text;
  unsigned precedence;
};

Spelling spellingOf(Expr::Kind kind) {
  switch (kind) {
  case Expr::Kind::Or:
    return {"or", 1};
  case Expr::Kind::And:
    return {"and", 2};
  case Expr::Kind::Eq:
    return {"==", 3};
  case Expr::Kind::Ne:
    return {"!=", 3};
  case Expr::Kind::Lt:
    return {"<", 3};
  case Expr::Kind::Le:
    return {"<=", 3};
  case Expr::Kind::Gt:
    return {">", 3};
  case Expr::Kind::Ge:
    return {">=", 3};
  case Expr::Kind::Add:
    return {"+", 4};
  case Expr::Kind::Sub:
    return {"-", 4};
  case Expr::Kind::Mul:
    return {"*", 5};
  case Expr::Kind::FloorDiv:
    return {"floordiv", 5};
  case Expr::Kind::CeilDiv:
    return {"ceildiv", 5};
  case Expr::Kind::Mod:
    return {"mod", 5};
  case Expr::Kind::Min:
    return {"min", 0};
  case Expr::Kind::Max:
    return {"max", 0};
  case Expr::Kind::Select:
    return {"select", 0};
  case Expr::Kind::Constant:
  case Expr::Kind::Argument:
    break;
  }
  return {"", 0};
}

bool isPlainName(llvm::StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
         });
}

void print(const Expr &expr, unsigned outer, std::string &out) {
  if (expr.kind() == Expr::Kind::Constant) {
    out += std::to_string(expr.value());
    return;
  }
  if (expr.kind() == Expr::Kind::Argument) {
    if (isPlainName(expr.name()))
      out += expr.name();
    else
      out += ("`" + expr.name() + "`").str();
    return;
  }
  Spelling spelling = spellingOf(expr.kind());
  if (spelling.precedence == 0) {
    out += spelling.text;
    out += '(';
    for (unsigned i = 0; i < expr.numOperands(); ++i) {
      if (i)
        out += ", ";
      print(expr.operand(i), 0, out);
    }
    out += ')';
    return;
  }
  // Operators group to the left: the right operand binds one tighter.
  // Comparisons do not chain, so neither side may be one.
  bool comparison = spelling.precedence == 3;
  bool parentheses = spelling.precedence < outer;
  if (parentheses)
    out += '(';
  print(expr.operand(0), spelling.precedence + (comparison ? 1 : 0), out);
  out += ' ';
  out += spelling.text;
  out += ' ';
  print(expr.operand(1), spelling.precedence + 1, out);
  if (parentheses)
    out += ')';
}

} // namespace

std::string Expr::str() const {
  std::string out;
  print(*this, 0, out);
  return out;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

llvm::Error failure(const Expr &expr, const char *what, int64_t lhs,
                    int64_t rhs) {
  return llvm::createStringError(llvm::formatv("{0} in '{1}' with {2} and {3}",
                                               what, expr.str(), lhs, rhs));
}

/// Quotient rounded down; the divisor is not 0 and the quotient fits.
int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

llvm::Expected<int64_t> arithmetic(const Expr &expr, int64_t a, int64_t b) {
  using Kind = Expr::Kind;
  int64_t result = 0;
  switch (expr.kind()) {
  case Kind::Add:
    if (llvm::AddOverflow(a, b, result))
      return failure(expr, "overflow", a, b);
    return result;
  case Kind::Sub:
    if (llvm::SubOverflow(a, b, result))
      return failure(expr, "overflow", a, b);
    return result;
  case Kind::Mul:
    if (llvm::MulOverflow(a, b, result))
      return failure(expr, "overflow", a, b);
    return result;
  case Kind::FloorDiv:
  case Kind::CeilDiv:
  case Kind::Mod: {
    if (b == 0)
      return failure(expr, "division by zero", a, b);
    if (b == -1) {
      // The one quotient that may not fit.
      if (expr.kind() == Kind::Mod)
        return 0;
      if (llvm::SubOverflow(int64_t(0), a, result))
        return failure(expr, "overflow", a, b);
      return result;
    }
    int64_t down = floorDivide(a, b);
    int64_t rest = a - down * b;
    if (expr.kind() == Kind::Mod)
      return rest;
    return expr.kind() == Kind::CeilDiv && rest != 0 ? down + 1 : down;
  }
  case Kind::Min:
    return std::min(a, b);
  case Kind::Max:
    return std::max(a, b);
  case Kind::Eq:
    return a == b;
  case Kind::Ne:
    return a != b;
  case Kind::Lt:
    return a < b;
  case Kind::Le:
    return a <= b;
  case Kind::Gt:
    return a > b;
  case Kind::Ge:
    return a >= b;
  default:
    return failure(expr, "no arithmetic", a, b);
  }
}

} // namespace

llvm::Expected<int64_t> Expr::evaluate(Bindings bindings) const {
  if (kind() == Kind::Constant)
    return value();
  if (kind() == Kind::Argument) {
    if (std::optional<int64_t> bound = bindings(name()))
      return *bound;
    return llvm::createStringError(
        llvm::formatv("no value for argument '{0}'", name()));
  }
  llvm::Expected<int64_t> first = operand(0).evaluate(bindings);
  if (!first)
    return first;
  if (kind() == Kind::Select)
    return operand(*first ? 1 : 2).evaluate(bindings);
  if (kind() == Kind::And && *first == 0)
    return 0;
  if (kind() == Kind::Or && *first != 0)
    return 1;
  llvm::Expected<int64_t> second = operand(1).evaluate(bindings);
  if (!second)
    return second;
  if (kind() == Kind::And || kind() == Kind::Or)
    return *second != 0;
  return arithmetic(*this, *first, *second);
}
