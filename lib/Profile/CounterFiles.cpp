//===- CounterFiles.cpp - The files of a run's counters -------------------===//
//
// rocprofv3 writes a folder for each pass of a run, and into it the same
// counters as often as formats were asked for: of a folder with counter
// collections its databases are the same again.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

#include "InputStream.h"

using namespace fly::profile;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// What one folder holds itself.
struct Found {
  std::vector<std::string> tables, databases;
};
} // namespace

static llvm::Error addFiles(StringRef folder, std::vector<std::string> &files) {
  static constexpr size_t maxEntries = 1 << 20;
  std::map<std::string, Found> folders;
  std::error_code code;
  size_t entries = 0;
  for (fs::recursive_directory_iterator
           entry(folder, code, /*follow_symlinks=*/false),
       end;
       !code && entry != end; entry.increment(code)) {
    if (++entries > maxEntries)
      return fileError(folder, "holds more than " + llvm::Twine(maxEntries) +
                                   " files; name the folder that "
                                   "rocprofv3 wrote");
    StringRef name = entry->path();
    std::string parent = path::parent_path(name).str();
    if (name.ends_with("counter_collection.csv"))
      folders[parent].tables.push_back(name.str());
    else if (path::extension(name) == ".db")
      folders[parent].databases.push_back(name.str());
  }
  if (code)
    return fileError(folder, "cannot be listed: " + code.message());
  if (folders.empty())
    return fileError(folder, "holds no *counter_collection.csv and no .db, nor "
                             "does a folder in it");
  for (auto &[parent, found] : folders) {
    std::vector<std::string> &chosen =
        found.tables.empty() ? found.databases : found.tables;
    llvm::sort(chosen);
    files.insert(files.end(), chosen.begin(), chosen.end());
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
fly::profile::listCounterFiles(llvm::ArrayRef<std::string> inputs) {
  std::vector<std::string> files, result;
  for (const std::string &input : inputs) {
    if (!fs::is_directory(input))
      files.push_back(input);
    else if (llvm::Error error = addFiles(input, files))
      return std::move(error);
  }
  std::map<fs::UniqueID, std::string> known;
  for (std::string &file : files) {
    fs::UniqueID id;
    // What cannot be found is the reader's to complain about.
    if (file == "-" || fs::getUniqueID(file, id) ||
        known.emplace(id, file).second)
      result.push_back(std::move(file));
  }
  return result;
}
