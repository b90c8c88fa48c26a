//===- DispatchView.cpp - A timed launch as a dispatch with counters ------===//
//
// Registers are given as the kernel descriptor allots them, as profilers do,
// LDS in the chip's granule. Counters are those of the whole launch.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Occupancy.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Reports/Timing/TraceView.h"

#include <algorithm>
#include <cmath>

using namespace fly;
using namespace fly::reports;
using namespace fly::sim;
using profile::CountedDispatch;
using profile::DispatchResources;

uint64_t TimedDispatch::endNs() const {
  return startNs + uint64_t(std::llround(timing->microseconds() * 1e3));
}

static DispatchResources resourcesOf(const TimedDispatch &dispatch) {
  const isa::Kernel &kernel = *dispatch.kernel;
  DispatchResources resources;
  unsigned total = kernel.descriptor.totalVectorRegisters();
  unsigned arch = std::min(total, kernel.descriptor.accumOffset());
  resources.archVgprs = arch;
  resources.accumVgprs = total - arch;
  resources.sgprs = kernel.sgprCount;
  unsigned lds = kernel.groupSegmentFixedSize + dispatch.dynamicLdsBytes;
  if (const arch::ArchInfo *info =
          arch::ArchInfo::lookup(dispatch.timing->chip))
    lds = arch::allocatedLdsBytes(*info, lds);
  resources.ldsBytes = lds;
  resources.scratchBytes = kernel.privateSegmentFixedSize;
  std::array<uint64_t, 3> workgroup, grid;
  for (unsigned dim = 0; dim != 3; ++dim) {
    workgroup[dim] = dispatch.workgroupSize[dim];
    grid[dim] = workgroup[dim] * dispatch.workgroups[dim];
  }
  resources.workgroup = workgroup;
  resources.grid = grid;
  return resources;
}

CountedDispatch fly::reports::toCountedDispatch(const TimedDispatch &dispatch) {
  const TimingResult &timing = *dispatch.timing;
  CountedDispatch result;
  result.dispatch.kernel = dispatch.kernel->name;
  result.dispatch.agent = std::string("Agent ") + simulatorAgent;
  result.dispatch.id = dispatch.id;
  result.dispatch.startNs = dispatch.startNs;
  result.dispatch.endNs = dispatch.endNs();
  result.dispatch.resources = resourcesOf(dispatch);
  forEachCounter(timing.launchCounters,
                 [&](llvm::StringRef name, uint64_t value) {
                   result.counters.push_back({name.str(), double(value)});
                 });
  return result;
}
