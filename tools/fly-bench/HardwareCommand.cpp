//===- HardwareCommand.cpp - fly-bench hardware ---------------------------===//
//
// The timing model against what was measured on hardware.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Hardware.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

int fly::tools::benchHardware(int argc, char **argv) {
  cl::OptionCategory category("fly-bench hardware options");
  OutputOptions output("fly-bench", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs a micro-kernel for each published figure on the timing model and "
      "prints\nfigure, model, error and source. Figures that were measured or "
      "documented are\njudged. Exit: 0 if none is off, 2 otherwise\n\n"
      "  fly-bench hardware\n"
      "  fly-bench hardware --json\n");
  // Linking in this process, by lld, sets all options back.
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  llvm::Expected<std::vector<bench::HardwareRow>> rows =
      bench::measureHardwareRows();
  if (!rows)
    return fail("fly-bench", llvm::toString(rows.takeError()));
  Report report{
      "The model and hardware", "published figures", bench::toJSON(*rows),
      [&](llvm::raw_ostream &os) { bench::print(os, *rows); }, nullptr};
  bool isOff = llvm::any_of(
      *rows, [](const bench::HardwareRow &row) { return row.isOff(); });
  return wanted.emit(report, isOff ? FailedCheck : Right);
}
