//===- Reduce.cpp - The search for a smaller module -----------------------===//
//
// For each edit, the range of its sites is cut into halves, quarters and so on;
// parts are tried from the last to the first, since later ops use earlier ones.
// Rounds of all edits go on until one changes nothing.
//
//===----------------------------------------------------------------------===//
#include "fly/Reduce/Reduce.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include "Edits.h"

using namespace mlir;
using namespace fly::reduce;

static unsigned countOps(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count - 1; // Without the module itself.
}

namespace {
class Search {
public:
  Search(ModuleOp module, function_ref<bool(ModuleOp)> isInteresting,
         unsigned maxTests)
      : current(module.clone()), isInteresting(isInteresting),
        maxTests(maxTests) {}

  void run() {
    bool changed = true;
    while (changed && !statistics.isCut) {
      changed = false;
      for (ArrayRef<Edit> edits : {getOpEdits(), getAttributeEdits()})
        for (const Edit &edit : edits)
          changed |= tryEdit(edit);
    }
  }

  OwningOpRef<ModuleOp> current;
  Statistics statistics;

private:
  /// Tries ever smaller parts; whether any was taken.
  bool tryEdit(const Edit &edit) {
    bool changed = false;
    for (unsigned part = edit.countSites(*current); part; part /= 2) {
      unsigned end = edit.countSites(*current);
      while (end && !statistics.isCut) {
        unsigned begin = end > part ? end - part : 0;
        bool taken = tryPart(edit, begin, end);
        changed |= taken;
        // What follows the part may be gone with it; sites in front are not.
        if (!taken || !edit.repeats)
          end = begin;
        end = std::min(end, edit.countSites(*current));
      }
    }
    return changed;
  }

  bool tryPart(const Edit &edit, unsigned begin, unsigned end) {
    OwningOpRef<ModuleOp> trial = current->clone();
    if (!edit.apply(*trial, begin, end) || !verifiesQuietly(*trial))
      return false;
    if (statistics.tests >= maxTests) {
      statistics.isCut = true;
      return false;
    }
    ++statistics.tests;
    if (!isInteresting(*trial))
      return false;
    current = std::move(trial);
    return true;
  }

  /// That an edit leaves what does not verify is no news for anybody.
  static bool verifiesQuietly(ModuleOp module) {
    ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) {});
    return succeeded(verify(module));
  }

  function_ref<bool(ModuleOp)> isInteresting;
  unsigned maxTests;
};
} // namespace

Statistics fly::reduce::reduceModule(ModuleOp module,
                                     function_ref<bool(ModuleOp)> isInteresting,
                                     unsigned maxTests) {
  Search search(module, isInteresting, maxTests);
  search.run();
  search.statistics.opsBefore = countOps(module);
  search.statistics.opsAfter = countOps(*search.current);
  module.getBodyRegion().takeBody(search.current->getBodyRegion());
  module->setAttrs(search.current->getOperation()->getAttrDictionary());
  return search.statistics;
}
