//===- TimedWave.cpp - one wave in replay ---------------------------------===//

#include "TimedWave.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fly;
using namespace fly::sim;

void TimedWave::addVector(Ticks done) {
  // The counter goes down in the order of issue.
  if (!vectors.empty())
    done = std::max(done, vectors.back());
  vectors.push_back(done);
}

void TimedWave::completeLds(Ticks done) {
  auto it = llvm::find(ldsDone, never);
  if (it != ldsDone.begin() && it != ldsDone.end())
    done = std::max(done, *std::prev(it));
  *it = done;
}

/// Forgets what has completed before the next instruction waits.
void TimedWave::retire() {
  while (!vectors.empty() && vectors.front() <= head)
    vectors.pop_front();
  while (!ldsDone.empty() && ldsDone.front() <= head)
    ldsDone.pop_front();
  llvm::erase_if(scalars, [&](Ticks done) { return done <= head; });
}

void TimedWave::noteVector(const TimedInstruction &timed, Ticks now) {
  recent[nextRecent++ % recent.size()] = {&timed, now};
}

void TimedWave::constrainResults(const TimedInstruction &timed) {
  for (const VectorResult &result : recent) {
    Ticks known = result.issued + machine->valuToMemory * ticksPerCycle;
    if (!result.timed || known <= head)
      continue;
    bool isUsed = llvm::any_of(
        result.timed->vectorWrites, [&](isa::RegisterRange written) {
          return llvm::any_of(timed.memoryReads, [&](isa::RegisterRange read) {
            return read.overlaps(written);
          });
        });
    if (isUsed)
      constrain(known, StallReason::ValuResult);
  }
}

/// When at most `count` LDS and scalar instructions are outstanding. LDS comes
/// back in order, scalar memory in any.
Ticks TimedWave::localCountReached(unsigned count, StallReason &reason) const {
  size_t total = ldsDone.size() + scalars.size();
  if (total <= count)
    return 0;
  llvm::SmallVector<std::pair<Ticks, bool>, 16> done;
  for (Ticks time : ldsDone)
    done.push_back({time, true});
  for (Ticks time : scalars)
    done.push_back({time, false});
  auto last = done.begin() + ptrdiff_t(total - count - 1);
  std::nth_element(done.begin(), last, done.end());
  reason = last->second ? StallReason::WaitLds : StallReason::WaitScalar;
  return last->first;
}

void TimedWave::constrainWait(const arch::WaitCount &wait) {
  if (waitsAreFree)
    return;
  if (vectors.size() > wait.vm)
    constrain(vectors[vectors.size() - wait.vm - 1], StallReason::WaitVmem);
  StallReason reason = StallReason::WaitLds;
  Ticks local = localCountReached(wait.lgkm, reason);
  constrain(local, reason);
}

void TimedWave::constrainCounters(const TimedInstruction &timed) {
  if ((timed.counters & CountsVm) && vectors.size() >= machine->vmLimit)
    constrain(vectors[vectors.size() - machine->vmLimit],
              StallReason::CounterFull);
  StallReason reason;
  if ((timed.counters & CountsLgkm) &&
      ldsDone.size() + scalars.size() >= machine->lgkmLimit)
    constrain(localCountReached(machine->lgkmLimit - 1, reason),
              StallReason::CounterFull);
}

void TimedWave::startWaiting(Ticks now) {
  head = now;
  booked = now / ticksPerCycle;
  pieces = {};
  isQueueFull = isLocalBooked = isBlocked = false;
}

void TimedWave::prepare(Ticks now, size_t ldsWaiting) {
  const TimedInstruction &timed = instruction();
  retire();
  constraintCount = 0;
  constrain(fetchReady, fetchReason);
  if (!timed.memoryReads.empty())
    constrainResults(timed);
  if (timed.kind == TimedKind::Wait)
    constrainWait(timed.wait);
  if (timed.counters)
    constrainCounters(timed);
  if (timed.kind == TimedKind::Lds) {
    if (ldsWaiting >= machine->ldsQueue) {
      isQueueFull = true;
      constrain(never, StallReason::LdsQueue);
    } else if (isQueueFull) {
      constrain(std::max(now, queueOpened), StallReason::LdsQueue);
    }
  }
  ready = head;
  for (unsigned i = 0; i != constraintCount; ++i)
    ready = std::max(ready, constraints[i].until);
}

void TimedWave::book(Ticks until, StallReason reason) {
  // Whole cycles: what is left of one belongs to the next piece.
  uint64_t cycle = until / ticksPerCycle;
  if (cycle <= booked)
    return;
  pieces[unsigned(reason)] += cycle - booked;
  booked = cycle;
}

/// Books what the wave itself waited for, each piece to the reason that ended
/// it; the last one holds until the slot at `now`.
void TimedWave::bookLocal(Ticks now) {
  isLocalBooked = true;
  auto begin = constraints.begin(), end = begin + constraintCount;
  std::sort(begin, end, [](const Constraint &a, const Constraint &b) {
    return a.until < b.until;
  });
  for (auto it = begin; it != end; ++it)
    book(it + 1 == end ? now : std::min(now, it->until), it->reason);
}

void TimedWave::block(Ticks now, StallReason reason) {
  if (!isLocalBooked)
    bookLocal(now);
  if (isBlocked)
    book(now, blockedBy);
  isBlocked = true;
  blockedBy = reason;
}

const StallCycles &TimedWave::settle(Ticks now) {
  if (!isLocalBooked)
    bookLocal(now);
  // Without a reason of its own the wave was passed over.
  book(now, isBlocked ? blockedBy : StallReason::Arbiter);
  return pieces;
}
