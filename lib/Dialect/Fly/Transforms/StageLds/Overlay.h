//===- Overlay.h - Buffers that share bytes ---------------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>

namespace fly::stage {

/// Something that lies in LDS for a part of the kernel.
struct Buffer {
  /// The name of a field for it.
  std::string name;
  ViewType type;
  /// The ops that write it, read it or hand it on.
  llvm::SmallVector<mlir::Operation *> users;
  /// Whether it may lie over other buffers.
  bool mayShare = false;
  /// The byte of the shared object that it lies at; none where it is an object
  /// of its own.
  std::optional<int64_t> offset;
  /// The buffers placed before it that it lies over.
  llvm::SmallVector<unsigned> under;

  int64_t bytes() const { return type.getSizeInBytes().value_or(0); }
};

/// Places `buffers`: one that may share goes over those that are not needed
/// while it is. Buffers of less than `leastBytes` stay apart: what they save is
/// not worth the barrier that sharing costs.
void overlay(mlir::FunctionOpInterface kernel,
             llvm::MutableArrayRef<Buffer> buffers, int64_t leastBytes);

/// Bytes of LDS that placed buffers take, each aligned to 16.
int64_t getBytes(llvm::ArrayRef<Buffer> buffers);

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_OVERLAY_H
