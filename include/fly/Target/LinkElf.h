//===- LinkElf.h - lld as a function on bytes -------------------*- C++ -*-===//
//
// lld reads and writes files and is not reentrant. This wraps it: a private
// temporary directory, a lock, bytes in and out.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TARGET_LINKELF_H
#define FLY_TARGET_LINKELF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fly::target {

/// Links one relocatable AMDGPU object into a code object. The result depends
/// on \p object alone.
llvm::Expected<std::string> linkCodeObject(llvm::StringRef object);

} // namespace fly::target

#endif // FLY_TARGET_LINKELF_H
