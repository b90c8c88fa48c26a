//===- SourceValues.h - Values by their names in the source -----*- C++ -*-===//
//
// MLIR forgets the names of values; the parser can be asked for them, and an op
// keeps its place in the text through all passes. So a name of the source finds
// the value that passes made of it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_LAYOUT_SOURCEVALUES_H
#define FLY_REPORTS_LAYOUT_SOURCEVALUES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"

#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace fly::reports {

/// A value of the text.
struct SourceValue {
  std::string name; ///< Without %.
  mlir::Location loc;
  mlir::Type type;
  unsigned number = 0; ///< Of the op's results.
  bool isArgument = false;

  /// `value` as one of the text, with that name.
  static SourceValue get(mlir::Value value, std::string name = "");
};

/// All named values of the main file of `sources`, which must parse.
std::vector<SourceValue> nameValues(const llvm::SourceMgr &sources,
                                    mlir::MLIRContext *context);

/// What passes made of `value` in `module`: of the values from the same place
/// with the same rank and element type and a layout, the last. Null if there is
/// none.
mlir::Value findPlaced(const SourceValue &value, mlir::ModuleOp module);

} // namespace fly::reports

#endif // FLY_REPORTS_LAYOUT_SOURCEVALUES_H
