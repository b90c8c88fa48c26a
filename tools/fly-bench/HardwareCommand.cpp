//===- HardwareCommand.cpp - fly-bench hardware ---------------------------===//
//
// The timing model against what was measured on hardware.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Hardware.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;

int fly::tools::benchHardware(int argc, char **argv) {
  cl::OptionCategory category("fly-bench hardware options");
  cl::opt<bool> json("json", cl::desc("Print JSON"), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs a micro-kernel for each published figure on the timing model and "
      "prints\nfigure, model, error and source. Figures that were measured or "
      "documented are\njudged. Exit: 0 if none is off, 2 otherwise\n\n"
      "  fly-bench hardware\n"
      "  fly-bench hardware --json\n");
  // Linking in this process, by lld, sets all options back.
  const bool asJson = json;
  llvm::Expected<std::vector<bench::HardwareRow>> rows =
      bench::measureHardwareRows();
  if (!rows)
    return fail("fly-bench", llvm::toString(rows.takeError()));
  if (asJson)
    llvm::outs() << llvm::formatv("{0:2}", bench::toJSON(*rows)) << '\n';
  else
    bench::print(llvm::outs(), *rows);
  bool isOff = llvm::any_of(
      *rows, [](const bench::HardwareRow &row) { return row.isOff(); });
  return isOff ? FailedCheck : Right;
}
