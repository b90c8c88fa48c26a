//===- DispatchChecks.cpp - What dispatches tell the checklist ------------===//
//
// Kernel traces and databases record what each dispatch was allotted and how
// large its grid was. Dispatches that are alike are told once, so that memory
// does not grow with the file. Registers may be padded for a count of waves,
// which only the code tells: such a count leaves the row open.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"
#include "fly/Analysis/DispatchResources.h"
#include "fly/Arch/Products.h"
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

#include "ChecklistLimits.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;
using llvm::StringRef;

/// Different dispatches of one file that are told of.
static constexpr size_t maxKinds = 1 << 10;

/// Workgroups of a dispatch; 0 where a grid or workgroup has no work items.
static double countWorkgroups(const profile::DispatchResources &held) {
  double count = 1;
  for (auto [items, side] : llvm::zip(*held.grid, *held.workgroup))
    count *= side ? double(items / side + (items % side != 0)) : 0;
  return count;
}

namespace {
class DispatchChecks {
public:
  DispatchChecks(Checklist &list, StringRef path, StringRef chip,
                 StringRef kernel)
      : list(list), path(path), chip(chip), kernel(kernel) {}

  llvm::Error add(const profile::Dispatch &dispatch);
  llvm::Error finish() const {
    if (!kinds.empty())
      return llvm::Error::success();
    return llvm::createStringError("'" + path + "': no kernel '" + kernel +
                                   "', but: " + others);
  }

private:
  void addRegisters(const profile::Dispatch &dispatch,
                    const arch::KernelResources &held,
                    const arch::ArchInfo *info);
  void addFill(const profile::Dispatch &dispatch, double workgroups,
               const arch::ArchInfo *info);

  Checklist &list;
  StringRef path, chip, kernel;
  std::string others; ///< For a message.
  std::set<std::string> kinds;
};
} // namespace

llvm::Error DispatchChecks::add(const profile::Dispatch &dispatch) {
  if (!kernel.empty() && dispatch.kernel != kernel) {
    if (others.size() < 400 &&
        !StringRef(others).contains("'" + dispatch.kernel + "'"))
      others += (others.empty() ? "'" : ", '") + dispatch.kernel + "'";
    return llvm::Error::success();
  }
  auto wrong = [&](const llvm::Twine &what) {
    return llvm::createStringError("'" + path + "': a dispatch of '" +
                                   dispatch.kernel + "': " + what);
  };
  llvm::Expected<arch::KernelResources> held =
      kernelResources(dispatch.resources);
  if (!held)
    return wrong(llvm::toString(held.takeError()));
  double workgroups = countWorkgroups(dispatch.resources);
  if (!(workgroups > 0))
    return wrong("impossible: its grid has no work items");
  std::string kind =
      formatv("{0}\n{1}\n{2} {3} {4}", dispatch.kernel, dispatch.chip,
              held->archVgprs, held->accVgprs, workgroups);
  if (!kinds.insert(std::move(kind)).second)
    return llvm::Error::success();
  if (kinds.size() > maxKinds)
    return llvm::createStringError("'" + path + "' has more than " +
                                   llvm::Twine(maxKinds) +
                                   " kernels and grids; choose a kernel by "
                                   "--kernel");
  // The file's word counts, unless the tables do not have it.
  const arch::ArchInfo *info = arch::ArchInfo::lookup(dispatch.chip);
  if (!info)
    info = arch::ArchInfo::lookup(chip);
  addRegisters(dispatch, *held, info);
  addFill(dispatch, workgroups, info);
  return llvm::Error::success();
}

void DispatchChecks::addRegisters(const profile::Dispatch &dispatch,
                                  const arch::KernelResources &held,
                                  const arch::ArchInfo *info) {
  unsigned all = held.archVgprs + held.accVgprs;
  std::string text =
      formatv("{0}: {1} + {2} = {3} registers a lane allotted", dispatch.kernel,
              held.archVgprs, held.accVgprs, all);
  bool mayBePadded = llvm::any_of(arch::allChips(), [&](const auto *each) {
    return (!info || info == each) && each->canCompile &&
           arch::isPaddedCount(*each, all);
  });
  std::optional<bool> holds = all <= mostRegisters;
  if (!*holds && mayBePadded) {
    text += ", to which compilers pad for a count of waves; the code object "
            "tells those in use";
    holds.reset();
  }
  list.add(Check::Registers, path, text, holds, /*isDirect=*/false);
}

void DispatchChecks::addFill(const profile::Dispatch &dispatch,
                             double workgroups, const arch::ArchInfo *info) {
  const arch::Product *product =
      info ? arch::defaultProduct(info->chip) : nullptr;
  std::string text =
      formatv("{0}: {1:f0} workgroups", dispatch.kernel, workgroups);
  if (!product || !product->computeUnits) {
    list.add(Check::FillsMachine, path,
             text + "; --chip tells of how many compute units", std::nullopt);
    return;
  }
  double units = *product->computeUnits;
  list.add(Check::FillsMachine, path,
           text +
               formatv(" on {0:f0} compute units of {1}", units, product->name)
                   .str(),
           workgroups >= units);
}

llvm::Error Checklist::addDispatches(StringRef path, StringRef chip,
                                     StringRef kernel) {
  DispatchChecks checks(*this, path, chip, kernel);
  profile::DispatchNeeds needs;
  needs.registers = needs.shape = true;
  if (llvm::Error error = profile::forEachDispatch(
          path, needs, [&](const profile::Dispatch &dispatch) {
            return checks.add(dispatch);
          }))
    return error;
  return checks.finish();
}
