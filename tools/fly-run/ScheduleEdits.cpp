//===- ScheduleEdits.cpp - edits that may buy what a what-if frees --------===//
#include "ScheduleEdits.h"

#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using sim::FreeResource;

namespace {

/// Collects the edits of one kernel.
class EditFinder {
public:
  EditFinder(const Schedule &schedule, ScheduleAttr entries)
      : schedule(schedule), entries(entries) {}

  ScheduleEdits find(FunctionOpInterface kernel);

private:
  /// Entries for one resource, one for each label.
  using Entries = std::vector<std::string>;

  void addLoop(StringRef label);
  void addLoad(LoadOp load, StringRef label);
  void addGrid();
  ScheduleEdits take() const;

  const Schedule &schedule;
  const ScheduleAttr entries;
  std::array<Entries, sim::freeResourceCount> found;
  /// Whether the edits of a resource are one each, not parts of one.
  std::array<bool, sim::freeResourceCount> areApart = {};

  Entries &of(FreeResource resource) { return found[unsigned(resource)]; }
};

} // namespace

void EditFinder::addLoop(StringRef label) {
  auto request = DotRequest::read(entries.get(label), [&] {
    return emitError(UnknownLoc::get(entries.getContext()));
  });
  unsigned copies = 1;
  if (succeeded(request) && request->unroll)
    copies = *request->unroll;
  of(FreeResource::Addresses)
      .push_back((label + ".unroll=" + Twine(2 * copies)).str());
}

/// Whether the load runs ahead of its loop's last stage.
static bool isAhead(LoadOp load) {
  auto loop = load->getParentOfType<PipelineOp>();
  return loop && !loop.getCompute().isAncestor(load->getParentRegion());
}

void EditFinder::addLoad(LoadOp load, StringRef label) {
  using Swizzle = OperandPolicy::Swizzle;
  const OperandPolicy *policy = schedule.operand(label);
  if (!policy)
    return;
  auto add = [&](FreeResource resource, const Twine &entry) {
    of(resource).push_back((label + "." + entry).str());
  };
  if (!policy->inLds) {
    if (isAhead(load))
      add(FreeResource::Waits, "depth=" + Twine(policy->depth + 1));
    return;
  }
  // Buffers that no bank reads in order get one that does; where one order is
  // taken already, the other one is what is left.
  if (policy->swizzle != Swizzle::Xor)
    add(FreeResource::Conflicts, "swizzle=xor");
  else if (!policy->isAsync)
    add(FreeResource::Conflicts, "swizzle=pad");
  if (!isAhead(load))
    return;
  // A second buffer saves a barrier an iteration, a third one none.
  if (policy->stages == 1)
    add(FreeResource::Barriers, "stages=2");
  add(FreeResource::Waits, "stages=" + Twine(policy->stages + 1));
}

void EditFinder::addGrid() {
  // A grid of tiles that other workgroups share.
  if (schedule.grid.order == GridOrder::Grouped && schedule.grid.xcd)
    return;
  areApart[unsigned(FreeResource::L2)] = true;
  for (unsigned group : {8, 4})
    of(FreeResource::L2)
        .push_back(
            ("grid.order=grouped(" + Twine(group) + "),grid.xcd=on").str());
}

/// All parts of an edit together, then each alone.
ScheduleEdits EditFinder::take() const {
  ScheduleEdits edits;
  for (unsigned i = 0; i != sim::freeResourceCount; ++i) {
    if (found[i].size() > 1 && !areApart[i])
      edits[i].push_back(llvm::join(found[i], ","));
    edits[i].insert(edits[i].end(), found[i].begin(), found[i].end());
  }
  return edits;
}

ScheduleEdits EditFinder::find(FunctionOpInterface kernel) {
  llvm::StringSet<> seen;
  kernel.walk([&](Operation *op) {
    // A kernel in two versions has each label twice.
    if (auto loop = dyn_cast<PipelineOp>(op); loop && loop.getLabel()) {
      if (seen.insert(*loop.getLabel()).second)
        addLoop(*loop.getLabel());
      return;
    }
    auto load = dyn_cast<LoadOp>(op);
    if (load && load.getLabel() && seen.insert(*load.getLabel()).second)
      addLoad(load, *load.getLabel());
  });
  addGrid();
  return take();
}

ScheduleEdits fly::tools::findScheduleEdits(ModuleOp source, StringRef name) {
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
  ScheduleAttr entries = getScheduleOf(*kernel);
  if (failed(schedule) || !entries)
    return {};
  return EditFinder(*schedule, entries).find(*kernel);
}
