//===- OutputFile.h - Files that are written whole or not -------*- C++ -*-===//
//
// A tool that fails must leave no half of a file, and must say so where the
// disk is full. Devices and pipes are written in place, never replaced.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_OUTPUTFILE_H
#define FLY_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fly {

/// Writes `bytes` to the file at `path`; "-" is standard output. A regular
/// file is written beside its place and renamed, through symbolic links; what
/// else is there already (a device, a pipe) is opened and written. The error
/// is the reason alone, without the path.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace fly

#endif // FLY_SUPPORT_OUTPUTFILE_H
