//===- CommandLine.h - What all tools do at their edge ----------*- C++ -*-===//
//
// Exit codes, errors, reading of files and numbers, --version. Without MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_COMMANDLINE_H
#define FLY_TOOLS_OPTIONS_COMMANDLINE_H

#include "llvm/ADT/StringExtras.h"
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

/// \p text, control characters, which names in a file may have, as \x1b: a
/// terminal would obey them.
inline std::string makePlain(llvm::StringRef text) {
  std::string plain;
  for (char c : text)
    if (c == '\n' || c == '\t' || (uint8_t(c) >= 0x20 && c != 0x7f))
      plain += c;
    else
      plain += "\\x" + llvm::utohexstr(uint8_t(c), true, 2);
  return plain;
}

inline int fail(llvm::StringRef tool, const llvm::Twine &message,
                int code = UserError) {
  llvm::WithColor::error(llvm::errs(), tool)
      << makePlain(message.str()) << '\n';
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

inline void printVersion(llvm::raw_ostream &os, llvm::StringRef tool) {
  os << tool << " " FLY_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

/// What --version prints.
inline void setVersion(llvm::StringRef tool) {
  llvm::cl::SetVersionPrinter(
      [name = tool.str()](llvm::raw_ostream &os) { printVersion(os, name); });
}

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_COMMANDLINE_H
