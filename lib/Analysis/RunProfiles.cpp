//===- RunProfiles.cpp - Times of kernels from profiles and simulations ---===//
//
// The durations that profilers record, and the times that fly-run --timing
// --json prints: a row a kernel. Launches of one kernel in a program are parts
// of its work, so they are added; dispatches in a profile, and what fly-run
// repeats on a GPU, are samples of it.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/SimulationFile.h"
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"

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
  auto add = [&](const SimulatedLaunch &launch) -> llvm::Error {
    std::optional<double> microseconds = launch.find("microseconds");
    if (!microseconds || !(*microseconds > 0))
      return llvm::Error::success();
    if (table.machine.empty())
      table.machine = launch.product;
    llvm::Expected<RunRow *> row = rowOf(table, launch.kernel);
    if (!row)
      return row.takeError();
    llvm::ArrayRef<double> times = launch.samplesUs;
    if (times.empty())
      times = *microseconds;
    if ((*row)->samples.empty()) {
      (*row)->metric = "us";
      for (double time : times)
        if (llvm::Error error = addSample(table, **row, time))
          return error;
      return llvm::Error::success();
    }
    // Launches of one kernel, each of which was repeated as often.
    if ((*row)->samples.size() != times.size())
      return llvm::createStringError(
          "launches of '" + launch.kernel + "' have " +
          llvm::Twine((*row)->samples.size()) + " and " +
          llvm::Twine(times.size()) + " times, which can not be added");
    for (auto [sum, time] : llvm::zip((*row)->samples, times))
      sum += time;
    return llvm::Error::success();
  };
  llvm::Expected<SimulationFile> file = readSimulationFile(table.path, add);
  if (!file)
    return file.takeError();
  table.isSimulated = !file->isMeasured;
  if (table.rows.empty())
    return llvm::createStringError(
        "'" + table.path +
        "' holds no timing; fly-run k.mlir --timing --json prints one");
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
  if (llvm::Error error = read(after, sources[1]))
    return error;
  if (before.isSimulated == after.isSimulated)
    return llvm::Error::success();
  StringRef simulated = before.isSimulated ? before.path : after.path;
  StringRef measured = before.isSimulated ? after.path : before.path;
  return llvm::createStringError(
      "'" + simulated + "' is simulated, '" + measured +
      "' was measured; times of a model and of a machine are not compared");
}
