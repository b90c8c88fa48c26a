//===- GpuLaunch.cpp - Run and time a kernel on a GPU ---------------------===//
#include "fly/Launch/GpuLaunch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

#include "HipRuntime.h"

using namespace fly;
using namespace fly::launch;

namespace {
/// What hipMalloc aligns to at least.
constexpr uint32_t allocatedAlignment = 256;

/// Bytes in front of a buffer's memory: its guard band, moved so that the
/// memory is aligned.
uint64_t frontOf(const Argument &argument) {
  return llvm::alignTo(
      Buffer::guardBytes,
      std::max(argument.parameter.alignment, allocatedAlignment));
}

/// Whether each launch needs this memory as the first one found it.
bool isPrepared(const Argument &argument) {
  return argument.parameter.isWorkspace && !argument.parameter.fill.empty();
}

/// One copy of all buffers on the device, as arguments of a launch.
struct Copy {
  std::vector<uint64_t> values; ///< Scalars, and addresses of memory.
  std::vector<void *> pointers; ///< To each value, as HIP takes them.
};

/// All that is held on the device; what the runtime gave goes back with it.
class Session {
public:
  Session(const HipRuntime &hip, std::vector<Argument> &arguments,
          const LaunchSize &size)
      : hip(hip), arguments(arguments), size(size) {}
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  ~Session() {
    for (HipEvent event : events)
      if (event)
        (void)hip.hipEventDestroy(event);
    for (void *address : allocations)
      (void)hip.hipFree(address);
    if (module)
      (void)hip.hipModuleUnload(module);
  }

  llvm::Error open(llvm::StringRef object, llvm::StringRef kernel,
                   unsigned device, std::string &deviceName) {
    int count = 0;
    if (llvm::Error error =
            hip.check(hip.hipGetDeviceCount(&count), "hipGetDeviceCount"))
      return error;
    if (count == 0)
      return llvm::createStringError("the HIP runtime finds no GPU");
    if (device >= unsigned(count))
      return llvm::createStringError(
          "there is no GPU " + llvm::Twine(device) +
          ": the HIP runtime finds " + llvm::Twine(count) +
          ", numbered from 0 (HIP_VISIBLE_DEVICES may hide some)");
    if (llvm::Error error =
            hip.check(hip.hipSetDevice(int(device)),
                      "hipSetDevice(" + llvm::Twine(device) + ")"))
      return error;
    std::array<char, 256> name = {};
    if (llvm::Error error = hip.check(
            hip.hipDeviceGetName(name.data(), name.size() - 1, int(device)),
            "hipDeviceGetName"))
      return error;
    deviceName = name.data();
    if (llvm::Error error =
            hip.check(hip.hipModuleLoadData(&module, object.data()),
                      "hipModuleLoadData on " + deviceName))
      return error;
    if (llvm::Error error = hip.check(
            hip.hipModuleGetFunction(&function, module, kernel.str().c_str()),
            "hipModuleGetFunction of '" + kernel + "'"))
      return error;
    for (HipEvent &event : events)
      if (llvm::Error error =
              hip.check(hip.hipEventCreate(&event), "hipEventCreate"))
        return error;
    return llvm::Error::success();
  }

  /// Puts one more copy of all buffers on the device.
  llvm::Error addCopy() {
    Copy copy;
    for (Argument &argument : arguments) {
      uint64_t value = argument.bits;
      if (argument.buffer) {
        uint64_t front = frontOf(argument);
        size_t bytes =
            front - Buffer::guardBytes + argument.buffer->guarded().size();
        void *base = nullptr;
        if (llvm::Error error = hip.check(
                hip.hipMalloc(&base, bytes),
                "hipMalloc of " + llvm::Twine(bytes) + " bytes for copy " +
                    llvm::Twine(copies.size() + 1) + " of '" +
                    argument.parameter.name + "'"))
          return error;
        allocations.push_back(base);
        value = uint64_t(reinterpret_cast<uintptr_t>(base)) + front;
        if (llvm::Error error = fill(value, argument))
          return error;
      }
      copy.values.push_back(value);
    }
    copies.push_back(std::move(copy));
    for (uint64_t &value : copies.back().values)
      copies.back().pointers.push_back(&value);
    return llvm::Error::success();
  }

  /// Starts the kernel on a copy.
  llvm::Error launch(size_t index) {
    const auto &grid = size.workgroups, &block = size.workgroupSize;
    return hip.check(hip.hipModuleLaunchKernel(
                         function, grid[0], grid[1], grid[2], block[0],
                         block[1], block[2], size.dynamicLdsBytes,
                         /*stream=*/nullptr, copies[index].pointers.data(),
                         /*extra=*/nullptr),
                     "hipModuleLaunchKernel");
  }

  llvm::Error wait() {
    return hip.check(hip.hipDeviceSynchronize(),
                     "hipDeviceSynchronize after the kernel");
  }

