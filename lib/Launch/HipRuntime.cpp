//===- HipRuntime.cpp - The functions of HIP that launches need -----------===//
#include "HipRuntime.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace fly;
using namespace fly::launch;
using llvm::sys::DynamicLibrary;

/// Where the library may be: where the loader looks (LD_LIBRARY_PATH), with and
/// without the package for developers, then where ROCm installs itself.
static constexpr const char *places[] = {"libamdhip64.so", "libamdhip64.so.7",
                                         "libamdhip64.so.6", "libamdhip64.so.5",
                                         "/opt/rocm/lib/libamdhip64.so"};

llvm::Expected<HipRuntime> HipRuntime::load() {
  DynamicLibrary library;
  std::string firstReason;
  for (const char *place : places) {
    std::string reason;
    library = DynamicLibrary::getPermanentLibrary(place, &reason);
    if (library.isValid())
      break;
    if (firstReason.empty())
      firstReason = reason;
  }
  if (!library.isValid())
    return llvm::createStringError(
        "the HIP runtime cannot be loaded: " + firstReason +
        "; install ROCm, or put its folder lib on LD_LIBRARY_PATH");
  HipRuntime hip;
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        library.getAddressOfSymbol(name));
    if (!function)
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  find(hip.hipGetErrorString, "hipGetErrorString");
  find(hip.hipGetDeviceCount, "hipGetDeviceCount");
  find(hip.hipSetDevice, "hipSetDevice");
  find(hip.hipDeviceGetName, "hipDeviceGetName");
  find(hip.hipModuleLoadData, "hipModuleLoadData");
  find(hip.hipModuleUnload, "hipModuleUnload");
  find(hip.hipModuleGetFunction, "hipModuleGetFunction");
  find(hip.hipMalloc, "hipMalloc");
  find(hip.hipFree, "hipFree");
  find(hip.hipMemcpy, "hipMemcpy");
  find(hip.hipModuleLaunchKernel, "hipModuleLaunchKernel");
  find(hip.hipDeviceSynchronize, "hipDeviceSynchronize");
  find(hip.hipEventCreate, "hipEventCreate");
  find(hip.hipEventDestroy, "hipEventDestroy");
  find(hip.hipEventRecord, "hipEventRecord");
  find(hip.hipEventSynchronize, "hipEventSynchronize");
  find(hip.hipEventElapsedTime, "hipEventElapsedTime");
  if (!missing.empty())
    return llvm::createStringError("the HIP runtime lacks " + missing +
                                   "; install a newer ROCm");
  return hip;
}

llvm::Error HipRuntime::check(int code, const llvm::Twine &call) const {
  if (code == 0)
    return llvm::Error::success();
  const char *text = hipGetErrorString(code);
  return llvm::createStringError(call + ": " + (text ? text : "unknown") +
                                 " (HIP error " + llvm::Twine(code) + ")");
}
