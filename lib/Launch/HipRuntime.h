//===- HipRuntime.h - The functions of HIP that launches need ---*- C++ -*-===//
//
// The library is found when it is asked for; no header of it is needed. Handles
// are opaque, an error is 0 for success.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_LAUNCH_HIPRUNTIME_H
#define FLY_LIB_LAUNCH_HIPRUNTIME_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstddef>

namespace fly::launch {

using HipModule = struct HipModuleTag *;
using HipFunction = struct HipFunctionTag *;
using HipEvent = struct HipEventTag *;
using HipStream = struct HipStreamTag *;

class HipRuntime {
public:
  /// Errors: no library, or one that lacks a function.
  static llvm::Expected<HipRuntime> load();

  /// The error of a call that gave \p code.
  llvm::Error check(int code, const llvm::Twine &call) const;

  const char *(*hipGetErrorString)(int code) = nullptr;
  int (*hipGetDeviceCount)(int *count) = nullptr;
  int (*hipSetDevice)(int device) = nullptr;
  int (*hipDeviceGetName)(char *name, int bytes, int device) = nullptr;
  int (*hipModuleLoadData)(HipModule *module, const void *image) = nullptr;
  int (*hipModuleUnload)(HipModule module) = nullptr;
  int (*hipModuleGetFunction)(HipFunction *function, HipModule module,
                              const char *name) = nullptr;
  int (*hipMalloc)(void **address, size_t bytes) = nullptr;
  int (*hipFree)(void *address) = nullptr;
  int (*hipMemcpy)(void *to, const void *from, size_t bytes,
                   int kind) = nullptr;
  int (*hipModuleLaunchKernel)(HipFunction function, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned dynamicLdsBytes, HipStream stream,
                               void **arguments, void **extra) = nullptr;
  int (*hipDeviceSynchronize)() = nullptr;
  int (*hipEventCreate)(HipEvent *event) = nullptr;
  int (*hipEventDestroy)(HipEvent event) = nullptr;
  int (*hipEventRecord)(HipEvent event, HipStream stream) = nullptr;
  int (*hipEventSynchronize)(HipEvent event) = nullptr;
  int (*hipEventElapsedTime)(float *milliseconds, HipEvent start,
                             HipEvent stop) = nullptr;

  /// Kinds of hipMemcpy.
  static constexpr int hostToDevice = 1, deviceToHost = 2;
};

} // namespace fly::launch

#endif // FLY_LIB_LAUNCH_HIPRUNTIME_H
