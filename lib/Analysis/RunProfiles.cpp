//===- RunProfiles.cpp - Times of kernels from profiles and simulations ---===//
//
// The durations that profilers record, and the times that fly-run --timing
// --json prints: a row a kernel. Launches of one kernel in a simulated program
// are parts of its work, so they are added; dispatches in a profile are samples
// of it.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/SimulationFile.h"
#include "fly/Profile/DispatchReader.h"

#include "RunTables.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;
using profile::ProfileKind;

namespace {
/// What is compared by kernel; nothing for other files.
struct Source {
  std::optional<ProfileKind> profile;
  bool isSimulation = false;
  explicit operator bool() const { return profile || isSimulation; }
  StringRef name() const {
    return isSimulation ? "a simulation" : profile::name(*profile);
  }
};
} // namespace

static Source findSource(StringRef path) {
  Source source;
  if (isSimulation(path)) {
    source.isSimulation = true;
    return source;
  }
  llvm::Expected<ProfileKind> kind = profile::identifyProfile(path);
  if (!kind) {
    llvm::consumeError(kind.takeError());
    return source;
  }
  if (*kind == ProfileKind::KernelTrace || *kind == ProfileKind::Database ||
      *kind == ProfileKind::KernelStats)
    source.profile = *kind;
  return source;
}

static llvm::Error addTime(RunTable &table, const std::string &kernel,
                           const char *metric, double value) {
  llvm::Expected<RunRow *> row = rowOf(table, kernel);
  if (!row)
    return row.takeError();
  (*row)->metric = metric;
  return addSample(table, **row, value);
}

static llvm::Error readStatistics(RunTable &table) {
  return profile::readKernelStats(
      table.path, [&](const profile::KernelTotals &kernel) -> llvm::Error {
        if (kernel.calls)
          return addTime(table, kernel.kernel, "average_us",
                         kernel.totalNs / double(kernel.calls) / 1e3);
        // Without a call there is no time, which is not the same as no row.
        llvm::Expected<RunRow *> row = rowOf(table, kernel.kernel);
        if (!row)
          return row.takeError();
        (*row)->metric = "average_us";
        return llvm::Error::success();
      });
}

static llvm::Error readDispatches(RunTable &table) {
  profile::DispatchNeeds needs;
  needs.times = true;
  return profile::forEachDispatch(
      table.path, needs, [&](const profile::Dispatch &dispatch) -> llvm::Error {
        if (*dispatch.endNs < *dispatch.startNs)
          return llvm::createStringError(
              "'" + table.path + "': a dispatch of '" + dispatch.kernel +
              "' ends before it starts");
        return addTime(table, dispatch.kernel, "us",
                       double(*dispatch.endNs - *dispatch.startNs) / 1e3);
      });
}

static llvm::Error readSimulation(RunTable &table) {
  llvm::Expected<SimulationFile> file = readSimulationFile(table.path);
  if (!file)
    return file.takeError();
  table.isSimulated = true;
  table.machine = file->launches.front().product;
  for (const SimulatedLaunch &launch : file->launches) {
    llvm::Expected<RunRow *> row = rowOf(table, launch.kernel);
    if (!row)
      return row.takeError();
    if ((*row)->samples.empty()) {
      (*row)->metric = "us";
      if (llvm::Error error = addSample(table, **row, 0))
        return error;
    }
    (*row)->samples.front() += launch.microseconds;
  }
  return llvm::Error::success();
}

static llvm::Error read(RunTable &table, const Source &source) {
  table.keys = {"kernel"};
  if (source.isSimulation)
    return readSimulation(table);
  return *source.profile == ProfileKind::KernelStats ? readStatistics(table)
                                                     : readDispatches(table);
}

bool fly::analysis::isProfileOrSimulation(StringRef path) {
  return bool(findSource(path));
}

llvm::Error fly::analysis::readProfiles(RunTable &before, RunTable &after) {
  Source sources[2] = {findSource(before.path), findSource(after.path)};
  for (unsigned i : {0u, 1u})
    if (!sources[i])
      return llvm::createStringError(
          "'" + (i ? before : after).path + "' is " + sources[1 - i].name() +
          ", '" + (i ? after : before).path +
          "' is not a profiler's file; compare two of a kind");
  if (sources[0].isSimulation != sources[1].isSimulation)
    return llvm::createStringError(
        "'" + before.path + "' is " + sources[0].name() + ", '" + after.path +
        "' is " + sources[1].name() +
        "; times of a model and of a machine are not compared");
  if (llvm::Error error = read(before, sources[0]))
    return error;
  return read(after, sources[1]);
}
