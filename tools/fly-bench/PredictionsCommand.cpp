//===- PredictionsCommand.cpp - fly-bench predictions ---------------------===//
//
// Published figures of GEMMs, and what the timing model says of them.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Predictions.h"

#include "MatchedReport.h"
#include "Subcommands.h"

using namespace fly;
using namespace fly::tools;

int fly::tools::benchPredictions(int argc, char **argv) {
  return runMatched(
      {"predictions", "Predictions",
       "Only figures with this text in their product and kernel",
       "Compiles Fly's kernel for each published figure of a GEMM whose types, "
       "sizes, tile\nand loop are published, times it on the model, and prints "
       "both and the error. Others\nare listed. Nothing is judged\n\n"
       "  fly-bench predictions\n"
       "  fly-bench predictions --match=\"MI355X FlyDSL fp8\"\n"},
      argc, argv,
      [](mlir::MLIRContext &context, llvm::StringRef chosen) {
        return bench::predictPublished(context, chosen);
      },
      [](const auto &) { return Right; });
}
