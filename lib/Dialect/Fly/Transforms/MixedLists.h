//===- MixedLists.h - Lists of values and numbers, taken apart --*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_MIXEDLISTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_MIXEDLISTS_H

#include "mlir/IR/Builders.h"

namespace fly {

/// The entries of a list as ops keep them: numbers, and a unit for each value,
/// which is appended to `values`.
mlir::ArrayAttr splitMixed(mlir::Builder &builder,
                           llvm::ArrayRef<mlir::OpFoldResult> mixed,
                           llvm::SmallVectorImpl<mlir::Value> &values);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_MIXEDLISTS_H
