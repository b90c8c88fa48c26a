//===- Completion.h - What may be typed next --------------------*- C++ -*-===//
#ifndef FLY_LIB_LSP_COMPLETION_H
#define FLY_LIB_LSP_COMPLETION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

#include <optional>

namespace fly::lsp {

/// What Fly knows to complete at an offset: keys, words and labels in
/// schedules, labels, pads, cache policies, functions of fly.map. None where
/// that is for the parser of MLIR to say.
std::optional<llvm::lsp::CompletionList> complete(llvm::StringRef text,
                                                  size_t offset);

/// The owner (ScheduleKeys.h) of keys in the innermost open bracket of a
/// schedule; empty where none is known.
struct Context;
llvm::StringRef ownerOfKeys(llvm::StringRef text, size_t offset,
                            const Context &context);

} // namespace fly::lsp

#endif // FLY_LIB_LSP_COMPLETION_H
