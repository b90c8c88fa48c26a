//===- fly-report.cpp - Reports on kernels and code objects ---------------===//
//
// One tool with a subcommand for each report. A subcommand has its own options,
// registered when it is chosen, so that --help of one shows only its own.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/InitLLVM.h"

#include "../Options/Subcommand.h"
#include "Subcommands.h"

using namespace fly::tools;

static constexpr Subcommand subcommands[] = {
    {"capture-config", "input files for rocprofv3: trace and counters",
     captureConfig},
    {"checklist", "the tuning guide's checks, each with its evidence",
     reportChecklist},
    {"compare", "what changed between two runs, profiles or code objects",
     reportCompare},
    {"counters", "hit rates, over-fetch, balance, use of units from counters",
     reportCounters},
    {"hotspots", "where the waves of a thread trace wait, and what to change",
     reportHotspots},
    {"isa", "registers, LDS and hot loop of a code object, whoever made it",
     reportIsa},
    {"kernels", "which kernels take the time of a run", reportKernels},
    {"layout", "which lane and register hold which element; banks; coalescing",
     reportLayout},
    {"occupancy", "waves on a compute unit, what limits them, the next step",
     reportOccupancy},
    {"plan",
     "what a kernel will need and how it fills a machine; which rules "
     "hold",
     reportPlan},
    {"roofline", "what binds a kernel, and how near its peaks it is",
     reportRoofline},
    {"verify", "proofs on the machine code of a code object, whoever made it",
     reportVerify},
};

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return runSubcommand("fly-report", "Reports on kernels and code objects",
                       "  fly-report checklist gemm.mlir M=4096 N=4096 K=8192\n"
                       "  fly-report compare base.csv current.csv\n"
                       "  fly-report counters out_counter_collection.csv\n"
                       "  fly-report hotspots ui_output_agent_4_dispatch_2\n"
                       "  fly-report isa gemm.hsaco --json\n"
                       "  fly-report kernels out_kernel_trace.csv\n"
                       "  fly-report layout gemm.mlir --value acc\n"
                       "  fly-report occupancy gemm.hsaco\n"
                       "  fly-report plan gemm.mlir M=4096 N=4096 K=8192\n"
                       "  fly-report roofline gemm.mlir M=4096 N=4096 K=8192\n"
                       "  fly-report verify gemm.hsaco\n",
                       "report", subcommands, argc, argv);
}
