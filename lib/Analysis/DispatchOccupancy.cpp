//===- DispatchOccupancy.cpp - Occupancy of what a profiler saw -----------===//
#include "fly/Analysis/DispatchOccupancy.h"

#include "fly/Analysis/DispatchResources.h"
#include "fly/Profile/DispatchReader.h"

#include <set>
#include <tuple>

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

/// Kernels with different allotments that a file may have.
static constexpr size_t maxKinds = 1 << 14;

bool fly::analysis::holdsDispatches(StringRef path) {
  llvm::Expected<profile::ProfileKind> kind = profile::identifyProfile(path);
  if (!kind) {
    llvm::consumeError(kind.takeError());
    return false;
  }
  return *kind == profile::ProfileKind::KernelTrace ||
         *kind == profile::ProfileKind::Database;
}

namespace {
class Collector {
public:
  Collector(StringRef path, StringRef chip, StringRef kernel)
      : path(path), chip(chip), kernel(kernel) {}

  llvm::Error add(const profile::Dispatch &dispatch) {
    if (names.size() < 16) // For a message.
      names.insert(dispatch.kernel);
    if (!kernel.empty() && dispatch.kernel != kernel)
      return llvm::Error::success();
    // The file's word counts, unless the tables do not have it.
    const arch::ArchInfo *info = arch::ArchInfo::lookup(dispatch.chip);
    if (!info)
      info = arch::ArchInfo::lookup(chip);
    if (!info)
      return llvm::createStringError(
          dispatch.chip.empty()
              ? "'" + path + "' names no chip; give it by --chip"
              : "'" + path + "': chip '" + dispatch.chip +
                    "' is unknown; give one of these by --chip: " +
                    arch::knownChipNames());
    llvm::Expected<arch::KernelResources> resources =
        kernelResources(dispatch.resources);
    if (!resources)
      return llvm::createStringError(
          "'" + path + "': a dispatch of '" + dispatch.kernel +
          "': " + llvm::toString(resources.takeError()));
    const arch::KernelResources &used = *resources;
    auto kind =
        std::tuple(dispatch.kernel, info->name, used.archVgprs, used.accVgprs,
                   used.sgprs, used.ldsBytes, used.workgroupThreads);
    if (!kinds.insert(kind).second)
      return llvm::Error::success();
    if (kinds.size() > maxKinds)
      return llvm::createStringError("'" + path + "' has more than " +
                                     llvm::Twine(maxKinds) +
                                     " kernels; choose one by --kernel");
    reports.push_back(reportOccupancy(*info, dispatch.kernel, used));
    return llvm::Error::success();
  }

  llvm::Expected<std::vector<OccupancyReport>> take() {
    if (!reports.empty())
      return std::move(reports);
    std::string known;
    for (const std::string &name : names)
      known += (known.empty() ? "" : ", ") + name;
    return llvm::createStringError("--kernel=" + kernel + ": '" + path +
                                   "' holds: " + known);
  }

private:
  StringRef path, chip, kernel;
  std::set<std::string> names;
  std::set<std::tuple<std::string, std::string, unsigned, unsigned, unsigned,
                      unsigned, unsigned>>
      kinds;
  std::vector<OccupancyReport> reports;
};
} // namespace

llvm::Expected<std::vector<OccupancyReport>>
fly::analysis::reportDispatches(StringRef path, StringRef chip,
                                StringRef kernel) {
  Collector collector(path, chip, kernel);
  profile::DispatchNeeds needs;
  needs.registers = needs.shape = true;
  if (llvm::Error error = profile::forEachDispatch(
          path, needs, [&](const profile::Dispatch &dispatch) {
            return collector.add(dispatch);
          }))
    return std::move(error);
  return collector.take();
}
