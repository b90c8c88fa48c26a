//===- Process.cpp - Programs that are started and watched ----------------===//
//
// LLVM starts and waits; its waiting knows no interruption, so it is asked
// often whether the program is done. The shell changes the directory, since
// doing that here would be for all threads.
//
//===----------------------------------------------------------------------===//
#include "Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <signal.h>
#include <thread>
#include <unistd.h>

using namespace fly::bisect;
using Clock = std::chrono::steady_clock;

extern char **environ;

std::string Outcome::describe() const {
  switch (kind) {
  case Exited:
    return "exits with " + std::to_string(code);
  case Crashed:
    return "is ended by a signal: " + problem;
  default:
    return problem;
  }
}

/// The variables of `git rev-parse --local-env-vars`: what ties a git process
/// to one repository, index or configuration.
static bool isOfRepository(llvm::StringRef variable) {
  static constexpr llvm::StringLiteral names[] = {
      "GIT_ALTERNATE_OBJECT_DIRECTORIES",
      "GIT_COMMON_DIR",
      "GIT_CONFIG",
      "GIT_CONFIG_COUNT",
      "GIT_CONFIG_PARAMETERS",
      "GIT_DIR",
      "GIT_GRAFT_FILE",
      "GIT_IMPLICIT_WORK_TREE",
      "GIT_INDEX_FILE",
      "GIT_NO_REPLACE_OBJECTS",
      "GIT_OBJECT_DIRECTORY",
      "GIT_PREFIX",
      "GIT_REPLACE_REF_BASE",
      "GIT_SHALLOW_FILE",
      "GIT_WORK_TREE",
  };
  return llvm::is_contained(names, variable.split('=').first);
}

/// Ends the session of `process`; gives it two seconds to clean up.
static void endSession(const llvm::sys::ProcessInfo &process) {
  auto send = [&](int signal) {
    // Before its session exists there is only the process.
    if (kill(-process.Pid, signal) != 0)
      kill(process.Pid, signal);
  };
  send(SIGTERM);
  for (unsigned wait = 0; wait < 200; ++wait) {
    if (llvm::sys::Wait(process, 0u).Pid != 0) {
      // What it has started may be slower than the leader.
      kill(-process.Pid, SIGKILL);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  send(SIGKILL);
  llvm::sys::Wait(process, std::nullopt);
}

Lifeline::Lifeline() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  writeEnd = ends[1];
  readEnd = dup(ends[0]); // Inherited, unlike the first.
  close(ends[0]);
  if (readEnd > 9) {
    close(readEnd);
    readEnd = -1;
  }
}

Lifeline::~Lifeline() {
  for (int end : {readEnd, writeEnd})
    if (end != -1)
      close(end);
}

static uint64_t bytesOf(llvm::StringRef file) {
  uint64_t bytes = 0;
  return file.empty() || llvm::sys::fs::file_size(file, bytes) ? 0 : bytes;
}

static Outcome watch(const llvm::sys::ProcessInfo &process,
                     const ProcessRequest &request,
                     llvm::function_ref<bool()> isInterrupted) {
  unsigned timeout = request.timeoutSeconds;
  Outcome outcome;
  Clock::time_point start = Clock::now();
  std::chrono::microseconds nap(200);
  for (;;) {
    std::string problem;
    llvm::sys::ProcessInfo state = llvm::sys::Wait(process, 0u, &problem);
    if (state.Pid != 0) {
      // What it has left running would disturb the next measurement.
      kill(-process.Pid, SIGKILL);
      // LLVM takes the shell's 126 and 127 for its own failure to start.
      bool isOwn = state.ReturnCode >= 0;
      outcome.kind = isOwn                    ? Outcome::Exited
                     : state.ReturnCode == -2 ? Outcome::Crashed
                                              : Outcome::NotStarted;
      outcome.code = isOwn ? state.ReturnCode : 0;
      outcome.problem = "cannot be started: " + problem;
      if (outcome.kind == Outcome::Crashed)
        outcome.problem = problem;
      return outcome;
    }
    if (isInterrupted()) {
      endSession(process);
      outcome.kind = Outcome::Interrupted;
      outcome.problem = "is interrupted";
      return outcome;
    }
    if (timeout && Clock::now() - start >= std::chrono::seconds(timeout)) {
      endSession(process);
      outcome.kind = Outcome::TimedOut;
      outcome.problem =
          "is ended after " + std::to_string(timeout) + " seconds";
      return outcome;
    }
    if (std::max(bytesOf(request.output), bytesOf(request.errors)) >
        request.mostOutputBytes) {
      endSession(process);
      outcome.kind = Outcome::TooLong;
      outcome.problem = "is ended since it printed more than " +
                        std::to_string(request.mostOutputBytes >> 20) + " MiB";
      return outcome;
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, std::chrono::microseconds(20000));
  }
}

Outcome fly::bisect::runProcess(const ProcessRequest &request,
                                llvm::function_ref<bool()> isInterrupted) {
  std::vector<llvm::StringRef> environment;
  for (char **variable = environ; *variable; ++variable)
    if (!isOfRepository(*variable))
      environment.push_back(*variable);
  llvm::append_range(environment, request.variables);
  std::string script = "cd -- \"$1\" && shift && ";
  int end = request.lifeline ? request.lifeline->getReadEnd() : -1;
  if (end == -1) {
    script += "exec \"$@\"";
  } else {
    // Nothing is ever written: the reading ends with the writer, and the
    // session with the reading.
    std::string number = std::to_string(end);
    script += "{ { read -r _ <&" + number +
              "; kill -s KILL 0; } </dev/null >/dev/null 2>&1 & } && exec "
              "\"$@\" " +
              number + "<&-";
  }
  std::vector<llvm::StringRef> words = {"sh", "-c", script, "sh",
                                        request.directory};
  llvm::append_range(words, request.words);
  // LLVM writes over what is there and leaves a longer rest.
  llvm::sys::fs::remove(request.output);
  llvm::sys::fs::remove(request.errors);
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(), llvm::StringRef(request.output),
      llvm::StringRef(request.errors)};
  std::string problem;
  bool failed = false;
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      "/bin/sh", words, llvm::ArrayRef(environment), redirects,
      /*MemoryLimit=*/0, &problem, &failed, /*AffinityMask=*/nullptr,
      /*DetachProcess=*/true);
  if (failed) {
    Outcome outcome;
    outcome.problem = "cannot be started: " + problem;
    return outcome;
  }
  return watch(process, request, isInterrupted);
}
