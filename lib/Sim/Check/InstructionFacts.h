//===- InstructionFacts.h - what checks ask of an instruction ---*- C++ -*-===//
//
// What idea: answers that need names or operand lists are found once for each
// static instruction, before the launch.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_INSTRUCTIONFACTS_H
#define FLY_LIB_SIM_CHECK_INSTRUCTIONFACTS_H

#include "fly/Arch/WaitCount.h"

#include <vector>

#include "RegisterSet.h"

namespace fly::sim {

class LoadedProgram;
struct WaveState;

/// How an instruction takes part in the counters of outstanding work.
enum class IssueKind : uint8_t {
  None,
  VectorMemory, ///< vmcnt, in order.
  Flat,         ///< vmcnt and lgkmcnt, in no order with others.
  Lds,          ///< lgkmcnt, in order among themselves.
  Scalar,       ///< lgkmcnt, in no order.
  Wait,
  CacheControl, ///< Invalidations and write-backs; counted by nothing.
};
constexpr bool isMemory(IssueKind kind) {
  return kind != IssueKind::None && kind != IssueKind::Wait &&
         kind != IssueKind::CacheControl;
}

/// Which lanes of its vector sources an instruction reads.
enum class ReadLanes : uint8_t {
  Enabled, ///< Those of EXEC.
  All,     ///< Matrix instructions.
  First,   ///< v_readfirstlane.
  Named,   ///< v_readlane: src[1].
};

struct InstructionFacts {
  explicit InstructionFacts(const isa::Instruction &inst);

  IssueKind issue = IssueKind::None;
  ReadLanes lanes = ReadLanes::Enabled;
  /// Waits: what may stay outstanding.
  arch::WaitCount wait;
  llvm::SmallVector<isa::RegisterRead, 5> reads;
  llvm::SmallVector<isa::RegisterRange, 2> writes;
  /// Everything in `reads` and `writes`.
  RegisterFootprint footprint;

  /// Lanes of vector sources that this execution reads.
  uint64_t lanesRead(const isa::Instruction &inst, const WaveState &wave) const;
};

/// Facts by slot of a loaded program; gaps share one entry.
class FactTable {
public:
  explicit FactTable(const LoadedProgram &program);
  const InstructionFacts &at(size_t slot) const { return facts[index[slot]]; }

private:
  std::vector<InstructionFacts> facts;
  std::vector<uint32_t> index;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_INSTRUCTIONFACTS_H
