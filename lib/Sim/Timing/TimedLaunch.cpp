//===- TimedLaunch.cpp - the time of a launch on a chip -------------------===//

#include "TimedLaunch.h"

#include "fly/Arch/LdsModel.h"
#include "fly/Arch/TimingTable.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/KernelResources.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

#include "../Workgroup.h"
#include "AddressSlice.h"

using namespace fly;
using namespace fly::sim;

/// What a workgroup of the launch needs.
static arch::KernelResources resourcesOf(const LaunchState &launch) {
  arch::KernelResources resources =
      isa::resourcesOf(*launch.kernel, launch.program->object());
  resources.ldsBytes = launch.ldsBytes;
  resources.workgroupThreads = launch.flatWorkgroupSize;
  return resources;
}

TimedLaunch::TimedLaunch(const LaunchState &launch,
                         const TimingOptions &options, Machine filled,
                         const arch::Occupancy &occupancy)
    : launch(launch), options(options), machine(std::move(filled)),
      occupancy(occupancy),
      traces(std::make_unique<LaunchTrace>(machine, *launch.program)) {
  traces->countsBanks = options.ldsBanks;
  placement.workgroups = uint64_t(launch.workgroups[0]) * launch.workgroups[1] *
                         launch.workgroups[2];
  placement.xcds = machine.xcds;
  placement.cusPerXcd = machine.cusPerXcd;
  placement.perCu = occupancy.workgroupsPerCu;
  uint64_t recorded =
      std::min(placement.workgroups, placement.perRound() * placement.xcds *
                                         std::max(options.rounds, 1u));
  traces->plan.resize(recorded, TraceDepth::Blocks);
  for (uint64_t workgroup = 0; workgroup != recorded; ++workgroup)
    if (placement.cuOf(workgroup) == 0)
      traces->plan[workgroup] = TraceDepth::Full;
}

llvm::Expected<std::unique_ptr<TimedLaunch>>
TimedLaunch::create(const LaunchState &launch, const TimingOptions &options) {
  llvm::Expected<Machine> machine =
      Machine::of(launch.program->object().chip(), options.product);
  if (!machine)
    return machine.takeError();
  llvm::Expected<arch::Occupancy> occupancy =
      arch::computeOccupancy(*machine->arch, resourcesOf(launch));
  if (!occupancy)
    return occupancy.takeError();
  return std::unique_ptr<TimedLaunch>(
      new TimedLaunch(launch, options, std::move(*machine), *occupancy));
}

std::vector<uint64_t> TimedLaunch::detailOf(unsigned xcd) const {
  std::vector<uint64_t> groups;
  for (uint64_t workgroup = xcd; workgroup < traces->plan.size();
       workgroup += placement.xcds)
    if (traces->plan[workgroup] == TraceDepth::Full && traces->find(workgroup))
      groups.push_back(workgroup);
  return groups;
}

WarmCaches TimedLaunch::warmCaches() const {
  if (!options.isWarm)
    return WarmCaches::None;
  if (traces->plan.size() == placement.workgroups)
    return WarmCaches::All;
  // Since the first rounds of the run before, the later ones, which nobody has
  // recorded, have gone through the L2s; and where the memory that the device
  // holds is more than the memory-side cache, through all of that, too.
  return launch.memory->allocatedBytes() <= machine.mallBytes
             ? WarmCaches::Memory
             : WarmCaches::None;
}

UnitResult TimedLaunch::replay(unsigned xcd,
                               llvm::ArrayRef<uint64_t> workgroups,
                               std::optional<FreeResource> free,
                               std::optional<uint64_t> events) const {
  MemoryShares shares;
  shares.cusOfXcd = std::max(placement.activeCusOfXcd(xcd), 1u);
  shares.cus = std::max(placement.activeCus(), 1u);
  Machine changed = machine;
  if (options.isWarm)
    changed.translation = 0;
  std::deque<std::vector<MemoryLevel>> inL2;
  std::deque<std::vector<std::vector<bool>>> skipped;
  if (free == FreeResource::L2) {
    changed.l2BytesPerCycle = 0; // No limit.
    changed.translation = changed.translationMiss = 0;
  }
  std::vector<ComputeUnit::Group> groups;
  for (uint64_t workgroup : workgroups) {
    ComputeUnit::Group group;
    group.trace = traces->find(workgroup);
    group.levels = levels->of(workgroup);
    if (free == FreeResource::L2) {
      inL2.emplace_back(group.levels.size(), MemoryLevel::L2);
      group.levels = inL2.back();
    }
    if (free == FreeResource::Addresses) {
      skipped.emplace_back();
      for (const WaveTrace &wave : group.trace->waves)
        skipped.back().push_back(findAddressArithmetic(traces->program, wave));
      group.skipped = &skipped.back();
    }
    groups.push_back(group);
  }
  ComputeUnit::Options unitOptions;
  unitOptions.residentGroups = placement.perCu;
  unitOptions.timelineEvents = events;
  unitOptions.free = free;
  ComputeUnit unit(changed, traces->program, shares, unitOptions);
  return unit.run(groups);
}

