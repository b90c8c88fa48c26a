//===- Codegen.h - LLVM module to object bytes, no MLIR ---------*- C++ -*-===//
//
// Code generation as a function from an llvm::Module to bytes and messages, so
// that it can run here or in a child process.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_TARGET_CODEGEN_H
#define FLY_LIB_TARGET_CODEGEN_H

#include "fly/Target/CodeObject.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace llvm {
class Function;
class MachineFunctionPass;
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

  bool failed() const {
    return llvm::any_of(messages, [](const Message &m) { return m.isError; });
  }
};

/// The target machine of \p chip; an error if LLVM was built without it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef chip);

/// One compilation of a module: the form of each kernel, and what is written.
struct CodegenJob {
  /// Indices of the portfolio, by the order of the module's kernels.
  std::vector<unsigned> forms;
  bool emitObject = true, emitAssembly = false, emitLlvmIr = false;
  /// Leaves debug information out of what is written.
  bool dropDebugInfo = false;
};

/// Generates code for \p module, which is consumed: what the job asks for, its
/// forms being applied. Errors of LLVM that have a diagnostic handler become
/// messages; fatal ones end the process.
Emission generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                      MidEnd midEnd, const CodegenJob &job);

/// Runs the jobs side by side, each on a copy of the module that \p bitcode
/// is, for \p chip: in threads, or with `isolate` in a forked child each,
/// where whatever ends the child becomes a message. The results are in the
/// order of the jobs and the same either way.
std::vector<Emission> runJobs(llvm::StringRef bitcode, llvm::StringRef chip,
                              const SerializeOptions &options,
                              llvm::ArrayRef<CodegenJob> jobs);

/// runJobs() in forked children; \p compile is called in each.
std::vector<Emission> runIsolated(size_t count,
                                  llvm::function_ref<Emission(size_t)> compile);

/// Whether \p function is one that is launched.
bool isKernel(const llvm::Function &function);

/// Gives each kernel of \p module the attributes and argument metadata that
/// code generation for \p chip needs. \p contracts may lack kernels.
void prepareKernels(llvm::Module &module, llvm::StringRef chip,
                    const SerializeOptions &options,
                    llvm::ArrayRef<contract::LaunchContract> contracts);

/// Replaces directory prefixes in the debug information of \p module.
void remapDebugPaths(
    llvm::Module &module,
    llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap);

/// Gives machine instructions without a line that of their neighbours, where
/// the function has debug information.
llvm::MachineFunctionPass *createNeighbourLinesPass();

/// Has fences for some instructions hold bundles of accesses, where LLVM's
/// scheduler lets a bundle go for the meta instructions inside; behind LLVM's
/// bundler.
llvm::MachineFunctionPass *createFencedBundlesPass();

/// Gives what depends on long matrix instructions the wait state that LLVM's
/// hazard recognizer overlooks; behind that one.
llvm::MachineFunctionPass *createLongMatrixWaitsPass();

/// Adds the contracts as the global of the note's section.
void embedContracts(llvm::Module &module,
                    const contract::ObjectContracts &contracts);

} // namespace fly::target

#endif // FLY_LIB_TARGET_CODEGEN_H
