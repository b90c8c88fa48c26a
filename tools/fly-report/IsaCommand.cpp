//===- IsaCommand.cpp - fly-report isa ------------------------------------===//
//
// What `fly-compile --report` says, for any code object.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/IsaReport.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fly::tools::readCodeObject(llvm::StringRef path) {
  auto file = readInput(path);
  if (file &&
      llvm::identify_magic((*file)->getBuffer()) == llvm::file_magic::unknown)
    return llvm::createStringError("'" + path +
                                   "' is no code object; make one by "
                                   "fly-compile, or by llvm-mc and ld.lld");
  return file;
}

int fly::tools::reportIsa(int argc, char **argv) {
  cl::OptionCategory category("fly-report isa options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<k.hsaco>"),
                             cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::opt<std::string> kernel("kernel", cl::value_desc("name"),
                              cl::desc("Report on this kernel alone"),
                              cl::cat(category));
  cl::opt<std::string> dynamicLds(
      "dynamic-lds", cl::init("0"), cl::value_desc("bytes"),
      cl::desc("Dynamic LDS of the launch, for the occupancy"),
      cl::cat(category));
  cl::opt<std::string> workItems(
      "work-items", cl::init("0"), cl::value_desc("number"),
      cl::desc("Work items of a workgroup, where the object requires none"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Registers, LDS, occupancy and hot loop of each kernel of a code "
      "object,\n"
      "counted on its machine code, whoever made it\n\n"
      "  fly-report isa gemm.hsaco\n"
      "  fly-report isa triton.hsaco --dynamic-lds=65536 --json\n");
  if (input.empty())
    return fail("fly-report", "name a code object: fly-report isa gemm.hsaco");
  auto bytes = parseNumber("dynamic-lds", dynamicLds, UINT32_MAX);
  if (!bytes)
    return fail("fly-report", llvm::toString(bytes.takeError()));
  auto items = parseNumber("work-items", workItems, 1024);
  if (!items)
    return fail("fly-report", llvm::toString(items.takeError()));
  auto file = readCodeObject(input);
  if (!file)
    return fail("fly-report", llvm::toString(file.takeError()));
  llvm::StringRef contents = (*file)->getBuffer();
  reports::LaunchResources launch;
  launch.dynamicLdsBytes = unsigned(*bytes);
  launch.workgroupThreads = unsigned(*items);
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(contents, launch);
  if (!report)
    return fail("fly-report",
                "'" + input + "': " + llvm::toString(report.takeError()));
  if (!kernel.empty()) {
    std::string names;
    for (const reports::KernelReport &entry : report->kernels)
      names += (names.empty() ? "" : ", ") + entry.name;
    llvm::erase_if(report->kernels, [&](const reports::KernelReport &entry) {
      return entry.name != kernel;
    });
    if (report->kernels.empty())
      return fail("fly-report",
                  "--kernel=" + kernel + ": '" + input + "' holds: " + names);
  }
  Report page{"Machine code", input, reports::toJSON(*report),
              [&](llvm::raw_ostream &os) { reports::print(os, *report); },
              nullptr};
  return output.get().emit(page, Right);
}
