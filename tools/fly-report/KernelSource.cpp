//===- KernelSource.cpp - Kernels that a report is on ---------------------===//
#include "KernelSource.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;

llvm::Expected<SourceEdits> fly::tools::readEdits(const KernelOptions &options,
                                                  llvm::StringRef report) {
  if (options.chips.size() > 1)
    return llvm::createStringError("--chip: " + report + " is on one chip");
  SourceEdits edits;
  for (const std::string &chip : options.chips) {
    if (llvm::Error error = checkChip(chip))
      return std::move(error);
    edits.chip = chip;
  }
  edits.kernel = options.kernel;
  edits.overrides = options.overrides();
  return edits;
}

llvm::Error
fly::tools::readWords(llvm::ArrayRef<std::string> words,
                      std::vector<std::string> &files,
                      llvm::StringMap<int64_t> &arguments,
                      llvm::function_ref<bool(llvm::StringRef)> isFile) {
  for (llvm::StringRef word : words) {
    auto [name, number] = word.split('=');
    if (name.size() == word.size() || isFile(word)) {
      files.push_back(word.str());
      continue;
    }
    int64_t value;
    if (name.empty() || number.getAsInteger(0, value))
      return llvm::createStringError("'" + word +
                                     "': expected a number, as in M=4096");
    if (!arguments.try_emplace(name, value).second)
      return llvm::createStringError("'" + name + "' is given twice");
  }
  return llvm::Error::success();
}

llvm::Expected<const arch::Product *>
fly::tools::findProduct(llvm::StringRef name) {
  if (const arch::Product *product = arch::lookupProduct(name))
    return product;
  return llvm::createStringError(
      "--product=" + name +
      ": unknown, expected one of: " + arch::knownProductNames());
}

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  registerTransformsPasses();
  return registry;
}

/// In the order of their need: the printer reads sources and context.
struct KernelSource::State {
  DialectRegistry registry = makeRegistry();
  MLIRContext context{registry};
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  std::optional<SourceMgrDiagnosticHandler> printer;
};

KernelSource::KernelSource(std::unique_ptr<llvm::MemoryBuffer> file)
    : state(std::make_unique<State>()) {
  state->context.printOpOnDiagnostic(false);
  state->sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  state->printer.emplace(*state->sources, &state->context);
}

KernelSource::~KernelSource() = default;

MLIRContext &KernelSource::getContext() { return state->context; }

llvm::SourceMgr &KernelSource::getSources() { return *state->sources; }

FailureOr<OwningOpRef<ModuleOp>> KernelSource::parse(const SourceEdits &edits) {
  OwningOpRef<ModuleOp> module = parseSource(state->sources, &state->context);
  if (!module ||
      failed(applyOverrides(*module, edits.kernel, edits.overrides)) ||
      (!edits.chip.empty() && failed(setChip(*module, edits.chip))))
    return failure();
  return module;
}

FailureOr<reports::PlanReport> KernelSource::plan(const SourceEdits &edits,
                                                  reports::PlanQuery query) {
  FailureOr<OwningOpRef<ModuleOp>> module = parse(edits);
  if (failed(module))
    return failure();
  query.kernel = edits.kernel;
  return reports::reportPlan(**module, query);
}
