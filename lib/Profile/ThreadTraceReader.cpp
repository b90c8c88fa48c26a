//===- ThreadTraceReader.cpp - The directory of a traced dispatch ---------===//
//
// Which files of a directory are read, in which order, and what its name says.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include "InputStream.h"
#include "TraceFiles.h"

using namespace fly::profile;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static std::string inside(StringRef directory, StringRef file) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, file);
  return std::string(path);
}

/// Agent and dispatch of ui_output_agent_<agent>_dispatch_<dispatch>.
static void readName(StringRef directory, ThreadTrace &trace) {
  llvm::SmallString<128> path(directory);
  // "." and a slash at the end still mean a folder with a name.
  (void)fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  StringRef name = llvm::sys::path::filename(path);
  llvm::SmallVector<StringRef> parts;
  if (llvm::Regex("agent_([0-9]+)_dispatch_([0-9]+)").match(name, &parts)) {
    trace.agent = parts[1].str();
    trace.dispatch = parts[2].str();
  }
}

/// Where a wave file stands in the order of place and time.
static std::optional<std::array<unsigned, 4>> waveOrder(StringRef name) {
  std::array<unsigned, 4> order;
  for (auto [mark, number] :
       llvm::zip(std::array<StringRef, 4>{"se", "_sm", "_sl", "_wv"}, order))
    if (!name.consume_front(mark) || name.consumeInteger(10, number))
      return std::nullopt;
  if (name != ".json")
    return std::nullopt;
  return order;
}

llvm::Expected<std::vector<std::string>>
fly::profile::listWaveFiles(StringRef directory) {
  std::vector<std::string> names;
  std::string list = inside(directory, "filenames.json");
  if (fs::exists(list)) {
    if (llvm::Error error = readFilenamesFile(list, names))
      return std::move(error);
    for (const std::string &name : names)
      if (!fs::exists(inside(directory, name)))
        return fileError(list, "names '" + name +
                                   "', which is not beside it; "
                                   "copy the whole directory of the trace");
  } else {
    std::error_code code;
    fs::directory_iterator entry(directory, code), end;
    for (; !code && entry != end; entry.increment(code))
      if (StringRef name = llvm::sys::path::filename(entry->path());
          waveOrder(name))
        names.push_back(name.str());
    if (code)
      return fileError(directory, "cannot be read: " + code.message());
  }
  llvm::sort(names, [](const std::string &a, const std::string &b) {
    return std::pair(waveOrder(a), StringRef(a)) <
           std::pair(waveOrder(b), StringRef(b));
  });
  names.erase(llvm::unique(names), names.end());
  for (std::string &name : names)
    name = inside(directory, name);
  return names;
}

static llvm::Error readWaves(StringRef directory, ThreadTrace &trace,
                             const ThreadTraceOptions &options) {
  auto files = listWaveFiles(directory);
  if (!files)
    return files.takeError();
  size_t events = 0;
  for (const std::string &file : *files) {
    TracedWave &wave = trace.waves.emplace_back();
    auto keep = [&](const WaveEvent &event) -> llvm::Error {
      if (++events > options.maxEvents)
        return llvm::createStringError(
            "more than " + llvm::Twine(options.maxEvents) + " events of waves");
      wave.events.push_back(event);
      return llvm::Error::success();
    };
    if (llvm::Error error = readWaveFile(file, wave, keep, options))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<ThreadTrace>
fly::profile::readThreadTrace(StringRef directory,
                              const ThreadTraceOptions &options) {
  std::string code = inside(directory, "code.json");
  if (!fs::is_directory(directory))
    return fileError(directory, fs::exists(directory)
                                    ? "is no folder, expected one with "
                                      "code.json (ui_output_agent_*)"
                                    : "does not exist");
  if (!fs::exists(code))
    return fileError(directory, "holds no code.json; expected the "
                                "ui_output_agent_* folder of a thread trace");
  ThreadTrace trace;
  readName(directory, trace);
  if (llvm::Error error = readCodeFile(code, trace, options))
    return std::move(error);
  if (std::string file = inside(directory, "snapshots.json");
      options.sources && fs::exists(file))
    if (llvm::Error error = readSnapshotsFile(file, trace))
      return std::move(error);
  if (std::string file = inside(directory, "occupancy.json");
      options.occupancy && fs::exists(file))
    if (llvm::Error error = readOccupancyFile(file, trace, options))
      return std::move(error);
  if (options.waves)
    if (llvm::Error error = readWaves(directory, trace, options))
      return std::move(error);
  return trace;
}
