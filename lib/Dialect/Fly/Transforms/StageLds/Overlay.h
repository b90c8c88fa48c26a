//===- Overlay.h - Buffers that share bytes ---------------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace fly::stage {

/// Something that lies in LDS for a part of the kernel.
struct Buffer {
  /// The name of a field for it.
  std::string name;
  ViewType type;
  /// The ops that write it, read it or hand it on.
  llvm::SmallVector<mlir::Operation *> users;
  /// Whether it may lie in the field of another buffer.
  bool mayShare = false;
  /// Index of the buffer whose field it lies in: its own, unless it shares.
  unsigned home = 0;

  int64_t bytes() const { return type.getSizeInBytes().value_or(0); }
};

/// Chooses the homes of `buffers`: one that may share goes where no other is
/// needed while it is. Buffers of less than `leastBytes` stay apart: what they
/// save is not worth the barrier that sharing costs.
void overlay(mlir::FunctionOpInterface kernel,
             llvm::MutableArrayRef<Buffer> buffers, int64_t leastBytes);

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H
