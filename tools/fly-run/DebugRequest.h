//===- DebugRequest.h - What --watch and its kin ask for --------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_RUN_DEBUGREQUEST_H
#define FLY_TOOLS_FLY_RUN_DEBUGREQUEST_H

#include "fly/Sim/Debug.h"

#include "RunRequest.h"

namespace fly::tools {

/// What the simulator is to tell, of a launch with these arguments.
llvm::Expected<sim::DebugOptions>
debugOptionsOf(const RunRequest &request,
               llvm::ArrayRef<launch::Argument> arguments);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_DEBUGREQUEST_H
