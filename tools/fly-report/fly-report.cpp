//===- fly-report.cpp - Reports on kernels and code objects ---------------===//
//
// One tool with a subcommand for each report. A subcommand has its own options,
// registered when it is chosen, so that --help of one shows only its own.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"

#include "../Options/KernelOptions.h"
#include "Subcommands.h"

using namespace fly::tools;

static constexpr Subcommand subcommands[] = {
    {"isa", "registers, LDS and hot loop of a code object, whoever made it",
     reportIsa},
    {"layout", "which lane and register hold which element; banks; coalescing",
     reportLayout},
    {"plan",
     "what a kernel will need and how it fills a machine; which rules "
     "hold",
     reportPlan},
    {"verify", "proofs on the machine code of a code object, whoever made it",
     reportVerify},
};

static void printHelp(llvm::raw_ostream &os) {
  os << "OVERVIEW: Reports on kernels and code objects\n\n"
        "  fly-report isa gemm.hsaco --json\n"
        "  fly-report layout gemm.mlir --value acc\n"
        "  fly-report plan gemm.mlir M=4096 N=4096 K=8192\n"
        "  fly-report verify gemm.hsaco\n\n"
        "USAGE: fly-report <subcommand> [options] <file>\n\n"
        "SUBCOMMANDS (fly-report <subcommand> --help shows its options):\n\n";
  for (const Subcommand &subcommand : subcommands)
    os << llvm::left_justify(("  " + subcommand.name).str(), 12)
       << subcommand.summary << '\n';
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersion("fly-report");
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "-help") {
    printHelp(llvm::outs());
    return Right;
  }
  if (name == "--version") {
    printVersion(llvm::outs(), "fly-report");
    return Right;
  }
  std::string known;
  for (const Subcommand &subcommand : subcommands) {
    // The subcommand sees its own name as that of the program.
    if (subcommand.name == name)
      return subcommand.run(argc - 1, argv + 1);
    known += (known.empty() ? "" : ", ") + subcommand.name.str();
  }
  return fail("fly-report", (name.empty() ? llvm::Twine("name a report")
                                          : "unknown report '" + name + "'") +
                                "; known: " + known +
                                " (fly-report --help shows more)");
}
