//===- Reduce.h - Makes a kernel smaller while a test holds -----*- C++ -*-===//
//
// What problem: a kernel of two hundred lines shows a fault; which lines does
// it need? What idea: try edits that make the module smaller (ops erased,
// values replaced, loops and branches opened, attributes and schedule entries
// dropped, sizes shrunk), first many at once, then fewer, and keep an edit
// where the result verifies and the caller's test still holds. What it leaves
// open: it finds a small module, not the smallest.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REDUCE_REDUCE_H
#define FLY_REDUCE_REDUCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace fly::reduce {

/// What a reduction did.
struct Statistics {
  unsigned opsBefore = 0, opsAfter = 0;
  /// How often the test was asked.
  unsigned tests = 0;
  /// The bound on tests ended the search.
  bool isCut = false;
};

/// Replaces the body and attributes of `module` by a smaller module for which
/// `isInteresting` holds; it must hold for `module` itself. The test sees
/// modules that verify, and is asked at most `maxTests` times.
Statistics reduceModule(mlir::ModuleOp module,
                        llvm::function_ref<bool(mlir::ModuleOp)> isInteresting,
                        unsigned maxTests);

/// The pass `fly-reduction`: reduceModule() with a program as the test, which
/// gets the name of a file and exits with 0 where the file is not interesting,
/// as for upstream's `reduction-tree`.
std::unique_ptr<mlir::Pass> createReductionPass();
void registerReductionPass();

} // namespace fly::reduce

#endif // FLY_REDUCE_REDUCE_H
