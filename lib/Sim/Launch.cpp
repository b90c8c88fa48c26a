//===- Launch.cpp - from parameters to finished workgroups ----------------===//
//
// What problem: see Simulator.h.
// What idea: check everything that a runtime checks, prepare what all
// workgroups share (kernarg, user SGPRs, entry), then let the host threads
// draw workgroups in dispatch order.
// What it refuses: a grid, block or LDS size that the chip or the kernel does
// not allow, with the numbers.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/Products.h"
#include "fly/Sim/Simulator.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <random>

#include "Check/Checker.h"
#include "Debug/Debugger.h"
#include "Faults.h"
#include "HostFloat.h"
#include "Kernarg.h"
#include "ListenerList.h"
#include "Timing/TimeSlice.h"
#include "Timing/TimedLaunch.h"
#include "Workgroup.h"

using namespace fly;
using namespace fly::sim;
using namespace llvm;

/// Scratch of all lanes of a workgroup, at most.
static constexpr uint64_t maxScratchBytes = uint64_t(1) << 30;
/// What a lane gets at least where the compiler does not know the stack's
/// depth; a runtime gives a configured limit.
/// [MEM: SIM-DYNAMIC-STACK]
static constexpr uint32_t dynamicStackBytes = 16384;
/// Scalar loads may read whole cache lines around the last argument.
static constexpr uint64_t kernargPadding = 64;

/// The kernel asked for, or the only one.
static Expected<const isa::Kernel *> findKernel(const LaunchParams &params) {
  if (!params.program)
    return createStringError("the launch names no program");
  const isa::CodeObject &object = params.program->object();
  const std::vector<isa::Kernel> &kernels = object.kernels();
  if (params.kernel.empty() && kernels.size() == 1)
    return &kernels.front();
  if (const isa::Kernel *kernel = object.findKernel(params.kernel))
    return kernel;
  std::string names;
  for (const isa::Kernel &kernel : kernels)
    names += (names.empty() ? "" : ", ") + kernel.name;
  return createStringError("there is no kernel '%s', the object has: %s",
                           params.kernel.c_str(), names.c_str());
}

static Error checkGeometry(const LaunchParams &params,
                           const isa::Kernel &kernel) {
  const char *name = kernel.name.c_str();
  const auto &block = params.workgroupSize;
  uint64_t flat = 1, groups = 1;
  for (unsigned dim = 0; dim != 3; ++dim) {
    if (block[dim] == 0 || block[dim] > 1024)
      return createStringError("workgroup size %u of kernel '%s' in dimension "
                               "%u is not in 1..1024",
                               block[dim], name, dim);
    flat *= block[dim];
    uint64_t count = params.workgroups[dim];
    if (count * block[dim] > UINT32_MAX)
      return createStringError("grid of kernel '%s' in dimension %u has %llu "
                               "work-items, limit is 4294967295",
                               name, dim,
                               (unsigned long long)(count * block[dim]));
    groups = SaturatingMultiply(groups, count);
    uint32_t required = kernel.requiredWorkgroupSize[dim];
    if (required != 0 && required != block[dim])
      return createStringError("kernel '%s' requires workgroups of %u x %u x "
                               "%u, launched with %u x %u x %u",
                               name, kernel.requiredWorkgroupSize[0],
                               kernel.requiredWorkgroupSize[1],
                               kernel.requiredWorkgroupSize[2], block[0],
                               block[1], block[2]);
  }
  if (flat > kernel.maxFlatWorkgroupSize || flat > 1024)
    return createStringError(
        "workgroup of kernel '%s' has %llu work-items, limit is %u", name,
        (unsigned long long)flat, std::min(kernel.maxFlatWorkgroupSize, 1024u));
  if (groups == UINT64_MAX)
    return createStringError("grid of kernel '%s' is too large", name);
  return Error::success();
}

