//===- SchedulePlan.cpp - What a schedule decides, before it is applied ---===//
//
// The resolver runs to its end whatever it finds; its errors are caught and put
// beside the rules that they are about.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SchedulePlan.h"

#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "../HostExpression.h"
#include "../Instantiated.h"
#include "../UnloweredOps.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// The single bounds and step of a loop.
static PlannedSpan getSpan(Operation *loop, HostExpressions &host) {
  if (auto pipeline = dyn_cast<PipelineOp>(loop))
    return {host.get(pipeline.getMixedLower()),
            host.get(pipeline.getMixedUpper()),
            host.get(pipeline.getMixedStep())};
  PlannedSpan span;
  if (auto like = dyn_cast<LoopLikeOpInterface>(loop)) {
    if (auto bound = like.getSingleLowerBound())
      span.lower = host.get(*bound);
    if (auto bound = like.getSingleUpperBound())
      span.upper = host.get(*bound);
    if (auto step = like.getSingleStep())
      span.step = host.get(*step);
  }
  return span;
}

PlannedDot ScheduleResolver::planDot(const DotPlan &dot) {
  ProductOpInterface op = dot.op;
  PlannedDot planned;
  planned.label = dot.label.str();
  planned.a = getTileType(op.getLhs().get()).getElementType();
  planned.b = getTileType(op.getRhs().get()).getElementType();
  planned.tile = getTile(dot);
  planned.transposed = dot.policy.transposed;
  planned.instruction = dot.instruction;
  planned.elementA = dot.elementA;
  planned.elementB = dot.elementB;
  planned.registers = planned.tile.registers();
  HostExpressions host(cast<FunctionOpInterface>(kernel.getOperation()));
  for (Operation *parent = op->getParentOp(); parent != kernel;
       parent = parent->getParentOp())
    if (isa<PipelineOp, LoopLikeOpInterface>(parent))
      planned.loops.push_back(getSpan(parent, host));
  if (dot.a)
    planned.loadA = labelled.label(dot.a).str();
  if (dot.b)
    planned.loadB = labelled.label(dot.b).str();
  return planned;
}

FailureOr<SchedulePlan> ScheduleResolver::plan() {
  SchedulePlan result;
  goOn = true;
  unsigned seen = 0;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      if (diag.getSeverity() != DiagnosticSeverity::Error)
        return failure();
      PlannedProblem problem;
      problem.text = diag.str();
      for (Diagnostic &note : diag.getNotes())
        problem.notes.push_back(note.str());
      // Of the rules since the last problem the first that fails.
      for (; seen < rules.size(); ++seen)
        if (!rules[seen].holds && !problem.rule)
          problem.rule = seen;
      result.problems.push_back(std::move(problem));
      return success();
    });
    (void)decide();
  }
  result.waves = waves;
  result.wavesPerEu = wavesPerEu;
  result.lds = ldsBudget;
  result.decisions = decisions;
  result.rules = rules;
  for (const DotPlan &dot : dots)
    result.dots.push_back(planDot(dot));
  for (const auto &[label, load] : loads)
    result.loads.push_back({label.str(),
                            getTileType(load.ops.front()->getResult(0)),
                            load.policy, load.feedsDot, load.runsAhead});
  HostExpressions host(cast<FunctionOpInterface>(kernel.getOperation()));
  kernel.walk([&](GridOp grid) {
    for (auto [bound, step] :
         llvm::zip_equal(grid.getMixedBounds(), grid.getMixedSteps()))
      result.grid.push_back(
          {contract::Expr::constant(0), host.get(bound), host.get(step)});
  });
  return result;
}

FailureOr<SchedulePlan> fly::planSchedule(gpu::GPUFuncOp kernel) {
  if (!hasTiles(kernel))
    return kernel.emitOpError() << "has no tiles: plans are of kernels at tile "
                                   "level";
  if (failed(checkAreLowered(kernel)) || failed(checkIsInstantiated(kernel)))
    return failure();
  const arch::ArchInfo *chip = getCompiledArch(kernel);
  if (!chip)
    return failure();
  return ScheduleResolver(kernel, *chip).plan();
}
