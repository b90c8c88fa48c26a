//===- InstructionKind.h - One kind for each instruction --------*- C++ -*-===//
//
// What problem: counts, mixes and stalls of different reports agree only if
// they sort instructions alike, whether they come from machine code or from
// the disassembly that a profiler wrote.
// What idea: one kind for each instruction, by the predicates of
// InstructionClass.h; assembly text becomes an instruction that has what these
// ask for.
// What it refuses: nothing. Text that is no instruction is of kind Other.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_INSTRUCTIONKIND_H
#define FLY_ISA_INSTRUCTIONKIND_H

#include "fly/Arch/WaitCount.h"
#include "fly/Isa/Instruction.h"

namespace fly::isa {

enum class InstructionKind : uint8_t {
  Mfma,
  AccumulatorMove,
  VectorLoad,
  VectorStore, ///< Atomics too.
  LdsDma,
  LdsRead,
  LdsWrite,
  LdsOther, ///< Permutes, which use no memory of the LDS, and atomics.
  ScalarMemory,
  Wait,
  Barrier,
  Nop,
  Valu, ///< Without matrix instructions and accumulator moves.
  Branch,
  Salu,
  Other, ///< Control: ends, priorities, messages; what is not decoded.
};
constexpr unsigned instructionKindCount = unsigned(InstructionKind::Other) + 1;

/// "MFMA", "LDS read", ...
llvm::StringRef name(InstructionKind kind);

InstructionKind kindOf(const Instruction &inst);

/// The mnemonic of assembly text, without the suffix of its encoding.
llvm::StringRef mnemonicOfText(llvm::StringRef text);

/// An instruction without operands that has of \p text what kindOf() and
/// waitOf() ask for.
Instruction instructionOfText(llvm::StringRef text);

/// The counters that a wait names; of another instruction, and of a wait for
/// what these do not count, one that waits for nothing. The waits of single
/// counters that gfx12 has are mapped to them: loads and copies to vm, LDS and
/// scalar memory to lgkm.
arch::WaitCount waitOf(const Instruction &inst);

} // namespace fly::isa

#endif // FLY_ISA_INSTRUCTIONKIND_H
