//===- fly-reduce.cpp - Makes a kernel smaller while a test holds ---------===//
//
// mlir-reduce with Fly's dialects and passes. --test is short for the pass
// fly-reduction, which knows kernels and schedules; upstream's reduction passes
// are there as well.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reduce/Reduce.h"

#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"

#include <string>
#include <vector>

#include "../Options/KernelOptions.h"

using namespace mlir;
using namespace fly::tools;

static llvm::cl::extrahelp
    examples("\nEXAMPLES:\n\n"
             "  fly-reduce gemm.mlir --test=./wrong.sh -o small.mlir\n"
             "  fly-reduce gemm.mlir --test=./wrong.sh --test-arg=gfx950\n"
             "  fly-reduce gemm.mlir --test=./wrong.sh --max-tests=200\n"
             "  fly-reduce gemm.mlir --reduction-tree='test=./wrong.sh'\n\n"
             "The test gets the name of a file, after its own arguments, and "
             "exits with 0 where\nthe file is of no interest, with anything "
             "else where it is: the fault is there.\nFor a kernel whose result "
             "is wrong (exit code 2 of fly-run), wrong.sh holds\n\n"
             "  #!/bin/sh\n"
             "  fly-run \"$1\" M=64 N=64 K=64 > /dev/null 2>&1\n"
             "  test $? -ne 2\n");

/// Arguments with --test, --test-arg and --max-tests as the pass that they
/// stand for.
static std::vector<std::string> expandTest(int argc, char **argv) {
  std::vector<std::string> arguments;
  std::string options;
  for (int i = 0; i < argc; ++i) {
    llvm::StringRef text(argv[i]), name = text.ltrim('-');
    auto isOption = [&](llvm::StringRef option) {
      return i > 0 && text.starts_with("-") && name.starts_with(option);
    };
    if (isOption("test=") || isOption("test-arg=") || isOption("max-tests=")) {
      auto [key, value] = name.split('=');
      options +=
          (options.empty() ? "" : " ") +
          (key + "=" + (value.contains(' ') ? "{" + value + "}" : value)).str();
    } else {
      arguments.emplace_back(text);
    }
  }
  if (!options.empty())
    arguments.push_back("--fly-reduction=" + options);
  return arguments;
}

/// Prints "file:line:col: error: text" with its notes.
static void printDiagnostic(Diagnostic &diagnostic) {
  llvm::raw_ostream &os = llvm::errs();
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (place && place.getLine())
    os << place.getFilename().getValue() << ':' << place.getLine() << ':'
       << place.getColumn() << ": ";
  else
    os << "fly-reduce: ";
  constexpr llvm::StringLiteral words[] = {"note", "warning", "error",
                                           "remark"};
  os << words[unsigned(diagnostic.getSeverity())] << ": " << diagnostic << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

/// Whether the arguments ask for help, or name a test.
static bool isComplete(llvm::ArrayRef<std::string> arguments) {
  return llvm::any_of(arguments, [](llvm::StringRef argument) {
    llvm::StringRef name = argument.ltrim('-');
    return argument.contains("test=") || name.starts_with("help") ||
           name == "h" || name == "version";
  });
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments = expandTest(argc, argv);
  if (!isComplete(arguments))
    return fail("fly-reduce",
                "name the test: fly-reduce gemm.mlir --test=./wrong.sh "
                "(fly-reduce --help shows one)");
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  setVersion("fly-reduce");
  DialectRegistry registry;
  fly::registerAllDialects(registry);
  fly::registerAllPasses();
  fly::reduce::registerReductionPass();
  registerTransformsPasses();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler(printDiagnostic);
  return failed(mlirReduceMain(arguments.size(), pointers.data(), context))
             ? UserError
             : Right;
}
