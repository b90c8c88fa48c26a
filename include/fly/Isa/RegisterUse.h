//===- RegisterUse.h - which registers an instruction touches ---*- C++ -*-===//
//
// What problem: checks of waits and hazards ask for every register that an
// instruction reads or writes, the implied ones among them.
// What idea: all register files in one index space, and two visitors that
// yield ranges of it. Operands come from the decoder; what encodings imply
// (VCC, EXEC, SCC, M0) is added here, at one place.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_REGISTERUSE_H
#define FLY_ISA_REGISTERUSE_H

#include "fly/Isa/Instruction.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace fly::isa {

/// Indices of registers of all files.
namespace reg {
constexpr unsigned vgpr = 0;   ///< First architected vector register.
constexpr unsigned agpr = 256; ///< First accumulation register.
constexpr unsigned vectors = 512;
constexpr unsigned sgpr = 512; ///< First scalar register, by hardware code.
constexpr unsigned flatScratch = sgpr + 102;
constexpr unsigned vcc = sgpr + 106;
constexpr unsigned m0 = sgpr + 124;
constexpr unsigned exec = sgpr + 126;
constexpr unsigned scc = sgpr + 128;
constexpr unsigned count = scc + 1;
} // namespace reg

/// Consecutive registers.
struct RegisterRange {
  uint16_t first = 0;
  uint16_t count = 0; ///< 0: no registers.
  bool overlaps(const RegisterRange &other) const {
    return first < other.first + other.count && other.first < first + count;
  }
  bool operator==(const RegisterRange &other) const {
    return first == other.first && count == other.count;
  }
};

/// Why an instruction reads a register.
enum class ReadKind : uint8_t {
  Source,  ///< A source operand; see RegisterRead::source.
  Tied,    ///< The old value of the destination.
  Implied, ///< Not written in the assembly text.
};

/// Registers that an instruction reads.
struct RegisterRead {
  RegisterRange range;
  ReadKind kind = ReadKind::Source;
  uint8_t source = 0; ///< Index in Instruction::src of a source.
};

/// The registers of an operand; empty for constants.
RegisterRange rangeOf(const Operand &operand);

void forEachRead(const Instruction &inst,
                 llvm::function_ref<void(const RegisterRead &)> visit);
/// Registers that the instruction writes, at once or when its memory access
/// completes.
void forEachWrite(const Instruction &inst,
                  llvm::function_ref<void(RegisterRange)> visit);

bool writes(const Instruction &inst, RegisterRange range);

/// As the assembly writes it: "v7", "a3", "s12", "vcc_lo", "exec_hi", "scc".
std::string registerName(unsigned index);

} // namespace fly::isa

#endif // FLY_ISA_REGISTERUSE_H
