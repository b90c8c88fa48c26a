//===- Subcommand.h - Tools of several commands -----------------*- C++ -*-===//
//
// A tool with a subcommand for each thing that it does. A subcommand has its
// own options, registered when it is chosen, so that --help of one shows only
// its own.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_SUBCOMMAND_H
#define FLY_TOOLS_OPTIONS_SUBCOMMAND_H

#include "KernelOptions.h"

namespace fly::tools {

/// One command: its word on the command line, what it tells, what runs it. The
/// first argument of `run` is the word; it gives the exit code.
struct Subcommand {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  int (*run)(int argc, char **argv);
};

/// Runs the command that the first argument names. `kind` is what messages call
/// a command: "report". Gives the exit code.
inline int runSubcommand(llvm::StringRef tool, llvm::StringRef overview,
                         llvm::StringRef examples, llvm::StringRef kind,
                         llvm::ArrayRef<Subcommand> subcommands, int argc,
                         char **argv) {
  setVersion(tool);
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "-help") {
    llvm::outs() << "OVERVIEW: " << overview << "\n\n"
                 << examples << "\nUSAGE: " << tool
                 << " <subcommand> [options]\n\nSUBCOMMANDS (" << tool
                 << " <subcommand> --help shows its options):\n\n";
    for (const Subcommand &subcommand : subcommands)
      llvm::outs() << llvm::left_justify(("  " + subcommand.name).str(), 18)
                   << subcommand.summary << '\n';
    return Right;
  }
  if (name == "--version") {
    printVersion(llvm::outs(), tool);
    return Right;
  }
  std::string known;
  for (const Subcommand &subcommand : subcommands) {
    // The subcommand sees its own name as that of the program.
    if (subcommand.name == name)
      return subcommand.run(argc - 1, argv + 1);
    known += (known.empty() ? "" : ", ") + subcommand.name.str();
  }
  return fail(tool, (name.empty() ? "name a " + kind
                                  : "unknown " + kind + " '" + name + "'") +
                        llvm::Twine("; known: ") + known + " (" + tool +
                        " --help shows more)");
}

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_SUBCOMMAND_H
