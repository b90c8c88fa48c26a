//===- Pipelines.cpp - The order of Fly's passes --------------------------===//
//
// The order, and between the passes the upstream clean-ups that each border
// needs: after distribution, common address arithmetic is shared and leaves the
// loops.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"

#include "fly/Conversion/FlyToROCDL/Passes.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <mutex>

using namespace mlir;

void fly::buildFlyTilePipeline(OpPassManager &pm, bool checks) {
  pm.addPass(createFlyInstantiatePass());
  pm.addPass(createFlyFormPipelinesPass());
  pm.addPass(createFlyResolveSchedulePass());
  pm.addPass(createFlyVersionKernelsPass());
  pm.addPass(createFlyProveAccessPass());
  FlyLowerChecksPassOptions lowerChecks;
  lowerChecks.keep = checks;
  pm.addPass(createFlyLowerChecksPass(lowerChecks));
  pm.addPass(createFlyPlanGridPass());
  pm.addPass(createFlyPlanProgramsPass());
}

void fly::buildFlyExplicitPipeline(OpPassManager &pm) {
  pm.addPass(createFlyTransposeReadsPass());
  pm.addPass(createFlyPackTilesPass());
  pm.addPass(createFlyAssignLayoutsPass());
  pm.addPass(createFlyPipelineLoopsPass());
  pm.addPass(createFlyStageLdsPass());
  pm.addPass(createFlySwizzleLdsPass());
  pm.addPass(createFlyDistributePass());
  buildFlyCleanupPipeline(pm);
  pm.addPass(createFlyCarryReadsPass());
}

void fly::buildFlyCleanupPipeline(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void fly::buildFlyRocdlPipeline(OpPassManager &pm) {
  pm.addPass(createFlyUnrollLoopsPass());
  pm.addPass(createFlyExpandMathPass());
  pm.addPass(createFlyScheduleHotLoopPass());
  pm.addPass(createFlyInsertWaitsPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  // Last before the conversion: it sees what really reaches LLVM.
  pm.addPass(createFlyCheckLegalPass());
  pm.addPass(createFlyConvertToROCDLPass());
}

void fly::buildFlyPipeline(OpPassManager &pm,
                           const FlyPipelineOptions &options) {
  buildFlyTilePipeline(pm, options.checks);
  if (options.until == Phase::Tile)
    return;
  buildFlyExplicitPipeline(pm);
  if (options.until == Phase::Explicit)
    return;
  buildFlyRocdlPipeline(pm);
}

std::vector<std::string> fly::listPasses(bool checks) {
  OpPassManager all(ModuleOp::getOperationName());
  FlyPipelineOptions options;
  options.checks = checks;
  buildFlyPipeline(all, options);
  std::vector<std::string> texts;
  for (Pass &pass : all.getPasses()) {
    llvm::raw_string_ostream os(texts.emplace_back());
    pass.printAsTextualPipeline(os);
  }
  return texts;
}

llvm::Error fly::addPasses(OpPassManager &pm, StringRef after, StringRef until,
                           bool checks) {
  std::string names;
  bool isBehind = after.empty();
  // As text, since passes of one manager cannot be added to another.
  for (const std::string &text : listPasses(checks)) {
    std::string problem;
    llvm::raw_string_ostream problems(problem);
    if (isBehind && failed(parsePassPipeline(text, pm, problems)))
      return llvm::createStringError(problem);
    StringRef name = StringRef(text).split('{').first;
    if (isBehind && name == until)
      return llvm::Error::success();
    isBehind |= name == after;
    names += (names.empty() ? "" : ", ") + name.str();
  }
  return llvm::createStringError("no pass of the pipeline; it has " + names);
}

void fly::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerFlyPasses();
    registerFlyConversionPasses();
    static PassPipelineRegistration<FlyPipelineOptions> pipeline(
        "fly-pipeline", "from source to the rocdl dialect", buildFlyPipeline);
  });
}
