//===- LinkElf.cpp - Links an object into a code object -------------------===//
//
// lld's driver keeps global state and only knows files. One link runs at a
// time; its two files live in a directory that only this user can read and that
// is removed whatever happens. One thread: lld's pool would outlive the call
// and make a later fork unsafe. No build id, no path reaches the output.
//
//===----------------------------------------------------------------------===//

#include "fly/Target/LinkElf.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace fly::target;

static llvm::Error fileError(const char *what, llvm::StringRef path,
                             std::error_code code) {
  return llvm::createStringError(
      code, llvm::formatv("cannot {0} '{1}' for linking: {2}", what, path,
                          code.message()));
}

llvm::Expected<std::string>
fly::target::linkCodeObject(llvm::StringRef object) {
  static std::mutex linkerLock;
  std::lock_guard<std::mutex> guard(linkerLock);

  llvm::SmallString<128> directory;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("fly-link", directory))
    return fileError("create a directory", directory, code);
  llvm::scope_exit cleanUp(
      [&] { llvm::sys::fs::remove_directories(directory); });
  if (std::error_code code = llvm::sys::fs::setPermissions(
          directory, llvm::sys::fs::perms::owner_all))
    return fileError("protect", directory, code);

  llvm::SmallString<128> input = directory, output = directory;
  llvm::sys::path::append(input, "object.o");
  llvm::sys::path::append(output, "linked");
  {
    std::error_code code;
    llvm::raw_fd_ostream stream(input, code, llvm::sys::fs::CD_CreateNew);
    if (code)
      return fileError("create", input, code);
    stream << object;
    stream.close();
    if (stream.has_error()) {
      code = stream.error();
      stream.clear_error();
      return fileError("write", input, code);
    }
  }

  std::string text;
  llvm::raw_string_ostream messages(text);
  const char *arguments[] = {"ld.lld",      "-shared",         "--no-undefined",
                             "--threads=1", "--build-id=none", input.c_str(),
                             "-o",          output.c_str()};
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result result = lld::lldMain(arguments, messages, messages, drivers);
  if (result.retCode != 0) {
    // The temporary directory means nothing to the user.
    std::string prefix = (directory + "/").str();
    for (size_t at; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
    return llvm::createStringError("linking failed: " +
                                   llvm::StringRef(text).trim().str());
  }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> linked =
      llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!linked)
    return fileError("read", output, linked.getError());
  return (*linked)->getBuffer().str();
}
