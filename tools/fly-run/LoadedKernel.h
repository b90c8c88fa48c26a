//===- LoadedKernel.h - A kernel or program to be launched ------*- C++ -*-===//
//
// A file becomes a kernel, or a program of several: tile IR that the reference
// executor runs, an object that the simulator runs, or both of the same.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H
#define FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H

#include "fly/Launch/ProgramLaunch.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Reference/Executor.h"
#include "fly/Reports/IsaReport.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "../Options/KernelOptions.h"
#include "RunRequest.h"

namespace fly::tools {

/// One launch that has run: a kernel's own, or one of a program's.
struct LaunchRecord {
  std::string kernel;
  launch::LaunchSize size;
  std::optional<sim::Result> result; ///< On the simulator.
  std::optional<launch::GpuRun> gpu; ///< On a GPU.
};

class LoadedKernel {
public:
  /// Reads `path`, compiles it where `device` needs code. Fails after messages,
  /// with the exit code that suits them.
  static mlir::FailureOr<std::unique_ptr<LoadedKernel>>
  load(mlir::MLIRContext *context, llvm::StringRef path,
       const RunRequest &request, Device device, int &exitCode);
  /// The same of a copy of a module, which may be at any level. Quiet about
  /// what the compiler warns of.
  static mlir::FailureOr<std::unique_ptr<LoadedKernel>>
  ofModule(mlir::ModuleOp module, const RunRequest &request, Device device,
           int &exitCode);
  ~LoadedKernel();

  /// Whether the module's kernel or program of that name is at the level that
  /// the reference executor runs. Errors go through the context's handler.
  static bool isAtTileLevel(mlir::ModuleOp module, llvm::StringRef name);

  mlir::ModuleOp getModule() const { return *module; }
  const std::string &name() const { return kernelName; }
  const std::string &chip() const { return chipName; }
  /// Whether the reference executor can run it.
  bool isTileIr() const { return tileIr; }
  /// Whether it says what each lane does, which has no reference.
  bool isExplicitIr() const { return module && !tileIr && !isProgram(); }
  bool isProgram() const { return program.has_value() || isProgramIr; }
  /// The code object; null where the reference runs the kernel.
  const isa::CodeObject *codeObject() const { return code ? &*code : nullptr; }
  /// Text of the source file that line tables call `name`: what was loaded, or
  /// a file beside it; empty if there is none.
  std::string sourceText(llvm::StringRef name) const;
  /// Registers, LDS, hot loop; of kernels with an object.
  const reports::KernelReport *report(const LaunchRecord &record) const;

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
  /// The launches that have run, with what the simulator counted. The reference
  /// has none of a program.
  llvm::ArrayRef<LaunchRecord> launches() const { return records; }
  /// The exit code of a launch that failed: of a check in the kernel or a fault
  /// of it, or of what the user wrote.
  int exitCodeOfFailure() const {
    return hasCheckFailed ? FailedCheck : UserError;
  }
  /// What checks of workspaces found wrong in a program; empty if nothing.
  const std::string &failedCheck() const { return workspaceFault; }
  /// The assert that did not hold on the simulator; empty if all did.
  const std::string &failedAssert() const { return assertFault; }

private:
  mlir::LogicalResult loadIr(mlir::MLIRContext *context,
                             std::unique_ptr<llvm::MemoryBuffer> text,
                             const RunRequest &request, Device device,
                             int &exitCode);
  /// Selects in the module, and compiles it for the simulator.
  mlir::LogicalResult prepareIr(const RunRequest &request, Device device,
                                int &exitCode);
  mlir::LogicalResult loadObject(const RunRequest &request);
  mlir::LogicalResult selectIr(const RunRequest &request);
  mlir::LogicalResult selectInObject(const RunRequest &request,
                                     contract::ObjectContracts &&contracts);
  llvm::Error allocate(std::vector<launch::Argument> &arguments,
                       const RunRequest &request);
  mlir::LogicalResult launchKernel(std::vector<launch::Argument> &arguments,
                                   const RunRequest &request, Device device);
  /// Runs what launchKernel() has prepared; its error is not printed yet.
  llvm::Expected<LaunchRecord> runOn(Device device,
                                     const launch::LaunchSize &size,
                                     std::vector<launch::Argument> &arguments,
                                     const RunRequest &request);
  mlir::LogicalResult launchProgram(std::vector<launch::Argument> &arguments,
                                    const RunRequest &request);
  /// Prints what the kernel said in its channel.
  mlir::LogicalResult readChannel(const contract::LaunchContract &contract,
                                  llvm::ArrayRef<uint32_t> words,
                                  const RunRequest &request);
  /// Prints why a launch on the simulator ended; with the size of a foreign
  /// object's launch, also what may be wrong with that.
  mlir::LogicalResult
  complainOfLaunch(const RunRequest &request, llvm::Error error,
                   const launch::LaunchSize *size = nullptr);
  mlir::LogicalResult makeReport(const RunRequest &request,
                                 const launch::LaunchSize &size);
  /// Puts beside what each resource costs the edit of the schedule that may get
  /// at it, and the cycles of the launch with it. `inputs` are what the kernel
  /// has started with.
  void timeEdits(const RunRequest &request,
                 const std::vector<launch::Argument> &inputs);

  std::shared_ptr<llvm::SourceMgr> sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> printer;
  mutable mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface kernel;
  bool tileIr = false, isProgramIr = false, hasCheckFailed = false;
  std::string path, kernelName, chipName, object;
  std::optional<contract::LaunchContract> contract;
  std::optional<contract::ProgramContract> program;
  contract::ObjectContracts contracts;
  std::optional<isa::CodeObject> code;
  std::optional<reports::ObjectReport> objectReport;
  std::vector<LaunchRecord> records;
  std::string workspaceFault, assertFault;
  /// The hidden argument of a kernel that was compiled with checks.
  std::optional<launch::Argument> channel;
  /// Whether launches have printed what kernels say.
  bool hasSpoken = false;
};

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_LOADEDKERNEL_H
