//===- MemoryOps.h - memory instructions that have not come back -*- C++ -*-==//
//
// What problem: a memory instruction takes effect some time between its issue
// and the wait that covers it.
// What idea: the hardware's counters, as queues. s_waitcnt completes what it
// guarantees to be complete, and nothing else does: vector memory and LDS come
// back in order, scalar memory in any order, so that only a count of 0 says
// something about it. A counter that is full completes the oldest, since the
// next instruction waits for room.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_MEMORYOPS_H
#define FLY_LIB_SIM_CHECK_MEMORYOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <vector>

#include "../Listener.h"
#include "InstructionFacts.h"

namespace fly::sim {

/// Bytes of LDS.
struct LdsRange {
  uint32_t address = 0;
  uint16_t bytes = 0;
  uint8_t lane = 0;
  /// A write of what is there already.
  bool changesNothing = false;
};

/// One issued memory instruction of one wave.
struct MemoryOp {
  const isa::Instruction *inst = nullptr;
  uint32_t slot = 0; ///< Of the instruction in the program.
  IssueKind kind = IssueKind::None;
  uint64_t enabled = 0; ///< EXEC at issue.
  /// Lanes of the destination that are not sure: also those of older results
  /// for the same registers.
  uint64_t lanes = 0;
  isa::RegisterRange destination;  ///< Registers that it delivers.
  uint32_t registerBits = 0;       ///< Of each of them.
  std::vector<uint32_t> results;   ///< Register by register, as in the file.
  std::vector<LdsRange> ldsRanges; ///< What it accesses of LDS.
  bool isLdsDma = false;
  std::vector<uint8_t> ldsBytes; ///< What a copy to LDS delivers there.
  /// Of the race check: the mark in cells where it is outstanding, or 0.
  uint32_t openNumber = 0;
  bool isDelivered = false; ///< Results are where they belong.
};

/// The outstanding instructions of one wave.
class MemoryOps {
public:
  using Completed = llvm::function_ref<void(MemoryOp &)>;

  /// Adds an instruction; room is made first, if its counter is full.
  MemoryOp &issue(IssueKind kind, Completed completed);
  /// What s_waitcnt guarantees.
  void wait(const arch::WaitCount &count, Completed completed);
  /// Forgets everything, as at the end of the program.
  void completeAll(Completed completed);

  /// The wait that would have completed `op`: "vmcnt(3)".
  std::string waitFor(const MemoryOp &op) const;
  /// A younger instruction of this kind writes its registers later.
  bool isInOrderWith(const MemoryOp &older, IssueKind younger) const {
    return older.kind == younger &&
           (younger == IssueKind::VectorMemory || younger == IssueKind::Lds);
  }
  const std::vector<MemoryOp *> &ldsQueue() const { return lds; }
  /// The oldest result of one of the units that could arrive now; `choice`
  /// says which.
  MemoryOp *oldestUndelivered(uint32_t choice) const;

private:
  using Queue = std::vector<MemoryOp *>;
  void completeFront(Queue &queue, size_t count, Completed completed);
  void completeFlat(bool vector, bool local, Completed completed);
  void release(MemoryOp *op) { unused.push_back(op); }

  Queue vector, lds, scalar;
  struct FlatOp {
    MemoryOp *op;
    bool vectorDone, localDone;
  };
  std::vector<FlatOp> flat;
  std::vector<std::unique_ptr<MemoryOp>> all;
  Queue unused;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_MEMORYOPS_H
