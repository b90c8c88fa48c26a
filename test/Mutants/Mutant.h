//===- Mutant.h - Broken variants of an op in generic form ------*- C++ -*-===//
//
// What problem: compilers hand the dialect IR in generic form, which skips what
// the custom parsers check. Every such op must be valid or one located error.
// What idea: the IR of the dialect's own tests is taken apart: each op in turn
// loses or exchanges an attribute, an operand, a result, a region or its place,
// and the whole is printed in generic form and parsed again.
// What it refuses: nothing; whether a mutant is valid is the verifier's answer.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_MUTANTS_MUTANT_H
#define FLY_TEST_MUTANTS_MUTANT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace fly::mutants {

/// One broken variant.
struct Mutant {
  std::string what; ///< "fly.load #3: attribute 'pad' dropped"
  std::string text; ///< The module in generic form.
};

/// Makes the mutants of the `number`-th op (in the order of a walk) of
/// `module`, which verifies, and hands each to `visit`. `module` is unchanged.
void forEachMutant(mlir::ModuleOp module, unsigned number,
                   llvm::function_ref<void(const Mutant &)> visit);

/// `module` in the form that mutants are written in.
std::string printGeneric(mlir::Operation *module);

} // namespace fly::mutants

#endif // FLY_TEST_MUTANTS_MUTANT_H
