//===- ScratchFolder.h - Files that a test writes ---------------*- C++ -*-===//
#ifndef FLY_TEST_UNIT_PROFILE_SCRATCHFOLDER_H
#define FLY_TEST_UNIT_PROFILE_SCRATCHFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

#include "gtest/gtest.h"

/// A folder of its own, removed with its files.
class ScratchFolder {
public:
  ScratchFolder() {
    (void)llvm::sys::fs::createUniqueDirectory("fly-profile", folder);
  }
  ~ScratchFolder() { (void)llvm::sys::fs::remove_directories(folder); }

  std::string path() const { return std::string(folder); }
  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> whole(folder);
    llvm::sys::path::append(whole, name);
    return std::string(whole);
  }
  /// Writes a file and returns its path.
  std::string write(llvm::StringRef name, llvm::StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << text;
    return path(name);
  }

private:
  llvm::SmallString<128> folder;
};

/// The message of an error, "" of success.
inline std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// True if \p text has \p part in it.
inline testing::AssertionResult contains(llvm::StringRef text,
                                         llvm::StringRef part) {
  if (text.contains(part))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "expected '" << part.str() << "' in: " << text.str();
}

#endif // FLY_TEST_UNIT_PROFILE_SCRATCHFOLDER_H
