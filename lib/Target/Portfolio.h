//===- Portfolio.h - Applying and choosing codegen forms --------*- C++ -*-===//
//
// What a form (fly/Support/CodegenForms.h) does to a function, which forms are
// worth trying for it, and which of two results is better.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_TARGET_PORTFOLIO_H
#define FLY_LIB_TARGET_PORTFOLIO_H

#include "fly/Reports/IsaReport.h"
#include "fly/Support/CodegenForms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace fly::target {

/// The forms, as indices, that may do better for \p kernel than the first one,
/// which came to \p report; the first is not among them. Empty where that one
/// has no spills or moves and keeps the MFMA pipes busy.
llvm::SmallVector<unsigned> furtherForms(llvm::Function &kernel,
                                         const reports::CodegenFigures &first);

/// Gives \p kernel the attributes and the source form of \p form, and takes
/// away Fly's own attributes.
void applyForm(llvm::Function &kernel, const CodegenForm &form);

/// Whether the group hints of \p kernel may be dropped.
bool hasOptionalHints(const llvm::Function &kernel);

/// Puts what loops accumulate with matrix instructions into accumulation
/// registers: LLVM gives a value to them only where every use asks for it,
/// and constants that a loop starts with, or a use behind it, do not. An empty
/// assembly statement, which makes no instruction, asks for them. Returns the
/// 32-bit registers that the accumulators of the largest loop take; with
/// \p change false only counts.
unsigned useAccumulatorRegisters(llvm::Function &function, bool change);

/// Lets buffer accesses in loops take constants of their offsets as immediates.
void keepAddendsInLoops(llvm::Function &function);

/// What the machine code of a kernel came to, for the choice.
reports::CodegenFigures figuresOf(const reports::KernelReport &report,
                                  llvm::StringRef form);

/// Whether \p a is better than \p b: code that the proofs let pass, then
/// without races in LDS, then without spills and moves before those with fewer,
/// then the share of the walked loop in steps of 10 %, pipe cover in whole
/// percent, waves a SIMD, instructions, the walked share once more, in whole
/// percent.
bool isBetter(const reports::CodegenFigures &a,
              const reports::CodegenFigures &b);

} // namespace fly::target

#endif // FLY_LIB_TARGET_PORTFOLIO_H
