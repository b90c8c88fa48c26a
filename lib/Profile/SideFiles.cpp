//===- SideFiles.cpp - What lies beside code.json of a thread trace -------===//
//
// filenames.json (which wave files there are), occupancy.json (where waves
// began and ended) and snapshots.json (copies of source files). File names in
// them are plain names: a path would lead out of the trace, and is refused.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/JsonStream.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>

#include "TraceFiles.h"

using namespace fly::profile;
using llvm::StringRef;

/// The file name that a string of a trace is.
static llvm::Expected<std::string> fileName(const JsonScalar &scalar) {
  if (scalar.kind != JsonScalar::String || scalar.text.empty())
    return expectedJson("a file name", scalar);
  static constexpr size_t mostBytes = 255; // Of a name on Linux.
  if (scalar.text.find_first_of("/\\") != StringRef::npos ||
      scalar.text.contains('\0') || scalar.text == ".." ||
      scalar.text.size() > mostBytes)
    return expectedJson("the name of a file beside the trace", scalar);
  return scalar.text.str();
}

namespace {
/// "wave_filenames": {"<se>": {"<simd>": {"<slot>": {"<id>": [file, ...]}}}}
class FilenamesVisitor : public JsonVisitor {
public:
  explicit FilenamesVisitor(std::vector<std::string> &files) : files(files) {}

  llvm::Error enter(const JsonPath &path, bool isList) override {
    if (path.size() == 0 && isList)
      return expectedJson("an object with 'wave_filenames'", isList);
    return llvm::Error::success();
  }
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override {
    if (path.size() == 0)
      return expectedJson("an object with 'wave_filenames'", scalar);
    if (path.key(0) != "wave_filenames" || path.size() < 6)
      return llvm::Error::success();
    if (path.size() > 6 || path.index(5) != 0)
      return llvm::Error::success();
    llvm::Expected<std::string> name = fileName(scalar);
    if (!name)
      return name.takeError();
    if (files.size() == maxFiles)
      return llvm::createStringError("more than " + llvm::Twine(maxFiles) +
                                     " wave files");
    files.push_back(std::move(*name));
    return llvm::Error::success();
  }

private:
  static constexpr size_t maxFiles = 1 << 18;
  std::vector<std::string> &files;
};

constexpr StringRef occupancyColumns[] = {"time", "cu",    "simd",
                                          "slot", "start", "kernel id"};

/// {"<se>": [[time, cu, simd, slot, start, kernel, ...], ...],
///  "dispatches": {"<kernel>": name}}
class OccupancyVisitor : public JsonVisitor {
public:
  OccupancyVisitor(ThreadTrace &trace, const ThreadTraceOptions &options)
      : trace(trace), options(options) {}

  llvm::Error enter(const JsonPath &path, bool isList) override {
    if (path.size() == 0)
      return isList ? expectedJson("an object", isList)
                    : llvm::Error::success();
    unsigned engine;
    if (path.key(0).getAsInteger(10, engine) || path.size() > 2)
      return llvm::Error::success();
    if (!isList)
      return expectedJson("a list", isList);
    if (path.size() < 2)
      return llvm::Error::success();
    if (trace.occupancy.size() == options.maxEvents)
      return llvm::createStringError("more than " +
                                     llvm::Twine(options.maxEvents) + " waves");
    trace.occupancy.emplace_back();
    trace.occupancy.back().shaderEngine = engine;
    columns = 0;
    return llvm::Error::success();
  }

  llvm::Error leave(const JsonPath &path) override {
    unsigned engine;
    if (path.size() == 2 && !path.key(0).getAsInteger(10, engine) &&
        columns < std::size(occupancyColumns))
      return llvm::createStringError(
          "has " + llvm::Twine(columns) +
          " columns, expected time, cu, simd, slot, start and kernel id");
    return llvm::Error::success();
  }

  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override {
    if (path.size() == 0)
      return expectedJson("an object", scalar);
    if (path.is({"dispatches", "*"})) {
      uint64_t id;
      if (path.key(1).getAsInteger(10, id) ||
          scalar.kind != JsonScalar::String ||
          scalar.text.size() > maxNameBytes)
        return expectedJson("the name of a kernel by its number", scalar);
      if (names.size() == maxKernels)
        return llvm::createStringError("more than " + llvm::Twine(maxKernels) +
                                       " kernels");
      names.emplace_back(id, scalar.text.str());
      return llvm::Error::success();
    }
    unsigned engine;
    if (path.key(0).getAsInteger(10, engine))
      return llvm::Error::success();
    if (path.size() != 3)
      return path.size() < 3 ? expectedJson("rows of six columns", scalar)
                             : llvm::Error::success();
    return setColumn(path.index(2), scalar);
  }

