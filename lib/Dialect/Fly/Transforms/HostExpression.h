//===- HostExpression.h - Scalars that the host can compute -----*- C++ -*-===//
//
// The launch contract needs bounds, extents and conditions as expressions over
// kernel arguments. This turns the arithmetic that defines a value into one.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_HOSTEXPRESSION_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_HOSTEXPRESSION_H

#include "fly/Contract/Expr.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"

#include <optional>

namespace fly {

/// `lhs op rhs`, computed where both are numbers, without the neutral terms of
/// sums and products.
contract::Expr foldBinary(contract::Expr::Kind kind, const contract::Expr &lhs,
                          const contract::Expr &rhs);
/// The sum of `terms`, its numbers added up.
contract::Expr addUp(llvm::ArrayRef<contract::Expr> terms);
/// Whether the expression is this number.
bool isNumber(const contract::Expr &expr, int64_t value);

class HostExpressions {
public:
  explicit HostExpressions(mlir::FunctionOpInterface kernel) : kernel(kernel) {}

  /// The expression of an integer or i1; none where it depends on more than
  /// arguments and constants, or on an op without a form on the host.
  std::optional<contract::Expr> get(mlir::OpFoldResult value);

  /// Gives a block argument, which get() knows nothing of, its expression.
  void define(mlir::Value value, const contract::Expr &expr) {
    known.try_emplace(value, expr);
  }

  /// Notes the op at which get() gave up last and why, nothing if that was at
  /// a block argument.
  void noteCulprit(mlir::InFlightDiagnostic &diag) const;

  /// A value that unsigned ops of a block read: their expressions hold while it
  /// is not negative.
  using NonNegative =
      llvm::MapVector<std::pair<mlir::Value, mlir::Block *>, contract::Expr>;
  const NonNegative &getNonNegative() const { return nonNegative; }

private:
  std::optional<contract::Expr> getBounded(mlir::Value value);
  std::optional<contract::Expr> compute(mlir::Value value);
  std::optional<contract::Expr> computeBinary(mlir::Operation *op);
  std::optional<contract::Expr> getUnsigned(mlir::Value value,
                                            mlir::Operation *user);

  mlir::FunctionOpInterface kernel;
  llvm::DenseMap<mlir::Value, contract::Expr> known;
  NonNegative nonNegative;
  mlir::Operation *culprit = nullptr;
  bool isTooLong = false;
  unsigned depth = 0;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_HOSTEXPRESSION_H
