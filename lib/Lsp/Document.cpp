//===- Document.cpp - A document that is being edited ---------------------===//
#include "Document.h"

#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Pass/PassManager.h"

#include "Text.h"

using namespace mlir;
using namespace fly::lsp;

bool Part::contains(SMRange range, size_t offset) const {
  return range.isValid() && offsetOf(range.Start) <= offset &&
         offset < offsetOf(range.End);
}

bool Part::contains(const AsmParserState::SMDefinition &definition,
                    size_t offset) const {
  return contains(definition.loc, offset) ||
         llvm::any_of(definition.uses,
                      [&](SMRange use) { return contains(use, offset); });
}

/// Runs `passes` with everything that they say held back.
static LogicalResult runQuietly(PassManager &passes, ModuleOp module) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) {});
  return passes.run(module);
}

ModuleOp Part::laidOut() {
  if (isLowered || !module)
    return lowered ? *lowered : ModuleOp();
  isLowered = true;
  lowered = module->clone();
  PassManager passes(module->getContext());
  fly::buildFlyTilePipeline(passes);
  passes.addPass(fly::createFlyAssignLayoutsPass());
  if (failed(runQuietly(passes, *lowered)))
    lowered = {};
  return lowered ? *lowered : ModuleOp();
}

Document::~Document() { parts.clear(); } // Before their context.

MLIRContext *Document::getContext() {
  if (!context) {
    DialectRegistry registry;
    fly::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->allowUnregisteredDialects();
    context->printOpOnDiagnostic(false);
  }
  return context.get();
}

static void parse(Part &part, MLIRContext *context) {
  part.sources = std::make_unique<llvm::SourceMgr>();
  part.sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(part.text, "document"), SMLoc());
  part.state = std::make_unique<AsmParserState>();
  part.module = ModuleOp::create(UnknownLoc::get(context));
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  ParserConfig config(context);
  if (failed(parseAsmSourceFile(*part.sources, part.module->getBody(), config,
                                part.state.get()))) {
    // What was parsed before the error may hold what the error destroyed.
    part.state = std::make_unique<AsmParserState>();
    part.module = {};
  }
}

std::vector<Part> &Document::getParts() {
  if (!parts.empty())
    return parts;
  llvm::StringRef rest = text;
  while (true) {
    size_t end = rest.find("\n// -----");
    Part &part = parts.emplace_back();
    part.begin = rest.data() - text.data();
    part.text = rest.take_front(end);
    parse(part, getContext());
    if (end == llvm::StringRef::npos)
      return parts;
    rest = rest.drop_front(end + 1);
  }
}

Part &Document::partAt(size_t offset) {
  std::vector<Part> &all = getParts();
  for (size_t i = all.size(); i-- > 0;)
    if (all[i].begin <= offset)
      return all[i];
  return all.front();
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static llvm::lsp::Range rangeOf(llvm::StringRef text, const Part &part,
                                Location location) {
  size_t offset = part.begin;
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    if (place.getLine()) {
      SMLoc at = part.sources->FindLocForLineAndColumn(1, place.getLine(),
                                                       place.getColumn());
      if (at.isValid())
        offset = part.offsetOf(at);
    }
  size_t end = std::max(offset + 1, wordAt(text, offset).begin +
                                        wordAt(text, offset).text.size());
  return llvm::lsp::Range(toPosition(text, offset), toPosition(text, end));
}

std::vector<llvm::lsp::Diagnostic> Document::checkSchedules() {
  std::vector<llvm::lsp::Diagnostic> found;
  for (Part &part : getParts()) {
    if (!part.module)
      continue;
    OwningOpRef<ModuleOp> work = part.module->clone();
    ScopedDiagnosticHandler collect(getContext(), [&](Diagnostic &diagnostic) {
      bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
      if (!isError && diagnostic.getSeverity() != DiagnosticSeverity::Warning)
        return;
      llvm::lsp::Diagnostic &entry = found.emplace_back();
      entry.source = "fly";
      entry.range = rangeOf(text, part, diagnostic.getLocation());
      entry.message = diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        entry.message += "\nnote: " + note.str();
      // What only the reference executor runs is right as it stands.
      bool isOnlyReference =
          llvm::StringRef(entry.message).contains("cannot be compiled");
      entry.severity = isError && !isOnlyReference
                           ? llvm::lsp::DiagnosticSeverity::Error
                           : llvm::lsp::DiagnosticSeverity::Warning;
    });
    PassManager passes(getContext());
    fly::buildFlyTilePipeline(passes);
    (void)passes.run(*work);
  }
  return found;
}
