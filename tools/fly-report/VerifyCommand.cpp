//===- VerifyCommand.cpp - fly-report verify ------------------------------===//
//
// Proves waits, wait states, barriers and the order of LDS on the machine code
// of any code object.
//
//===----------------------------------------------------------------------===//
#include "fly/Verify/Verify.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;

int fly::tools::reportVerify(int argc, char **argv) {
  cl::OptionCategory category("fly-report verify options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<k.hsaco>"),
                             cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::opt<std::string> kernel("kernel", cl::value_desc("name"),
                              cl::desc("Check this kernel alone"),
                              cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Proves on the machine code of each kernel, over all paths: waits for "
      "results of\nmemory, wait states between dependent instructions, "
      "barriers "
      "that all lanes and\nwaves pass, the order of accesses to LDS. Exit: 0 "
      "without findings, 2 with some\n\n"
      "  fly-report verify gemm.hsaco\n"
      "  fly-report verify triton.hsaco --kernel=gemm --json\n");
  if (input.empty())
    return fail("fly-report",
                "name a code object: fly-report verify gemm.hsaco");
  auto file = readCodeObject(input);
  if (!file)
    return fail("fly-report", llvm::toString(file.takeError()));
  llvm::Expected<verify::ObjectVerdict> verdict =
      verify::verifyObject((*file)->getBuffer(), kernel);
  if (!verdict)
    return fail("fly-report",
                "'" + input + "': " + llvm::toString(verdict.takeError()));
  Report page{"Proofs on machine code", input, verify::toJSON(*verdict),
              [&](llvm::raw_ostream &os) { verify::print(os, *verdict); },
              nullptr};
  return output.get().emit(page, verdict->hasFindings() ? FailedCheck : Right);
}