  /// Numbers of kernels become indices; kernels without a name have "".
  void finish() {
    std::map<uint64_t, uint32_t> indices;
    trace.kernels.clear();
    auto index = [&](uint64_t id, StringRef name) {
      auto [found, isNew] = indices.try_emplace(id, trace.kernels.size());
      if (isNew)
        trace.kernels.push_back(name.str());
      return found->second;
    };
    for (const auto &[id, name] : names)
      index(id, name);
    for (OccupancyEvent &event : trace.occupancy)
      event.kernel = index(event.kernel, "");
  }

private:
  static constexpr size_t maxKernels = 1 << 12, maxNameBytes = 1 << 16;

  llvm::Error setColumn(uint64_t column, const JsonScalar &scalar) {
    ++columns;
    if (column >= std::size(occupancyColumns))
      return llvm::Error::success();
    llvm::Expected<uint64_t> value =
        unsignedOf(scalar, occupancyColumns[column],
                   column == 0   ? UINT64_MAX
                   : column == 4 ? 1
                                 : UINT32_MAX - 1);
    if (!value)
      return value.takeError();
    OccupancyEvent &event = trace.occupancy.back();
    unsigned *places[] = {nullptr, &event.cu, &event.simd, &event.slot};
    if (column == 0)
      event.time = *value;
    else if (column == 4)
      event.starts = *value;
    else if (column == 5)
      event.kernel = uint32_t(*value);
    else
      *places[column] = unsigned(*value);
    return llvm::Error::success();
  }

  ThreadTrace &trace;
  const ThreadTraceOptions &options;
  unsigned columns = 0;
  std::vector<std::pair<uint64_t, std::string>> names;
};

/// Folders as objects, files as strings: {"/": {"home": {"k.py": "source.."}}}
class SnapshotsVisitor : public JsonVisitor {
public:
  SnapshotsVisitor(StringRef path, ThreadTrace &trace)
      : folder(llvm::sys::path::parent_path(path)), trace(trace) {}

  llvm::Error enter(const JsonPath &path, bool isList) override {
    return isList ? expectedJson("folders and file names", isList)
                  : llvm::Error::success();
  }
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override {
    llvm::Expected<std::string> name = fileName(scalar);
    if (!name)
      return name.takeError();
    if (path.size() == 0)
      return expectedJson("folders and file names", scalar);
    if (trace.sources.size() == maxSources)
      return llvm::createStringError("more than " + llvm::Twine(maxSources) +
                                     " files");
    std::string whole;
    for (unsigned level = 0; level < path.size(); ++level) {
      StringRef part = path.key(level);
      if (level && !StringRef(whole).ends_with("/"))
        whole += "/";
      whole += part;
    }
    if (whole.size() > maxPathBytes)
      return llvm::createStringError("a path of more than " +
                                     llvm::Twine(maxPathBytes) + " bytes");
    return addSource(std::move(whole), *name);
  }

private:
  static constexpr size_t maxSources = 1 << 14, maxPathBytes = 1 << 12;
  static constexpr size_t maxSourceBytes = size_t(1) << 26;

  llvm::Error addSource(std::string whole, StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    uint64_t bytes = 0;
    if (llvm::sys::fs::file_size(path, bytes))
      return llvm::createStringError(
          "names '" + name +
          "', which is not beside it; copy the whole directory of the trace");
    sourceBytes += bytes;
    if (sourceBytes > maxSourceBytes)
      return llvm::createStringError("source files of more than " +
                                     llvm::Twine(maxSourceBytes) + " bytes");
    auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!text)
      return llvm::createStringError(
          "'" + path + "' cannot be read: " + text.getError().message());
    trace.sources.push_back({std::move(whole), (*text)->getBuffer().str()});
    return llvm::Error::success();
  }

  StringRef folder;
  ThreadTrace &trace;
  uint64_t sourceBytes = 0;
};
} // namespace

llvm::Error
fly::profile::readFilenamesFile(StringRef path,
                                std::vector<std::string> &waveFiles) {
  FilenamesVisitor visitor(waveFiles);
  return readJson(path, visitor);
}

llvm::Error fly::profile::readOccupancyFile(StringRef path, ThreadTrace &trace,
                                            const ThreadTraceOptions &options) {
  OccupancyVisitor visitor(trace, options);
  if (llvm::Error error = readJson(path, visitor))
    return error;
  visitor.finish();
  return llvm::Error::success();
}

llvm::Error fly::profile::readSnapshotsFile(StringRef path,
                                            ThreadTrace &trace) {
  SnapshotsVisitor visitor(path, trace);
  return readJson(path, visitor);
}
