//===- Overrides.cpp - --schedule, --size and --const ---------------------===//
//
// Values are read by the parser of schedules, so that the command line and the
// file have one syntax. `label.key=value` changes one argument of an entry and
// keeps the rest.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Pipelines/Source.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;

std::vector<std::string> fly::splitOverrides(StringRef text) {
  std::vector<std::string> parts;
  size_t depth = 0, begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (StringRef("[({").contains(c))
      ++depth;
    else if (StringRef("])}").contains(c) && depth)
      --depth;
    if (c != ',' || (depth && i < text.size()))
      continue;
    StringRef part = text.slice(begin, i).trim();
    if (!part.empty())
      parts.push_back(part.str());
    begin = i + 1;
  }
  return parts;
}

/// A value of a schedule from text; null if it does not parse.
static Attribute parseValue(MLIRContext *context, StringRef text) {
  // The override is reported as a whole, not at a place in this string.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  auto parsed = dyn_cast_or_null<ScheduleAttr>(
      parseAttribute(("#fly.schedule<value = " + text + ">").str(), context));
  return parsed ? parsed.get("value") : Attribute();
}

/// `entry` with the argument `key` set. What stands for an absent entry
/// follows from the key, and of `stages` from its value: a load has a number of
/// buffers, a loop says for each label how far it runs ahead.
static Attribute withArgument(MLIRContext *context, Attribute entry,
                              StringRef key, Attribute value) {
  auto set = [&](DictionaryAttr old) {
    NamedAttrList entries(old);
    entries.set(key, value);
    return entries.getDictionary(context);
  };
  if (auto entries = dyn_cast_or_null<DictionaryAttr>(entry))
    return set(entries);
  if (auto policy = dyn_cast_or_null<PolicyAttr>(entry))
    return PolicyAttr::get(context, policy.getName(), policy.getPositional(),
                           set(policy.getNamed()));
  if (auto word = dyn_cast_or_null<StringAttr>(entry))
    return PolicyAttr::get(context, word.getValue(), {}, set({}));
  bool isLds = (key == "stages" && !isa<DictionaryAttr>(value)) ||
               key == "swizzle" || key == "copy" || key == "first_pack" ||
               key == "read";
  if (isLds || key == "depth")
    return PolicyAttr::get(context, isLds ? "lds" : "regs", {}, set({}));
  return set({});
}

static LogicalResult complain(FunctionOpInterface kernel, StringRef option,
                              StringRef text, const Twine &what) {
  return kernel.emitError() << "--" << option << "=" << text << ": " << what;
}

/// Applies "path=value"; `prefix` is the entry that --size and --const mean.
static LogicalResult applyOne(FunctionOpInterface kernel, StringRef option,
                              StringRef prefix, StringRef text,
                              ScheduleAttr &schedule) {
  MLIRContext *context = kernel.getContext();
  auto [path, valueText] = text.split('=');
  path = path.trim();
  if (path.empty() || !text.contains('='))
    return complain(kernel, option, text,
                    prefix.empty() ? "expected label.key=value"
                                   : "expected NAME=NUMBER");
  Attribute value = parseValue(context, valueText);
  if (!value)
    return complain(kernel, option, text,
                    "'" + valueText + "' is no value of a schedule");
  StringRef entry = path, key;
  if (prefix.empty()) {
    std::tie(entry, key) = path.split('.');
  } else {
    entry = prefix;
    key = path;
    if (!isa<IntegerAttr>(value))
      return complain(kernel, option, text, "expected a number");
  }
  if (prefix == "sizes") {
    auto sizes = dyn_cast_or_null<DictionaryAttr>(schedule.get("sizes"));
    if (!sizes || !sizes.get(key)) {
      SmallVector<StringRef> known;
      if (sizes)
        for (NamedAttribute size : sizes)
          known.push_back(size.getName());
      return complain(
          kernel, option, text,
          "the kernel has no size '" + key + "'" +
              (known.empty() ? Twine()
                             : ", it has: " + Twine(llvm::join(known, ", "))));
    }
  }
  if (!key.empty())
    value = withArgument(context, schedule.get(entry), key, value);
  schedule = schedule.with(entry, value);
  return success();
}

/// Applies all of them to one schedule.
static LogicalResult applyAll(FunctionOpInterface kernel,
                              const ScheduleOverrides &overrides,
                              ScheduleAttr &schedule) {
  auto apply = [&](StringRef option, StringRef prefix,
                   ArrayRef<std::string> texts) {
    return llvm::all_of(texts, [&](const std::string &text) {
      return succeeded(applyOne(kernel, option, prefix, text, schedule));
    });
  };
  return success(apply("schedule", "", overrides.schedule) &&
                 apply("size", "sizes", overrides.sizes) &&
                 apply("const", "consts", overrides.consts));
}

