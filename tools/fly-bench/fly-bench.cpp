//===- fly-bench.cpp - Measures on the model and on hardware --------------===//
//
// One tool with a subcommand for each bench. A subcommand has its own options,
// registered when it is chosen, so that --help of one shows only its own.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/InitLLVM.h"

#include "../Options/KernelOptions.h"
#include "../Options/Subcommand.h"
#include "Subcommands.h"

using namespace fly::tools;

static constexpr Subcommand subcommands[] = {
    {"hardware", "the timing model against published measurements",
     benchHardware},
    {"mechanisms", "what each lever of a schedule gives on the model",
     benchMechanisms},
    {"predictions", "published GEMMs on the model, and its errors",
     benchPredictions},
    {"probe", "experiments that settle the model's assumptions", benchProbe},
    {"run", "a table of kernels on the simulator or a GPU, as CSV", benchRun},
};

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return runSubcommand(
      "fly-bench",
      "Times kernels on the simulator or a GPU, and the simulator's "
      "model against what is known of hardware",
      "  fly-bench hardware\n"
      "  fly-bench mechanisms\n"
      "  fly-bench predictions\n"
      "  fly-bench probe --match=LDS-\n"
      "  fly-bench run kernels.csv -o before.csv\n",
      "bench", subcommands, argc, argv);
}