  /// Gives a copy's workspaces what launches must find.
  llvm::Error prepare(size_t index) {
    for (auto [value, argument] :
         llvm::zip_equal(copies[index].values, arguments))
      if (argument.buffer && isPrepared(argument))
        if (llvm::Error error = fill(value, argument))
          return error;
    return llvm::Error::success();
  }

  /// Microseconds of a launch on a copy.
  llvm::Expected<double> time(size_t index) {
    if (llvm::Error error =
            hip.check(hip.hipEventRecord(events[0], nullptr), "hipEventRecord"))
      return error;
    if (llvm::Error error = launch(index))
      return error;
    if (llvm::Error error =
            hip.check(hip.hipEventRecord(events[1], nullptr), "hipEventRecord"))
      return error;
    if (llvm::Error error = hip.check(hip.hipEventSynchronize(events[1]),
                                      "hipEventSynchronize after the kernel"))
      return error;
    float milliseconds = 0;
    if (llvm::Error error = hip.check(
            hip.hipEventElapsedTime(&milliseconds, events[0], events[1]),
            "hipEventElapsedTime"))
      return error;
    return double(milliseconds) * 1e3;
  }

  /// What a copy's buffers hold, guard bands included.
  llvm::Expected<std::vector<Buffer>> download(size_t index) {
    std::vector<Buffer> results;
    for (auto [value, argument] :
         llvm::zip_equal(copies[index].values, arguments)) {
      if (!argument.buffer)
        continue;
      Buffer &result = results.emplace_back(*argument.buffer);
      llvm::MutableArrayRef<uint8_t> bytes = result.guarded();
      if (llvm::Error error =
              hip.check(hip.hipMemcpy(bytes.data(), guardsAt(value),
                                      bytes.size(), HipRuntime::deviceToHost),
                        "hipMemcpy of '" + argument.parameter.name + "'"))
        return error;
    }
    return results;
  }

private:
  static void *guardsAt(uint64_t address) {
    return reinterpret_cast<void *>(uintptr_t(address - Buffer::guardBytes));
  }
  llvm::Error fill(uint64_t address, Argument &argument) {
    llvm::MutableArrayRef<uint8_t> bytes = argument.buffer->guarded();
    return hip.check(hip.hipMemcpy(guardsAt(address), bytes.data(),
                                   bytes.size(), HipRuntime::hostToDevice),
                     "hipMemcpy of '" + argument.parameter.name + "'");
  }

  const HipRuntime &hip;
  std::vector<Argument> &arguments; ///< As the first launch finds them.
  const LaunchSize &size;
  HipModule module = nullptr;
  HipFunction function = nullptr;
  std::array<HipEvent, 2> events = {};
  std::vector<void *> allocations;
  std::vector<Copy> copies;
};
} // namespace

unsigned fly::launch::countCopies(const GpuOptions &options, uint64_t bytes) {
  uint64_t count = options.rotate ? options.rotate
                   : bytes        ? options.coldBytes / bytes + 1
                                  : 1;
  return unsigned(std::clamp<uint64_t>(count, 1, maxCopies));
}

/// Warm-ups, then the launches that are timed; copies take turns throughout.
static llvm::Error measure(Session &session, const GpuOptions &options,
                           GpuRun &run) {
  for (unsigned i = 1; i < run.copies; ++i)
    if (llvm::Error error = session.addCopy())
      return error;
  for (unsigned i = 0; i < options.warmup + options.repeat; ++i) {
    unsigned copy = i % run.copies;
    if (llvm::Error error = session.prepare(copy))
      return error;
    llvm::Expected<double> microseconds = session.time(copy);
    if (!microseconds)
      return microseconds.takeError();
    if (i >= options.warmup)
      run.microseconds.push_back(*microseconds);
  }
  return llvm::Error::success();
}

llvm::Expected<GpuRun> fly::launch::launchOnGpu(
    llvm::StringRef object, llvm::StringRef kernel, const LaunchSize &size,
    std::vector<Argument> &arguments, const GpuOptions &options) {
  llvm::Expected<HipRuntime> hip = HipRuntime::load();
  if (!hip)
    return hip.takeError();
  GpuRun run;
  Session session(*hip, arguments, size);
  if (llvm::Error error =
          session.open(object, kernel, options.device, run.device))
    return error;
  // An empty grid is a launch that does nothing.
  if (llvm::is_contained(size.workgroups, 0u))
    return run;
  if (llvm::Error error = session.addCopy())
    return error;
  if (llvm::Error error = session.launch(0))
    return error;
  if (llvm::Error error = session.wait())
    return error;
  llvm::Expected<std::vector<Buffer>> results = session.download(0);
  if (!results)
    return results.takeError();
  if (options.repeat) {
    uint64_t bytes = 0;
    for (const Argument &argument : arguments)
      if (argument.buffer)
        bytes += argument.buffer->bytes();
    run.copies = countCopies(options, bytes);
    if (llvm::Error error = measure(session, options, run))
      return error;
  }
  size_t next = 0;
  for (Argument &argument : arguments)
    if (argument.buffer)
      argument.buffer = std::move((*results)[next++]);
  return run;
}
