//===- PendingAccesses.h - Accesses no barrier has ordered ------*- C++ -*-===//
//
// What problem: an access to LDS is before one of another wave only if a wait
// finished it and a barrier came behind that. On the way to a place there are
// many accesses, at each stage between.
// What idea: each access on the way carries how many operations of its counter
// were issued since, then how many barriers all waves have passed since a wait
// finished it. Where waves are staggered, each barrier is one of each wave's
// own count: an access of wave a is before one of wave b if a had finished it
// in front of its barrier number n, and b has passed so many. What is before
// anything of all waves is dropped.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_PENDINGACCESSES_H
#define FLY_LIB_VERIFY_PENDINGACCESSES_H

#include "fly/Arch/WaitCount.h"

#include "Checks.h"
#include "LdsInstances.h"
#include "Leads.h"

namespace fly::verify {

/// An access at one address that no barrier has ordered against what follows.
struct Pending {
  static constexpr uint8_t finished = 255;
  /// Operations of its counter issued since; or finished by a wait.
  uint8_t age = 0;
  /// A barrier came while it was outstanding.
  bool crossedBarrier = false;
  /// Of a finished one: barriers since then that all waves have passed.
  uint8_t crossed = 0;
  /// Of a finished one: the leads of the waves then, by their number.
  uint16_t lead = 0;

  bool isFinished() const { return age == finished; }
  bool operator==(const Pending &other) const {
    return age == other.age && crossedBarrier == other.crossedBarrier &&
           crossed == other.crossed && lead == other.lead;
  }
};

/// Pending accesses by the number of their instance.
using PendingSet = std::map<uint32_t, Pending>;

/// What waits, operations and barriers do to pending accesses. `lead` is the
/// number of the leads at that place.
class AccessOrder {
public:
  AccessOrder(const arch::ArchInfo &arch, const LdsInstances &instances,
              Leads &leads)
      : instances(instances), leads(leads), vmLimit(*arch.counters.vmcnt),
        lgkmLimit(*arch.counters.lgkmcnt) {}

  void wait(PendingSet &pending, const arch::WaitCount &count,
            uint16_t lead) const;
  /// One more operation of a counter, if the instruction is one.
  void issue(const isa::Instruction &inst, PendingSet &pending,
             uint16_t lead) const;
  /// Barriers that all waves pass; what they order for all waves is done with.
  void passBarriers(PendingSet &pending, unsigned count) const;
  /// What holds on both of two paths; true if `into` has changed.
  bool merge(Pending &into, const Pending &from) const;
  /// Barriers that are missing between an access in `state` and one made now,
  /// of waves that meet by `meetings`; 0 if all of them are ordered.
  unsigned missingBarriers(llvm::ArrayRef<uint32_t> meetings,
                           const Pending &state, uint16_t lead) const;

private:
  const LdsInstances &instances;
  Leads &leads;
  unsigned vmLimit, lgkmLimit;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_PENDINGACCESSES_H
