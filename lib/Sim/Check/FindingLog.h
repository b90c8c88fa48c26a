//===- FindingLog.h - findings of one host thread ---------------*- C++ -*-===//
//
// One finding a pair of instructions and kind of mistake: the first one in
// dispatch order with its place, and how often it came. Logs of several threads
// are merged to the same list whatever the threads did.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_FINDINGLOG_H
#define FLY_LIB_SIM_CHECK_FINDINGLOG_H

#include "fly/Sim/Checks.h"
#include "fly/Sim/WaveState.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <tuple>
#include <vector>

namespace fly::sim {

class FindingLog {
public:
  /// A mistake of `wave` at `inst`. `text` says what is wrong; it is asked for
  /// only where the pair of instructions is new.
  void report(Check check, const WaveState &wave, const isa::Instruction &inst,
              int lane, const isa::Instruction *other,
              llvm::function_ref<std::string()> text);

  /// Adds those of `other` from workgroups up to `last` in dispatch order.
  void merge(FindingLog &&other);
  /// In dispatch order of their first workgroup, at most up to `last`.
  std::vector<Finding> take(uint64_t lastWorkgroup);

private:
  struct Entry {
    Finding finding;
    uint64_t workgroup = 0; ///< In dispatch order.
    uint64_t sequence = 0;  ///< In the workgroup's thread.
  };
  using Key = std::tuple<Check, uint64_t, uint64_t>;
  std::map<Key, Entry> entries;
  uint64_t nextSequence = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_FINDINGLOG_H
