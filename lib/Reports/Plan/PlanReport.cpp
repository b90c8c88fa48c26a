//===- PlanReport.cpp - A kernel's numbers before it is compiled ----------===//
//
// The module is taken to where schedules are resolved; there each kernel is
// planned. Legal ones go on alone up to where LDS is laid out, which gives its
// members and the launch contract.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Plan/PlanReport.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace fly;
using namespace fly::reports;

bool KernelPlan::isLegal() const {
  return schedule.isLegal() &&
         llvm::all_of(launchRules,
                      [](const plan::Rule &rule) { return rule.holds; });
}

static LogicalResult runTo(ModuleOp module, StringRef after, StringRef until) {
  PassManager passes(module.getContext());
  if (llvm::Error error = addPasses(passes, after, until))
    return module.emitError() << llvm::toString(std::move(error));
  return passes.run(module);
}

/// The names of the scalar arguments, in order.
static SmallVector<std::string> getScalars(FunctionOpInterface kernel) {
  SmallVector<std::string> names;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!isa<PtrType>(type))
      names.push_back(getArgumentName(kernel, index));
  return names;
}

namespace {
/// Evaluates expressions under the query's arguments.
class Evaluator {
public:
  explicit Evaluator(const PlanQuery &query) : query(query) {}

  std::optional<int64_t> operator()(StringRef name) const {
    auto found = query.arguments.find(name);
    return found == query.arguments.end() ? std::nullopt
                                          : std::optional(found->second);
  }
  /// The names in `expr` that have no value.
  SmallVector<std::string> missingOf(const contract::Expr &expr) const {
    SmallVector<std::string> names = expr.argumentNames();
    llvm::erase_if(names, [&](StringRef name) { return bool((*this)(name)); });
    return names;
  }
  std::optional<int64_t> get(const contract::Expr &expr) const {
    llvm::Expected<int64_t> value =
        expr.evaluate([&](StringRef name) { return (*this)(name); });
    if (value)
      return *value;
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  std::optional<int64_t> get(const std::optional<contract::Expr> &expr) const {
    return expr ? get(*expr) : std::nullopt;
  }
  /// Steps of a span: of the problem, and whole.
  std::optional<std::pair<double, double>>
  steps(const PlannedSpan &span) const {
    std::optional<int64_t> lower = get(span.lower), upper = get(span.upper),
                           step = get(span.step);
    if (!lower || !upper || !step || *step <= 0)
      return std::nullopt;
    double extent = std::max<double>(0, double(*upper) - double(*lower));
    return std::pair(extent / double(*step), std::ceil(extent / double(*step)));
  }

private:
  const PlanQuery &query;
};
} // namespace

/// Operations of all dots: twice the multiply-adds of a tile, times the tiles
/// that grid and loops have.
static void addWork(const Evaluator &evaluate, KernelPlan &kernel) {
  if (kernel.schedule.dots.empty())
    return;
  double problem = 0, tiles = 0;
  for (const PlannedDot &dot : kernel.schedule.dots) {
    double one = 2.0 * dot.tile.m * dot.tile.n * dot.tile.k;
    double ofProblem = one, ofTiles = one;
    for (const PlannedSpan &span :
         llvm::concat<const PlannedSpan>(kernel.schedule.grid, dot.loops)) {
      auto steps = evaluate.steps(span);
      if (!steps)
        return;
      ofProblem *= steps->first;
      ofTiles *= steps->second;
    }
    problem += ofProblem;
    tiles += ofTiles;
  }
  kernel.flop = problem;
  kernel.tileFlop = tiles;
}

static void addLaunchRules(const Evaluator &evaluate,
                           const contract::LaunchContract &contract,
                           KernelPlan &kernel) {
  for (const contract::Requirement &requirement : contract.requirements) {
    plan::Rule rule{"launch", true,
                    "if not, refused as: " + requirement.message};
    std::string value = requirement.expr.str();
    if (requirement.multipleOf) {
      rule.name = "multiple";
      rule.text = value + " must be a multiple of " +
                  requirement.multipleOf->str() +
                  ", other launches are refused";
    } else if (requirement.message.empty()) {
      rule.text = "refused unless " + value;
    }
    bool isKnown = evaluate.missingOf(requirement.expr).empty() &&
                   (!requirement.multipleOf ||
                    evaluate.missingOf(*requirement.multipleOf).empty());
    if (isKnown) {
      std::string refusal = llvm::toString(contract::checkRequirements(
          "", {requirement}, [&](StringRef name) { return evaluate(name); }));
      rule.holds = refusal.empty();
      std::optional<int64_t> number = evaluate.get(requirement.expr);
      if (!number) // An overflow, or a division by zero.
        rule.text += refusal;
      else if (requirement.multipleOf)
        rule.text += ", " + value + " is " + std::to_string(*number);
    }
    kernel.launchRules.push_back(std::move(rule));
  }
  // Sizes that no launch takes, whatever the kernel requires.
  auto isKnown = [&](const contract::Expr &each) {
    return evaluate.missingOf(each).empty();
  };
  for (const contract::Argument &argument : contract.arguments) {
    if (!argument.view || !llvm::all_of(argument.view->extents, isKnown) ||
        !llvm::all_of(argument.view->strides, isKnown))
      continue;
    llvm::Expected<int64_t> elements = contract::viewElements(
        *argument.view, [&](StringRef name) { return evaluate(name); });
    if (!elements)
      kernel.launchRules.push_back({"launch", false,
                                    "view of " + argument.name + ": " +
                                        llvm::toString(elements.takeError())});
  }
  if (llvm::none_of(contract.requirements,
                    [](const contract::Requirement &requirement) {
                      return requirement.multipleOf.has_value();
                    }))
    kernel.launchRules.push_back(
        {"ragged sizes", true,
         "no size must be a multiple: what lies outside of views is read as "
         "padding and never written"});
}

static std::optional<double> known(llvm::Expected<double> value) {
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

/// What the passes behind fly-resolve-schedule say about a legal kernel.
static void addLaidOut(ModuleOp formed, const Evaluator &evaluate,
                       const PlanReport &report, KernelPlan &plan) {
  OwningOpRef<ModuleOp> work = formed.clone();
  ScopedDiagnosticHandler handler(formed.getContext(), [&](Diagnostic &diag) {
    if (diag.getSeverity() != DiagnosticSeverity::Error)
      return success();
    PlannedProblem problem{diag.str(), {}, {}};
    for (Diagnostic &note : diag.getNotes())
      problem.notes.push_back(note.str());
    plan.schedule.problems.push_back(std::move(problem));
    return success();
  });
  if (failed(selectKernel(*work, plan.name)) ||
      failed(runTo(*work, "fly-form-pipelines", "fly-swizzle-lds")))
    return;
  FailureOr<FunctionOpInterface> kernel = findKernel(*work, plan.name);
  if (failed(kernel))
    return;
  FailureOr<contract::LaunchContract> contract = readContract(*kernel);
  if (failed(contract))
    return;
  plan.lds = {};
  llvm::SetVector<LdsStructOp> structs;
  (*kernel)->walk([&](LdsAllocOp alloc) {
    if (auto each = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
            alloc, alloc.getType().getStructName()))
      structs.insert(each);
  });
  for (LdsStructOp each : structs)
    plan.lds.add(each.describeFields(), each.getSizeInBytes());
  plan.ldsIsLaidOut = true;
  addLaunchRules(evaluate, *contract, plan);

  for (const contract::Expr &dimension : contract->grid)
    for (std::string &name : evaluate.missingOf(dimension))
      if (!llvm::is_contained(plan.missing, name))
        plan.missing.push_back(std::move(name));
  plan.bytes = known(contract::evaluateIdealBytes(
      *contract, [&](StringRef name) { return evaluate(name); }));
  if (!contract->work.empty())
    plan.flop = known(contract::evaluateWork(
        contract->work, [&](StringRef name) { return evaluate(name); }));
  plan.isAtMost = llvm::any_of(contract->work,
                               [](const auto &work) { return work.isAtMost; });
  plan.contract = *contract;
  const PlannedDot *dot =
      plan.schedule.dots.empty() ? nullptr : &plan.schedule.dots.front();
  // Dots of other types have another peak.
  bool haveOnePeak = llvm::all_of(plan.schedule.dots, [&](const auto &other) {
    return other.elementA == dot->elementA && other.elementB == dot->elementB;
  });
  if (plan.bytes && plan.flop && dot && dot->instruction && report.product &&
      haveOnePeak)
    plan.roofline = plan::makeRoofline(*report.product, dot->elementA,
                                       dot->elementB, *plan.flop, *plan.bytes);
}

static void addOccupancy(const PlanReport &report, KernelPlan &plan) {
  arch::KernelResources resources;
  // What exceeds the largest wave is spilled, if another order does not avoid
  // it.
  for (const PlannedDot &dot : plan.schedule.dots)
    resources.archVgprs = std::max<unsigned>(
        resources.archVgprs,
        std::min<uint64_t>(
            dot.registers.total(),
            std::max<uint64_t>(dot.registers.least(),
                               *report.chip->registers.maxVgprs)));
  resources.ldsBytes = plan.lds.total();
  resources.workgroupThreads =
      arch::waveLanes * plan.schedule.waves[0] * plan.schedule.waves[1];
  llvm::Expected<arch::Occupancy> occupancy =
      arch::computeOccupancy(*report.chip, resources);
  if (!occupancy) {
    plan.occupancyProblem = llvm::toString(occupancy.takeError());
    return;
  }
  plan.occupancy = *occupancy;
  plan.nextStep = arch::nextOccupancy(*report.chip, resources, *occupancy);
}

static void addFill(const Evaluator &evaluate, const PlanReport &report,
                    KernelPlan &plan) {
  double workgroups = 1;
  for (const PlannedSpan &span : plan.schedule.grid) {
    auto steps = evaluate.steps(span);
    if (!steps)
      return;
    workgroups *= steps->second;
  }
  if (!plan.schedule.grid.empty())
    plan.rows = evaluate.get(plan.schedule.grid.front().upper);
  if (plan.occupancy && report.product)
    plan.fill = plan::fillMachine(*report.product, uint64_t(workgroups),
                                  plan.occupancy->workgroupsPerCu);
}

/// An error where the query names what no kernel has.
static LogicalResult checkArguments(ModuleOp module, const PlanQuery &query) {
  llvm::SetVector<StringRef> known;
  SmallVector<std::string> names;
  module.walk([&](FunctionOpInterface function) {
    if (isKernel(function))
      for (std::string &name : getScalars(function))
        names.push_back(std::move(name));
  });
  known.insert(names.begin(), names.end());
  for (const auto &argument : query.arguments)
    if (!known.contains(argument.getKey()) &&
        !llvm::is_contained(query.otherNames, argument.getKey()))
      return module.emitError()
             << "no kernel has a scalar argument '" << argument.getKey()
             << "'; there are: " << llvm::join(known, ", ");
  return success();
}

FailureOr<PlanReport> fly::reports::reportPlan(ModuleOp module,
                                               const PlanQuery &query) {
  OwningOpRef<ModuleOp> work = module.clone();
  if (failed(selectKernel(*work, query.kernel)) ||
      failed(checkArguments(*work, query)) ||
      failed(runTo(*work, "", "fly-form-pipelines")))
    return failure();
  PlanReport report;
  Evaluator evaluate(query);
  WalkResult walk = work->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel())
      return WalkResult::skip();
    const arch::ArchInfo *chip = getCompiledArch(kernel);
    if (!chip)
      return WalkResult::interrupt();
    if (report.chip && report.chip != chip) {
      kernel.emitOpError() << "is for " << chip->name << ", others are for "
                           << report.chip->name
                           << ": choose one by --chip or --kernel";
      return WalkResult::interrupt();
    }
    report.chip = chip;
    report.product =
        query.product ? query.product : arch::defaultProduct(chip->chip);
    FailureOr<SchedulePlan> schedule = planSchedule(kernel);
    if (failed(schedule))
      return WalkResult::interrupt();
    KernelPlan &plan = report.kernels.emplace_back();
    plan.name = kernel.getName().str();
    plan.schedule = std::move(*schedule);
    auto decisions = llvm::to_vector(llvm::concat<const std::string>(
        query.decisions, plan.schedule.decisions));
    plan.schedule.decisions = std::move(decisions);
    plan.lds = plan.schedule.lds;
    addWork(evaluate, plan);
    if (plan.schedule.isLegal())
      addLaidOut(*work, evaluate, report, plan);
    addOccupancy(report, plan);
    addFill(evaluate, report, plan);
    return WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return failure();
  if (report.kernels.empty())
    return module.emitError() << "holds no kernel on tiles to plan";
  if (query.product && query.product->chip != report.chip->chip)
    return module.emitError()
           << query.product->name << " has no " << report.chip->name;
  return report;
}
