//===- ComputeUnit.cpp - replays workgroups on one compute unit -----------===//
//
// Start and end of waves, and the loop over time. Issue: ComputeUnitIssue.cpp.
//
//===----------------------------------------------------------------------===//

#include "ComputeUnit.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::sim;

ComputeUnit::ComputeUnit(const Machine &machine, const TimedProgram &program,
                         const MemoryShares &shares, const Options &options)
    : machine(machine), program(program), options(options),
      memory(machine, shares, result.counters), lds(machine),
      fetchCache(machine.fetchCacheBytes, machine.fetchLineBytes, 8),
      simds(machine.simds) {
  result.perInstruction.resize(program.size());
}

Ticks ComputeUnit::slotAt(unsigned simd, Ticks time) const {
  // SIMDs take turns, one a cycle.
  const Ticks period = machine.slot * ticksPerCycle;
  const Ticks phase = (simd % machine.slot) * ticksPerCycle;
  if (time <= phase)
    return phase;
  return (time - phase + period - 1) / period * period + phase;
}

void ComputeUnit::wake(const TimedWave &wave, Ticks time) {
  if (time == never)
    return;
  Simd &simd = simds[wave.simd];
  simd.next = std::min(simd.next, slotAt(wave.simd, time));
}

/// Higher priorities first, of equal ones the wave that started earlier.
void ComputeUnit::sortWaves(Simd &simd) {
  llvm::sort(simd.order, [&](unsigned a, unsigned b) {
    if (waves[a].priority != waves[b].priority)
      return waves[a].priority > waves[b].priority;
    return a < b;
  });
}

void ComputeUnit::startGroup(Ticks now) {
  if (pending.empty())
    return;
  unsigned index = unsigned(groups.size());
  groups.push_back({pending.front(), 0, 0, {}});
  pending = pending.drop_front();
  for (unsigned i = 0, e = unsigned(groups[index].group.trace->waves.size());
       i != e; ++i)
    startWave(index, i, now + Ticks(i) * machine.waveInterval * ticksPerCycle);
  result.workgroupEnds.push_back(0);
}

/// Takes the first slot of the SIMD that no wave has at `now`.
unsigned ComputeUnit::takeSlot(Simd &simd, Ticks now) {
  auto free =
      llvm::find_if(simd.slotEnds, [&](Ticks end) { return end <= now; });
  if (free == simd.slotEnds.end())
    free = simd.slotEnds.insert(free, never);
  *free = never;
  return unsigned(free - simd.slotEnds.begin());
}

void ComputeUnit::startWave(unsigned groupIndex, unsigned index, Ticks now) {
  GroupRun &group = groups[groupIndex];
  // The SIMD with the fewest waves, of equal ones the next in turn.
  unsigned simdIndex = nextSimd % machine.simds;
  for (unsigned i = 1; i != machine.simds; ++i) {
    unsigned other = (nextSimd + i) % machine.simds;
    if (simds[other].order.size() < simds[simdIndex].order.size())
      simdIndex = other;
  }
  nextSimd = simdIndex + 1;
  Simd &simd = simds[simdIndex];
  TimedWave wave(machine, program, *group.group.trace, index);
  wave.number = unsigned(waves.size());
  wave.group = groupIndex;
  wave.simd = simdIndex;
  if (group.group.skipped)
    wave.skipped = &(*group.group.skipped)[index];
  wave.skip();
  wave.waitsAreFree = options.free == FreeResource::Waits;
  if (options.timelineEvents) {
    wave.keepsEvents = wave.length() <= *options.timelineEvents - result.events;
    if (wave.keepsEvents)
      result.events += wave.length();
    else
      ++result.wavesWithoutEvents;
  }
  // Waves start in a slot of their SIMD, so that their life is whole slots.
  now = slotAt(simdIndex, now);
  wave.timing.workgroup = group.group.trace->workgroup;
  wave.timing.wave = index;
  wave.timing.simd = simdIndex;
  wave.timing.slot = takeSlot(simd, now);
  wave.timing.begin = now / ticksPerCycle;
  ++group.live;
  ++result.counters.waves;
  group.waves.push_back(wave.number);
  lds.addWave(wave.number, simdIndex);

  uint64_t line =
      fetchCache.lineOf(wave.isDone() ? 0 : program.at(wave.slot()).inst->pc);
  wave.fetchReady = now + machine.warmStart * ticksPerCycle;
  if (Ticks *arrival = fetchCache.find(line)) {
    wave.fetchReady = std::max(wave.fetchReady, *arrival);
  } else {
    wave.fetchReady = now + machine.coldStart * ticksPerCycle;
    fetchCache.insert(line, wave.fetchReady);
  }
  wave.startWaiting(now);
  waves.push_back(std::move(wave));
  simd.order.push_back(waves.back().number);
  sortWaves(simd);
  waves.back().prepare(now, 0);
  wake(waves.back(), waves.back().ready);
}

