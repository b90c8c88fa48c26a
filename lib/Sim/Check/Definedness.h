//===- Definedness.h - values that nothing has written ----------*- C++ -*-===//
//
// What problem: a register or a byte of LDS that nothing has written holds what
// an earlier kernel left there.
// What idea: as valgrind's memcheck. Each lane of a register, each bit of a
// scalar and each byte of LDS is defined or not, results of undefined operands
// are undefined, and only where an undefined value decides something that shows
// is it reported: as the address of a store or of a global read, in a branch,
// in EXEC, or stored to memory. What is read of LDS or of a buffer at an
// undefined address is undefined. Compilers move undefined values about where
// nobody looks at them, which is no mistake. Masks are exact by lane,
// and-or-not by bit, matrix instructions by row and column, some 64-bit
// operations by half; all else is undefined if any operand is. What it takes
// for defined: global and scratch memory, what lies beside the written part of
// a register or of a dword of LDS, lanes that come from permutations.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_DEFINEDNESS_H
#define FLY_LIB_SIM_CHECK_DEFINEDNESS_H

#include "llvm/ADT/DenseMap.h"

#include "../Listener.h"
#include "FindingLog.h"
#include "InstructionFacts.h"

namespace fly::sim {

struct LaunchState;
class LoadedProgram;

/// What of one wave's registers is defined.
struct DefinedRegisters {
  uint64_t lanes[isa::reg::vectors];
  /// Scalars by hardware code, then SCC.
  uint32_t bits[isa::reg::count - isa::reg::sgpr];
  /// Slot, plus 1, of the instruction where an undefined value comes from; 0:
  /// from the start of the wave.
  uint32_t origin[isa::reg::count];
  /// Registers that are not wholly defined.
  RegisterSet partial;
  /// Bits of scalars that are defined in part and were put into a lane of a
  /// vector register, as compilers spill them, by register * 64 + lane.
  llvm::DenseMap<uint32_t, uint32_t> spilledBits;
};

class DefinednessCheck {
public:
  DefinednessCheck(FindingLog &log, const LaunchState &launch);

  void startWorkgroup();
  void startWave(const WaveState &wave, DefinedRegisters &registers) const;
  /// Before an instruction that touches a register of `partial`.
  void propagate(const InstructionFacts &facts, const isa::Instruction &inst,
                 WaveState &wave, DefinedRegisters &registers);
  /// After a memory instruction.
  void access(const isa::Instruction &inst, size_t slot, WaveState &wave,
              const AccessLog &accesses, DefinedRegisters &registers);

private:
  /// Undefined lanes, and a register that they come from.
  struct Undefined {
    uint64_t lanes = 0;
    unsigned source = isa::reg::count;
    void add(uint64_t more, unsigned index) {
      if (more && source == isa::reg::count)
        source = index;
      lanes |= more;
    }
  };

  void propagateVector(const isa::Instruction &inst, WaveState &wave,
                       DefinedRegisters &registers);
  void readLane(const isa::Instruction &inst, WaveState &wave,
                DefinedRegisters &registers);
  void writeLane(const isa::Instruction &inst, WaveState &wave,
                 DefinedRegisters &registers);
  void propagateMatrix(const isa::Instruction &inst,
                       DefinedRegisters &registers);
  void propagateScalar(const isa::Instruction &inst, WaveState &wave,
                       DefinedRegisters &registers);
  /// Lanes whose address is.
  static Undefined undefinedAddress(const isa::Instruction &inst,
                                    const DefinedRegisters &registers);
  void checkAddress(const isa::Instruction &inst, const WaveState &wave,
                    DefinedRegisters &registers);
  void checkBranch(const isa::Instruction &inst, const WaveState &wave,
                   DefinedRegisters &registers);
  void writeLanes(unsigned index, uint64_t written, const Undefined &undefined,
                  DefinedRegisters &registers);
  void writeMask(const isa::Operand &dst, const Undefined &undefined,
                 DefinedRegisters &registers);
  void setLanes(unsigned index, uint64_t lanes, uint32_t origin,
                DefinedRegisters &registers);
  void setBits(unsigned index, uint32_t bits, uint32_t origin,
               DefinedRegisters &registers);
  Undefined undefinedSource(const isa::Instruction &inst, unsigned index,
                            WaveState &wave, const DefinedRegisters &registers,
                            unsigned dwords = ~0u);
  Undefined undefinedResult(const isa::Instruction &inst, WaveState &wave,
                            const DefinedRegisters &registers, unsigned dword);
  void report(const isa::Instruction &inst, const WaveState &wave, int lane,
              unsigned source, const char *use, DefinedRegisters &registers);
  bool isAnyByteDefined(uint64_t address, unsigned bytes) const;
  void setBytes(uint64_t address, uint32_t bytes, bool areDefined);

  FindingLog &log;
  const LaunchState &launch;
  std::vector<uint64_t> ldsBytes; ///< One bit a byte: defined.
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_DEFINEDNESS_H
