//===- MapExpression.h - The infix language of fly.map ----------*- C++ -*-===//
//
// The expression of a `fly.map` as a tree. The op's verifier parses it to check
// it, fly-instantiate to expand it, the reference executor to run it: one
// parser serves all three. No IR in here.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_MAPEXPRESSION_H
#define FLY_DIALECT_FLY_IR_MAPEXPRESSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace fly {

/// A node of the tree.
struct MapNode {
  enum Kind {
    Number, ///< `number`
    Name,   ///< `text`, a bound name
    Unary,  ///< `text` is "-"
    Binary, ///< `text` is one of + - * / < <= > >= == !=
    Select, ///< condition ? a : b
    Call,   ///< `text` is a function of the table
  };
  Kind kind;
  double number = 0;
  std::string text;
  std::vector<std::unique_ptr<MapNode>> children;
  /// Offset of the node's first character in the expression.
  size_t offset = 0;

  bool isComparison() const;
};

/// A fault in the expression: where (character offset) and what.
struct MapSyntaxError {
  size_t offset;
  std::string message;
};

/// Parses `text`; the comparison operators may stand only where a condition is
/// expected. On failure returns null and fills `error`.
std::unique_ptr<MapNode> parseMapExpression(llvm::StringRef text,
                                            MapSyntaxError &error);

/// Functions of the language and their argument counts, as a table.
struct MapFunction {
  llvm::StringLiteral name;
  unsigned arguments;
  llvm::StringLiteral meaning;
};
llvm::ArrayRef<MapFunction> getMapFunctions();

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_MAPEXPRESSION_H
