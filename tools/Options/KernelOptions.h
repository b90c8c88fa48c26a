//===- KernelOptions.h - Options that mean the same everywhere --*- C++ -*-===//
//
// --chip, --kernel, --schedule, --size and --const of the tools that take a
// .mlir, and how the tools read files and print errors.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_KERNELOPTIONS_H
#define FLY_TOOLS_OPTIONS_KERNELOPTIONS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Pipelines/Source.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace fly::tools {

/// Exit codes of every tool.
enum ExitCode : int {
  Right = 0,
  UserError = 1,   ///< Or a failed compilation.
  FailedCheck = 2, ///< A result or expectation that does not hold.
  OurDefect = 3,
};

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

inline int fail(llvm::StringRef tool, const llvm::Twine &message,
                int code = UserError) {
  llvm::WithColor::error(llvm::errs(), tool) << message << '\n';
  return code;
}

/// Reads a file, or standard input for "-".
inline llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (file && (*file)->getBufferSize() == 0)
    return llvm::createStringError(
        (path == "-" ? llvm::Twine("standard input") : "'" + path + "'") +
        " is empty; expected a kernel");
  if (file)
    return std::move(*file);
  std::string hint = file.getError() == std::errc::no_such_file_or_directory
                         ? "; check the path, or write '-' for standard input"
                     : file.getError() == std::errc::is_a_directory
                         ? "; name a file in it"
                         : "";
  return llvm::createStringError("cannot read '" + path +
                                 "': " + file.getError().message() + hint);
}

/// The number of an option that only takes numbers from 0 to `most`.
inline llvm::Expected<uint64_t>
parseNumber(llvm::StringRef option, llvm::StringRef text, uint64_t most) {
  uint64_t number;
  if (text.getAsInteger(0, number) || number > most)
    return llvm::createStringError("--" + option + "=" + text +
                                   ": expected a number from 0 to " +
                                   llvm::Twine(most));
  return number;
}

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

inline void printVersion(llvm::raw_ostream &os, llvm::StringRef tool) {
  os << tool << " " FLY_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

/// What --version prints.
inline void setVersion(llvm::StringRef tool) {
  llvm::cl::SetVersionPrinter(
      [name = tool.str()](llvm::raw_ostream &os) { printVersion(os, name); });
}

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_KERNELOPTIONS_H
