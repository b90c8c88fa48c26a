//===- ScheduleEdits.cpp - edits that buy what a what-if frees ------------===//
#include "ScheduleEdits.h"

#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using sim::FreeResource;

/// Most buffers in LDS, and iterations that a load runs ahead.
static constexpr unsigned mostAhead = 8;

namespace {

/// "--schedule=a.stages=3,b.stages=3"
class Edit {
public:
  void add(const Twine &entry) {
    text += ((text.empty() ? "--schedule=" : ",") + entry).str();
  }
  std::string text;
};

} // namespace

/// Buffers that no bank reads in order get one that does; where one order is
/// taken already, the other one is what is left.
static void addSwizzle(Edit &edit, StringRef label,
                       const OperandPolicy &policy) {
  using Swizzle = OperandPolicy::Swizzle;
  if (policy.swizzle != Swizzle::Xor)
    edit.add(label + ".swizzle=xor");
  else if (!policy.isAsync)
    edit.add(label + ".swizzle=pad");
}

static sim::ScheduleEdits editsOf(FunctionOpInterface kernel,
                                  const Schedule &schedule) {
  Edit conflicts, l2, barriers, waits, addresses;
  llvm::StringSet<> seen;
  kernel.walk([&](Operation *op) {
    if (auto loop = dyn_cast<PipelineOp>(op); loop && loop.getLabel())
      addresses.add(*loop.getLabel() + Twine(".unroll=2"));
    auto load = dyn_cast<LoadOp>(op);
    if (!load || !load.getLabel() || !seen.insert(*load.getLabel()).second)
      return;
    StringRef label = *load.getLabel();
    const OperandPolicy *policy = schedule.operand(label);
    if (!policy)
      return;
    if (!policy->inLds) {
      if (policy->depth < mostAhead)
        waits.add(label + ".depth=" + Twine(policy->depth + 1));
      return;
    }
    addSwizzle(conflicts, label, *policy);
    if (policy->stages == mostAhead)
      return;
    barriers.add(label + ".stages=" + Twine(policy->stages + 1));
    waits.add(label + ".stages=" + Twine(policy->stages + 1));
  });
  if (!schedule.grid.xcd)
    l2.add("grid.order=grouped(8),grid.xcd=on");
  sim::ScheduleEdits edits;
  edits[unsigned(FreeResource::Conflicts)] = conflicts.text;
  edits[unsigned(FreeResource::L2)] = l2.text;
  edits[unsigned(FreeResource::Barriers)] = barriers.text;
  edits[unsigned(FreeResource::Waits)] = waits.text;
  edits[unsigned(FreeResource::Addresses)] = addresses.text;
  return edits;
}

sim::ScheduleEdits fly::tools::findScheduleEdits(ModuleOp source,
                                                 StringRef name) {
  OwningOpRef<ModuleOp> module = source.clone();
  MLIRContext *context = source.getContext();
  // The kernel has compiled: all that is said now was said then.
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  PassManager pm(context);
  buildFlyTilePipeline(pm);
  if (failed(pm.run(*module)))
    return {};
  FailureOr<FunctionOpInterface> kernel = findKernel(*module, name);
  if (failed(kernel))
    return {};
  FailureOr<Schedule> schedule = Schedule::get(*kernel);
  if (failed(schedule))
    return {};
  return editsOf(*kernel, *schedule);
}
