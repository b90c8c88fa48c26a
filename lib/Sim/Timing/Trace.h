//===- Trace.h - what a launch did, for replay ------------------*- C++ -*-===//
//
// What problem: the time of an instruction depends on addresses and on the path
// that was taken, which only execution knows; execution should not have to know
// of time.
// What idea: for each wave the sequence of its instructions, as slots of the
// program, and for each access to memory what time asks of it, computed once:
// of LDS the cycles of the banks, of vector and scalar memory the blocks. An
// engine consumes both in order.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_TRACE_H
#define FLY_LIB_SIM_TIMING_TRACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fly::sim {

/// One block of 64 bytes (TimingTable::requestBytes) that an instruction
/// touches, which halves of it, and how.
class BlockAccess {
public:
  enum Kind : uint8_t { Load, Store, Scalar };
  BlockAccess() = default;
  BlockAccess(uint64_t block, unsigned halves, Kind kind)
      : bits(block << 4 | uint64_t(kind) << 2 | halves) {}
  uint64_t block() const { return bits >> 4; }
  /// Bit 0: its first 32 bytes, bit 1: the others.
  unsigned halves() const { return bits & 3; }
  bool isStore() const { return kind() == Store; } ///< Atomics too.
  bool isScalar() const { return kind() == Scalar; }
  void merge(BlockAccess other) { bits |= other.bits & 3; }
  BlockAccess movedBy(uint64_t blocks) const {
    BlockAccess moved;
    moved.bits = bits + (blocks << 4);
    return moved;
  }
  bool operator<(BlockAccess other) const { return bits < other.bits; }

private:
  Kind kind() const { return Kind(bits >> 2 & 3); }
  uint64_t bits = 0;
};

/// Blocks of one vector or scalar memory instruction, sorted and distinct:
/// those of a list, which instructions share whose lanes lie alike, moved by as
/// many as they are away.
class BlockRun {
public:
  BlockRun() = default;
  BlockRun(llvm::ArrayRef<BlockAccess> blocks)
      : list(blocks.data()), count(uint32_t(blocks.size())) {}
  size_t size() const { return count; }
  BlockAccess operator[](size_t i) const { return list[i].movedBy(distance); }
  /// Lists that are equal may be two.
  bool hasSameList(const BlockRun &other) const {
    return list == other.list && distance == other.distance;
  }
  /// The same blocks, so many further on.
  BlockRun movedBy(uint64_t blocks) const {
    BlockRun moved = *this;
    moved.distance += blocks;
    return moved;
  }

private:
  const BlockAccess *list = nullptr;
  uint64_t distance = 0;
  uint32_t count = 0;

public:
  /// Position of its first one among the blocks of its workgroup.
  uint32_t first = 0;
};

/// Cycles of the LDS banks for one instruction.
struct BankCycles {
  uint16_t cycles = 0;           ///< Phases and conflicts of both kinds.
  uint16_t conflicts = 0;        ///< Of banks.
  uint16_t addressConflicts = 0; ///< Of atomics, on one address.
};

/// What one wave did.
struct WaveTrace {
  /// Slot of the program of each executed instruction.
  std::vector<uint32_t> slots;
  /// Of each LDS instruction, in order.
  std::vector<BankCycles> lds;
  /// Of each vector or scalar memory instruction, in order.
  std::vector<BlockRun> memory;
};

/// What one workgroup did.
struct WorkgroupTrace {
  uint64_t workgroup = 0; ///< In dispatch order.
  std::vector<WaveTrace> waves;
  /// Of all memory instructions of all waves, in the order of execution.
  std::vector<BlockRun> runs;
  uint32_t blocks = 0; ///< Of all of them.
  /// Holds the lists of the runs.
  std::shared_ptr<llvm::BumpPtrAllocator> lists;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_TRACE_H
