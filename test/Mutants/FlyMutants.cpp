//===- FlyMutants.cpp - Tries mutants of every op of the given files ------===//
//
// A mutant must be valid, or be refused with a located error. A valid one must
// come back the same from its custom form, and the pipeline may refuse it, but
// not end the process. What ends the process is in the file of `--keep`.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

#include "Mutant.h"

using namespace mlir;
using namespace fly::mutants;

namespace {
struct Counts {
  unsigned made = 0, refused = 0, accepted = 0, compiled = 0, faults = 0;
};

/// Tries mutants in a context of its own.
class Trial {
public:
  Trial(MLIRContext *context, llvm::StringRef keep)
      : context(context), keep(keep) {}

  void run(const Mutant &mutant);

  Counts counts;

private:
  void fault(const Mutant &mutant, const llvm::Twine &what);
  void roundTrip(const Mutant &mutant, ModuleOp module);
  void compile(ModuleOp module);

  MLIRContext *context;
  std::string keep;
};

/// Counts errors instead of printing them.
class ErrorCounter : public ScopedDiagnosticHandler {
public:
  explicit ErrorCounter(MLIRContext *context)
      : ScopedDiagnosticHandler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            ++errors;
            unlocated += isa<UnknownLoc>(diagnostic.getLocation());
          }
          return success();
        }) {}
  unsigned errors = 0, unlocated = 0;
};
} // namespace

void Trial::fault(const Mutant &mutant, const llvm::Twine &what) {
  ++counts.faults;
  llvm::outs() << mutant.what << ": " << what << '\n';
  if (keep.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream(keep + "." + std::to_string(counts.faults), error)
      << mutant.text;
}

void Trial::roundTrip(const Mutant &mutant, ModuleOp module) {
  std::string custom;
  llvm::raw_string_ostream(custom) << module;
  ErrorCounter counter(context);
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(custom, ParserConfig(context));
  if (!again)
    return fault(mutant, "is valid, but its printed form is not");
  if (printGeneric(*again) != printGeneric(module))
    fault(mutant, "does not come back the same from its printed form");
}

void Trial::compile(ModuleOp module) {
  ErrorCounter counter(context);
  PassManager pipeline(context);
  fly::buildFlyPipeline(pipeline, fly::FlyPipelineOptions());
  bool compiled = succeeded(pipeline.run(module));
  counts.compiled += compiled;
}

void Trial::run(const Mutant &mutant) {
  ++counts.made;
  if (!keep.empty()) {
    std::error_code error;
    llvm::raw_fd_ostream(keep, error) << "// " << mutant.what << '\n'
                                      << mutant.text;
  }
  OwningOpRef<ModuleOp> module;
  {
    ErrorCounter counter(context);
    module = parseSourceString<ModuleOp>(mutant.text, ParserConfig(context),
                                         "mutant");
    if (!module && (!counter.errors || counter.unlocated))
      return fault(mutant, counter.errors ? "is refused without a location"
                                          : "is refused without an error");
  }
  if (!module) {
    ++counts.refused;
    return;
  }
  ++counts.accepted;
  roundTrip(mutant, *module);
  compile(*module);
}

/// Each top-level op of the file as a module of its own, where that verifies;
/// else the file as it is.
static std::vector<OwningOpRef<ModuleOp>> splitFile(llvm::StringRef path,
                                                    MLIRContext *context) {
  std::vector<OwningOpRef<ModuleOp>> parts;
  OwningOpRef<ModuleOp> whole =
      parseSourceFile<ModuleOp>(path, ParserConfig(context));
  if (!whole)
    return parts;
  ErrorCounter counter(context);
  for (Operation &op : *whole->getBody()) {
    OwningOpRef<ModuleOp> part = ModuleOp::create(whole->getLoc());
    part->push_back(op.clone());
    if (failed(verify(*part))) {
      parts.clear();
      parts.push_back(std::move(whole));
      return parts;
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

int main(int argc, char **argv) {
  static llvm::cl::list<std::string> files(llvm::cl::Positional,
                                           llvm::cl::OneOrMore,
                                           llvm::cl::desc("FILE.mlir..."));
  static llvm::cl::opt<unsigned> every(
      "every", llvm::cl::init(1),
      llvm::cl::desc("try one mutant of N, chosen by the seed"));
  static llvm::cl::opt<unsigned> seed("seed", llvm::cl::init(1),
                                      llvm::cl::desc("seed of --every"));
  static llvm::cl::opt<std::string> keepOption(
      "keep",
      llvm::cl::desc("file that holds the mutant being tried; "
                     "faults are kept beside it"),
      llvm::cl::value_desc("FILE"));
  static llvm::cl::opt<std::string> dialects(
      "dialect", llvm::cl::init("fly"),
      llvm::cl::desc("the dialect whose ops are changed; '' = all"));
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Broken variants of every op, which must be refused\n");
  DialectRegistry registry;
  fly::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Mutants are made with ops of dialects that a file need not name.
  context.loadAllAvailableDialects();
  std::string dialect = dialects;
  unsigned modulus = std::max(1u, unsigned(every));
  std::mt19937 random(seed);
  Trial trial(&context, keepOption);
  llvm::StringMap<unsigned> ops;
  for (const std::string &file : files) {
    std::vector<OwningOpRef<ModuleOp>> parts = splitFile(file, &context);
    if (parts.empty()) {
      llvm::errs() << "fly-mutants: '" << file << "' is not valid\n";
      return 1;
    }
    for (OwningOpRef<ModuleOp> &part : parts) {
      unsigned number = 0;
      part->walk<WalkOrder::PreOrder>([&](Operation *op) {
        unsigned own = number++;
        if (!dialect.empty() && op->getDialect() &&
            op->getDialect()->getNamespace() != dialect)
          return;
        ++ops[op->getName().getStringRef()];
        forEachMutant(*part, own, [&](const Mutant &mutant) {
          if (random() % modulus == 0)
            trial.run(mutant);
        });
      });
    }
  }
  const Counts &counts = trial.counts;
  llvm::outs() << "seed " << seed << ": " << ops.size() << " kinds of ops, "
               << counts.made << " mutants: " << counts.refused << " refused, "
               << counts.accepted << " valid (" << counts.compiled
               << " of them compiled), " << counts.faults << " faults\n";
  return counts.faults ? 2 : counts.made ? 0 : 1;
}
