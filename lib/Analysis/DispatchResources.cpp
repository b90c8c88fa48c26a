//===- DispatchResources.cpp - What a recorded dispatch holds -------------===//
#include "fly/Analysis/DispatchResources.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::analysis;

llvm::Expected<arch::KernelResources>
fly::analysis::kernelResources(const profile::DispatchResources &held) {
  arch::KernelResources kernel;
  kernel.isAllotment = true;
  std::optional<uint64_t> threads;
  if (held.workgroup) {
    threads = 1;
    for (uint64_t side : *held.workgroup) {
      if (side == 0 || *threads > UINT32_MAX / side)
        return llvm::createStringError(llvm::formatv(
            "impossible: a workgroup of {0} x {1} x {2} work items",
            (*held.workgroup)[0], (*held.workgroup)[1], (*held.workgroup)[2]));
      *threads *= side;
    }
  }
  std::tuple<std::optional<uint64_t>, unsigned *, const char *> values[] = {
      {held.archVgprs, &kernel.archVgprs, "VGPRs"},
      {held.accumVgprs, &kernel.accVgprs, "accumulation VGPRs"},
      {held.sgprs, &kernel.sgprs, "SGPRs"},
      {held.ldsBytes, &kernel.ldsBytes, "bytes of LDS"},
      {threads, &kernel.workgroupThreads, "work items a workgroup"}};
  // No chip comes near; its table says which smaller values are too many.
  static constexpr uint64_t most = 1 << 24;
  for (auto [value, field, what] : values) {
    if (!value)
      return llvm::createStringError(llvm::Twine("the number of ") + what +
                                     " is not recorded");
    if (*value > most)
      return llvm::createStringError("impossible: " + llvm::Twine(*value) +
                                     " " + what);
    *field = unsigned(*value);
  }
  return kernel;
}
