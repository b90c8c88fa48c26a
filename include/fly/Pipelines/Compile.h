//===- Compile.h - A module in, code object bytes out -----------*- C++ -*-===//
//
// The compiler as one call. Nothing is printed, no file is written, the caller
// is never ended; every problem is a diagnostic through the context's handler.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PIPELINES_COMPILE_H
#define FLY_PIPELINES_COMPILE_H

#include "fly/Target/CodeObject.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace fly {

struct CompileOptions {
  /// Replaces the targets of the module; empty keeps the one it has.
  std::string chip;
  /// The gpu.module to compile, without the programs beside it; empty takes
  /// all of them, which must be for one chip, and their programs.
  std::string module;
  /// Whether asserts and prints are compiled: they write to a channel that the
  /// launcher reads (docs/Rationale/Checks.md).
  bool checks = false;
  /// Chips, outputs, attributes and isolation of code generation.
  target::SerializeOptions serialize;
  /// Called with the pass manager before it runs, e.g. to enable timing,
  /// printing or the verifier's settings.
  llvm::function_ref<void(mlir::PassManager &)> configure;
};

/// How the error begins where the emitted code lacks a wait or a distance
/// between instructions: no fault of the user, so tools keep the input for a
/// report.
inline constexpr llvm::StringLiteral brokenCodeText =
    "the emitted code breaks a rule of the hardware";

/// Wall time in milliseconds of what is not LLVM's.
struct CompileTimings {
  double passesMs = 0;
  double verifyMs = 0; ///< Proofs on the final bytes.
};

/// Compiles the kernels of `module`, which may be at any level, into one
/// object, and proves its code (fly::verify): what lacks is an error, of the
/// order of LDS a warning. `module` is left as it was.
mlir::FailureOr<target::CodeObject> compile(mlir::ModuleOp module,
                                            const CompileOptions &options = {},
                                            CompileTimings *timings = nullptr);

/// Replaces the targets of every gpu.module below `module` by `chip`. An
/// unknown chip is an error that lists the known ones.
mlir::LogicalResult setChip(mlir::ModuleOp module, llvm::StringRef chip);

} // namespace fly

#endif // FLY_PIPELINES_COMPILE_H
