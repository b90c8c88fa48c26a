//===- LoadedKernel.h - A kernel that can be launched -----------*- C++ -*-===//
//
// A file becomes a kernel: tile IR that the reference executor runs, an object
// that the simulator runs, or both of the same kernel.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H
#define FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H

#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Reference/Executor.h"
#include "fly/Reports/IsaReport.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "RunRequest.h"

namespace fly::tools {

class LoadedKernel {
public:
  /// Reads `path`, compiles it where `device` needs code. Fails after messages,
  /// with the exit code that suits them.
  static mlir::FailureOr<std::unique_ptr<LoadedKernel>>
  load(mlir::MLIRContext *context, llvm::StringRef path,
       const RunRequest &request, Device device, int &exitCode);
  ~LoadedKernel();

  const std::string &name() const { return kernelName; }
  const std::string &chip() const { return chipName; }
  /// Whether the reference executor can run it.
  bool isTileIr() const { return tileIr; }
  /// Registers, LDS, hot loop; of kernels with an object.
  const reports::KernelReport *report() const;

  /// Scalars and buffers.
  mlir::FailureOr<std::vector<launch::Argument>>
  bind(const RunRequest &request);
  /// Runs on the arguments' buffers.
  mlir::LogicalResult launch(std::vector<launch::Argument> &arguments,
                             const RunRequest &request, Device device);
  /// Runs tile IR on the reference executor.
  mlir::LogicalResult launchReference(std::vector<launch::Argument> &arguments);
  launch::Tolerance tolerance(llvm::ArrayRef<launch::Argument> inputs,
                              ElementType output);
  /// Grid of the last launch, and what the simulator counted.
  const launch::LaunchSize &size() const { return launchSize; }
  const std::optional<sim::Result> &result() const { return simResult; }

private:
  mlir::LogicalResult loadIr(mlir::MLIRContext *context,
                             std::unique_ptr<llvm::MemoryBuffer> text,
                             const RunRequest &request, Device device,
                             int &exitCode);
  mlir::LogicalResult loadObject(const RunRequest &request);

  std::shared_ptr<llvm::SourceMgr> sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> printer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface kernel;
  bool tileIr = false;
  std::string path, kernelName, chipName, object;
  std::optional<contract::LaunchContract> contract;
  std::optional<isa::CodeObject> code;
  std::optional<reports::ObjectReport> objectReport;
  launch::LaunchSize launchSize;
  std::optional<sim::Result> simResult;
};

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H