void ComputeUnit::endWave(TimedWave &wave, Ticks now) {
  Ticks end = now + machine.end * ticksPerCycle;
  wave.hasEnded = true;
  wave.timing.end = end / ticksPerCycle;
  uint64_t life = wave.timing.end - wave.timing.begin;
  result.counters.waveCycles += life;
  auto sum = [&](std::initializer_list<StallReason> reasons) {
    uint64_t cycles = 0;
    for (StallReason reason : reasons)
      cycles += wave.timing.stalls[unsigned(reason)];
    return cycles;
  };
  using R = StallReason;
  result.counters.waitAny +=
      sum({R::WaitVmem, R::WaitLds, R::WaitScalar, R::Barrier});
  result.counters.waitIssue +=
      sum({R::LdsQueue, R::VmemQueue, R::CounterFull, R::MatrixDependency,
           R::MatrixBusy, R::VectorBusy, R::Arbiter});
  result.counters.waitLds += sum({R::LdsQueue});
  result.cycles = std::max(result.cycles, wave.timing.end);
  llvm::erase(simds[wave.simd].order, wave.number);
  simds[wave.simd].slotEnds[wave.timing.slot] = end;
  GroupRun &group = groups[wave.group];
  uint64_t &groupEnd = result.workgroupEnds[wave.group];
  groupEnd = std::max(groupEnd, wave.timing.end);
  if (--group.live == 0)
    starts.push(groupEnd * ticksPerCycle);
  else
    releaseBarrier(group, now);
  result.waves.push_back(std::move(wave.timing));
}

void ComputeUnit::serveLds(unsigned port) {
  Ticks now = lds.nextTime(port);
  LdsUnit::Served served = lds.serve(port);
  TimedWave &wave = waves[served.wave];
  wave.completeLds(served.done);
  wave.openQueue(now);
  // What it waits for may be known now.
  if (wave.hasEnded || wave.hasArrived || wave.ready != never)
    return;
  wave.prepare(now, lds.waiting(served.wave));
  wake(wave, std::max(wave.ready, now));
}

UnitResult ComputeUnit::run(llvm::ArrayRef<Group> all) {
  pending = all;
  size_t total = 0;
  for (const Group &group : all)
    total += group.trace->waves.size();
  waves.reserve(total);
  groups.reserve(all.size());
  for (unsigned i = 0; i != options.residentGroups; ++i)
    startGroup(Ticks(i) * machine.waveInterval * ticksPerCycle);
  while (true) {
    // Of equal times: starts and LDS before the slots that may see them.
    Ticks now = never;
    unsigned simd = 0, port = 0;
    enum { Nothing, Start, CopyEvent, Lds, Slot } event = Nothing;
    auto offer = [&](Ticks time, decltype(event) kind) {
      if (time >= now)
        return false;
      now = time;
      event = kind;
      return true;
    };
    if (!starts.empty())
      offer(starts.top(), Start);
    if (!copies.empty())
      offer(copies.top().time, CopyEvent);
    for (unsigned i = 0; i != machine.ldsPorts; ++i)
      if (offer(lds.nextTime(i), Lds))
        port = i;
    for (unsigned i = 0; i != machine.simds; ++i)
      if (offer(simds[i].next, Slot))
        simd = i;
    switch (event) {
    case Nothing:
      result.counters.busyCycles = result.cycles;
      return std::move(result);
    case Start:
      starts.pop();
      startGroup(now);
      break;
    case CopyEvent:
      lds.writeCopy(now, copies.top().bytes);
      copies.pop();
      break;
    case Lds:
      serveLds(port);
      break;
    case Slot:
      evaluate(simd, now);
      break;
    }
  }
}
