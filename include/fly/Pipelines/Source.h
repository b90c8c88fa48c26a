//===- Source.h - Kernel files, read and overridden -------------*- C++ -*-===//
//
// What problem: every tool reads a .mlir, keeps the names of its arguments
// (MLIR drops them), picks a kernel, and applies --schedule, --size and --const
// the same way.
// What idea: these few functions, which change attributes alone.
// What it refuses: names that the file does not have; it lists those it has.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PIPELINES_SOURCE_H
#define FLY_PIPELINES_SOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace fly {

/// Parses the main file of `sources` and names the arguments of its functions.
/// Errors go through the context's handler.
mlir::OwningOpRef<mlir::ModuleOp>
parseSource(const std::shared_ptr<llvm::SourceMgr> &sources,
            mlir::MLIRContext *context);

/// Gives each argument of `function` that has no `fly.name` the name that the
/// source text has at the argument's location. Arguments whose location is not
/// in the main file of `sources`, or that are only numbered there, stay
/// without. So do workspaces of a program.
void nameArguments(mlir::FunctionOpInterface function,
                   llvm::SourceMgr &sources);

/// Whether `function` is launched, at any level of the pipeline; else it is a
/// helper.
bool isKernel(mlir::FunctionOpInterface function);

/// The kernel of that name, or the only one where `name` is empty.
mlir::FailureOr<mlir::FunctionOpInterface> findKernel(mlir::ModuleOp module,
                                                      llvm::StringRef name);

/// Removes every other kernel and program from `module`, and gpu.modules that
/// are then without one; does nothing where `name` is empty. With a program
/// stay the kernels that it launches.
mlir::LogicalResult selectKernel(mlir::ModuleOp module, llvm::StringRef name);

/// Changes of kernels' schedules, as written on the command line.
struct ScheduleOverrides {
  std::vector<std::string> schedule; ///< "kloop.hot_loop=off", "waves=[1, 4]"
  std::vector<std::string> sizes;    ///< "BM=64"
  std::vector<std::string> consts;   ///< "K=8320"

  bool empty() const {
    return schedule.empty() && sizes.empty() && consts.empty();
  }
};

/// Applies the overrides to the kernel of that name, to all kernels where
/// `name` is empty.
mlir::LogicalResult applyOverrides(mlir::ModuleOp module, llvm::StringRef name,
                                   const ScheduleOverrides &overrides);

/// Splits "a.stages=1,waves=[1, 4]" at the commas outside of brackets.
std::vector<std::string> splitOverrides(llvm::StringRef text);

} // namespace fly

#endif // FLY_PIPELINES_SOURCE_H
