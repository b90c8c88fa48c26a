//===- OutputFile.cpp - Files that are written whole or not ---------------===//
//
// LLVM's own writeToOutput() renames over devices, does not ask whether the
// last bytes were written, and ends the process where they were not.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Writes and flushes; the stream's error becomes the result.
static Error writeTo(raw_fd_ostream &stream, StringRef bytes) {
  stream << bytes;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code ? errorCodeToError(code) : Error::success();
}

static Error writeInPlace(StringRef path, StringRef bytes) {
  std::error_code code;
  raw_fd_ostream stream(path, code, sys::fs::CD_OpenExisting);
  if (code)
    return errorCodeToError(code);
  Error error = writeTo(stream, bytes);
  stream.close();
  std::error_code closed = stream.error();
  stream.clear_error();
  if (!error && closed)
    return errorCodeToError(closed);
  return error;
}

/// TempFile names its file in messages; the reason is what we report.
static Error withoutName(Error error) {
  std::error_code code;
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    code = info.convertToErrorCode();
  });
  if (code == std::errc::no_such_file_or_directory)
    return createStringError(code,
                             code.message() + "; create the folder first");
  return code ? errorCodeToError(code) : Error::success();
}

Error fly::writeOutputFile(StringRef path, StringRef bytes) {
  if (path == "-") {
    // A stream of our own: the process's belongs to the caller.
    std::error_code code;
    raw_fd_ostream stream(path, code);
    return code ? errorCodeToError(code) : writeTo(stream, bytes);
  }
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  bool exists = !code && sys::fs::exists(status);
  if (exists && sys::fs::is_directory(status))
    return errorCodeToError(std::make_error_code(std::errc::is_a_directory));
  if (exists && !sys::fs::is_regular_file(status))
    return writeInPlace(path, bytes);
  SmallString<128> place = path;
  if (exists) {
    if (std::error_code denied =
            sys::fs::access(path, sys::fs::AccessMode::Write))
      return errorCodeToError(denied);
    // A link keeps pointing at its file.
    if (std::error_code unknown = sys::fs::real_path(path, place))
      return errorCodeToError(unknown);
  }
  unsigned mode = sys::fs::all_read | sys::fs::all_write;
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(place + ".%%%%%%%%.tmp", mode);
  if (!file)
    return withoutName(file.takeError());
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  if (Error error = writeTo(stream, bytes)) {
    consumeError(file->discard());
    return error;
  }
  return withoutName(file->keep(place));
}
