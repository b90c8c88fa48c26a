//===- ChecklistSource.cpp - What a kernel's source tells -----------------===//
//
// Its plan tells tiles, stages and grid; its machine code the rest.
//
//===----------------------------------------------------------------------===//
#include "ChecklistSource.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Reports/Layout/LayoutReport.h"
#include "fly/Reports/Plan/PlanReport.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using analysis::Check;
using llvm::formatv;

static void addFill(analysis::Checklist &list, llvm::StringRef input,
                    const reports::KernelPlan &kernel,
                    const arch::Product *product) {
  if (!kernel.fill || !product)
    return;
  list.add(Check::FillsMachine, input,
           formatv("{0}: {1} workgroups on {2} compute units of {3}, {4} "
                   "rounds, {5:f1} % of their slots",
                   kernel.name, kernel.fill->workgroups,
                   kernel.fill->computeUnits, product->name,
                   kernel.fill->rounds, 100 * kernel.fill->share())
               .str(),
           kernel.fill->workgroups >= kernel.fill->computeUnits);
}

static void addTiles(analysis::Checklist &list, llvm::StringRef input,
                     const reports::KernelPlan &kernel,
                     const arch::ArchInfo &chip) {
  if (!chip.lds.bytes)
    return;
  uint64_t half = *chip.lds.bytes / 2;
  for (const PlannedDot &dot : kernel.schedule.dots) {
    uint64_t row = uint64_t(std::max(dot.tile.rowBytes(plan::DotTile::A),
                                     dot.tile.rowBytes(plan::DotTile::B)));
    list.add(Check::TileFitsLds, input,
             formatv("{0}: rows of {1} along tile_k have {2} of {3} bytes; "
                     "LDS takes {4} of {5}",
                     kernel.name, dot.label, row, half, kernel.lds.total(),
                     *chip.lds.bytes)
                 .str(),
             row <= half && kernel.lds.total() <= *chip.lds.bytes);
  }
  for (const PlannedLoad &load : kernel.schedule.loads)
    if (load.feedsDot && load.policy.inLds)
      list.add(Check::DoubleBuffer, input,
               formatv("{0}: {1} has {2} stage{3} in LDS", kernel.name,
                       load.label, load.policy.stages,
                       load.policy.stages == 1 ? "" : "s")
                   .str(),
               load.policy.stages >= 2);
}

/// The stretches of memory that the stores of a wave cover.
static LogicalResult addStores(analysis::Checklist &list, llvm::StringRef input,
                               ModuleOp module, llvm::StringRef kernel) {
  reports::LayoutQuery query;
  query.kernel = kernel.str();
  FailureOr<reports::LayoutReport> report =
      reports::reportLayouts(module, {}, query);
  if (failed(report))
    return failure();
  for (const reports::AccessReport &access : report->accesses)
    if (!access.isRead && !access.inLds && access.segments)
      list.add(Check::CoalescedStores, input,
               formatv("{0}: stores to {1} at line {2}, {3} bytes a lane, "
                       "cover stretches of {4} bytes and more",
                       kernel, access.view, access.line, access.bytesPerLane,
                       access.shortestSegment)
                   .str(),
               access.shortestSegment >= analysis::leastStretchBytes);
  return success();
}

int fly::tools::addSource(analysis::Checklist &list,
                          const SourceRequest &request) {
  llvm::StringRef input = request.input;
  auto file = readInput(input);
  if (!file)
    return fail("fly-report", llvm::toString(file.takeError()));
  KernelSource source(std::move(*file));
  FailureOr<OwningOpRef<ModuleOp>> parsed = source.parse(request.edits);
  if (failed(parsed))
    return UserError;
  OwningOpRef<ModuleOp> module = std::move(*parsed);
  const std::string &kernel = request.edits.kernel;
  if (failed(selectKernel(*module, kernel)))
    return UserError;

  reports::PlanQuery query;
  query.kernel = kernel;
  query.arguments = request.arguments;
  FailureOr<reports::PlanReport> plan = reports::reportPlan(*module, query);
  if (failed(plan))
    return UserError;
  for (const reports::KernelPlan &each : plan->kernels) {
    addFill(list, input, each, plan->product);
    addTiles(list, input, each, *plan->chip);
    if (failed(addStores(list, input, *module, each.name)))
      return UserError;
  }

  CompileOptions options;
  options.serialize.isolate = true;
  bool isOurDefect = false;
  ScopedDiagnosticHandler watch(
      &source.getContext(), [&](Diagnostic &diagnostic) {
        std::string text = diagnostic.str();
        isOurDefect |=
            llvm::StringRef(text).contains(target::codegenCrashText) ||
            llvm::StringRef(text).contains(brokenCodeText);
        // The printer gets it, too, unless it is no problem.
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
      });
  FailureOr<target::CodeObject> object = compile(*module, options);
  if (failed(object))
    return isOurDefect ? OurDefect : UserError;
  if (llvm::Error error = list.addObject(input, object->bytes, kernel))
    return fail("fly-report", llvm::toString(std::move(error)), OurDefect);
  return Right;
}