static Error checkResources(const LaunchParams &params,
                            const isa::Kernel &kernel, LaunchState &launch) {
  const isa::KernelDescriptor &kd = kernel.descriptor;
  const char *name = kernel.name.c_str();
  const arch::ArchInfo *chip =
      arch::ArchInfo::lookup(params.program->object().chip());
  if (!chip || !chip->lds.bytes || !chip->lds.granuleBytes)
    return createStringError("chip '%s' has no LDS size in the tables",
                             params.program->object().chip().c_str());
  uint64_t needed = uint64_t(kd.groupSegmentFixedSize) + params.dynamicLdsBytes;
  if (needed > *chip->lds.bytes)
    return createStringError("kernel '%s' needs %llu bytes of LDS (%u static, "
                             "%u dynamic), %s has %u",
                             name, (unsigned long long)needed,
                             kd.groupSegmentFixedSize, params.dynamicLdsBytes,
                             chip->name, unsigned(*chip->lds.bytes));
  // What lies between the declared bytes and the granule's end exists, but is
  // nobody's.
  launch.ldsBytes = uint32_t(
      launch.options.checks.has(Check::Bounds)
          ? needed
          : std::min<uint64_t>(alignTo(needed, *chip->lds.granuleBytes),
                               *chip->lds.bytes));
  launch.privateBytes = kd.privateSegmentFixedSize;
  if (kd.usesDynamicStack())
    launch.privateBytes = std::max(launch.privateBytes, dynamicStackBytes);
  const arch::Product *product = arch::defaultProduct(chip->chip);
  if (product && product->xcds)
    launch.xcds = *product->xcds;
  if (uint64_t(launch.privateBytes) * waveLanes * launch.wavesPerWorkgroup >
      maxScratchBytes)
    return createStringError("kernel '%s' needs %u bytes of scratch a lane, "
                             "too much for %u waves",
                             name, launch.privateBytes,
                             launch.wavesPerWorkgroup);
  return Error::success();
}

/// User SGPRs in the order of AMDGPUUsage, "Initial Kernel Execution State".
static Error buildUserSgprs(const isa::Kernel &kernel,
                            ArrayRef<uint8_t> kernarg, LaunchState &launch) {
  const isa::KernelDescriptor &kd = kernel.descriptor;
  std::vector<uint32_t> &sgprs = launch.userSgprs;
  auto add64 = [&](uint64_t value) {
    sgprs.push_back(uint32_t(value));
    sgprs.push_back(uint32_t(value >> 32));
  };
  if (kd.usesPrivateSegmentBuffer()) {
    add64(0);
    add64(0);
  }
  if (kd.usesDispatchPtr())
    add64(launch.dispatchPacketAddress);
  if (kd.usesQueuePtr())
    add64(launch.queueAddress);
  if (kd.usesKernargPtr())
    add64(launch.kernargAddress);
  if (kd.usesDispatchId())
    add64(1);
  if (kd.usesFlatScratchInit())
    add64(0);
  if (kd.usesPrivateSegmentSize())
    sgprs.push_back(launch.privateBytes);
  for (unsigned i = 0; i != kd.preloadDwords(); ++i) {
    size_t offset = (kd.preloadOffsetDwords() + i) * size_t(4);
    sgprs.push_back(offset + 4 <= kernarg.size()
                        ? support::endian::read32le(kernarg.data() + offset)
                        : 0);
  }
  if (sgprs.size() > kd.userSgprCount())
    return createStringError(
        "kernel '%s' declares %u user SGPRs but enables %zu",
        kernel.name.c_str(), kd.userSgprCount(), sgprs.size());
  return Error::success();
}

namespace {

/// Work shared by the host threads of a launch.
struct WorkQueue {
  const LaunchState &launch;
  uint64_t total;
  std::atomic<uint64_t> next{0};
  /// Number i of the order is workgroup (first + i * stride) mod total.
  uint64_t first = 0, stride = 1;
  /// Lowest number in the order that faulted; later ones need not run.
  std::atomic<uint64_t> firstFault{~uint64_t(0)};
  std::mutex mutex;
  Result result;
  FindingLog findings;
  Error fault = Error::success();
  /// What the checks need, if any watches the execution.
  std::optional<FactTable> facts;
  StoreHistory stores;
  /// Where the launch is recorded, if it is.
  LaunchTrace *trace;
  /// What is told, if anything.
  std::optional<DebugPlan> debug;

  WorkQueue(const LaunchState &launch, uint64_t total, LaunchTrace *trace)
      : launch(launch), total(total), trace(trace) {
    if (launch.options.checks.watchExecution())
      facts.emplace(*launch.program);
    if (uint32_t seed = launch.options.dispatchSeed; seed && total) {
      first = seed % total;
      // Any stride without a common divisor visits each once; starting in the
      // middle, since 1 is the order of the grid.
      stride = std::max<uint64_t>(total / 2 + seed % (total / 2 + 1), 1);
      while (std::gcd(stride, total) != 1)
        ++stride;
    }
  }

  uint64_t workgroupAt(uint64_t index) const {
    return uint64_t((unsigned __int128)(index)*stride % total + first) % total;
  }

  void work();
  /// Draws the next workgroup; false if there is none.
  bool startNext(WorkgroupState &workgroup);
  void finish(WorkgroupState &workgroup, bool hasFaulted);
};

} // namespace

