//===- Edits.h - Edits that make a module smaller ---------------*- C++ -*-===//
//
// An edit has *sites*: places of a module that it can change, in an order that
// depends on nothing but the module. The search clones the module and applies
// the edit to a range of sites of the clone.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REDUCE_EDITS_H
#define FLY_LIB_REDUCE_EDITS_H

#include "mlir/IR/BuiltinOps.h"

namespace fly::reduce {

struct Edit {
  llvm::StringLiteral name;
  unsigned (*countSites)(mlir::ModuleOp module);
  /// Changes the sites [begin, end); gives whether anything changed.
  bool (*apply)(mlir::ModuleOp module, unsigned begin, unsigned end);
  /// Whether a site that was changed may be changed again to advantage.
  bool repeats;
};

/// Of ops: erase, replace values, open regions.
llvm::ArrayRef<Edit> getOpEdits();
/// Of attributes: drop arguments, attributes and schedule entries, shrink
/// sizes.
llvm::ArrayRef<Edit> getAttributeEdits();

} // namespace fly::reduce

#endif // FLY_LIB_REDUCE_EDITS_H