uint64_t TimedLaunch::extrapolate(unsigned xcd, const UnitResult &unit,
                                  std::optional<FreeResource> free) const {
  uint64_t replayed = unit.workgroupEnds.size();
  uint64_t all = (placement.workgroupsOfXcd(xcd) + placement.cusPerXcd - 1) /
                 placement.cusPerXcd;
  if (all <= replayed || replayed == 0)
    return unit.cycles;
  uint64_t first = std::min<uint64_t>(placement.perCu, replayed);
  uint64_t firstEnd = 0;
  for (uint64_t i = 0; i != first; ++i)
    firstEnd = std::max(firstEnd, unit.workgroupEnds[i]);
  // One round alone stands for all that follow, its start included.
  uint64_t round = unit.cycles;
  if (replayed != first)
    round = uint64_t(double(unit.cycles - firstEnd) * double(first) /
                     double(replayed - first));
  uint64_t cycles = unit.cycles + (all - replayed) / first * round;
  // In a last round that is not full the few have the unit to themselves: they
  // take longer than their share of a round, and at most all of one.
  if (uint64_t few = (all - replayed) % first) {
    std::vector<uint64_t> last = detailOf(xcd);
    last.erase(last.begin(), last.end() - ptrdiff_t(few));
    uint64_t alone = replay(xcd, last, free).cycles;
    cycles += std::clamp(alone, round * few / first, round);
  }
  return cycles;
}

void TimedLaunch::addUnit(unsigned xcd, UnitResult &&unit,
                          TimingResult &result) const {
  uint64_t cycles = extrapolate(xcd, unit, std::nullopt);
  result.detailCycles = std::max(result.detailCycles, unit.cycles);
  result.cycles = std::max(result.cycles, cycles);
  // Workgroups go to the engines of an XCD in turn.
  result.launchCounters.busyCycles +=
      cycles *
      std::min(placement.activeCusOfXcd(xcd), machine.shaderEnginesPerXcd);
  result.detailWorkgroups += unit.workgroupEnds.size();
  result.instructionsReplayed += unit.instructions;
  ++result.detailCus;
  result.counters += unit.counters;
  result.wavesWithoutEvents += unit.wavesWithoutEvents;
  for (auto [sum, one] : llvm::zip(result.instructions, unit.perInstruction)) {
    sum.hits += one.hits;
    sum.issueCycles += one.issueCycles;
    sum.ldsCycles += one.ldsCycles;
    sum.ldsConflictCycles += one.ldsConflictCycles;
    result.issueCycles += one.issueCycles;
    for (unsigned i = 0; i != stallReasonCount; ++i) {
      sum.stalls[i] += one.stalls[i];
      result.stalls[i] += one.stalls[i];
    }
  }
  for (WaveTiming &wave : unit.waves) {
    wave.xcd = xcd;
    result.waves.push_back(std::move(wave));
  }
}

void TimedLaunch::addLaunch(TimingResult &result) const {
  result.simdsPerCu = machine.simds;
  result.computeUnits = machine.xcds * machine.cusPerXcd;
  result.traffic = levels->traffic();
  result.launchTraffic = levels->launchTraffic();
  uint64_t busy = result.launchCounters.busyCycles;
  if (result.detailWorkgroups)
    result.launchCounters = result.counters.times(
        double(placement.workgroups) / double(result.detailWorkgroups));
  TimingCounters &c = result.launchCounters;
  const CacheTraffic &traffic = result.launchTraffic;
  c.busyCycles = busy;
  c.guiActive = result.cycles;
  uint64_t requests = c.l2ReadRequests + c.l2WriteRequests;
  c.l2Misses = std::min(traffic.misses, requests);
  c.l2Hits = requests - c.l2Misses;
  c.memoryReads = traffic.reads;
  c.memoryReads32 = traffic.reads32;
  c.mallHits = traffic.mallReads;
  c.memoryWrites = traffic.writes;
}

void TimedLaunch::describe(TimingResult &result) const {
  result.chip = machine.arch->name;
  result.product = machine.product->name;
  result.clockMhz = *machine.product->clockMhz;
  result.workgroups = placement.workgroups;
  result.activeCus = placement.activeCus();
  result.workgroupsPerCu = occupancy.workgroupsPerCu;
  result.wavesPerSimd = occupancy.wavesPerSimd;
  result.occupancyLimiter = arch::limiterName(occupancy.limiter);
  result.resources = resourcesOf(launch);
  result.occupancy = occupancy;
  describeSample(result);
}

/// "0 to 7, 304 to 311" of ascending numbers.
static std::string rangesOf(llvm::ArrayRef<uint64_t> numbers) {
  std::string text;
  for (size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
    last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
    if (last != first)
      text += " to " + std::to_string(numbers[last]);
  }
  return text;
}

