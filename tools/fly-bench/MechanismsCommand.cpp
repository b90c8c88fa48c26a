//===- MechanismsCommand.cpp - fly-bench mechanisms -----------------------===//
//
// What each lever of a schedule gives on the timing model.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Mechanisms.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

int fly::tools::benchMechanisms(int argc, char **argv) {
  cl::OptionCategory category("fly-bench mechanisms options");
  cl::opt<std::string> match("match",
                             cl::desc("Only pairs with this text in their name "
                                      "or kernel"),
                             cl::value_desc("text"), cl::cat(category));
  OutputOptions output("fly-bench", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles pairs of GEMMs that differ in one lever of the schedule, times "
      "both on\nthe model and prints what the lever gives beside what is known "
      "of it. Exit: 0 if\nall signs are right, 2 otherwise\n\n"
      "  fly-bench mechanisms\n"
      "  fly-bench mechanisms --match=\"XOR swizzle\"\n");
  // Linking in this process, by lld, sets all options back.
  const std::string chosen = match;
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<std::vector<bench::MechanismResult>> results =
      bench::measureMechanisms(context, chosen);
  if (!results)
    return fail("fly-bench", llvm::toString(results.takeError()));
  Report report{
      "Mechanisms", chosen.empty() ? "all" : chosen, bench::toJSON(*results),
      [&](llvm::raw_ostream &os) { bench::print(os, *results); }, nullptr};
  bool isWrong =
      llvm::any_of(*results, [](const bench::MechanismResult &result) {
        return result.isWrong();
      });
  return wanted.emit(report, isWrong ? FailedCheck : Right);
}
