//===- Expr.h - Integer expressions over argument names ---------*- C++ -*-===//
//
// Grids, extents and requirements of a kernel are functions of its scalar
// arguments. An Expr is such a function: constants, argument names, arithmetic,
// comparisons, and/or, select. It has an infix text form that travels in the
// code object and is evaluated in checked 64-bit arithmetic: overflow and
// division by zero are errors, never values.
//
//   or < and < == != < <= > >= < + - < * floordiv ceildiv mod
//   min(a, b)  max(a, b)  select(condition, then, else)
//
// floordiv rounds down, ceildiv up, and mod has the sign of the divisor.
// Comparisons give 1 or 0; any value but 0 is true; and, or and select do not
// evaluate what they do not need.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_CONTRACT_EXPR_H
#define FLY_CONTRACT_EXPR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace fly::contract {

/// Gives the value of an argument by its name, nothing if there is no such
/// argument.
using Bindings = llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;

/// An immutable integer expression; copies are cheap.
class Expr {
public:
  enum class Kind : uint8_t {
    Constant,
    Argument,
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Select, ///< operand(0) ? operand(1) : operand(2)
  };

  /// The constant 0.
  Expr() : Expr(constant(0)) {}

  static Expr constant(int64_t value);
  static Expr argument(llvm::StringRef name);
  /// \p kind is one with two operands.
  static Expr binary(Kind kind, Expr lhs, Expr rhs);
  static Expr select(Expr condition, Expr then, Expr otherwise);

  /// Reads the text form; the error names the column.
  static llvm::Expected<Expr> parse(llvm::StringRef text);
  /// The text form; parse() reads it back as the same expression.
  std::string str() const;

  /// The value under \p bindings. Errors: unknown argument, overflow, division
  /// by zero; each prints the expression that failed.
  llvm::Expected<int64_t> evaluate(Bindings bindings) const;

  Kind kind() const;
  /// Of a Constant.
  int64_t value() const;
  /// Of an Argument.
  llvm::StringRef name() const;
  unsigned numOperands() const;
  const Expr &operand(unsigned index) const;
  /// The operators that the text form has, at most 2^32 - 1. Operands that are
  /// shared in memory are written out each time.
  uint32_t numOperators() const;

  /// The argument names in it, each once, in order of appearance.
  llvm::SmallVector<std::string> argumentNames() const;

  friend bool operator==(const Expr &a, const Expr &b);
  friend bool operator!=(const Expr &a, const Expr &b) { return !(a == b); }

  struct Node;

private:
  explicit Expr(std::shared_ptr<const Node> node) : node(std::move(node)) {}
  std::shared_ptr<const Node> node;
};

} // namespace fly::contract

#endif // FLY_CONTRACT_EXPR_H