namespace {

/// A workgroup that a host thread runs, with what watches it.
struct Resident {
  Resident(WorkQueue &queue) {
    if (queue.trace) {
      recorder = std::make_unique<Recorder>(*queue.trace);
      listeners.add(*recorder);
    }
    // Results are told before the checks take them back, to deliver them late.
    if (queue.debug) {
      debugger = std::make_unique<Debugger>(queue.launch, *queue.debug);
      listeners.add(*debugger);
    }
    if (queue.facts) {
      checker =
          std::make_unique<Checker>(queue.launch, *queue.facts, queue.stores);
      listeners.add(*checker);
    }
    workgroup =
        std::make_unique<WorkgroupState>(queue.launch, listeners.whole());
  }
  Resident(Resident &&) = delete;
  std::unique_ptr<Debugger> debugger;
  std::unique_ptr<Checker> checker;
  std::unique_ptr<Recorder> recorder;
  ListenerList listeners;
  std::unique_ptr<WorkgroupState> workgroup;
  bool isBusy = false;
};

} // namespace

bool WorkQueue::startNext(WorkgroupState &workgroup) {
  uint64_t number = 0;
  do {
    uint64_t index = next.fetch_add(1);
    if (index >= total || index > firstFault.load())
      return false;
    number = workgroupAt(index);
  } while (
      trace &&
      (launch.options.timing.recordedOnly || launch.options.timing.timeOnly) &&
      !trace->records(number));
  workgroup.start(
      {uint32_t(number % launch.workgroups[0]),
       uint32_t(number / launch.workgroups[0] % launch.workgroups[1]),
       uint32_t(number / launch.workgroups[0] / launch.workgroups[1])});
  return true;
}

void WorkQueue::finish(WorkgroupState &workgroup, bool hasFaulted) {
  workgroup.finish();
  if (!hasFaulted)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t index = workgroup.linearId();
  if (index >= firstFault.load())
    return;
  firstFault.store(index);
  consumeError(std::move(fault));
  fault = makeFaultError(workgroup);
}

/// Workgroups that are interleaved by a seed.
static constexpr unsigned interleavedWorkgroups = 4;

void WorkQueue::work() {
  HostFloatEnvironment environment;
  uint32_t seed = launch.options.interleaveSeed;
  std::deque<Resident> residents;
  unsigned count =
      seed ? unsigned(std::min<uint64_t>(interleavedWorkgroups, total)) : 1;
  for (unsigned i = 0; i != count; ++i)
    residents.emplace_back(*this);
  std::minstd_rand random(seed);
  unsigned busy = 0;
  for (Resident &resident : residents)
    busy += resident.isBusy = startNext(*resident.workgroup);
  while (busy) {
    Resident &resident = residents[count == 1 ? 0 : random() % count];
    if (!resident.isBusy)
      continue;
    WorkgroupState::Progress progress = resident.workgroup->step();
    if (progress == WorkgroupState::Progress::Running)
      continue;
    finish(*resident.workgroup, progress == WorkgroupState::Progress::Faulted);
    resident.isBusy = startNext(*resident.workgroup);
    busy -= !resident.isBusy;
  }
  std::lock_guard<std::mutex> lock(mutex);
  for (Resident &resident : residents) {
    result += resident.workgroup->counts;
    if (resident.checker)
      findings.merge(std::move(resident.checker->findings()));
  }
}

static void *workerMain(void *queue) {
  static_cast<WorkQueue *>(queue)->work();
  return nullptr;
}

static Expected<Result> runWorkgroups(const LaunchState &launch,
                                      LaunchTrace *trace) {
  uint64_t total = uint64_t(launch.workgroups[0]) * launch.workgroups[1] *
                   launch.workgroups[2];
  WorkQueue queue(launch, total, trace);
  if (!launch.options.debug.empty() && launch.options.debug.tell) {
    llvm::Expected<DebugPlan> plan =
        DebugPlan::make(launch, launch.options.debug);
    if (!plan)
      return plan.takeError();
    queue.debug = std::move(*plan);
  }
  unsigned threads = launch.program->hasOrderedAtomics() || queue.debug
                         ? 1
                         : std::max(launch.options.threads, 1u);
  threads = unsigned(std::min<uint64_t>(threads, std::max<uint64_t>(total, 1)));
  // A host that gives no more threads only makes the launch slower.
  std::vector<pthread_t> helpers;
  for (unsigned i = 1; i < threads; ++i) {
    pthread_t helper;
    if (pthread_create(&helper, nullptr, workerMain, &queue) != 0)
      break;
    helpers.push_back(helper);
  }
  queue.work();
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
  // In another order, numbers of workgroups do not say which ran first.
  std::vector<Finding> findings = queue.findings.take(
      launch.options.dispatchSeed ? ~uint64_t(0) : queue.firstFault.load());
  if (queue.fault)
    return addFindings(std::move(queue.fault), std::move(findings));
  queue.result.checked = launch.options.checks;
  queue.result.findings = std::move(findings);
  queue.result.threadsUsed = unsigned(helpers.size()) + 1;
  return queue.result;
}

