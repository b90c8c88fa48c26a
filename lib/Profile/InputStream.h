//===- InputStream.h - Bytes of a file, block by block ----------*- C++ -*-===//
#ifndef FLY_LIB_PROFILE_INPUTSTREAM_H
#define FLY_LIB_PROFILE_INPUTSTREAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <optional>
#include <vector>

namespace fly::profile {

/// "'path': " and \p text, as an error.
llvm::Error fileError(llvm::StringRef path, const llvm::Twine &text);

/// A file that is read once, from start to end, in memory of one block.
class InputStream {
public:
  /// Opens a file, or standard input for "-". Folders are refused.
  static llvm::Expected<InputStream> open(llvm::StringRef path);
  InputStream(InputStream &&other);
  ~InputStream();

  /// The next block; empty at the end.
  llvm::Expected<llvm::StringRef> next();

private:
  InputStream() = default;
  std::string path;
  std::optional<llvm::sys::fs::file_t> file;
  bool isOwned = false;
  std::vector<char> block;
};

} // namespace fly::profile

#endif // FLY_LIB_PROFILE_INPUTSTREAM_H
