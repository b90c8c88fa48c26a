//===- ControlFlow.h - blocks and branches of a kernel ----------*- C++ -*-===//
//
// What problem: what holds on every path needs the paths.
// What idea: basic blocks over the instructions of one function, edges from
// direct branches. A firmware that preloads arguments enters behind the entry,
// so a kernel may have two.
// What it refuses: it follows no jump to an address in registers; such a place
// is listed, for the caller to say that nothing is proved behind it.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_CONTROLFLOW_H
#define FLY_ISA_CONTROLFLOW_H

#include "fly/Isa/Instruction.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace fly::isa {

/// Instructions without a branch into or out of their middle.
struct Block {
  size_t begin = 0, end = 0; ///< Indices in the function, end excluded.
  llvm::SmallVector<unsigned, 2> successors, predecessors;
};

/// A loop: instructions from the target of a backward branch to the branch.
struct LoopRange {
  size_t begin = 0, end = 0; ///< Indices in the function, end excluded.
  bool contains(const LoopRange &other) const {
    return other.begin >= begin && other.end <= end &&
           other.end - other.begin < end - begin;
  }
};

/// The blocks of one function.
class ControlFlow {
public:
  /// `function` is in address order and must outlive the result; `entries` are
  /// addresses where execution starts, the first of them always.
  ControlFlow(llvm::ArrayRef<Instruction> function,
              llvm::ArrayRef<uint64_t> entries);

  llvm::ArrayRef<Instruction> instructions() const { return function; }
  llvm::ArrayRef<Block> blocks() const { return blockList; }
  llvm::ArrayRef<unsigned> entryBlocks() const { return entryList; }
  /// The block that holds instruction `index`.
  unsigned blockOf(size_t index) const { return blockIndex[index]; }
  /// Blocks that can be reached, predecessors before successors but for the
  /// edges that close loops.
  llvm::ArrayRef<unsigned> order() const { return reversePostOrder; }
  /// Instructions behind which control goes where no edge shows: calls, jumps
  /// to registers, and branches out of the function.
  llvm::ArrayRef<size_t> unknownJumps() const { return unknownList; }

private:
  void split(llvm::ArrayRef<uint64_t> entries);
  void connect();
  void sort();

  llvm::ArrayRef<Instruction> function;
  std::vector<Block> blockList;
  std::vector<unsigned> blockIndex;
  llvm::SmallVector<unsigned, 2> entryList;
  std::vector<unsigned> reversePostOrder;
  std::vector<size_t> unknownList;
};

/// All loops of a function, by backward branches, in address order.
std::vector<LoopRange> findLoops(llvm::ArrayRef<Instruction> function);
/// The loops that hold no other one.
std::vector<LoopRange> findInnermostLoops(llvm::ArrayRef<Instruction> function);

/// True for instructions behind which the next one in memory is not executed.
bool endsControl(const Instruction &inst);

/// Index of the instruction at `pc`, or the size of `function`.
size_t indexAt(llvm::ArrayRef<Instruction> function, uint64_t pc);

} // namespace fly::isa

#endif // FLY_ISA_CONTROLFLOW_H
