//===- FormPipelines.cpp - Plain loops become pipelines -------------------===//
//
// Authors write scf.for; which loads run ahead, and how far, is the schedule's
// business. This pass makes the fly.pipeline: with the stages that the loop's
// entry says, or, where it says none and labelled loads feed a dot directly,
// with those loads one iteration ahead. All loops are checked before one is
// changed. Stages that were asked for and cannot be are an error that names the
// value or op and both places; stages that were not asked for are left out,
// with a remark.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"

#include "FormPipelines/StagePlan.h"
#include "Instantiated.h"
#include "LabelledOps.h"
#include "PassRemark.h"
#include "TileFlow.h"

#define DEBUG_TYPE "fly-form-pipelines"

namespace fly {
#define GEN_PASS_DEF_FLYFORMPIPELINESPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// The op that requests of a loop are about.
static StringAttr getLoopLabel(scf::ForOp loop) {
  return loop->getAttrOfType<StringAttr>(FlyDialect::getLabelAttrName());
}

/// The labels of loads and dots at the top level of the loop's body.
static llvm::SetVector<StringAttr> getLabels(scf::ForOp loop) {
  llvm::SetVector<StringAttr> labels;
  for (Operation &op : *loop.getBody())
    if (isa<LoadOp, GatherOp, ProductOpInterface>(op))
      if (StringAttr label = getWrittenLabel(&op))
        labels.insert(label);
  return labels;
}

/// What the loop's entry of the schedule says about stages; null for nothing.
static FailureOr<DictionaryAttr> readStages(scf::ForOp loop,
                                            ScheduleAttr schedule) {
  StringAttr label = getLoopLabel(loop);
  if (!label || !schedule || !schedule.get(label))
    return DictionaryAttr();
  auto emitError = [&] {
    return loop.emitOpError()
           << "schedule entry '" << label.getValue() << "': ";
  };
  auto request = DotRequest::read(schedule.get(label), emitError);
  if (failed(request))
    return failure();
  if (!request->stages)
    return DictionaryAttr();
  llvm::SetVector<StringAttr> labels = getLabels(loop);
  for (NamedAttribute entry : request->stages) {
    if (labels.contains(entry.getName()))
      continue;
    SmallVector<StringRef> known;
    for (StringAttr name : labels)
      known.push_back(name);
    return emitError() << "'stages' names '" << entry.getName().getValue()
                       << "', which is no load or dot at the top level of this "
                          "loop"
                       << suggestWord(entry.getName(), known) << "; it has: "
                       << (known.empty() ? "none" : llvm::join(known, ", "));
  }
  return request->stages;
}

/// The stages that the schedule asks for, or, without any, loads that feed
/// dots.
static StagePlan makePlan(scf::ForOp loop, DictionaryAttr stages) {
  StagePlan plan(loop);
  for (Operation &op : *loop.getBody()) {
    StringAttr label = isa<LoadOp, GatherOp, ProductOpInterface>(op)
                           ? getWrittenLabel(&op)
                           : StringAttr();
    if (!label)
      continue;
    if (stages) {
      if (auto number = stages.getAs<IntegerAttr>(label))
        plan.request(&op, -number.getInt());
      continue;
    }
    bool feedsDot = llvm::any_of(op.getUses(), [&](OpOperand &use) {
      auto dot = dyn_cast<ProductOpInterface>(use.getOwner());
      return dot && dot->getBlock() == loop.getBody() &&
             &use != &dot.getAccumulator();
    });
    if (isTileLoad(&op) && feedsDot)
      plan.request(&op, 1);
  }
  return plan;
}

static bool isCandidate(scf::ForOp loop) {
  APInt step;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
      !step.isStrictlyPositive())
    return false;
  return loop.getInductionVar().getType().isInteger(32) &&
         !loop.getUnsignedCmp() && hasTiles(loop);
}

namespace {
class FormPipelines
    : public fly::impl::FlyFormPipelinesPassBase<FormPipelines> {
public:
  void runOnOperation() override;

private:
  LogicalResult check(scf::ForOp loop, ScheduleAttr schedule);
  void form(scf::ForOp loop, ScheduleAttr &schedule);
};
} // namespace

LogicalResult FormPipelines::check(scf::ForOp loop, ScheduleAttr schedule) {
  FailureOr<DictionaryAttr> stages = readStages(loop, schedule);
  if (failed(stages))
    return failure();
  if (!isCandidate(loop))
    return !*stages ? success()
                    : loop.emitOpError()
                          << "cannot have stages: it needs tiles and a signed "
                             "i32 induction variable that grows";
  StagePlan plan = makePlan(loop, *stages);
  std::optional<StageViolation> violation = plan.solve();
  if (!violation || !*stages)
    return success();
  InFlightDiagnostic diag = loop.emitOpError() << "schedule entry '"
                                               << getLoopLabel(loop).getValue()
                                               << "': " << violation->text;
  if (violation->at != violation->other)
    diag.attachNote(violation->at->getLoc()) << "this op";
  if (violation->other)
    diag.attachNote(violation->other->getLoc()) << violation->note;
  return diag;
}

void FormPipelines::form(scf::ForOp loop, ScheduleAttr &schedule) {
  DictionaryAttr stages = *readStages(loop, schedule); // Was checked.
  StringAttr label = getLoopLabel(loop);
  if (isCandidate(loop)) {
    StagePlan plan = makePlan(loop, stages);
    if (std::optional<StageViolation> violation = plan.solve()) {
      remarkMissed(violation->at, DEBUG_TYPE, "NotFormed", violation->text);
    } else if (plan.hasStages()) {
      std::string text =
          llvm::join(llvm::map_range(plan.getDistances(),
                                     [](int64_t distance) {
                                       return std::to_string(-distance);
                                     }),
                     ", ");
      PipelineOp pipeline = plan.build(label);
      remarkPassed(pipeline, DEBUG_TYPE, "Formed", "stages " + text);
      ++numPipelines;
    }
  }
  if (!stages)
    return;
  // It has been applied.
  NamedAttrList rest(cast<DictionaryAttr>(schedule.get(label)));
  rest.erase("stages");
  schedule = schedule.with(label, rest.getDictionary(&getContext()));
}

void FormPipelines::runOnOperation() {
  SmallVector<gpu::GPUFuncOp> kernels;
  WalkResult walk = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() || !hasTiles(kernel))
      return WalkResult::skip();
    if (failed(checkIsInstantiated(kernel)))
      return WalkResult::interrupt();
    ScheduleAttr schedule = getScheduleOf(kernel);
    WalkResult loops = kernel.walk([&](scf::ForOp loop) {
      return failed(check(loop, schedule)) ? WalkResult::interrupt()
                                           : WalkResult::advance();
    });
    kernels.push_back(kernel);
    return loops.wasInterrupted() ? loops : WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return signalPassFailure();
  for (gpu::GPUFuncOp kernel : kernels) {
    ScheduleAttr schedule = getScheduleOf(kernel), before = schedule;
    // Inner loops come first, so that outer ones clone what they became.
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      form(loop, schedule);
    if (schedule != before)
      kernel->setAttr(FlyDialect::getScheduleAttrName(), schedule);
  }
}