/// Says what a launch of which not all is recorded finds in the caches.
void TimedLaunch::describeWarmCaches(TimingResult &result) const {
  WarmCaches warm = warmCaches();
  if (!options.isWarm || warm == WarmCaches::All)
    return;
  auto megabytes = [](uint64_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB";
  };
  std::string memory = megabytes(launch.memory->allocatedBytes());
  result.extrapolated.push_back(
      "at the start: the L2s hold nothing of these workgroups, the memory-side "
      "cache " +
      (warm == WarmCaches::Memory
           ? "all: the launch has " + memory
           : "neither: the launch has " + memory + ", it holds " +
                 megabytes(machine.mallBytes)));
}

/// Says which workgroups the figures are from, and what the rest is taken from.
void TimedLaunch::describeSample(TimingResult &result) const {
  auto say = [&](std::string text) {
    result.extrapolated.push_back(std::move(text));
  };
  auto count = [](uint64_t number) { return std::to_string(number); };
  std::vector<uint64_t> detail;
  for (uint64_t workgroup = 0; workgroup != traces->plan.size(); ++workgroup)
    if (traces->plan[workgroup] == TraceDepth::Full && traces->find(workgroup))
      detail.push_back(workgroup);
  if (detail.size() != result.workgroups)
    say("instruction by instruction: workgroups " + rangesOf(detail) + " of " +
        count(result.workgroups) + ", those of " + count(result.detailCus) +
        " of " + count(result.activeCus) +
        " compute units; the others take as long");
  if (result.traffic.workgroups > detail.size())
    say("through the caches: the addresses of workgroups 0 to " +
        count(traces->plan.size() - 1));
  describeWarmCaches(result);
  if (result.cycles > result.detailCycles)
    say("replayed: the first " + count(options.rounds) +
        " rounds of workgroups; later ones take as long as the last of them, a "
        "last one that is not full as long as its workgroups alone");
  if (result.detailWorkgroups != result.workgroups)
    say("counters and bytes: of the workgroups in detail, times " +
        count(result.workgroups) + " / " + count(result.detailWorkgroups) +
        "; behind the L2s of all that went through the caches, of later rounds "
        "those of the last");
}

void TimedLaunch::addAssumptions(TimingResult &result) const {
  std::set<std::string> ids(machine.assumptions.begin(),
                            machine.assumptions.end());
  if (options.isWarm)
    ids.insert(arch::warmCachesAssumption);
  for (uint32_t i = 0; i != traces->program.size(); ++i) {
    const TimedInstruction &timed = traces->program.numbered(i);
    if (timed.kind != TimedKind::Lds || !result.instructions[i].hits)
      continue;
    if (timed.isLdsAtomic)
      ids.insert(arch::ldsAddressConflictsAssumption);
    const arch::LdsAccess *row = arch::lookupLdsAccess(
        machine.chip,
        timed.isLdsWrite ? arch::LdsDirection::Write : arch::LdsDirection::Read,
        isa::accessBytes(timed.inst->mnemonic));
    if (row && *row->assumption)
      ids.insert(row->assumption);
  }
  result.assumptions.assign(ids.begin(), ids.end());
}

TimingResult TimedLaunch::finish() {
  levels = std::make_unique<CacheLevels>(*traces, placement, warmCaches());
  TimingResult result;
  for (uint32_t i = 0; i != traces->program.size(); ++i) {
    const isa::Instruction &inst = *traces->program.numbered(i).inst;
    InstructionTiming row;
    row.pc = inst.pc;
    row.text = inst.text.str();
    row.source = launch.program->lines().at(inst.pc);
    row.matrixCycles = traces->program.numbered(i).matrixCycles;
    result.instructions.push_back(std::move(row));
  }
  uint64_t room = options.timelineEvents;
  for (unsigned xcd = 0; xcd != placement.xcds; ++xcd) {
    if (detailOf(xcd).empty())
      continue;
    bool keeps = options.timeline && result.detailCus < options.timelineUnits;
    UnitResult unit = replay(xcd, detailOf(xcd), std::nullopt,
                             keeps ? std::optional(room) : std::nullopt);
    room -= unit.events;
    addUnit(xcd, std::move(unit), result);
  }
  result.ldsBanks = traces->ldsBanks();
  result.counters.guiActive = result.detailCycles;
  addLaunch(result);
  describe(result);
  addAssumptions(result);
  if (result.detailCycles)
    result.mfmaBusyShare = double(result.counters.mfmaBusyCycles) /
                           (double(result.counters.busyCycles) * machine.simds);
  if (options.whatIf)
    for (unsigned i = 0; i != freeResourceCount; ++i) {
      WhatIf entry;
      entry.resource = FreeResource(i);
      for (unsigned xcd = 0; xcd != placement.xcds; ++xcd)
        if (!detailOf(xcd).empty())
          entry.cycles = std::max(
              entry.cycles,
              extrapolate(xcd, replay(xcd, detailOf(xcd), entry.resource),
                          entry.resource));
      result.whatIf.push_back(entry);
    }
  return result;
}
