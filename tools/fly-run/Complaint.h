//===- Complaint.h - Errors of a request ------------------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_RUN_COMPLAINT_H
#define FLY_TOOLS_FLY_RUN_COMPLAINT_H

#include "mlir/Support/LLVM.h"

#include "../Options/KernelOptions.h"
#include "RunRequest.h"

namespace fly::tools {

/// Prints an error that has no place in a file, and whom it is about.
inline mlir::LogicalResult complain(const RunRequest &request,
                                    const llvm::Twine &message) {
  if (request.complaints)
    *request.complaints += (request.complaints->empty() ? "" : "; ") +
                           (request.subject + message).str();
  else
    fail("fly-run", request.subject + message);
  return mlir::failure();
}
inline mlir::LogicalResult complain(const RunRequest &request,
                                    llvm::Error error) {
  return complain(request, llvm::toString(std::move(error)));
}

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_COMPLAINT_H
