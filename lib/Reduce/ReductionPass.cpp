//===- ReductionPass.cpp - The reduction with a program as its test -------===//
//
// Speaks to the test program as upstream's reduction passes do (mlir::Tester),
// but says what is wrong with it instead of ending the process.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Source.h"
#include "fly/Reduce/Reduce.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Tester.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// Arguments keep the names of the source text, which the test may call them
/// by (fly-run M=64); printed modules have no other trace of them.
static void nameArguments(ModuleOp module) {
  auto location = module->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!location)
    return;
  auto file = llvm::MemoryBuffer::getFile(location.getFilename().getValue());
  if (!file)
    return;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  module.walk([&](FunctionOpInterface function) {
    fly::nameArguments(function, sources);
  });
}

namespace {
class ReductionPass
    : public PassWrapper<ReductionPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReductionPass)

  ReductionPass() = default;
  ReductionPass(const ReductionPass &other) : PassWrapper(other) {
    copyOptionValuesFrom(&other);
  }

  StringRef getArgument() const final { return "fly-reduction"; }
  StringRef getDescription() const final {
    return "Make a kernel smaller while a test program exits with other than 0";
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::sys::fs::can_execute(test)) {
      module->emitError() << "cannot run the test '" << test
                          << "': expected an executable file, by its path";
      return signalPassFailure();
    }
    nameArguments(module);
    SmallVector<std::string> arguments(testArgs.begin(), testArgs.end());
    Tester tester(test, arguments);
    auto isInteresting = [&](ModuleOp candidate) {
      return tester.isInteresting(candidate).first ==
             Tester::Interestingness::True;
    };
    if (!isInteresting(module)) {
      module->emitError() << "the test '" << test
                          << "' exits with 0 on the input itself; expected "
                             "another exit code, which says that the file is "
                             "interesting";
      return signalPassFailure();
    }
    fly::reduce::Statistics statistics =
        fly::reduce::reduceModule(module, isInteresting, maxTests);
    emitRemark(module.getLoc())
        << "reduced " << statistics.opsBefore << " ops to "
        << statistics.opsAfter << " in " << statistics.tests << " tests"
        << (statistics.isCut ? ", then max-tests ended the search" : "");
  }

private:
  Option<std::string> test{*this, "test",
                           llvm::cl::desc("program that tests a file")};
  ListOption<std::string> testArgs{
      *this, "test-arg",
      llvm::cl::desc("arguments of the program before the file")};
  Option<unsigned> maxTests{*this, "max-tests",
                            llvm::cl::desc("most runs of the program"),
                            llvm::cl::init(10000)};
};
} // namespace

std::unique_ptr<Pass> fly::reduce::createReductionPass() {
  return std::make_unique<ReductionPass>();
}

void fly::reduce::registerReductionPass() { PassRegistration<ReductionPass>(); }
