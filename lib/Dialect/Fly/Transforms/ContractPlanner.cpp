//===- ContractPlanner.cpp - The launch contract of a kernel --------------===//
//
// Grid, block, arguments, memory and requirements as expressions over argument
// names. Beside what the author requires, the contract requires what later
// passes rely on. Refused: bounds, conditions and strides that depend on more
// than arguments, arguments that no launch can pass, tiles and grids beyond
// what 32 bits count.
//
//===----------------------------------------------------------------------===//
#include "ContractPlanner.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Names.h"

#include "llvm/ADT/TypeSwitch.h"

#include "ContractWork.h"
#include "IntegerFacts.h"
#include "PassRemark.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

static constexpr llvm::StringLiteral kPass = "fly-plan-grid";

/// A dispatch packet counts work items in 32 bits [AMD].
static constexpr int64_t kWorkItemLimit = int64_t(1) << 32;

FailureOr<Expr> ContractPlanner::getExpr(Operation *op, OpFoldResult value,
                                         StringRef what) {
  if (std::optional<Expr> expr = host.get(value))
    return *expr;
  InFlightDiagnostic diag = op->emitOpError()
                            << what
                            << " must be computed from kernel arguments alone, "
                               "by integer arithmetic";
  host.noteCulprit(diag);
  return diag;
}

