//===- ReferenceLaunch.h - Run tile IR with arguments -----------*- C++ -*-===//
//
// The reference executor as a device: parameters, buffers and launches of a
// kernel that is still tile IR, in the terms of Arguments.h.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_REFERENCELAUNCH_H
#define FLY_LAUNCH_REFERENCELAUNCH_H

#include "fly/Launch/Arguments.h"
#include "fly/Launch/Compare.h"
#include "fly/Reference/Executor.h"

namespace fly::launch {

/// The parameters of a kernel; pointers are taken as read and written.
llvm::Expected<std::vector<Parameter>>
parametersOf(mlir::FunctionOpInterface kernel);

/// Evaluates the launch, marks which pointers are read and written, and gives
/// each its buffer by the kernel's views. Requirements that do not hold are
/// diagnostics; everything else is an error of the returned kind.
mlir::FailureOr<reference::LaunchPlan>
planOnReference(mlir::FunctionOpInterface kernel,
                std::vector<Argument> &arguments);
llvm::Error allocateBuffers(std::vector<Argument> &arguments,
                            const reference::LaunchPlan &plan,
                            llvm::ArrayRef<NamedSpec> specs, uint64_t seed);

/// Runs the kernel or program on the arguments' buffers; errors are
/// diagnostics. What it prints goes to `print`, and whether a check in it
/// failed to `hasFailedCheck`, unless that is null.
mlir::LogicalResult launchOnReference(mlir::FunctionOpInterface kernel,
                                      std::vector<Argument> &arguments,
                                      llvm::raw_ostream *print = nullptr,
                                      bool *hasFailedCheck = nullptr);

/// Within what a right result may differ from the reference: exact where the
/// kernel only adds and multiplies and its inputs are small integers, else a
/// rounding or two of the output's type.
Tolerance defaultTolerance(mlir::FunctionOpInterface kernel,
                           llvm::ArrayRef<Argument> inputs, ElementType output);

} // namespace fly::launch

#endif // FLY_LAUNCH_REFERENCELAUNCH_H
