//===- TimedInstruction.h - what time asks of an instruction ----*- C++ -*-===//
//
// What idea: unit, cycles and counters of each static instruction, found once.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_TIMEDINSTRUCTION_H
#define FLY_LIB_SIM_TIMING_TIMEDINSTRUCTION_H

#include "fly/Arch/MatrixWork.h"
#include "fly/Arch/WaitCount.h"
#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

#include "Machine.h"

namespace fly::sim {

class LoadedProgram;

/// Categories of issue: a SIMD issues at most one instruction of each in a
/// slot, but any number of internal ones.
/// [AMD] rocprof-compute documentation, "Pipeline descriptions"
enum class IssueCategory : uint8_t {
  Valu,
  Vmem,
  Scalar, ///< Arithmetic and memory.
  Lds,
  Branch,
  Internal, ///< Waits, barriers, s_nop and the like.
};
constexpr unsigned issueCategoryCount = 6;

/// What an instruction does beside occupying its unit.
enum class TimedKind : uint8_t {
  Plain,
  Matrix,
  VectorLoad,
  VectorStore, ///< Atomics too.
  LdsCopy,     ///< Global memory to LDS.
  Lds,
  ScalarLoad,
  Wait,
  Barrier,
  Priority,
  End,
};

/// Counters that an instruction counts in while it is outstanding.
enum : uint8_t { CountsVm = 1, CountsLgkm = 2 };

struct TimedInstruction {
  const isa::Instruction *inst = nullptr;
  IssueCategory category = IssueCategory::Internal;
  TimedKind kind = TimedKind::Plain;
  uint8_t counters = 0;
  bool isLdsWrite = false;
  bool isLdsAtomic = false; ///< Lanes of it do not share an address.
  bool isBranch = false;
  bool isMemory = false; ///< Consumes an entry of WaveTrace::memory.
  uint8_t priority = 0;  ///< Of s_setprio.
  uint16_t issueCycles = 4;
  /// Cycles until the vector unit takes the next instruction.
  uint16_t vectorCycles = 0;
  uint16_t matrixCycles = 0;
  std::optional<arch::MatrixWork> matrixWork;
  /// Port cycles of an LDS instruction without conflicts, in ticks.
  uint16_t portTicks = 0;
  /// Bytes that a load of all lanes brings back.
  uint16_t returnBytes = 0;
  arch::WaitCount wait;
  /// Vector registers: results of vector instructions, sources of memory
  /// instructions.
  llvm::SmallVector<isa::RegisterRange, 2> vectorWrites, memoryReads;
  /// Of matrix instructions: result and addend.
  isa::RegisterRange matrixResult, matrixAddend;
};

/// By slot of a loaded program.
class TimedProgram {
public:
  TimedProgram(const LoadedProgram &program, const Machine &machine);
  const TimedInstruction &at(uint32_t slot) const { return table[index[slot]]; }
  /// Number of the instruction in address order.
  uint32_t numberOf(uint32_t slot) const { return index[slot]; }
  size_t size() const { return table.size(); }
  const TimedInstruction &numbered(uint32_t number) const {
    return table[number];
  }

private:
  std::vector<TimedInstruction> table;
  std::vector<uint32_t> index;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_TIMEDINSTRUCTION_H
