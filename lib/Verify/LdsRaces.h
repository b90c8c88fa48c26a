//===- LdsRaces.h - Accesses that meet others unordered ---------*- C++ -*-===//
//
// What problem: a race has two ends and several causes; whoever reads of it
// needs both places and what is missing between them.
// What idea: an access is held against all that are pending. Two that touch a
// byte in common, one writing, are a finding, once for each pair of
// instructions; a note, if not all lanes need take part.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_LDSRACES_H
#define FLY_LIB_VERIFY_LDSRACES_H

#include "llvm/ADT/DenseSet.h"

#include "PendingAccesses.h"

namespace fly::verify {

class LdsRaces {
public:
  LdsRaces(const KernelCode &code, LdsInstances &instances,
           const AccessOrder &order)
      : code(code), instances(instances), order(order) {}

  /// Holds instance `second`, made now, against what is pending.
  void check(uint32_t second, const PendingSet &pending, uint16_t lead);

  /// Instruction `index` makes an access of which `what` keeps the order open.
  void addUnknown(size_t index, llvm::StringRef what) {
    unknownPlaces.try_emplace(index, what);
  }
  /// Adds a note for each kind of such accesses.
  void tellUnknown();

  /// Waves part in a way that was not followed, so that no path need be one of
  /// all of them: what was found is neither proved nor refuted.
  void leaveOpen();

  /// What was found so far.
  CheckResult result;

private:
  void report(const LdsInstance &first, const LdsInstance &second,
              const Pending &state, bool isSameWave, unsigned missing);

  const KernelCode &code;
  LdsInstances &instances;
  const AccessOrder &order;
  llvm::DenseSet<std::pair<size_t, size_t>> reported;
  std::map<size_t, llvm::StringRef> unknownPlaces;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LDSRACES_H
