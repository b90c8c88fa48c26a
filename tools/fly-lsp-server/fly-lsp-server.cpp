//===- fly-lsp-server.cpp - The language server ---------------------------===//
//
// Speaks to the editor on standard input and output. MLIR's own server, with
// Fly's dialects, is this program again, started with --mlir-server.
//
//===----------------------------------------------------------------------===//
#include "fly/Lsp/ScheduleKeys.h"
#include "fly/Lsp/Session.h"
#include "fly/Lsp/UpstreamProcess.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LSP/Transport.h"

#include <csignal>

#include "../Options/KernelOptions.h"

namespace cl = llvm::cl;
using namespace fly::tools;

static constexpr llvm::StringLiteral kUpstream = "--mlir-server";

/// MLIR's server with Fly's dialects.
static int runUpstream(char *name) {
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  std::string log = "--log=error";
  char *arguments[] = {name, log.data(), nullptr};
  return failed(mlir::MlirLspServerMain(2, arguments, registry)) ? UserError
                                                                 : Right;
}

static int run(llvm::StringRef program, bool isTest) {
  auto upstream =
      fly::lsp::startUpstream(program.str(), {program.str(), kUpstream.str()});
  if (!upstream)
    return fail("fly-lsp-server", llvm::toString(upstream.takeError()),
                OurDefect);
  fly::lsp::Session session(
      **upstream,
      [&](llvm::json::Value message) {
        // As JSONTransport writes it, which only sends what it knows.
        std::string text = llvm::formatv(isTest ? "{0:2}\n" : "{0}", message);
        llvm::outs() << "Content-Length: " << text.size() << "\r\n\r\n" << text;
        llvm::outs().flush();
      },
      FLY_VERSION);
  llvm::lsp::JSONTransportInputOverFile input(
      stdin, isTest ? llvm::lsp::Delimited : llvm::lsp::Standard);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (llvm::failed(input.readMessage(text)))
      continue;
    llvm::Expected<llvm::json::Value> message = llvm::json::parse(text);
    if (!message)
      session.refuse(llvm::toString(message.takeError()));
    else if (!session.handle(std::move(*message)))
      return Right;
  }
  return Right;
}

int main(int argc, char **argv) {
  // A server that has ended is started again, not followed.
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  std::signal(SIGPIPE, SIG_IGN);
  if (argc == 2 && argv[1] == kUpstream)
    return runUpstream(argv[0]);
  cl::OptionCategory category("fly-lsp-server options");
  cl::opt<bool> isTest(
      "lit-test", cl::cat(category),
      cl::desc("Read messages that '// -----' separates, print them indented"));
  cl::opt<bool> keys("schedule-keys", cl::cat(category),
                     cl::desc("Print the keys of schedules as a table"));
  cl::HideUnrelatedOptions(category);
  setVersion("fly-lsp-server");
  cl::ParseCommandLineOptions(
      argc, argv,
      "Language server for kernels in the fly dialect: errors while typing, "
      "hover,\ncompletion, definitions. Editors start it without arguments "
      "(docs/Guide/Editing.md);\nby hand, with messages of the protocol in a "
      "file:\n\n  fly-lsp-server --lit-test < messages.txt\n");
  if (keys) {
    fly::lsp::printScheduleKeys(llvm::outs());
    return Right;
  }
  return run(llvm::sys::fs::getMainExecutable(
                 argv[0], reinterpret_cast<void *>(&runUpstream)),
             isTest);
}
