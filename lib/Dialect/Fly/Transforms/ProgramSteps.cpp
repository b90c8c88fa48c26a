//===- ProgramSteps.cpp - The steps of a program's contract ---------------===//
//
// Blocks, branches and loops of a program as steps. What an unsigned op of a
// nested block needs is required where the block runs; memory counts as written
// where every way through the steps has written it.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ProgramPlanner.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

FailureOr<Expr> ProgramPlanner::getExpr(Operation *op, Value value,
                                        StringRef what) {
  if (std::optional<Expr> expr = host.get(value))
    return *expr;
  InFlightDiagnostic diag =
      op->emitOpError() << what
                        << " must be computed from the program's arguments by "
                           "integer arithmetic";
  host.noteCulprit(diag);
  return diag;
}

LogicalResult ProgramPlanner::planIf(scf::IfOp op, Steps &steps) {
  FailureOr<Expr> condition = getExpr(op, op.getCondition(), "condition");
  if (failed(condition))
    return failure();
  contract::Step step;
  step.kind = contract::Step::Kind::If;
  step.condition = *condition;
  llvm::DenseSet<Value> before = written;
  if (failed(planNested(*op.thenBlock(), step.body)))
    return failure();
  llvm::DenseSet<Value> then = std::exchange(written, std::move(before));
  if (Block *otherwise = op.elseBlock())
    if (failed(planNested(*otherwise, step.otherwise)))
      return failure();
  // Sure is what both branches write.
  llvm::set_intersect(written, then);
  steps.push_back(std::move(step));
  return success();
}

LogicalResult ProgramPlanner::planFor(scf::ForOp op, Steps &steps) {
  contract::Step step;
  step.kind = contract::Step::Kind::For;
  for (auto [expr, value, what] :
       {std::tuple(&step.from, op.getLowerBound(), "lower bound"),
        std::tuple(&step.to, op.getUpperBound(), "upper bound"),
        std::tuple(&step.by, op.getStep(), "step")}) {
    FailureOr<Expr> bound = getExpr(op, value, what);
    if (failed(bound))
      return failure();
    *expr = *bound;
  }
  do
    step.counter = "loop" + std::to_string(loops++);
  while (contract.find(step.counter));
  host.define(op.getInductionVar(), Expr::argument(step.counter));
  // There may be no turn.
  llvm::DenseSet<Value> before = written;
  if (failed(planNested(op.getRegion().front(), step.body)))
    return failure();
  written = std::move(before);
  steps.push_back(std::move(step));
  return success();
}

std::vector<contract::Requirement>
ProgramPlanner::getRequirements(Block &block) {
  std::vector<contract::Requirement> requirements;
  for (const auto &[place, expr] : host.getNonNegative())
    if (place.second == &block)
      requirements.push_back({Expr::binary(Kind::Ge, expr, Expr::constant(0)),
                              std::nullopt,
                              expr.str() + " must not be negative"});
  return requirements;
}

LogicalResult ProgramPlanner::planBlock(Block &block, Steps &steps) {
  for (Operation &op : block) {
    LogicalResult planned =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](WorkspaceOp op) { return planWorkspace(op); })
            .Case([&](FillOp op) { return planFill(op, steps); })
            .Case([&](LaunchOp op) { return planLaunch(op, steps); })
            .Case([&](scf::IfOp op) { return planIf(op, steps); })
            .Case([&](scf::ForOp op) { return planFor(op, steps); })
            .Default(success());
    if (failed(planned))
      return failure();
  }
  return success();
}

LogicalResult ProgramPlanner::planNested(Block &block, Steps &steps) {
  if (failed(planBlock(block, steps)))
    return failure();
  // Only now all that the block's ops are used for is known.
  contract::Step require;
  require.kind = contract::Step::Kind::Require;
  require.requirements = getRequirements(block);
  if (!require.requirements.empty())
    steps.insert(steps.begin(), std::move(require));
  return success();
}

LogicalResult ProgramPlanner::plan() {
  contract.program = program.getName().str();
  Block &body = program.getFunctionBody().front();
  if (failed(planArguments()) || failed(planBlock(body, contract.steps)))
    return failure();
  contract.requirements = getRequirements(body);
  return success();
}
