//===- KernelSource.h - Kernels that a report is on -------------*- C++ -*-===//
//
// What the subcommands on a .mlir share: the words of their command lines, the
// module under the options' changes with a context that prints what is wrong
// with it, and the machine.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_REPORT_KERNELSOURCE_H
#define FLY_TOOLS_FLY_REPORT_KERNELSOURCE_H

#include "fly/Arch/Products.h"
#include "fly/Reports/Plan/PlanReport.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include "../Options/KernelOptions.h"

namespace fly::tools {

/// What is changed in a source before a report.
struct SourceEdits {
  std::string kernel; ///< Empty: all.
  std::string chip;   ///< Empty: the module's.
  ScheduleOverrides overrides;
};

/// The edits of the options; an error for several chips, or one that Fly does
/// not compile for. \p report is what messages call the report: "a plan".
llvm::Expected<SourceEdits> readEdits(const KernelOptions &options,
                                      llvm::StringRef report);

/// Sorts \p words into files and numbers of arguments ("M=4096"). \p isFile
/// tells words with a '=' that are files all the same.
llvm::Error readWords(
    llvm::ArrayRef<std::string> words, std::vector<std::string> &files,
    llvm::StringMap<int64_t> &arguments,
    llvm::function_ref<bool(llvm::StringRef)> isFile = [](llvm::StringRef) {
      return false;
    });

/// The machine of that name, of --product.
llvm::Expected<const arch::Product *> findProduct(llvm::StringRef name);

/// A context that knows all of Fly, and sources whose problems it prints.
class KernelSource {
public:
  explicit KernelSource(std::unique_ptr<llvm::MemoryBuffer> file);
  ~KernelSource();

  /// The module under \p edits; failure is printed.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  parse(const SourceEdits &edits);
  /// The plan of the module under \p edits; failure is printed.
  mlir::FailureOr<reports::PlanReport> plan(const SourceEdits &edits,
                                            reports::PlanQuery query);

  mlir::MLIRContext &getContext();
  llvm::SourceMgr &getSources();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_REPORT_KERNELSOURCE_H
