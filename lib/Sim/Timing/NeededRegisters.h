//===- NeededRegisters.h - what paths and addresses depend on ---*- C++ -*-===//
//
// The data flow behind TimeSlice.h, over the decoded instructions of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_NEEDEDREGISTERS_H
#define FLY_LIB_SIM_TIMING_NEEDEDREGISTERS_H

#include "fly/Isa/ControlFlow.h"
#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/SmallVector.h"

#include <bitset>
#include <vector>

namespace fly::sim {

/// What an instruction does to the set of needed registers.
struct NeedFlow {
  /// Memories, as bits.
  enum Space : uint8_t { Lds = 1, Scratch = 2, Global = 4 };

  llvm::SmallVector<isa::RegisterRange, 2> writes;
  llvm::SmallVector<isa::RegisterRange, 4> inputs; ///< Behind its result.
  llvm::SmallVector<isa::RegisterRange, 2> stored; ///< Behind what it stores.
  /// Behind what it does in any case: addresses, conditions.
  llvm::SmallVector<isa::RegisterRange, 4> always;
  uint8_t loads = 0, stores = 0; ///< Spaces.
  bool isOptional = false;       ///< Does nothing but write its results.
  bool isLds = false;            ///< Accesses LDS, by addresses of its own.
  bool replaces = false;         ///< Enabled lanes keep nothing of the old.
  bool ignoresExec = false;      ///< Writes all lanes.
  bool isRefused = false;        ///< Nothing can be said of the kernel.

  static NeedFlow of(const isa::Instruction &inst);
};

/// Which instructions of a kernel have to be executed.
class NeededRegisters {
public:
  /// `flow` is of the kernel, `flows` of its instructions. `startsFull`: all
  /// lanes of all waves are enabled at the start; `needsLds`: addresses of LDS
  /// are needed for their own sake.
  NeededRegisters(const isa::ControlFlow &flow, llvm::ArrayRef<NeedFlow> flows,
                  bool startsFull, bool needsLds);

  /// False where an atomic in global memory gives a value that is needed.
  bool isValid() const { return valid; }
  bool mustRun(size_t index) const { return runs[index]; }
  /// Whether it loads from global memory what is needed.
  bool needsMemory(size_t index) const { return feeds[index]; }
  /// Whether a memory instruction moves what is needed, to or from anywhere.
  bool needsData(size_t index) const { return moves[index]; }

private:
  using Registers = std::bitset<isa::reg::count>;
  void findFullExec(bool startsFull);
  void step(size_t index, Registers &needed);
  void run();

  const isa::ControlFlow &flow;
  llvm::ArrayRef<NeedFlow> flows;
  const bool needsLds;
  std::vector<bool> isFull; ///< By instruction: EXEC enables all lanes.
  std::vector<bool> runs, feeds, moves;
  uint8_t cells = 0; ///< Spaces whose content is needed.
  bool valid = true;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_NEEDEDREGISTERS_H
