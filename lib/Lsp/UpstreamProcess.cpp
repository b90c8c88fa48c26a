//===- UpstreamProcess.cpp - MLIR's server as a process -------------------===//
//
// Two pipes. That a message has been dealt with shows by the answer to a second
// one, a request that no server knows: the server takes messages in turn.
//
//===----------------------------------------------------------------------===//
#include "fly/Lsp/UpstreamProcess.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fly::lsp;
namespace json = llvm::json;

extern char **environ;

namespace {
class UpstreamProcess : public Upstream {
public:
  UpstreamProcess(std::string program, std::vector<std::string> arguments)
      : program(std::move(program)), arguments(std::move(arguments)) {}
  ~UpstreamProcess() override { stop(); }

  llvm::Error start();
  bool exchange(const json::Value &message,
                std::vector<json::Value> &answers) override;
  bool restart() override {
    stop();
    if (llvm::Error error = start()) {
      llvm::consumeError(std::move(error));
      return false;
    }
    return true;
  }

private:
  void stop();
  bool write(const json::Value &message);

  std::string program;
  std::vector<std::string> arguments;
  pid_t child = 0;
  int toChild = -1;
  std::FILE *fromChild = nullptr;
  uint64_t marks = 0;
};
} // namespace

llvm::Error UpstreamProcess::start() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC))
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  if (pipe2(out, O_CLOEXEC)) {
    llvm::Error error = llvm::errorCodeToError(llvm::errnoAsErrorCode());
    close(in[0]);
    close(in[1]);
    return error;
  }
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  int failed = posix_spawn(&child, program.c_str(), &actions, nullptr,
                           pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  toChild = in[1];
  fromChild = fdopen(out[0], "r");
  if (!failed && fromChild)
    return llvm::Error::success();
  if (failed)
    child = 0;
  if (!fromChild)
    close(out[0]);
  stop();
  return llvm::createStringError("cannot start '" + program + "'");
}

void UpstreamProcess::stop() {
  // The server ends where its input does.
  if (toChild >= 0)
    close(toChild);
  if (fromChild)
    std::fclose(fromChild);
  if (child)
    waitpid(child, nullptr, 0);
  toChild = -1;
  fromChild = nullptr;
  child = 0;
}

bool UpstreamProcess::write(const json::Value &message) {
  std::string text, body;
  llvm::raw_string_ostream(body) << message;
  text = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t done = 0; done < text.size();) {
    ssize_t written = ::write(toChild, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    done += written;
  }
  return true;
}

bool UpstreamProcess::exchange(const json::Value &message,
                               std::vector<json::Value> &answers) {
  std::string mark = "fly/mark/" + std::to_string(++marks);
  if (!write(message) ||
      !write(json::Object{
          {"jsonrpc", "2.0"}, {"id", mark}, {"method", "fly/mark"}}))
    return false;
  llvm::lsp::JSONTransportInputOverFile input(fromChild);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (llvm::failed(input.readMessage(text)))
      continue;
    llvm::Expected<json::Value> answer = json::parse(text);
    if (!answer) {
      llvm::consumeError(answer.takeError());
      continue;
    }
    const json::Object *object = answer->getAsObject();
    if (object && object->getString("id") == llvm::StringRef(mark))
      return true;
    answers.push_back(std::move(*answer));
  }
  return false;
}

llvm::Expected<std::unique_ptr<Upstream>>
fly::lsp::startUpstream(std::string program,
                        std::vector<std::string> arguments) {
  auto process = std::make_unique<UpstreamProcess>(std::move(program),
                                                   std::move(arguments));
  if (llvm::Error error = process->start())
    return std::move(error);
  return std::unique_ptr<Upstream>(std::move(process));
}
