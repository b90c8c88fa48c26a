//===- CompileDriver.h - What fly-compile does ------------------*- C++ -*-===//
//
// The work behind the command line: one request, all its chips, an exit code.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_COMPILE_COMPILEDRIVER_H
#define FLY_TOOLS_FLY_COMPILE_COMPILEDRIVER_H

#include "fly/Pipelines/Source.h"

#include <string>
#include <vector>

namespace fly::tools {

/// What to print.
enum class Emit { Tile, Explicit, Rocdl, Llvm, Asm, Obj, Contract };
enum class ReportForm { None, Text, Json };

struct CompileRequest {
  std::string input;
  /// Empty: standard output for text, the input's name with .hsaco for objects.
  std::string output;
  Emit emit = Emit::Obj;
  /// Stop after this pass and print the IR; overrides `emit`.
  std::string after;
  std::vector<std::string> chips;
  std::string kernel;
  ScheduleOverrides overrides;
  ReportForm report = ReportForm::None;
  bool timing = false;
  /// Compile asserts and prints.
  bool checks = false;
  bool warningsAreErrors = false;
  /// Generate code in a child process, so that a crash becomes a message.
  bool isolate = true;
};

/// Runs the request; messages go to standard error. Gives the exit code.
int compileRequest(const CompileRequest &request);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_COMPILE_COMPILEDRIVER_H
