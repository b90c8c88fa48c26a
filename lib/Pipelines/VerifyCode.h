//===- VerifyCode.h - Final bytes are proved, or refused --------*- C++ -*-===//
#ifndef FLY_LIB_PIPELINES_VERIFYCODE_H
#define FLY_LIB_PIPELINES_VERIFYCODE_H

#include "fly/Target/CodeObject.h"

namespace fly {

/// Checks the emitted kernels. A wait or a distance that lacks is an error at
/// the kernel, what lacks of the order of LDS a warning; of barriers that the
/// compiler made it is an error, and what is not proved a warning.
mlir::LogicalResult verifyCode(mlir::gpu::GPUModuleOp module,
                               const target::CodeObject &object);

} // namespace fly

#endif // FLY_LIB_PIPELINES_VERIFYCODE_H
