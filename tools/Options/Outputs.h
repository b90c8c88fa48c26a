//===- Outputs.h - Where a tool writes --------------------------*- C++ -*-===//
//
// What problem: a tool has several options that name files. Two of them that
// name one file, or standard output, leave one result in the other's place, or
// both mixed.
// What idea: whoever writes lists what it will write, and asks once, before it
// works.
// What it refuses: the same place twice, also by other spellings and links.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_OUTPUTS_H
#define FLY_TOOLS_OPTIONS_OUTPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <string>

namespace fly::tools {

/// A place that a tool writes to. "-" is standard output, "" is none.
struct NamedOutput {
  std::string option; ///< As the user gave it: "--html=roof.html".
  std::string path;
};

/// One spelling for all of a file, whether it is there or not.
inline std::string getPlace(llvm::StringRef path) {
  if (path == "-")
    return path.str();
  llvm::SmallString<128> place;
  if (!llvm::sys::fs::real_path(path, place))
    return std::string(place);
  llvm::SmallString<128> folder = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::real_path(
          folder.empty() ? llvm::StringRef(".") : folder.str(), place))
    return path.str();
  llvm::sys::path::append(place, llvm::sys::path::filename(path));
  return std::string(place);
}

/// Whether a file takes what several write, one behind the other.
inline bool isDevice(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return path != "-" && !llvm::sys::fs::status(path, status) &&
         llvm::sys::fs::exists(status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

/// An error where two of \p outputs go to one place.
inline llvm::Error checkOutputs(llvm::ArrayRef<NamedOutput> outputs) {
  llvm::StringMap<llvm::StringRef> options;
  for (const NamedOutput &output : outputs) {
    if (output.path.empty() || isDevice(output.path))
      continue;
    auto [other, isFirst] =
        options.try_emplace(getPlace(output.path), output.option);
    if (!isFirst)
      return llvm::createStringError(
          other->second + " and " + output.option + " both go to " +
          (output.path == "-" ? "standard output"
                              : "'" + llvm::Twine(output.path) + "'") +
          "; give each a file of its own");
  }
  return llvm::Error::success();
}

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_OUTPUTS_H
