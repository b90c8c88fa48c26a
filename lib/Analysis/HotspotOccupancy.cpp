//===- HotspotOccupancy.cpp - The occupancy of a traced dispatch ----------===//
//
// A thread trace does not hold registers and LDS; the kernel trace that
// rocprofv3 writes beside it does. It says what was allotted; what of it is
// used the instructions of the thread trace say. A kernel trace that can not be
// read costs the occupancy, not the report: the reason stands in its place.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/DispatchResources.h"
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "HotspotParts.h"
#include "TracedRegisters.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

/// The kernel traces in a folder and in the one that it is in.
static std::vector<std::string> findKernelTraces(StringRef directory) {
  llvm::SmallString<128> folder(directory);
  (void)llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  std::vector<std::string> files;
  for (StringRef place :
       {directory.str(), llvm::sys::path::parent_path(folder).str()}) {
    std::vector<std::string> here;
    std::error_code code;
    llvm::sys::fs::directory_iterator entry(place, code), end;
    for (; !code && entry != end; entry.increment(code)) {
      StringRef name = llvm::sys::path::filename(entry->path());
      if (name.contains("kernel_trace") && name.ends_with(".csv"))
        here.push_back(entry->path());
    }
    llvm::sort(here);
    llvm::append_range(files, here);
  }
  return files;
}

/// The first dispatch of a file that is the traced one: by its number where
/// both are numbered, else by the kernel's name.
static llvm::Error findDispatch(StringRef file,
                                const profile::ThreadTrace &trace,
                                std::optional<profile::Dispatch> &found) {
  uint64_t id;
  bool isNumbered = !StringRef(trace.dispatch).getAsInteger(10, id);
  return profile::readKernelTrace(
      file, {}, [&](const profile::Dispatch &dispatch) -> llvm::Error {
        bool isIt = isNumbered && dispatch.id
                        ? *dispatch.id == id
                        : llvm::is_contained(trace.kernels, dispatch.kernel);
        if (isIt && !found)
          found = dispatch;
        return llvm::Error::success();
      });
}

/// What the tables of a chip make of the resources.
static TracedOccupancy::OnChip computeOn(const arch::ArchInfo &chip,
                                         const arch::KernelResources &kernel) {
  TracedOccupancy::OnChip result;
  result.chip = chip.name;
  llvm::Expected<arch::Occupancy> occupancy =
      arch::computeOccupancy(chip, kernel);
  if (!occupancy) {
    result.problem = llvm::toString(occupancy.takeError());
    return result;
  }
  result.occupancy = *occupancy;
  if (occupancy->isLimitedByPadding)
    result.next = "registers that are not padded to " +
                  std::to_string(occupancy->allocatedVgprs) + " for at most " +
                  std::to_string(occupancy->wavesByVgpr) + " waves a SIMD";
  for (const arch::OccupancyStep &step :
       arch::nextOccupancy(chip, kernel, *occupancy))
    result.next += (result.next.empty() ? "" : ", ") +
                   std::string(arch::limiterName(step.resource)) + " " +
                   std::to_string(step.used) + " -> " +
                   std::to_string(step.most);
  return result;
}

llvm::Error
fly::analysis::addOccupancy(HotspotReport &report, StringRef directory,
                            llvm::ArrayRef<const arch::ArchInfo *> chips) {
  std::vector<std::string> files = findKernelTraces(directory);
  if (files.empty()) {
    report.occupancyNotTold =
        "a *_kernel_trace.csv in the folder or beside it; there is none "
        "(rocprofv3 --kernel-trace, or sys_trace in its input)";
    return llvm::Error::success();
  }
  for (const std::string &file : files) {
    std::optional<profile::Dispatch> dispatch;
    if (llvm::Error error = findDispatch(file, report.trace, dispatch)) {
      report.occupancyNotTold = llvm::toString(std::move(error));
      continue;
    }
    if (!dispatch) {
      report.occupancyNotTold = "'" + file +
                                "', which does not hold the "
                                "traced dispatch";
      continue;
    }
    llvm::Expected<arch::KernelResources> kernel =
        kernelResources(dispatch->resources);
    if (!kernel) {
      report.occupancyNotTold = "'" + file + "' for the traced dispatch: " +
                                llvm::toString(kernel.takeError());
      continue;
    }
    report.occupancy.emplace();
    report.occupancy->source = file;
    report.occupancy->resources = dispatch->resources;
    NamedRegisters named = findRegisters(report.trace.instructions);
    unsigned allotted = kernel->archVgprs + kernel->accVgprs;
    // Any other count is no padding, whatever part of the code was traced. A
    // trace of other code names more than there is.
    bool isPadded = llvm::any_of(chips, [&](const arch::ArchInfo *chip) {
      return arch::isPaddedCount(*chip, allotted);
    });
    if (isPadded && named.arch + named.acc &&
        named.arch + named.acc <= allotted) {
      kernel->allottedVgprs = allotted;
      kernel->archVgprs = named.arch;
      kernel->accVgprs = named.acc;
      kernel->isAllotment = false;
    }
    report.occupancy->kernel = *kernel;
    for (const arch::ArchInfo *chip : chips)
      report.occupancy->chips.push_back(computeOn(*chip, *kernel));
    report.occupancyNotTold.clear();
    return llvm::Error::success();
  }
  return llvm::Error::success();
}
