//===- Codegen.h - LLVM module to object bytes, no MLIR ---------*- C++ -*-===//
//
// Code generation as a function from an llvm::Module to bytes and messages, so
// that it can run here or in a child process.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_TARGET_CODEGEN_H
#define FLY_LIB_TARGET_CODEGEN_H

#include "fly/Target/CodeObject.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace fly::target {

/// A message of LLVM.
struct Message {
  bool isError = true;
  std::string function; ///< Empty if it names none.
  std::string text;
};

/// What code generation gives. It has failed if a message is an error.
struct Emission {
  std::string object; ///< Relocatable.
  std::string assembly;
  std::string llvmIr;
  std::vector<Message> messages;
  double midEndMs = 0;
  double codegenMs = 0;

  bool failed() const {
    return llvm::any_of(messages, [](const Message &m) { return m.isError; });
  }
};

/// The target machine of \p chip; an error if LLVM was built without it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef chip);

/// Generates code for \p module, which is consumed. Errors of LLVM that have a
/// diagnostic handler become messages; fatal ones end the process.
Emission generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                      const SerializeOptions &options);

/// generateCode() in a forked child; whatever ends the child becomes a message.
Emission generateCodeIsolated(llvm::Module &module,
                              llvm::TargetMachine &machine,
                              const SerializeOptions &options);

/// Gives each kernel of \p module the attributes and argument metadata that
/// code generation for \p chip needs. \p contracts may lack kernels.
void prepareKernels(llvm::Module &module, llvm::StringRef chip,
                    const SerializeOptions &options,
                    llvm::ArrayRef<contract::LaunchContract> contracts);

/// Replaces directory prefixes in the debug information of \p module.
void remapDebugPaths(
    llvm::Module &module,
    llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap);

/// Adds the contracts as the global of the note's section.
void embedContracts(llvm::Module &module,
                    const contract::ObjectContracts &contracts);

} // namespace fly::target

#endif // FLY_LIB_TARGET_CODEGEN_H
