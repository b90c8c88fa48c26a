//===- ProfileKind.cpp - What a file of a profiler is ---------------------===//
//
// By what it holds: a folder by its code.json, a database by its first bytes, a
// CSV by its header. Names of files are their owner's.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/CsvTable.h"
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include "InputStream.h"

using namespace fly::profile;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

StringRef fly::profile::name(ProfileKind kind) {
  switch (kind) {
  case ProfileKind::ThreadTrace:
    return "a thread trace";
  case ProfileKind::ThreadTraceStats:
    return "the statistics of a thread trace";
  case ProfileKind::KernelTrace:
    return "a kernel trace";
  case ProfileKind::Counters:
    return "a counter collection";
  case ProfileKind::KernelStats:
    return "kernel statistics";
  case ProfileKind::Database:
    return "a database";
  }
  return "";
}

static llvm::Expected<ProfileKind> identifyFolder(StringRef path) {
  auto isTrace = [](StringRef folder) {
    llvm::SmallString<128> code(folder);
    llvm::sys::path::append(code, "code.json");
    return fs::exists(code);
  };
  if (isTrace(path))
    return ProfileKind::ThreadTrace;
  std::string below;
  std::error_code code;
  for (fs::directory_iterator entry(path, code), end; !code && entry != end;
       entry.increment(code))
    if (isTrace(entry->path()) && (below.empty() || entry->path() < below))
      below = entry->path();
  return fileError(path, below.empty()
                             ? "holds no code.json; expected the "
                               "ui_output_agent_* folder of a thread trace"
                             : "holds no code.json, but '" + below +
                                   "' does; name that folder");
}

llvm::Expected<ProfileKind> fly::profile::identifyProfile(StringRef path) {
  if (fs::is_directory(path))
    return identifyFolder(path);
  // The kind is read, then the file is read from its start.
  if (fs::exists(path) && !fs::is_regular_file(path))
    return fileError(path, "is no regular file; write it to one first");
  {
    llvm::Expected<InputStream> stream = InputStream::open(path);
    if (!stream)
      return stream.takeError();
    llvm::Expected<StringRef> block = stream->next();
    if (!block)
      return block.takeError();
    if (block->starts_with("SQLite format 3"))
      return ProfileKind::Database;
    if (block->contains('\0'))
      return fileError(path, "is neither text nor an SQLite database");
  }
  llvm::Expected<std::vector<std::string>> header = readCsvHeader(path);
  if (!header)
    return header.takeError();
  auto has = [&](StringRef column) {
    return llvm::is_contained(*header, column);
  };
  if (has("Counter_Name") || has("Counter_Value"))
    return ProfileKind::Counters;
  if (has("Instruction") || has("Hitcount"))
    return ProfileKind::ThreadTraceStats;
  if (has("Kernel_Name"))
    return ProfileKind::KernelTrace;
  if (has("Calls") || has("TotalDurationNs"))
    return ProfileKind::KernelStats;
  std::string found = llvm::join(llvm::ArrayRef(*header).take_front(30), ", ");
  return fileError(path, "is no CSV of rocprofv3: expected a column "
                         "Kernel_Name, Counter_Name, Calls or Instruction; "
                         "found: " +
                             found);
}

llvm::Error fly::profile::forEachDispatch(StringRef path,
                                          const DispatchNeeds &needs,
                                          DispatchCallback dispatch) {
  llvm::Expected<ProfileKind> kind = identifyProfile(path);
  if (!kind)
    return kind.takeError();
  if (*kind == ProfileKind::Database)
    return readDatabaseDispatches(path, needs, dispatch);
  if (*kind == ProfileKind::KernelTrace)
    return readKernelTrace(path, needs, dispatch);
  return fileError(path, "is " + name(*kind) +
                             ", expected a kernel trace or a database");
}

llvm::Error fly::profile::forEachCounter(StringRef path,
                                         CounterCallback counter) {
  llvm::Expected<ProfileKind> kind = identifyProfile(path);
  if (!kind)
    return kind.takeError();
  if (*kind == ProfileKind::Database)
    return readDatabaseCounters(path, counter);
  if (*kind == ProfileKind::Counters)
    return readCounters(path, counter);
  return fileError(path, "is " + name(*kind) +
                             ", expected a counter collection or a database");
}
