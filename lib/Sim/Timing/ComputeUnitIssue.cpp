//===- ComputeUnitIssue.cpp - what issues in a slot, and what it does -----===//

#include "llvm/ADT/STLExtras.h"

#include "ComputeUnit.h"

using namespace fly;
using namespace fly::sim;

void ComputeUnit::evaluate(unsigned index, Ticks now) {
  Simd &simd = simds[index];
  simd.next = never;
  unsigned categories = 0;
  Ticks next = never;
  // Waves end and priorities change meanwhile.
  llvm::SmallVector<unsigned, 8> order(simd.order.begin(), simd.order.end());
  for (unsigned number : order) {
    TimedWave &wave = waves[number];
    if (wave.ready > now) {
      next = std::min(next, wave.ready);
      continue;
    }
    if (!tryIssue(wave, simd, now, categories, next))
      continue;
    if (!wave.hasEnded)
      next = std::min(next, wave.ready);
  }
  if (next != never)
    simd.next =
        std::min(simd.next, slotAt(index, std::max(next, now + ticksPerCycle)));
}

/// The unit that does not take the instruction at `now`, and until when.
std::optional<StallReason> ComputeUnit::findObstacle(const TimedWave &wave,
                                                     const Simd &simd,
                                                     Ticks now, Ticks &until) {
  const TimedInstruction &timed = wave.instruction();
  switch (timed.category) {
  case IssueCategory::Valu:
    if (timed.kind == TimedKind::Matrix && simd.matrixFree > now) {
      until = simd.matrixFree;
      bool isChain = simd.matrixWave == wave.number &&
                     simd.matrixResult.overlaps(timed.matrixAddend);
      return isChain ? StallReason::MatrixDependency : StallReason::MatrixBusy;
    }
    if (simd.vectorFree > now) {
      until = simd.vectorFree;
      return StallReason::VectorBusy;
    }
    return std::nullopt;
  case IssueCategory::Vmem:
    if (!memory.hasRoom(now)) {
      until = memory.roomAt();
      return StallReason::VmemQueue;
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

bool ComputeUnit::tryIssue(TimedWave &wave, Simd &simd, Ticks now,
                           unsigned &categories, Ticks &next) {
  const TimedInstruction &timed = wave.instruction();
  unsigned category = 1u << unsigned(timed.category);
  bool isInternal = timed.category == IssueCategory::Internal;
  if (!isInternal && (categories & category)) {
    wave.block(now, StallReason::Arbiter);
    next = std::min(next, now + machine.slot * ticksPerCycle);
    return false;
  }
  Ticks until = never;
  if (std::optional<StallReason> reason =
          findObstacle(wave, simd, now, until)) {
    wave.block(now, *reason);
    next = std::min(next, until);
    return false;
  }
  if (timed.kind == TimedKind::Barrier && !passBarrier(wave, now))
    return false;
  categories |= category;
  issue(wave, simd, now);
  return true;
}

/// True if the wave need not wait (any longer) at its barrier.
bool ComputeUnit::passBarrier(TimedWave &wave, Ticks now) {
  GroupRun &group = groups[wave.group];
  if (options.free == FreeResource::Barriers || group.waves.size() == 1)
    return true;
  if (wave.hasArrived) { // Released: all have come.
    wave.hasArrived = false;
    return true;
  }
  wave.hasArrived = true;
  ++group.arrived;
  if (group.arrived == group.live) {
    releaseBarrier(group, now);
    wave.hasArrived = false;
    return true;
  }
  wave.block(now, StallReason::Barrier);
  wave.ready = never;
  return false;
}

/// Lets waves go on if all that have not ended have arrived.
void ComputeUnit::releaseBarrier(GroupRun &group, Ticks now) {
  if (group.arrived == 0 || group.arrived != group.live)
    return;
  group.arrived = 0;
  for (unsigned number : group.waves) {
    TimedWave &wave = waves[number];
    if (wave.hasEnded || !wave.hasArrived || wave.ready != never)
      continue;
    wave.ready = now;
    wake(wave, now + ticksPerCycle);
  }
}

void ComputeUnit::issueMemory(TimedWave &wave, const TimedInstruction &timed,
                              Ticks now) {
  const Group &group = groups[wave.group].group;
  const BlockRun &blocks = wave.takeBlocks();
  llvm::ArrayRef<MemoryLevel> levels =
      group.levels.slice(blocks.first, blocks.size());
  if (timed.kind == TimedKind::ScalarLoad) {
    wave.addScalar(memory.issueScalar(now, blocks, levels));
    return;
  }
  Ticks done = memory.issue(now, timed, blocks, levels);
  if (timed.kind == TimedKind::LdsCopy)
    copies.push({done, timed.returnBytes});
  wave.addVector(done);
  if (timed.counters & CountsLgkm)
    wave.addScalar(done);
}

void ComputeUnit::issue(TimedWave &wave, Simd &simd, Ticks now) {
  const TimedInstruction &timed = wave.instruction();
  uint32_t number = program.numberOf(wave.slot());
  const StallCycles &stalls = wave.settle(now);

  InstructionTiming &sum = result.perInstruction[number];
  ++sum.hits;
  sum.issueCycles += timed.issueCycles;
  wave.timing.issueCycles += timed.issueCycles;
  ++wave.timing.instructions;
  ++result.instructions;
  uint64_t stalled = 0;
  unsigned most = 0;
  for (unsigned i = 0; i != stallReasonCount; ++i) {
    sum.stalls[i] += stalls[i];
    wave.timing.stalls[i] += stalls[i];
    stalled += stalls[i];
    if (stalls[i] > stalls[most])
      most = i;
  }
  if (wave.keepsEvents) {
    uint64_t idle = stalls[unsigned(StallReason::Start)] +
                    stalls[unsigned(StallReason::Fetch)];
    wave.timing.events.push_back({number, uint32_t(stalled), uint32_t(idle),
                                  timed.issueCycles, StallReason(most),
                                  now / ticksPerCycle - stalled});
  }

  switch (timed.kind) {
  case TimedKind::Matrix:
    simd.matrixFree = now + timed.matrixCycles * ticksPerCycle;
    simd.matrixWave = wave.number;
    simd.matrixResult = timed.matrixResult;
    ++result.counters.mfma;
    if (const std::optional<arch::MatrixWork> &work = timed.matrixWork) {
      ++result.counters.matrixInstructions[unsigned(work->counter)];
      result.counters.matrixOperations[unsigned(work->counter)] +=
          work->operations;
    }
    result.counters.mfmaBusyCycles += timed.matrixCycles;
    break;
  case TimedKind::Lds: {
    BankCycles banks = wave.takeBanks();
    result.counters.ldsBankConflict += banks.conflicts;
    result.counters.ldsAddressConflict += banks.addressConflicts;
    result.counters.ldsIndexActive += banks.cycles;
    sum.ldsCycles += banks.cycles;
    sum.ldsConflictCycles += banks.conflicts;
    if (options.free == FreeResource::Conflicts)
      banks.cycles = uint16_t(banks.cycles - banks.conflicts);
    wave.addLds();
    lds.push(wave.number, {now, timed.portTicks, banks});
    break;
  }
  case TimedKind::Priority:
    wave.priority = timed.priority;
    sortWaves(simd);
    break;
  default:
    if (timed.isMemory)
      issueMemory(wave, timed, now);
    break;
  }
  if (timed.category == IssueCategory::Valu) {
    simd.vectorFree = now + timed.vectorCycles * ticksPerCycle;
    wave.noteVector(timed, now);
  }
  countIssue(timed);

  uint64_t behind = timed.inst->pc + timed.inst->size;
  ++wave.next;
  bool isJump = !wave.isDone() && wave.instruction().inst->pc != behind;
  wave.skip();
  Ticks head = now + timed.issueCycles * ticksPerCycle;
  if (wave.isDone()) {
    // The last instruction waits for the end of its wave.
    uint64_t rest = machine.end - timed.issueCycles;
    sum.stalls[unsigned(StallReason::End)] += rest;
    wave.timing.stalls[unsigned(StallReason::End)] += rest;
    return endWave(wave, now);
  }
  wave.startWaiting(head);
  fetchNext(wave, behind, isJump, now);
  wave.prepare(now, lds.waiting(wave.number));
}

void ComputeUnit::countIssue(const TimedInstruction &timed) {
  TimingCounters &counters = result.counters;
  switch (timed.category) {
  case IssueCategory::Valu:
    ++counters.valu;
    break;
  case IssueCategory::Vmem:
    ++counters.vmem;
    break;
  case IssueCategory::Scalar:
    ++(timed.kind == TimedKind::ScalarLoad ? counters.smem : counters.salu);
    break;
  case IssueCategory::Lds:
    ++counters.lds;
    break;
  case IssueCategory::Branch:
    ++counters.branch;
    break;
  case IssueCategory::Internal:
    break;
  }
}

void ComputeUnit::fetchNext(TimedWave &wave, uint64_t behind, bool isJump,
                            Ticks now) {
  uint64_t pc = wave.instruction().inst->pc;
  wave.fetchReady = 0;
  wave.fetchReason = StallReason::Fetch;
  if (isJump)
    wave.fetchReady = now + machine.takenBranch * ticksPerCycle;
  uint64_t line = fetchCache.lineOf(pc);
  if (!isJump && line == fetchCache.lineOf(behind - 4))
    return;
  if (Ticks *arrival = fetchCache.find(line)) {
    wave.fetchReady = std::max(wave.fetchReady, *arrival);
    return;
  }
  // Straight code is fetched ahead; a jump has to wait for the L2.
  unsigned cycles = isJump ? machine.l2Latency : machine.fetchNextLine;
  Ticks arrival = std::max(wave.fetchReady, wave.head) + cycles * ticksPerCycle;
  fetchCache.insert(line, arrival);
  wave.fetchReady = arrival;
}
