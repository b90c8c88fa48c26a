//===- KernelOptions.h - Options that mean the same everywhere --*- C++ -*-===//
//
// --chip, --kernel, --schedule, --size and --const of the tools that take a
// .mlir.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_KERNELOPTIONS_H
#define FLY_TOOLS_OPTIONS_KERNELOPTIONS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Pipelines/Source.h"

#include "CommandLine.h"

namespace fly::tools {

/// The options, registered where a tool constructs one.
struct KernelOptions {
  llvm::cl::OptionCategory &category;
  llvm::cl::list<std::string> chips{
      "chip", llvm::cl::CommaSeparated, llvm::cl::value_desc("gfx942,..."),
      llvm::cl::desc("Chips to compile for, instead of the module's target"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> kernel{
      "kernel", llvm::cl::value_desc("name"),
      llvm::cl::desc("Kernel, where the input has several"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> schedule{
      "schedule", llvm::cl::value_desc("label.key=value,..."),
      llvm::cl::desc("Change entries of the schedule"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> sizes{"size", llvm::cl::value_desc("NAME=N,..."),
                                    llvm::cl::desc("Change named sizes"),
                                    llvm::cl::cat(category)};
  llvm::cl::list<std::string> consts{
      "const", llvm::cl::value_desc("ARG=N,..."),
      llvm::cl::desc("Fix arguments to constants"), llvm::cl::cat(category)};

  explicit KernelOptions(llvm::cl::OptionCategory &category)
      : category(category) {}

  ScheduleOverrides overrides() const {
    ScheduleOverrides result;
    auto append = [](const llvm::cl::list<std::string> &texts,
                     std::vector<std::string> &parts) {
      for (const std::string &text : texts)
        for (std::string &part : splitOverrides(text))
          parts.push_back(std::move(part));
    };
    append(schedule, result.schedule);
    append(sizes, result.sizes);
    append(consts, result.consts);
    return result;
  }
};

/// An error that lists the chips if `chip` is none that Fly compiles for.
inline llvm::Error checkChip(llvm::StringRef chip) {
  const arch::ArchInfo *info = arch::ArchInfo::lookup(chip);
  if (info && info->canCompile)
    return llvm::Error::success();
  return llvm::createStringError(
      "--chip=" + chip +
      (info ? ": fly does not compile for it" : ": unknown chip") +
      ", expected one of: " + arch::knownChipNames(/*compilableOnly=*/true));
}

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_KERNELOPTIONS_H
