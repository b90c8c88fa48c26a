//===- AddressDemand.h - What LDS addresses are made of ---------*- C++ -*-===//
//
// What problem: paths are told apart by what their registers hold, and there
// are too many of them unless only those count that reach an LDS address: a
// loop counter must not, the number of a stage must.
// What idea: liveness, backwards, where addresses of LDS, EXEC, VCC in front of
// branches, and SCC in front of those on which waves part are the uses and only
// instructions that can be computed pass on what they read.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_ADDRESSDEMAND_H
#define FLY_LIB_VERIFY_ADDRESSDEMAND_H

#include "llvm/ADT/BitVector.h"

#include "Checks.h"
#include "LdsAccess.h"
#include "Stagger.h"

namespace fly::verify {

class AddressDemand {
public:
  AddressDemand(const KernelCode &code, const Partings &partings);

  /// The result of instruction `index` can reach an address.
  bool isNeeded(size_t index) const { return needed[index]; }
  /// What instruction `index` does to LDS.
  const std::optional<LdsAccess> &access(size_t index) const {
    return accesses[index];
  }
  /// Registers of which an address behind the block's begin is made.
  const llvm::BitVector &liveIn(unsigned block) const { return in[block]; }

private:
  llvm::BitVector transfer(unsigned block, llvm::BitVector live);

  const KernelCode &code;
  const Partings &partings;
  std::vector<llvm::BitVector> in;
  std::vector<bool> needed, evaluable;
  std::vector<std::optional<LdsAccess>> accesses;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_ADDRESSDEMAND_H
