//===- ChooseForms.h - Module to object, by the best forms ------*- C++ -*-===//
//
// Compiles a module by the first form of the portfolio, and by further ones
// where they may do better for a kernel; each kernel then gets the form that
// its machine code is best under, of those whose code breaks no rule of the
// hardware.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_TARGET_CHOOSEFORMS_H
#define FLY_LIB_TARGET_CHOOSEFORMS_H

#include "Codegen.h"

namespace fly::target {

/// A module compiled by the forms that were chosen.
struct ChosenCode {
  /// Of the chosen forms; its messages are the user's. Where it failed nothing
  /// else is there.
  Emission emission;
  std::string elf;                              ///< Linked.
  std::optional<verify::ObjectVerdict> verdict; ///< Of `elf`.
  SerializeTimings timings;
  /// By the order of the module's kernels.
  std::vector<std::string> kernels;
  std::vector<std::vector<reports::CodegenFigures>> tried;
  std::vector<std::string> forms;
};

/// Compiles \p module for \p chip. Texts are without debug information if
/// \p plainTexts. An error is the linker's, or about a form that a kernel asks
/// for and that does not exist.
llvm::Expected<ChosenCode> compileByBestForms(llvm::Module &module,
                                              llvm::StringRef chip,
                                              const SerializeOptions &options,
                                              bool plainTexts);

} // namespace fly::target

#endif // FLY_LIB_TARGET_CHOOSEFORMS_H
