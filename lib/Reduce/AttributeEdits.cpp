//===- AttributeEdits.cpp - Smaller modules by fewer attributes -----------===//
//
// What is dropped must be optional: the verifier of the op says so. Schedules
// are trees, so that each entry and each argument of an entry is a site of its
// own; a size is halved as often as the test allows.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "Edits.h"

using namespace mlir;
using namespace fly;
using namespace fly::reduce;

//===----------------------------------------------------------------------===//
// Arguments of functions
//===----------------------------------------------------------------------===//

/// Calls `visit` with each unused argument of each function that nobody calls.
static void
forEachUnusedArgument(ModuleOp module,
                      function_ref<void(FunctionOpInterface, unsigned)> visit) {
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal() ||
        !SymbolTable::symbolKnownUseEmpty(function, module))
      return;
    // From the last, so that numbers stay right while arguments go.
    for (unsigned i = function.getNumArguments(); i-- > 0;)
      if (function.getArgument(i).use_empty())
        visit(function, i);
  });
}

static unsigned countUnusedArguments(ModuleOp module) {
  unsigned count = 0;
  forEachUnusedArgument(module,
                        [&](FunctionOpInterface, unsigned) { ++count; });
  return count;
}

static bool eraseArguments(ModuleOp module, unsigned begin, unsigned end) {
  unsigned site = 0;
  bool changed = false;
  forEachUnusedArgument(module, [&](FunctionOpInterface function, unsigned i) {
    unsigned here = site++;
    if (here >= begin && here < end)
      changed |= succeeded(function.eraseArgument(i));
  });
  return changed;
}

//===----------------------------------------------------------------------===//
// Attributes of ops
//===----------------------------------------------------------------------===//

/// What says which operands or which symbol an op has is no choice.
static bool isStructural(StringRef name) {
  return name == SymbolTable::getSymbolAttrName() || name == "function_type" ||
         name == "operandSegmentSizes" || name == "resultSegmentSizes";
}

static void
forEachAttribute(ModuleOp module,
                 function_ref<void(Operation *, NamedAttribute)> visit) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (!isStructural(attribute.getName()))
        visit(op, attribute);
  });
}

static unsigned countAttributes(ModuleOp module) {
  unsigned count = 0;
  forEachAttribute(module, [&](Operation *, NamedAttribute) { ++count; });
  return count;
}

static bool dropAttributes(ModuleOp module, unsigned begin, unsigned end) {
  SmallVector<std::pair<Operation *, StringAttr>> sites;
  forEachAttribute(module, [&](Operation *op, NamedAttribute attribute) {
    sites.emplace_back(op, attribute.getName());
  });
  bool changed = false;
  for (unsigned i = begin; i < end; ++i) {
    auto [op, name] = sites[i];
    Attribute old = op->getAttr(name);
    op->removeAttr(name);
    // What has a default is never absent, as after parsing.
    if (op->getPropertiesStorageSize())
      op->getName().populateDefaultProperties(op->getPropertiesStorage());
    changed |= op->getAttr(name) != old;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

namespace {
/// Rebuilds a tree of schedule entries, numbering its entries in preorder.
class ScheduleTree {
public:
  using Visit = function_ref<Attribute(unsigned site, NamedAttribute entry)>;
  /// `visit` gives what stands for an entry, null to drop it.
  explicit ScheduleTree(Visit visit) : visit(visit) {}

  DictionaryAttr rebuild(DictionaryAttr entries) {
    NamedAttrList result;
    for (NamedAttribute entry : entries) {
      Attribute value = visit(next++, entry);
      // Entries of a dropped entry keep their numbers.
      Attribute inner = rebuildValue(value ? value : entry.getValue());
      if (value)
        result.append(entry.getName(), inner);
    }
    return result.getDictionary(entries.getContext());
  }

private:
  Attribute rebuildValue(Attribute value) {
    if (auto entries = dyn_cast<DictionaryAttr>(value))
      return rebuild(entries);
    if (auto policy = dyn_cast<PolicyAttr>(value)) {
      DictionaryAttr named = rebuild(policy.getNamed());
      if (named.empty() && policy.getPositional().empty())
        return StringAttr::get(value.getContext(), policy.getName());
      return PolicyAttr::get(value.getContext(), policy.getName(),
                             policy.getPositional(), named);
    }
    return value;
  }

  Visit visit;
  unsigned next = 0;
};
} // namespace

/// Rebuilds all schedules of the module; gives whether any changed.
static bool rebuildSchedules(ModuleOp module, ScheduleTree::Visit visit) {
  ScheduleTree tree(visit);
  bool changed = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = FlyDialect::getScheduleAttrName();
    auto schedule = op->getAttrOfType<ScheduleAttr>(name);
    if (!schedule)
      return;
    auto rebuilt = ScheduleAttr::get(module.getContext(),
                                     tree.rebuild(schedule.getEntries()));
    changed |= rebuilt != schedule;
    op->setAttr(name, rebuilt);
  });
  return changed;
}

static unsigned countScheduleEntries(ModuleOp module) {
  unsigned count = 0;
  rebuildSchedules(module, [&](unsigned, NamedAttribute entry) {
    ++count;
    return entry.getValue();
  });
  return count;
}

static bool dropScheduleEntries(ModuleOp module, unsigned begin, unsigned end) {
  return rebuildSchedules(module, [&](unsigned site, NamedAttribute entry) {
    return site >= begin && site < end ? Attribute() : entry.getValue();
  });
}

static bool shrinkNumbers(ModuleOp module, unsigned begin, unsigned end) {
  return rebuildSchedules(module, [&](unsigned site, NamedAttribute entry) {
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    if (site < begin || site >= end || !number || number.getInt() < 2)
      return entry.getValue();
    return Attribute(IntegerAttr::get(number.getType(), number.getInt() / 2));
  });
}

llvm::ArrayRef<Edit> fly::reduce::getAttributeEdits() {
  static constexpr Edit edits[] = {
      {"erase arguments", countUnusedArguments, eraseArguments, false},
      {"drop attributes", countAttributes, dropAttributes, false},
      {"drop schedule entries", countScheduleEntries, dropScheduleEntries,
       false},
      {"halve numbers of schedules", countScheduleEntries, shrinkNumbers, true},
  };
  return edits;
}
