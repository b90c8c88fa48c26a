//===- PredictionsCommand.cpp - fly-bench predictions ---------------------===//
//
// Published figures of GEMMs, and what the timing model says of them.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Predictions.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

int fly::tools::benchPredictions(int argc, char **argv) {
  cl::OptionCategory category("fly-bench predictions options");
  cl::opt<std::string> match("match",
                             cl::desc("Only figures with this text in their "
                                      "product and kernel"),
                             cl::value_desc("text"), cl::cat(category));
  OutputOptions output("fly-bench", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles Fly's kernel for each published figure of a GEMM whose types, "
      "sizes, tile\nand loop are published, times it on the model, and prints "
      "both and the error. Others\nare listed. Nothing is judged\n\n"
      "  fly-bench predictions\n"
      "  fly-bench predictions --match=\"MI355X FlyDSL fp8\"\n");
  // Linking in this process, by lld, sets all options back.
  const std::string chosen = match;
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<std::vector<bench::Prediction>> rows =
      bench::predictPublished(context, chosen);
  if (!rows)
    return fail("fly-bench", llvm::toString(rows.takeError()));
  Report report{
      "Predictions", chosen.empty() ? "all" : chosen, bench::toJSON(*rows),
      [&](llvm::raw_ostream &os) { bench::print(os, *rows); }, nullptr};
  return wanted.emit(report, Right);
}
