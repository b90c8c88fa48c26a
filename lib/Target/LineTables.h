//===- LineTables.h - source lines of machine code --------------*- C++ -*-===//
#ifndef FLY_LIB_TARGET_LINETABLES_H
#define FLY_LIB_TARGET_LINETABLES_H

#include "fly/Target/CodeObject.h"

namespace fly::target {

/// Gives each function of `module` that has no debug information a scope of
/// it, and each of its operations a line. Files are named as `prefixMap` says,
/// others by their last component. True if any function got one.
bool addLineTables(
    mlir::gpu::GPUModuleOp module,
    llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap);

} // namespace fly::target

#endif // FLY_LIB_TARGET_LINETABLES_H
