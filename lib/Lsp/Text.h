//===- Text.h - What the text of a document says, unparsed ------*- C++ -*-===//
//
// What problem: while somebody types, the document does not parse, and that is
// when completion is wanted. What idea: look at the text alone: which brackets
// are open in front of the cursor, which labels stand where. What it refuses:
// to know types and values; those come from the parsed document.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_LSP_TEXT_H
#define FLY_LIB_LSP_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

#include <string>
#include <vector>

namespace fly::lsp {

/// Byte offset of a position, whose columns count UTF-16 units; the end of the
/// line or of the text where the position is behind it.
size_t toOffset(llvm::StringRef text, llvm::lsp::Position position);
llvm::lsp::Position toPosition(llvm::StringRef text, size_t offset);

/// The word around an offset.
struct Word {
  llvm::StringRef text;
  size_t begin = 0;
};
Word wordAt(llvm::StringRef text, size_t offset);

/// A bracket that is open in front of the cursor.
struct OpenBracket {
  char kind; ///< One of ( [ { <
  /// The word in front of it, "lds" of `lds(`, "fly.schedule" of
  /// `#fly.schedule<`.
  std::string opener;
  /// Offset behind the bracket.
  size_t begin = 0;
  /// The key of the entry that the cursor, or the next open bracket, is in.
  std::string key;
  /// Whether its `=` has been seen.
  bool isAfterEquals = false;
};

/// What stands in front of an offset.
struct Context {
  enum Kind {
    Other,
    Schedule,  ///< In `#fly.schedule<`; `brackets` begins with it.
    Label,     ///< In the string of a `label "`.
    Pad,       ///< Behind `pad `.
    Cache,     ///< Behind `cache `.
    MapString, ///< In the string of a `fly.map "`.
    Comment,
  };
  Kind kind = Other;
  llvm::SmallVector<OpenBracket> brackets;
};
Context contextAt(llvm::StringRef text, size_t offset);

/// A label of a kernel, or of a helper that kernels inline.
struct LabelUse {
  std::string label;
  /// "load", "store", "dot", "loop", or empty.
  llvm::StringLiteral kind;
  size_t offset;
};

/// A function of the document, from its name to that of the next.
struct FunctionText {
  std::string name;
  bool isKernel = false;
  size_t begin = 0, end = 0;
  /// The alias without its #, or empty where there is none.
  std::string scheduleAlias;
  std::vector<LabelUse> labels;
};
std::vector<FunctionText> scanFunctions(llvm::StringRef text);

/// The labels that a schedule at `offset` may name: those of the kernels that
/// use it and of all helpers. Of all functions where no kernel uses it.
std::vector<LabelUse> labelsOfSchedule(llvm::StringRef text, size_t offset);

/// Names in `#fly.tile<...>` of the document.
std::vector<std::string> scanSizeNames(llvm::StringRef text);

/// The entries of a schedule: key, and offset of the key.
struct EntryText {
  std::string key;
  size_t offset;
};
/// The labels of the schedule that the function at `offset` uses.
std::vector<EntryText> entriesForFunction(llvm::StringRef text, size_t offset);

} // namespace fly::lsp

#endif // FLY_LIB_LSP_TEXT_H