namespace {

/// Frees a launch's own device memory when the launch ends.
class LaunchBuffer {
public:
  LaunchBuffer(DeviceMemory &memory) : memory(memory) {}
  ~LaunchBuffer() {
    if (address)
      consumeError(memory.free(address));
  }
  Error create(ArrayRef<uint8_t> bytes, uint64_t padding, StringRef name) {
    auto allocated = memory.allocate(bytes.size() + padding, name);
    if (!allocated)
      return allocated.takeError();
    address = *allocated;
    return memory.write(address, bytes);
  }
  uint64_t address = 0;

private:
  DeviceMemory &memory;
};

} // namespace

/// The start of amd_queue_t with the apertures that older code reads there.
static std::vector<uint8_t> buildQueue() {
  std::vector<uint8_t> queue(256, 0);
  support::endian::write32le(queue.data() + 0x40,
                             uint32_t(sharedApertureBase >> 32));
  support::endian::write32le(queue.data() + 0x44,
                             uint32_t(privateApertureBase >> 32));
  return queue;
}

/// Runs and times; where time alone is asked for, no more than it needs if that
/// can be.
static Expected<Result> runTimed(LaunchState &launch) {
  const SimOptions &options = launch.options;
  auto timed = TimedLaunch::create(launch, options.timing);
  if (!timed)
    return timed.takeError();
  std::unique_ptr<TimeSlice> slice;
  if (options.timing.timeOnly && !options.checks.watchExecution() &&
      options.debug.empty())
    slice = TimeSlice::of(launch, (*timed)->trace());
  launch.slice = slice.get();
  Expected<Result> result = runWorkgroups(launch, &(*timed)->trace());
  if (!result && slice) {
    // A fault, or no slice: nothing has been stored, so that all can begin
    // again.
    consumeError(result.takeError());
    launch.slice = nullptr;
    timed = TimedLaunch::create(launch, options.timing);
    if (!timed)
      return timed.takeError();
    result = runWorkgroups(launch, &(*timed)->trace());
  }
  if (result)
    result->timing = std::make_shared<TimingResult>((*timed)->finish());
  return result;
}

Expected<Result> Simulator::launch(const LaunchParams &params) {
  auto kernel = findKernel(params);
  if (!kernel)
    return kernel.takeError();
  if (Error error = checkGeometry(params, **kernel))
    return std::move(error);
  LaunchState launch;
  launch.program = params.program;
  launch.kernel = *kernel;
  launch.memory = &deviceMemory;
  launch.options = params.options;
  launch.options.timeSliceInstructions =
      std::max<uint64_t>(launch.options.timeSliceInstructions, 1);
  launch.workgroups = params.workgroups;
  launch.workgroupSize = params.workgroupSize;
  launch.flatWorkgroupSize = params.workgroupSize[0] * params.workgroupSize[1] *
                             params.workgroupSize[2];
  launch.wavesPerWorkgroup =
      (launch.flatWorkgroupSize + waveLanes - 1) / waveLanes;
  if (Error error = checkResources(params, **kernel, launch))
    return std::move(error);

  LaunchBuffer queue(deviceMemory), segment(deviceMemory), packet(deviceMemory);
  if (Error error = queue.create(buildQueue(), 0, "queue"))
    return std::move(error);
  auto kernarg = buildKernarg(**kernel, params, queue.address);
  if (!kernarg)
    return kernarg.takeError();
  if (Error error = segment.create(*kernarg, kernargPadding, "kernarg"))
    return std::move(error);
  uint64_t loadBase = params.program->loadBase();
  if (Error error = packet.create(
          buildDispatchPacket(**kernel, params,
                              loadBase + (*kernel)->descriptorAddress,
                              segment.address),
          0, "dispatch packet"))
    return std::move(error);
  launch.queueAddress = queue.address;
  launch.kernargAddress = segment.address;
  launch.dispatchPacketAddress = packet.address;
  launch.entry = loadBase + (*kernel)->preloadEntry();
  if (Error error = buildUserSgprs(**kernel, *kernarg, launch))
    return std::move(error);
  if (!params.options.timing.enabled)
    return runWorkgroups(launch, nullptr);
  return runTimed(launch);
}
