//===- ViewFiles.h - Files that show a timed launch -------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_RUN_VIEWFILES_H
#define FLY_TOOLS_FLY_RUN_VIEWFILES_H

#include "LoadedKernel.h"

namespace fly::tools {

/// Writes the views that are asked for, of all launches that have been timed.
mlir::LogicalResult writeViews(const LoadedKernel &kernel,
                               const RunRequest &request);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_VIEWFILES_H
