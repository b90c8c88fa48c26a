//===- fly-opt.cpp - Runs passes on Fly IR --------------------------------===//
//
// mlir-opt with Fly's dialect and passes beside the upstream ones, and
// --fly-pipeline for the passes in their order. The one thing that it does
// beyond mlir-opt: before the first pass runs, arguments of kernels get the
// names that they have in the source, as in the other tools, so that remarks,
// contracts and what reads the output know them. Where no pass runs, nothing is
// added.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Whether a kernel is written in Fly's dialect, for any part of it.
static bool isFlyKernel(gpu::GPUFuncOp function) {
  auto isFly = [](Operation *op) {
    return isa_and_nonnull<fly::FlyDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return function.isKernel() &&
         (function->hasAttr(fly::FlyDialect::getScheduleAttrName()) ||
          function.walk(isFly).wasInterrupted());
}

namespace {
/// Names arguments when the first pass is about to run. A pass would be the
/// obvious form, but --pass-pipeline replaces whatever is in the pass manager.
class NameArguments : public PassInstrumentation {
public:
  explicit NameArguments(llvm::SourceMgr &sources) : sources(sources) {}

  void runBeforePass(Pass *, Operation *root) override {
    // The first pass sees the root, before there are threads.
    if (hasNamed)
      return;
    hasNamed = true;
    root->walk([&](FunctionOpInterface function) {
      auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
      if (kernel ? isFlyKernel(kernel)
                 : function->hasAttr(fly::FlyDialect::getProgramAttrName()))
        fly::nameArguments(function, sources);
    });
  }

private:
  llvm::SourceMgr &sources;
  bool hasNamed = false;
};
} // namespace

/// Reads, runs and writes as mlir-opt does, with `NameArguments` beside it.
static LogicalResult run(StringRef inputName, StringRef outputName,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << '\n';
    return failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << '\n';
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(input->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  MlirOptMainConfig named = config;
  named.setPassPipelineSetupFn([&](PassManager &passes) {
    passes.addInstrumentation(std::make_unique<NameArguments>(sources));
    return config.setupPassPipeline(passes);
  });
  if (failed(MlirOptMain(output->os(), std::move(input), registry, named)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registry.insert<fly::FlyDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  fly::registerAllPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Fly optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(run(input, output, registry, config));
}
