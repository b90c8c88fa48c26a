//===- Uniformity.h - Where the waves of a workgroup part -------*- C++ -*-===//
//
// What problem: what holds from barrier to barrier of one wave holds between
// waves only if all of them pass the same barriers.
// What idea: registers that may differ between waves, from the work-item id and
// loaded data on; a branch on one of them parts the waves until the block where
// its sides meet again. What is written on the way differs from then on.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_UNIFORMITY_H
#define FLY_LIB_VERIFY_UNIFORMITY_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

#include "Checks.h"

namespace fly::verify {

class Uniformity {
public:
  explicit Uniformity(const KernelCode &code);

  /// A branch that parts the waves in front of instruction `index`, if any.
  std::optional<size_t> partedBy(size_t index) const;
  /// Waves may go different ways at the end of `block`.
  bool parts(unsigned block) const { return branchVaries[block]; }
  /// The blocks from the branch of `block` to where its ways have come
  /// together.
  llvm::SmallVector<unsigned> blocksApart(unsigned block) const;

private:
  void findPostDominators();
  bool propagate();
  bool partWaves();
  llvm::BitVector transfer(unsigned block, llvm::BitVector varying,
                           bool &branchVaries) const;

  const KernelCode &code;
  std::vector<llvm::BitVector> postDominators; ///< Of each block.
  std::vector<llvm::BitVector> in;             ///< Registers that vary.
  std::vector<bool> branchVaries;              ///< Of each block's last one.
  /// The block whose branch parts the waves here, or -1.
  std::vector<int> partingBlock;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_UNIFORMITY_H