void ContractPlanner::require(Expr expr, std::string message) {
  for (const contract::Requirement &other : contract.requirements)
    if (!other.multipleOf && other.expr == expr)
      return;
  contract.requirements.push_back(
      {std::move(expr), std::nullopt, std::move(message)});
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

LogicalResult ContractPlanner::collect() {
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (auto found = dyn_cast<GridOp>(op))
      grid = found; // The verifier saw to it that there is one at most.
    if (!isa<RequireOp, RequireMultipleOp>(op))
      return WalkResult::advance();
    requirements.push_back(op);
    if (op->getParentOp() == kernel)
      return WalkResult::advance();
    op->emitOpError() << "must be at the top level of the kernel: it holds "
                         "for the whole launch";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult ContractPlanner::planBlock() {
  if (hasTiles(kernel)) {
    FailureOr<Schedule> schedule = Schedule::get(kernel);
    if (failed(schedule))
      return failure();
    walk = schedule->grid;
    contract.block[0] = schedule->threads();
    return success();
  }
  // An explicit kernel says how many waves it is written for.
  if (auto waves =
          kernel->getAttrOfType<IntegerAttr>(FlyDialect::getWavesAttrName())) {
    contract.block[0] = waves.getInt() * *chip.waveSize;
    return success();
  }
  if (std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize()) {
    for (auto [size, known] : llvm::zip(contract.block, *block))
      size = known;
    return success();
  }
  return kernel.emitOpError()
         << "has no tiles and no '" << FlyDialect::getWavesAttrName()
         << "', so nothing says how many waves a workgroup has";
}

//===----------------------------------------------------------------------===//
// Grid and requirements
//===----------------------------------------------------------------------===//

LogicalResult ContractPlanner::planGrid() {
  contract.grid = {Expr::constant(1), Expr::constant(1), Expr::constant(1)};
  if (!grid) {
    remarkPassed(kernel, kPass, "Grid",
                 "the kernel has no fly.grid: the contract says one workgroup");
    return success();
  }
  Expr total = Expr::constant(1);
  for (auto [bound, step] :
       llvm::zip(grid.getMixedBounds(), grid.getMixedSteps())) {
    FailureOr<Expr> extent = getExpr(grid, bound, "its bound");
    if (failed(extent))
      return failure();
    FailureOr<Expr> width = getExpr(grid, step, "its step");
    if (failed(width))
      return failure();
    if (width->kind() != Kind::Constant)
      require(Expr::binary(Kind::Gt, *width, Expr::constant(0)),
              "a step of the grid must be positive");
    total = foldBinary(Kind::Mul, total,
                       foldBinary(Kind::CeilDiv, *extent, *width));
  }
  contract.grid[0] =
      walk.workgroups
          ? foldBinary(Kind::Min, total, Expr::constant(*walk.workgroups))
          : total;
  Expr items = foldBinary(Kind::Mul, total, Expr::constant(contract.block[0]));
  if (items.kind() != Kind::Constant)
    require(Expr::binary(Kind::Lt, items, Expr::constant(kWorkItemLimit)),
            "the grid has 2^32 work items or more");
  else if (items.value() >= kWorkItemLimit)
    return grid.emitOpError() << "has " << items.value()
                              << " work items, limit is " << kWorkItemLimit - 1;
  std::string how;
  if (walk.workgroups)
    how += ", at most " + std::to_string(*walk.workgroups) +
           " workgroups take them in turn";
  if (walk.xcd)
    how += walk.by
               ? ", dies share dimension " + std::to_string(*walk.by) + " least"
               : ", dies walk over neighbours";
  remarkPassed(grid, kPass, "Grid",
               (walk.workgroups ? "tiles: " : "workgroups: ") + total.str() +
                   ", order " + walk.describeOrder() + how);
  return success();
}

LogicalResult ContractPlanner::planRequirements() {
  for (Operation *op : requirements) {
    if (auto multiple = dyn_cast<RequireMultipleOp>(op)) {
      FailureOr<Expr> value = getExpr(op, multiple.getValue(), "its value");
      if (failed(value))
        return failure();
      auto number = cast<IntegerAttr>(multiple.getMultiple());
      if (value->kind() != Kind::Constant)
        contract.requirements.push_back(
            {*value, Expr::constant(number.getInt()), ""});
      else if (value->value() % number.getInt() != 0)
        return op->emitOpError() << "can never hold: " << value->value()
                                 << " is not a multiple of " << number.getInt();
      continue;
    }
    auto condition = cast<RequireOp>(op);
    FailureOr<Expr> expr =
        getExpr(op, condition.getCondition(), "its condition");
    if (failed(expr))
      return failure();
    if (expr->kind() != Kind::Constant)
      require(*expr, condition.getMessage().str());
    else if (expr->value() == 0)
      return op->emitOpError() << "can never hold: " << condition.getMessage();
  }
  return success();
}

/// A kernel has one place for what a launch adds.
LogicalResult ContractPlanner::planDynamicLds() {
  WalkResult walk = kernel.walk([&](LdsAllocOp alloc) {
    auto structOp = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
        alloc, alloc.getType().getStructName());
    StringAttr field = structOp ? structOp.getDynamicField() : StringAttr();
    if (!field)
      return WalkResult::advance();
    std::string member = (structOp.getSymName() + "." + field.getValue()).str();
    if (contract.dynamicLdsMember.empty() ||
        contract.dynamicLdsMember == member) {
      contract.dynamicLdsMember = member;
      return WalkResult::advance();
    }
    alloc.emitOpError() << "has the dynamic member '" << member << "' beside '"
                        << contract.dynamicLdsMember
                        << "': both would begin where the launch's bytes do";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Whether the result depends on which workgroup is first: of what atomics do,
/// sums of floats alone round.
static bool isOrderDependent(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AtomicOp>([](AtomicOp atomic) {
        return atomic.getKind() == AtomicKind::Add &&
               isa<FloatType>(atomic.getTile().getType().getElementType());
      })
      .Case<AtomicRmwOp, UpdateOp>([](auto atomic) {
        return atomic.getKind() == AtomicKind::Add &&
               isa<FloatType>(getElementTypeOrSelf(atomic.getValue()));
      })
      .Default(false);
}

void ContractPlanner::planSumOrder() {
  Operation *first = nullptr;
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    if (!isOrderDependent(op))
      return;
    first = first ? first : op;
    ++count;
  });
  if (!first)
    return;
  contract.isOrderDependent = true;
  remarkMissed(first, kPass, "SumOrder",
               std::to_string(count) +
                   " atomic sums of floats, in the order in which workgroups "
                   "come: sums that round may differ from launch to launch");
}

LogicalResult ContractPlanner::plan() {
  contract.kernel = kernel.getName().str();
  contract.chip = chip.name;
  if (failed(collect()) || failed(planBlock()) || failed(planDynamicLds()) ||
      failed(planArguments()) || failed(planRequirements()) ||
      failed(planGrid()) || failed(planTileOffsets()))
    return failure();
  planCoordinates();
  planSumOrder();
  FailureOr<std::vector<contract::CheckSite>> checks = readChecks(kernel);
  if (failed(checks))
    return failure();
  contract.checks = std::move(*checks);
  contract.work =
      planWork(kernel, llvm::divideCeil(contract.block[0], *chip.waveSize));
  for (const auto &[place, expr] : host.getNonNegative())
    require(Expr::binary(Kind::Ge, expr, Expr::constant(0)),
            expr.str() + " must not be negative");
  return success();
}
