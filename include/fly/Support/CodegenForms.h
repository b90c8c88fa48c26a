//===- CodegenForms.h - Ways to have LLVM compile a kernel ------*- C++ -*-===//
//
// What problem: no setting of LLVM's code generator is best for all tiles; the
// best differs in register form and order, and the wrong one costs spills or
// accumulator moves in every round of the loop.
// What idea: a short fixed list of forms, each a set of function attributes
// and, where it needs one, a source form. All of them are per function: no
// option of LLVM, which would hold for the process, is ever set. Schedules name
// them; lib/Target applies them and chooses by the machine code.
// What it leaves out: orders under which LLVM 22.1.8 has ended with a null
// pointer (the iterative ones), since a library must survive its code
// generator.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_CODEGENFORMS_H
#define FLY_SUPPORT_CODEGENFORMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly {

/// One way to compile a kernel.
struct CodegenForm {
  /// As `codegen = NAME` in a schedule says it.
  llvm::StringLiteral name;
  /// Value of amdgpu-sched-strategy; empty leaves LLVM's own.
  llvm::StringLiteral strategy;
  /// Accumulators of loops in accumulation registers, nothing else there.
  bool accumulatorRegisters;
  /// Whether group hints that may be dropped stay.
  bool hints;
};

/// What leaves the choice to the compiler.
inline constexpr llvm::StringLiteral codegenAuto = "auto";

/// LLVM function attribute of a kernel: the name of a form, or codegenAuto.
inline constexpr llvm::StringLiteral codegenAttrName = "fly-codegen";
/// LLVM function attribute of a kernel whose group hints may be dropped where
/// they do not help: codegenAuto.
inline constexpr llvm::StringLiteral hintsAttrName = "fly-hints";

/// LLVM function attribute of a kernel whose hints somebody asked for: what
/// they claim of the loop with most matrix instructions, as the number of
/// stretches between barriers and the sums of each class: "2,mfma=144,dsrd=0".
/// An order by turns claims its barriers, too: "1,mfma=128,barrier=8".
inline constexpr llvm::StringLiteral hintsClaimAttrName = "fly-hints-claim";

/// LLVM function attribute of a kernel whose loop with most matrix instructions
/// has a real order: its word in schedules, and why it was chosen if nobody
/// asked for it.
inline constexpr llvm::StringLiteral hotLoopOrderAttrName = "fly-hot-loop";

/// All forms; the first is what is tried first, and alone where nothing is to
/// be gained.
llvm::ArrayRef<CodegenForm> getCodegenForms();

/// The form of that name; null if there is none.
const CodegenForm *findCodegenForm(llvm::StringRef name);

/// "auto" and the names, for messages.
std::string knownCodegenForms();

} // namespace fly

#endif // FLY_SUPPORT_CODEGENFORMS_H
