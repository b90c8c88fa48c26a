//===- Document.h - A document that is being edited -------------*- C++ -*-===//
//
// The text, and, where somebody asks for it, what it parses to: with the places
// of values and types in the text, and the module after the passes that decide
// schedules and layouts.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_LSP_DOCUMENT_H
#define FLY_LIB_LSP_DOCUMENT_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace fly::lsp {

/// One of the parts that `// -----` lines cut a document into.
struct Part {
  /// Offset of the part in the document.
  size_t begin = 0;
  llvm::StringRef text;
  std::unique_ptr<llvm::SourceMgr> sources;
  /// Null where the part does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<mlir::AsmParserState> state;

  /// The part after fly-assign-layouts, made when it is first asked for; null
  /// where a pass refuses it.
  mlir::ModuleOp laidOut();

  size_t offsetOf(llvm::SMLoc place) const {
    return begin +
           (place.getPointer() - sources->getMemoryBuffer(1)->getBufferStart());
  }
  bool contains(mlir::AsmParserState::SMDefinition const &definition,
                size_t offset) const;
  bool contains(llvm::SMRange range, size_t offset) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> lowered;
  bool isLowered = false;
};

class Document {
public:
  explicit Document(std::string text) : text(std::move(text)) {}
  ~Document();

  llvm::StringRef getText() const { return text; }
  mlir::MLIRContext *getContext();
  /// The part at an offset, parsed.
  Part &partAt(size_t offset);
  std::vector<Part> &getParts();

  /// What the passes that lead to tile IR say against kernels that parse: keys
  /// and labels that nobody knows, sizes without a value, what does not fit.
  std::vector<llvm::lsp::Diagnostic> checkSchedules();

  /// Whether the text is so long that it is only parsed once.
  bool isHuge() const { return text.size() > 4u << 20; }

private:
  std::string text;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<Part> parts;
};

/// What Fly knows about what stands at a position, as Markdown; empty if
/// nothing.
std::string hover(Document &document, llvm::lsp::Position position);

} // namespace fly::lsp

#endif // FLY_LIB_LSP_DOCUMENT_H
