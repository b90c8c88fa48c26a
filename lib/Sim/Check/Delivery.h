//===- Delivery.h - registers before their values arrive --------*- C++ -*-===//
//
// What problem: a register that a load writes holds its value when a wait has
// made sure of it, and before that by luck.
// What idea: results of vector memory, LDS and scalar memory are taken back
// from the registers after execution and put there when a wait forces them, at
// the last moment (or, with a seed, at some moment before). A read or another
// write of such a register in between is a finding, whatever the seed.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_DELIVERY_H
#define FLY_LIB_SIM_CHECK_DELIVERY_H

#include <random>

#include "FindingLog.h"
#include "MemoryOps.h"

namespace fly::sim {

/// What one wave waits for.
struct PendingRegisters {
  RegisterSet set;
  /// The youngest instruction that delivers each register of the set.
  MemoryOp *owner[isa::reg::count] = {};
};

class DeliveryCheck {
public:
  /// `seed` 0: results arrive at the last moment.
  DeliveryCheck(FindingLog &log, uint32_t seed) : log(log), random(seed) {
    isSeeded = seed != 0;
  }

  /// Uses of registers whose values may not be there.
  void checkUses(const InstructionFacts &facts, const isa::Instruction &inst,
                 WaveState &wave, const PendingRegisters &pending,
                 const MemoryOps &ops);
  /// Keeps what the destination holds before a memory instruction.
  void saveDestination(const isa::Instruction &inst, WaveState &wave);
  /// Takes the results of the executed instruction back; `op` has them now.
  void withhold(MemoryOp &op, const isa::Instruction &inst, WaveState &wave,
                const AccessLog &accesses, PendingRegisters &pending);
  /// `op` is complete: its registers and its bytes of LDS hold the results.
  void deliver(MemoryOp &op, WaveState &wave, PendingRegisters &pending);
  /// With a seed, lets one of the outstanding results arrive early or not.
  void deliverSome(WaveState &wave, MemoryOps &ops);

private:
  void reportUse(const MemoryOp &owner, unsigned reg, bool isRead,
                 uint64_t lanes, const isa::Instruction &inst,
                 const WaveState &wave, const MemoryOps &ops);
  void writeResults(MemoryOp &op, WaveState &wave);

  FindingLog &log;
  std::vector<uint32_t> saved;
  std::minstd_rand random;
  bool isSeeded = false;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_DELIVERY_H
