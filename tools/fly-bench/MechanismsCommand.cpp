//===- MechanismsCommand.cpp - fly-bench mechanisms -----------------------===//
//
// What each lever of a schedule gives on the timing model.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Mechanisms.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"

#include "../Options/KernelOptions.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;

int fly::tools::benchMechanisms(int argc, char **argv) {
  cl::OptionCategory category("fly-bench mechanisms options");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles pairs of GEMMs that differ in one lever of the schedule, times "
      "both on\nthe model and prints what the lever gives beside what is known "
      "of it. Exit: 0 if\nall signs are right, 2 otherwise\n\n"
      "  fly-bench mechanisms\n");
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<std::vector<bench::MechanismResult>> results =
      bench::measureMechanisms(context);
  if (!results)
    return fail("fly-bench", llvm::toString(results.takeError()));
  bench::print(llvm::outs(), *results);
  bool isWrong =
      llvm::any_of(*results, [](const bench::MechanismResult &result) {
        return result.isWrong();
      });
  return isWrong ? FailedCheck : Right;
}
