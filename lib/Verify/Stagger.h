//===- Stagger.h - Waves that pass barriers of their own --------*- C++ -*-===//
//
// What problem: two groups of waves that take turns are a barrier apart: a
// branch on the wave's number leads one of them past a barrier more. Taken as a
// branch to anywhere, it would leave nothing to prove behind it.
// What idea: such a branch and its join, with nothing but barriers between that
// matter, is one step: it changes how many barriers each wave has passed more
// than the others. From then on what orders waves is counted in barriers that
// both have passed.
// What it leaves out: branches with memory accesses or loops on a side, and
// conditions of values that only some of the waves have computed.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_STAGGER_H
#define FLY_LIB_VERIFY_STAGGER_H

#include "fly/Arch/WaitCount.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include "Uniformity.h"

namespace fly::verify {

/// A branch on which waves part and the barriers that each side passes until
/// they meet again.
struct Parting {
  unsigned join = 0; ///< Block.
  /// Barriers of the side that the branch jumps to, and of the other one.
  unsigned taken = 0, other = 0;
  /// What either side waits for, if not more.
  arch::WaitCount wait;
  /// Instructions of both sides.
  llvm::SmallVector<size_t, 4> instructions;
};

/// All of them in a kernel.
class Partings {
public:
  Partings(const KernelCode &code, const Uniformity &uniformity);

  /// What the branch at the end of `block` is, null for other branches.
  const Parting *at(unsigned block) const {
    auto it = byBlock.find(block);
    return it == byBlock.end() ? nullptr : &it->second;
  }
  /// Whether instruction `index` is such a branch.
  bool isBranch(size_t index) const { return branches.contains(index); }
  bool empty() const { return byBlock.empty(); }
  /// Every barrier that not all waves may pass is in one of them.
  bool coverBarriers() const { return isComplete; }

private:
  bool dependOnPartedWaves(const KernelCode &code,
                           const Uniformity &uniformity) const;

  llvm::DenseMap<unsigned, Parting> byBlock;
  llvm::DenseSet<size_t> branches;
  bool isComplete = true;
};

/// What is known of kernels with such branches.
struct StaggerVerdict {
  /// Every barrier was followed by counting.
  bool isFollowed = false;
  std::vector<Finding> findings;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_STAGGER_H
