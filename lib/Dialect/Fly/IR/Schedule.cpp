//===- Schedule.cpp - What a schedule says, typed -------------------------===//
//
// Which schedule a kernel has, and what a resolved one says as a whole. The
// readers of its entries are in Schedule/, one file for each kind of entry.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kGlobalKeys[] = {
    "sizes", "consts", "waves", "waves_per_eu", "grid", "codegen", "versions"};

std::string fly::suggestWord(StringRef word, ArrayRef<StringRef> known) {
  StringRef best;
  // A third of the letters wrong is a slip, more is another word.
  unsigned bestDistance = word.size() / 3 + 1;
  for (StringRef candidate : known) {
    unsigned distance = candidate.edit_distance(word);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : (" (did you mean '" + best + "'?)").str();
}

ArrayRef<llvm::StringLiteral> fly::getGlobalScheduleKeys() {
  return kGlobalKeys;
}

ScheduleAttr fly::getScheduleOf(Operation *kernel) {
  Attribute attr = kernel->getAttr(FlyDialect::getScheduleAttrName());
  auto all = dyn_cast_or_null<SchedulesAttr>(attr);
  if (!all)
    return dyn_cast_or_null<ScheduleAttr>(attr);
  const arch::ArchInfo *chip = lookupArchOrNull(kernel);
  return chip ? all.get(chip->name) : ScheduleAttr();
}

FailureOr<ScheduleAttr> fly::findSchedule(Operation *kernel) {
  auto all =
      kernel->getAttrOfType<SchedulesAttr>(FlyDialect::getScheduleAttrName());
  if (!all)
    return getScheduleOf(kernel);
  const arch::ArchInfo *chip = getArch(kernel);
  if (!chip)
    return failure();
  if (ScheduleAttr schedule = all.get(chip->name))
    return schedule;
  SmallVector<StringRef> known;
  for (NamedAttribute entry : all.getChips())
    known.push_back(entry.getName());
  return kernel->emitOpError()
         << "has no schedule for " << chip->name
         << ", the target of its module; it has: " << llvm::join(known, ", ");
}

const OperandPolicy *Schedule::operand(StringRef label) const {
  auto it = operands.find(label);
  return it == operands.end() ? nullptr : &it->second;
}

llvm::StringSet<> Schedule::getCarriedLabels() const {
  llvm::StringSet<> labels;
  for (const auto &entry : operands)
    if (entry.second.carriesFirstPack)
      labels.insert(entry.first());
  return labels;
}

const DotPolicy &Schedule::dot(ProductOpInterface op) const {
  auto it = dots.find(op.getProductLabel());
  assert(it != dots.end() && "Schedule::get() saw every dot of the kernel");
  return it->second;
}

Epilogue Schedule::store(StringRef label) const {
  auto it = stores.find(label);
  return it == stores.end() ? Epilogue::Direct : it->second;
}

/// The entry `waves` of a resolved schedule.
static LogicalResult readWaves(FunctionOpInterface kernel, Attribute entry,
                               Schedule &schedule) {
  auto list = dyn_cast_or_null<ArrayAttr>(entry);
  bool resolved = list && list.size() == 2;
  for (Attribute side : resolved ? list.getValue() : ArrayRef<Attribute>()) {
    auto number = dyn_cast<IntegerAttr>(side);
    resolved &= number && number.getInt() > 0 &&
                number.getInt() <= arch::maxWorkgroupWaves;
    schedule.waves.push_back(number ? number.getInt() : 0);
  }
  if (resolved &&
      schedule.waves[0] * schedule.waves[1] <= arch::maxWorkgroupWaves)
    return success();
  return kernel->emitOpError() << "schedule entry 'waves' is not resolved: run "
                                  "fly-resolve-schedule first";
}

/// The entry `grid` of a resolved schedule.
static FailureOr<GridPolicy> readGrid(Attribute entry,
                                      EmitScheduleError emitError) {
  auto request = GridRequest::read(entry, emitError);
  if (failed(request))
    return failure();
  auto by = dyn_cast_or_null<IntegerAttr>(request->by);
  if ((request->by && !by) ||
      (request->persistent.value_or(false) && !request->workgroups))
    return emitError() << "is not resolved: run fly-resolve-schedule first";
  GridPolicy policy;
  policy.order = request->order.value_or(GridOrder::NFastest);
  policy.group = request->group;
  policy.xcd = request->xcd.value_or(false);
  if (by)
    policy.by = by.getInt();
  policy.workgroups = request->workgroups;
  return policy;
}

FailureOr<Schedule> Schedule::get(FunctionOpInterface kernel) {
  auto attr =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  if (!attr)
    return kernel->emitOpError()
           << "has no '" << FlyDialect::getScheduleAttrName()
           << "': run fly-resolve-schedule first";
  Schedule schedule;
  if (failed(readWaves(kernel, attr.get("waves"), schedule)))
    return failure();
  if (auto count = dyn_cast_or_null<IntegerAttr>(attr.get("waves_per_eu")))
    schedule.wavesPerEu = count.getInt();
  if (auto form = dyn_cast_or_null<StringAttr>(attr.get("codegen")))
    schedule.codegen = form.str();
  for (NamedAttribute entry : attr.getEntries()) {
    StringRef key = entry.getName();
    auto emitError = [&] {
      return kernel->emitOpError() << "schedule entry '" << key << "': ";
    };
    if (key == "grid") {
      auto grid = readGrid(entry.getValue(), emitError);
      if (failed(grid))
        return failure();
      schedule.grid = *grid;
    }
    if (llvm::is_contained(kGlobalKeys, key))
      continue;
    // A resolved entry shows by its form what it is the entry of.
    auto entries = dyn_cast<DictionaryAttr>(entry.getValue());
    if (entries && entries.contains("epilogue")) {
      auto request = StoreRequest::read(entries, emitError);
      if (failed(request))
        return failure();
      schedule.stores[key] = request->epilogue.value_or(Epilogue::Direct);
    } else if (entries) {
      auto request = DotRequest::read(entries, emitError);
      if (failed(request))
        return failure();
      if (request->mfma && request->transposed)
        schedule.dots[key] = {*request->mfma, *request->transposed,
                              request->fromAcc};
    } else {
      auto request = OperandRequest::read(entry.getValue(), emitError);
      if (failed(request))
        return failure();
      OperandPolicy policy;
      policy.inLds = request->inLds.value_or(false);
      policy.stages = request->stages.value_or(1);
      policy.swizzle = request->swizzle.value_or(OperandPolicy::Swizzle::None);
      policy.carriesFirstPack = request->carriesFirstPack.value_or(false);
      policy.readsTransposed = request->readsTransposed.value_or(false);
      policy.isAsync = request->isAsync.value_or(false);
      policy.depth = request->depth.value_or(1);
      policy.cache = request->cache;
      schedule.operands[key] = policy;
    }
  }
  WalkResult walk = kernel->walk([&](ProductOpInterface dot) {
    StringAttr label = dot.getProductLabel();
    if (label && schedule.dots.contains(label))
      return WalkResult::advance();
    dot->emitOpError() << "has no resolved entry in the schedule: run "
                          "fly-resolve-schedule first";
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return failure();
  return schedule;
}
