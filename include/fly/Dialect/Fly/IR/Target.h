//===- Target.h - The chip that a piece of IR is for ------------*- C++ -*-===//
//
// The chip is an attribute of the gpu.module (`#rocdl.target<chip = ...>`),
// never an option of a pass. This is the one place that reads it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_TARGET_H
#define FLY_DIALECT_FLY_IR_TARGET_H

#include "fly/Arch/ArchInfo.h"

#include "mlir/IR/Operation.h"

namespace fly {

/// The chip of the gpu.module around `op`. Emits one error and returns null if
/// there is no module, no target, more than one, or an unknown chip; the error
/// lists the known ones.
const arch::ArchInfo *getArch(mlir::Operation *op);

/// The same for passes on the way to machine code: also an error where Fly
/// makes no code for the chip.
const arch::ArchInfo *getCompiledArch(mlir::Operation *op);

/// getArch() without an error: null where no single known chip is meant.
const arch::ArchInfo *lookupArchOrNull(mlir::Operation *op);

/// Where to report what is wrong with the whole of `module`: its first
/// gpu.module or function. The module itself has no place in the text.
mlir::Operation *findPlace(mlir::Operation *module);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_TARGET_H
