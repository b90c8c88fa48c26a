//===- Mutants.h - good kernels with one planted defect ---------*- C++ -*-===//
//
// A kernel's text marks lines where a defect can be planted, behind ";!":
//   s_waitcnt vmcnt(0)      ;! delivery
//   s_waitcnt vmcnt(1)      ;! delivery = s_waitcnt vmcnt(2)
//   s_barrier               ;! races
// The first form takes the instruction out (s_nop 0 stands there), the second
// puts another one of the same size in its place. The word is the check that
// has to name it. The kernel as it stands must pass all checks with the right
// values. Only bytes of the instruction stream change, so each defect costs no
// run of the assembler.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_MUTANTS_H
#define FLY_TEST_UNIT_SIM_MUTANTS_H

#include "llvm/ADT/STLExtras.h"

#include <functional>

#include "KernelRun.h"

namespace fly::test {

/// One planted defect.
struct Mutant {
  size_t index;            ///< Of the instruction in the kernel.
  std::string check;       ///< Name of the check.
  std::string original;    ///< Assembly text.
  std::string replacement; ///< Assembly text.
  std::string bytes;       ///< Of the replacement.
};

class MutantKernel {
public:
  /// Assembles a body (see wrapKernel()) and its replacements.
  MutantKernel(llvm::StringRef body, llvm::StringRef chip,
               const KernelShape &shape);

  /// Prepares arguments and size of a launch; gives a function that compares
  /// the values afterwards.
  using Setup = std::function<std::function<void()>(KernelRun &)>;
  /// The original passes with the right values; each mutant is found by the
  /// check that its mark names, at or because of the marked place. Gives the
  /// number of mutants.
  unsigned runAll(const Setup &setup);

  const std::vector<Mutant> &mutants() const { return list; }

private:
  std::string object;
  std::vector<uint64_t> offsets; ///< In the file, of each instruction.
  std::vector<Mutant> list;
  std::string message;
};

/// What a launch has found: names of checks, and all messages. A barrier that
/// is not met and an access outside of LDS are checks, other faults "fault".
struct Found {
  std::vector<std::string> checks;
  std::string messages;
  bool has(llvm::StringRef check) const {
    return llvm::is_contained(checks, check);
  }
};
Found launchMutant(KernelRun &run);

/// Position in an ELF file of an address of the loaded image; npos if none.
size_t fileOffset(llvm::StringRef object, uint64_t address);

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_MUTANTS_H