/// The kernel's schedules, one for each chip that it names.
static SmallVector<ScheduleAttr> getSchedules(FunctionOpInterface kernel) {
  Attribute attr = kernel->getAttr(FlyDialect::getScheduleAttrName());
  SmallVector<ScheduleAttr> schedules;
  if (auto one = dyn_cast_or_null<ScheduleAttr>(attr))
    schedules.push_back(one);
  if (auto all = dyn_cast_or_null<SchedulesAttr>(attr))
    for (NamedAttribute entry : all.getChips())
      schedules.push_back(cast<ScheduleAttr>(entry.getValue()));
  return schedules;
}

/// Whether an op of the kernel, or of a helper beside it, has the label.
static bool hasLabel(FunctionOpInterface kernel, StringRef label) {
  auto isLabelled = [&](Operation *op) {
    for (StringRef name : {StringRef("label"), FlyDialect::getLabelAttrName()})
      if (auto text = op->getAttrOfType<StringAttr>(name))
        if (text.getValue() == label)
          return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return llvm::any_of(kernel->getParentRegion()->getOps<FunctionOpInterface>(),
                      [&](FunctionOpInterface function) {
                        return (function == kernel ||
                                !fly::isKernel(function)) &&
                               function->walk(isLabelled).wasInterrupted();
                      });
}

/// Whether an override "path=value" names something that the kernel has: a
/// size, an argument, a label or a key of schedules.
static bool isKnown(FunctionOpInterface kernel, StringRef option,
                    StringRef text) {
  StringRef path = text.split('=').first.trim();
  if (option == "const") {
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (getArgumentName(kernel, i) == path)
        return true;
    return false;
  }
  SmallVector<ScheduleAttr> schedules = getSchedules(kernel);
  if (option == "size")
    return llvm::any_of(schedules, [&](ScheduleAttr schedule) {
      auto sizes = dyn_cast_or_null<DictionaryAttr>(schedule.get("sizes"));
      return sizes && sizes.get(path);
    });
  StringRef entry = path.split('.').first;
  return llvm::is_contained(getGlobalScheduleKeys(), entry) ||
         hasLabel(kernel, entry) ||
         llvm::any_of(schedules, [&](ScheduleAttr schedule) {
           return bool(schedule.get(entry));
         });
}

/// Of several kernels each takes the overrides that it knows; what none knows
/// stays for all, whose errors say what they have.
static ScheduleOverrides filterFor(FunctionOpInterface kernel,
                                   ArrayRef<FunctionOpInterface> kernels,
                                   const ScheduleOverrides &overrides) {
  auto filter = [&](StringRef option, ArrayRef<std::string> texts) {
    std::vector<std::string> kept;
    for (const std::string &text : texts)
      if (isKnown(kernel, option, text) ||
          llvm::none_of(kernels, [&](FunctionOpInterface other) {
            return isKnown(other, option, text);
          }))
        kept.push_back(text);
    return kept;
  };
  return {filter("schedule", overrides.schedule),
          filter("size", overrides.sizes), filter("const", overrides.consts)};
}

LogicalResult fly::applyOverrides(ModuleOp module, StringRef name,
                                  const ScheduleOverrides &all) {
  if (all.empty())
    return success();
  MLIRContext *context = module.getContext();
  StringRef attribute = FlyDialect::getScheduleAttrName();
  bool changed = false;
  // With a program all its kernels are meant.
  for (FunctionOpInterface program : findPrograms(module))
    if (program.getName() == name)
      name = "";
  SmallVector<FunctionOpInterface> kernels;
  module.walk([&](FunctionOpInterface kernel) {
    // A helper has the sizes of the kernel that calls it.
    if (fly::isKernel(kernel) && (name.empty() || kernel.getName() == name))
      kernels.push_back(kernel);
  });
  SmallVector<ScheduleOverrides> filtered;
  for (FunctionOpInterface kernel : kernels)
    filtered.push_back(filterFor(kernel, kernels, all));
  for (auto [kernel, overrides] : llvm::zip(kernels, filtered)) {
    // Of several chips, each has what is overridden.
    if (auto all = kernel->getAttrOfType<SchedulesAttr>(attribute)) {
      NamedAttrList chips;
      for (NamedAttribute entry : all.getChips()) {
        auto schedule = cast<ScheduleAttr>(entry.getValue());
        if (failed(applyAll(kernel, overrides, schedule)))
          return failure();
        chips.append(entry.getName(), schedule);
      }
      kernel->setAttr(
          attribute, SchedulesAttr::get(context, chips.getDictionary(context)));
      changed = true;
      continue;
    }
    auto schedule = kernel->getAttrOfType<ScheduleAttr>(attribute);
    // A kernel on tiles may leave its schedule out.
    if (!schedule && !hasTiles(kernel))
      continue;
    if (!schedule)
      schedule = ScheduleAttr::get(context, DictionaryAttr::get(context));
    if (failed(applyAll(kernel, overrides, schedule)))
      return failure();
    kernel->setAttr(attribute, schedule);
    changed = true;
  }
  if (!changed)
    return findPlace(module)->emitError()
           << "--schedule, --size and --const change how a kernel on tiles is "
              "compiled, and there is none here"
           << (name.empty() ? Twine() : " of the name '" + name + "'");
  return success();
}
