//===- SourceLines.h - Lines of findings ------------------------*- C++ -*-===//
#ifndef FLY_LIB_VERIFY_SOURCELINES_H
#define FLY_LIB_VERIFY_SOURCELINES_H

#include "fly/Verify/Verify.h"

namespace fly::verify {

/// Sets the source of all places, if the object has line tables.
void addSourceLines(llvm::StringRef elf, ObjectVerdict &verdict);

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_SOURCELINES_H
