//===- PathStates.h - What is pending, by paths -----------------*- C++ -*-===//
//
// What problem: the stages of a pipeline come to the same block with different
// addresses, and waves with different leads. Joined, nothing would be known.
// What idea: for each block, what is pending is kept apart for each combination
// of leads and of the values that addresses are made of. A register that has
// more values at the begin of a block than any pipeline has stages no longer
// tells paths apart there.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_PATHSTATES_H
#define FLY_LIB_VERIFY_PATHSTATES_H

#include "llvm/ADT/DenseSet.h"

#include "AddressDemand.h"
#include "PendingAccesses.h"

namespace fly::verify {

/// What tells paths apart: registers that addresses are made of, with known
/// values, and how far waves are ahead of each other, by the leads' number.
struct Environment {
  std::vector<std::pair<uint16_t, ValueId>> registers;
  uint16_t lead = 0;

  bool operator<(const Environment &other) const {
    return std::tie(lead, registers) < std::tie(other.lead, other.registers);
  }
};

/// A block to be walked through.
struct Visit {
  unsigned block;
  Environment environment;
  PendingSet pending;
};

/// States in front of blocks, and which of them have changed.
class PathStates {
public:
  PathStates(size_t blocks, const AddressDemand &demand,
             const AccessOrder &order)
      : demand(demand), order(order), in(blocks), widened(blocks),
        variants(blocks) {}

  /// A path comes to `block`.
  void enter(unsigned block, const LaneRegisters &registers,
             const PendingSet &pending, uint16_t lead);
  /// The latest state that has changed since it was visited, if any.
  std::optional<Visit> next();

private:
  bool widens(unsigned block, unsigned r, ValueId value);
  void joinWidened(unsigned block);
  bool merge(PendingSet &into, const PendingSet &from) const;

  const AddressDemand &demand;
  const AccessOrder &order;
  /// For each block, what is pending by environment.
  std::vector<std::map<Environment, PendingSet>> in;
  /// For each block, registers that no longer tell paths apart.
  std::vector<llvm::DenseSet<unsigned>> widened;
  std::vector<llvm::DenseMap<unsigned, llvm::DenseSet<ValueId>>> variants;
  std::vector<std::pair<unsigned, Environment>> changed;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_PATHSTATES_H
