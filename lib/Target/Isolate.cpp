//===- Isolate.cpp - Code generation in a forked child --------------------===//
//
// LLVM answers what it can not select with abort(). In a child that is only a
// message: the child generates code, writes the result to a pipe and ends
// without running exit handlers; the parent reads until the pipe closes and
// looks at how the child ended. No exec, no temporary files: if the child dies
// nothing is left behind. The caller forks before it starts threads. Several
// children run side by side; each waits with its result until it is its turn
// to be read.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Errno.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Codegen.h"

using namespace fly::target;

namespace {

/// Writes the result: numbers and length-prefixed strings.
class Writer {
public:
  explicit Writer(int descriptor) : descriptor(descriptor) {}

  void bytes(const void *data, size_t size) {
    const char *next = static_cast<const char *>(data);
    while (size) {
      ssize_t written = ::write(descriptor, next, size);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        ::_exit(1); // The parent has gone.
      next += written;
      size -= static_cast<size_t>(written);
    }
  }
  void number(uint64_t value) { bytes(&value, sizeof(value)); }
  void real(double value) { bytes(&value, sizeof(value)); }
  void string(llvm::StringRef text) {
    number(text.size());
    bytes(text.data(), text.size());
  }
  void emission(const Emission &result) {
    number(result.messages.size());
    for (const Message &message : result.messages) {
      number(message.isError);
      string(message.function);
      string(message.text);
    }
    string(result.object);
    string(result.assembly);
    string(result.llvmIr);
    real(result.midEndMs);
  }

private:
  int descriptor;
};

/// Reads what Writer wrote; `ok` turns false where the bytes end early.
class Reader {
public:
  explicit Reader(llvm::StringRef data) : data(data) {}
  bool ok = true;

  template <typename T>
  T plain() {
    T value{};
    if (data.size() < sizeof(T)) {
      ok = false;
      return value;
    }
    std::memcpy(&value, data.data(), sizeof(T));
    data = data.drop_front(sizeof(T));
    return value;
  }
  std::string string() {
    uint64_t size = plain<uint64_t>();
    if (data.size() < size) {
      ok = false;
      return {};
    }
    std::string text = data.take_front(size).str();
    data = data.drop_front(size);
    return text;
  }
  Emission emission() {
    Emission result;
    uint64_t count = plain<uint64_t>();
    for (uint64_t i = 0; ok && i < count; ++i) {
      Message message;
      message.isError = plain<uint64_t>() != 0;
      message.function = string();
      message.text = string();
      result.messages.push_back(std::move(message));
    }
    result.object = string();
    result.assembly = string();
    result.llvmIr = string();
    result.midEndMs = plain<double>();
    return result;
  }

private:
  llvm::StringRef data;
};

Emission failure(std::string text) {
  Emission result;
  result.messages.push_back({true, "", std::move(text)});
  return result;
}

/// The child's pipe, for the fatal error handler.
void onFatalError(void *data, const char *reason, bool) {
  // "LLVM ERROR" texts may span lines; the first names the problem.
  llvm::StringRef first = llvm::StringRef(reason).split('\n').first;
  Writer(*static_cast<int *>(data))
      .emission(failure(("LLVM cannot compile this: " + first).str()));
  ::_exit(0);
}

[[noreturn]] void runChild(int descriptor, size_t index,
                           llvm::function_ref<Emission(size_t)> compile) {
  // Handlers of the parent (stack dumps, reproducers) are not for the child.
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    ::signal(signal, SIG_DFL);
  rlimit noCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0)
    ::dup2(null, STDERR_FILENO);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError, &descriptor);
  Writer(descriptor).emission(compile(index));
  ::_exit(0);
}

std::string readAll(int descriptor) {
  std::string data;
  char buffer[65536];
  while (true) {
    ssize_t count = ::read(descriptor, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return data;
    data.append(buffer, static_cast<size_t>(count));
  }
}

/// A running child.
struct Child {
  pid_t process = -1;
  int descriptor = -1;
  std::string problem; ///< Why it does not run.
};

Child start(size_t index, llvm::function_ref<Emission(size_t)> compile) {
  Child child;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    child.problem = "cannot create a pipe: " + llvm::sys::StrError(errno);
    return child;
  }
  child.process = ::fork();
  if (child.process < 0) {
    child.problem =
        "cannot fork for code generation: " + llvm::sys::StrError(errno);
    ::close(pipe[0]);
    ::close(pipe[1]);
    return child;
  }
  if (child.process == 0) {
    ::close(pipe[0]);
    runChild(pipe[1], index, compile);
  }
  ::close(pipe[1]);
  child.descriptor = pipe[0];
  return child;
}

Emission finish(const Child &child) {
  if (child.process < 0)
    return failure(child.problem);
  std::string data = readAll(child.descriptor);
  ::close(child.descriptor);
  int status = 0;
  while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return failure(llvm::formatv("{0}: {1}", codegenCrashText,
                                 ::strsignal(WTERMSIG(status))));
  Reader reader(data);
  Emission result = reader.emission();
  if (!reader.ok)
    return failure(llvm::formatv("LLVM's code generation ended early with "
                                 "status {0}",
                                 WEXITSTATUS(status)));
  return result;
}

} // namespace

std::vector<Emission>
fly::target::runIsolated(size_t count,
                         llvm::function_ref<Emission(size_t)> compile) {
  std::vector<Child> children;
  for (size_t index = 0; index < count; ++index)
    children.push_back(start(index, compile));
  std::vector<Emission> results;
  for (const Child &child : children)
    results.push_back(finish(child));
  return results;
}
