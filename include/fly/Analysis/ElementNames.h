//===- ElementNames.h - Element types on command lines ----------*- C++ -*-===//
#ifndef FLY_ANALYSIS_ELEMENTNAMES_H
#define FLY_ANALYSIS_ELEMENTNAMES_H

#include "fly/Arch/MfmaTable.h"

#include <optional>
#include <string>

namespace fly::analysis {

/// The element type that people call "fp8", "bf16", ... (as
/// arch::elementTypeName does); nothing for other names.
std::optional<arch::ElementType> findElementType(llvm::StringRef name);

/// Their names, comma-separated, for messages.
std::string knownElementTypes();

} // namespace fly::analysis

#endif // FLY_ANALYSIS_ELEMENTNAMES_H
