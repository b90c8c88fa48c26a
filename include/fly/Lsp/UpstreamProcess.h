//===- UpstreamProcess.h - MLIR's server as a process -----------*- C++ -*-===//
#ifndef FLY_LSP_UPSTREAMPROCESS_H
#define FLY_LSP_UPSTREAMPROCESS_H

#include "fly/Lsp/Session.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fly::lsp {

/// Starts `program` with `arguments` (the first is its name), which must speak
/// the protocol on its standard input and output. The process ends with the
/// object.
llvm::Expected<std::unique_ptr<Upstream>>
startUpstream(std::string program, std::vector<std::string> arguments);

} // namespace fly::lsp

#endif // FLY_LSP_UPSTREAMPROCESS_H
