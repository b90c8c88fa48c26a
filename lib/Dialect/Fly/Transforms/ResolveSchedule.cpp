//===- ResolveSchedule.cpp - Schedules become explicit and legal ----------===//
//
// Later passes want a number or a word for every choice. This pass reads what
// the author wrote, decides the rest by rule, says why in remarks, checks the
// whole against the chip, and only then writes labels and schedule back. The
// rules are those of docs/Guide/Schedules.md; what they refuse is one error at
// the op that it concerns.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Support/CodegenForms.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Instantiated.h"
#include "PassRemark.h"
#include "ResolveSchedule/Resolver.h"
#include "UnloweredOps.h"

namespace fly {
#define GEN_PASS_DEF_FLYRESOLVESCHEDULEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-resolve-schedule";

void ScheduleResolver::passed(Operation *op, llvm::StringLiteral name,
                              const Twine &text) {
  StringAttr label = labelled.label(op);
  decisions.push_back((label ? label.getValue() + ": " : Twine()).str() +
                      text.str());
  remarkPassed(op, kPass, name, text);
}

void ScheduleResolver::missed(Operation *op, llvm::StringLiteral name,
                              const Twine &text) {
  remarkMissed(op, kPass, name, text);
}

RankedTensorType fly::getTileType(Value tile) {
  return cast<RankedTensorType>(tile.getType());
}

LogicalResult ScheduleResolver::checkKeys() {
  if (!schedule)
    return success();
  if (schedule.get("consts"))
    return kernel.emitOpError() << "schedule entry 'consts' is not bound: run "
                                   "fly-instantiate first";
  for (NamedAttribute entry : schedule.getEntries()) {
    StringRef key = entry.getName();
    if (llvm::is_contained(getGlobalScheduleKeys(), key) ||
        labelled.lookup(key))
      continue;
    SmallVector<StringRef> known;
    for (const auto &[label, group] : labelled.getGroups())
      known.push_back(label);
    SmallVector<StringRef> all(known);
    llvm::append_range(all, getGlobalScheduleKeys());
    return kernel.emitOpError()
           << "schedule key '" << key << "' is no label of this kernel"
           << suggestWord(key, all)
           << "; labels: " << (known.empty() ? "none" : llvm::join(known, ", "))
           << "; keys of the kernel: "
           << llvm::join(getGlobalScheduleKeys(), ", ");
  }
  return success();
}

/// What the code generator and the versions of a kernel are asked for.
LogicalResult ScheduleResolver::checkCodegen() {
  auto getWord = [&](StringRef key) {
    auto word = dyn_cast_or_null<StringAttr>(getEntry(key));
    return word ? word.getValue() : getEntry(key) ? "?" : "auto";
  };
  StringRef form = getWord("codegen");
  if (form != codegenAuto && !findCodegenForm(form))
    return kernel.emitOpError()
           << "schedule entry 'codegen': no form of code generation; known: "
           << knownCodegenForms();
  StringRef versions = getWord("versions");
  if (versions != "auto" && versions != "off")
    return kernel.emitOpError()
           << "schedule entry 'versions': known: auto, off";
  return success();
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

void ScheduleResolver::write() {
  Builder builder(context);
  numLabels = labelled.apply();
  NamedAttrList entries;
  if (Attribute sizes = getEntry("sizes"))
    entries.set("sizes", sizes);
  entries.set("waves",
              builder.getArrayAttr({builder.getI64IntegerAttr(waves[0]),
                                    builder.getI64IntegerAttr(waves[1])}));
  entries.set("waves_per_eu", builder.getI64IntegerAttr(wavesPerEu));
  if (Attribute form = getEntry("codegen"))
    entries.set("codegen", form);
  if (Attribute versions = getEntry("versions"))
    entries.set("versions", versions);
  entries.set("grid", grid.toAttr(context));
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind == LabelledOps::Kind::Store) {
      NamedAttrList store;
      store.set("epilogue", builder.getStringAttr(
                                stringifyEpilogue(*stores[label].epilogue)));
      if (std::optional<Cache> cache = stores[label].cache) {
        store.set("cache", builder.getStringAttr(stringifyCache(*cache)));
        for (Operation *op : group.ops)
          llvm::TypeSwitch<Operation *>(op).Case<StoreOp, ScatterOp>(
              [&](auto store) { store.setCache(*cache); });
      }
      entries.set(label, store.getDictionary(context));
    }
  }
  for (const auto &[label, load] : loads) {
    entries.set(label, load.policy.toAttr(context));
    for (Operation *op : load.ops)
      if (load.policy.cache)
        llvm::TypeSwitch<Operation *>(op).Case<LoadOp, GatherOp>(
            [&, &load = load](auto read) {
              read.setCache(*load.policy.cache);
            });
  }
  for (const DotPlan &dot : dots) {
    entries.set(dot.label, dot.policy.toAttr(context));
    if (StringAttr loop = labelled.label(dot.op->getParentOp()))
      entries.set(loop, dot.policy.toAttr(context));
  }
  for (const LoopWish &wish : loopWishes) {
    if (wish.hotLoop)
      wish.op->setAttr(hotLoopAttrName, wish.hotLoop);
    if (wish.unroll.value_or(1) != 1)
      wish.op->setAttr(unrollAttrName, builder.getI64IntegerAttr(*wish.unroll));
  }
  kernel->setAttr(FlyDialect::getScheduleAttrName(),
                  ScheduleAttr::get(context, entries.getDictionary(context)));
}

LogicalResult ScheduleResolver::decide() {
  schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  FailureOr<LabelledOps> ops = LabelledOps::collect(kernel);
  if (failed(ops))
    return failure();
  labelled = std::move(*ops);
  bool isLegal = true;
  // Whether this is the end.
  auto stops = [&](LogicalResult step) {
    isLegal &= succeeded(step);
    return failed(step) && !goOn;
  };
  if (stops(checkKeys()) || stops(checkCodegen()) || stops(collectDots()) ||
      stops(collectLoads()) || stops(checkStores()))
    return failure();
  for (const DotPlan &dot : dots)
    if (stops(checkRows(dot)))
      return failure();
  if (stops(resolveWaves()) || stops(resolveWavesPerEu()) ||
      stops(checkTurns()) || stops(resolveGrid()) || stops(resolveLoads()) ||
      stops(checkLds()) || stops(resolveStores()) || stops(checkRegisters()))
    return failure();
  return success(isLegal);
}

LogicalResult ScheduleResolver::run() {
  if (failed(decide()))
    return failure();
  write();
  return success();
}

namespace {
class ResolveSchedule
    : public fly::impl::FlyResolveSchedulePassBase<ResolveSchedule> {
public:
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel() || !hasTiles(kernel))
        return WalkResult::skip();
      return failed(resolve(kernel)) ? WalkResult::interrupt()
                                     : WalkResult::skip();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult resolve(gpu::GPUFuncOp kernel) {
    if (failed(checkAreLowered(kernel)) || failed(checkIsInstantiated(kernel)))
      return failure();
    const arch::ArchInfo *chip = getCompiledArch(kernel);
    if (!chip)
      return failure();
    ScheduleResolver resolver(kernel, *chip);
    if (failed(resolver.run()))
      return failure();
    ++numKernels;
    numLabels += resolver.numLabels;
    return success();
  }
};
} // namespace
