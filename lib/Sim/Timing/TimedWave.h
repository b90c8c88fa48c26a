//===- TimedWave.h - one wave in replay -------------------------*- C++ -*-===//
//
// What idea: where the wave is in its trace, what it has outstanding, and from
// when on its next instruction may issue as far as the wave itself decides it.
// The time between issues is booked on the instruction that waited, piece by
// piece with the reason that held then, so that issue and stalls add up to the
// wave's life.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_TIMEDWAVE_H
#define FLY_LIB_SIM_TIMING_TIMEDWAVE_H

#include "fly/Sim/Timing.h"

#include <array>
#include <deque>

#include "TimedInstruction.h"
#include "Trace.h"

namespace fly::sim {

class TimedWave {
public:
  TimedWave(const Machine &machine, const TimedProgram &program,
            const WorkgroupTrace &group, unsigned wave)
      : machine(&machine), program(&program), trace(&group.waves[wave]) {}

  // Where it is.
  unsigned number = 0, group = 0, simd = 0;
  uint8_t priority = 0;
  bool hasEnded = false, hasArrived = false;
  bool keepsEvents = false;
  size_t next = 0; ///< In the trace.
  size_t nextLds = 0, nextMemory = 0;
  const std::vector<bool> *skipped = nullptr;
  bool waitsAreFree = false;

  uint32_t slot() const { return trace->slots[next]; }
  bool isDone() const { return next == trace->slots.size(); }
  /// Instructions that it executes in all.
  size_t length() const { return trace->slots.size(); }
  /// Goes to the next instruction that takes time.
  void skip() {
    while (skipped && !isDone() && (*skipped)[next])
      ++next;
  }
  const TimedInstruction &instruction() const { return program->at(slot()); }
  BankCycles takeBanks() { return trace->lds[nextLds++]; }
  const BlockRun &takeBlocks() { return trace->memory[nextMemory++]; }

  // Outstanding instructions.
  void addVector(Ticks done);
  void addScalar(Ticks done) { scalars.push_back(done); }
  void addLds() { ldsDone.push_back(never); }
  /// The oldest LDS instruction without one has its time of completion.
  void completeLds(Ticks done);

  // Time.
  Ticks head = 0;  ///< The next instruction waits since.
  Ticks ready = 0; ///< Earliest issue by what the wave knows.
  Ticks fetchReady = 0;
  StallReason fetchReason = StallReason::Start;
  WaveTiming timing;

  /// The instruction at `next` waits from now on.
  void startWaiting(Ticks now);
  /// Finds `ready`; `ldsWaiting` instructions of the wave wait for the port.
  void prepare(Ticks now, size_t ldsWaiting);
  void noteVector(const TimedInstruction &timed, Ticks now);
  /// A unit that waves share keeps this one from issuing at `now`.
  void block(Ticks now, StallReason reason);
  /// Cycles until the issue at `now`, by reason.
  const StallCycles &settle(Ticks now);
  /// An LDS instruction of a full queue went to the port.
  void openQueue(Ticks now) { queueOpened = now; }

private:
  struct Constraint {
    Ticks until;
    StallReason reason;
  };
  struct VectorResult {
    const TimedInstruction *timed = nullptr;
    Ticks issued = 0;
  };
  void constrain(Ticks until, StallReason reason) {
    if (until > head)
      constraints[constraintCount++] = {until, reason};
  }
  void constrainResults(const TimedInstruction &timed);
  void constrainWait(const arch::WaitCount &wait);
  void constrainCounters(const TimedInstruction &timed);
  Ticks localCountReached(unsigned count, StallReason &reason) const;
  void retire();
  void book(Ticks until, StallReason reason);
  void bookLocal(Ticks now);

  const Machine *machine;
  const TimedProgram *program;
  const WaveTrace *trace;
  std::deque<Ticks> vectors; ///< Completion in order; never earlier ones later.
  std::deque<Ticks> ldsDone; ///< In order; `never` until the port serves it.
  std::vector<Ticks> scalars;
  std::array<VectorResult, 4> recent;
  unsigned nextRecent = 0;
  std::array<Constraint, 6> constraints;
  unsigned constraintCount = 0;
  Ticks queueOpened = 0;
  bool isQueueFull = false;
  // Accounts of the waiting instruction.
  uint64_t booked = 0; ///< Cycle up to which reasons are found.
  bool isLocalBooked = false, isBlocked = false;
  StallReason blockedBy = StallReason::Arbiter;
  StallCycles pieces = {};
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_TIMEDWAVE_H
