//===- DecoderParts.h - steps of decoding one instruction -------*- C++ -*-===//

#ifndef FLY_LIB_ISA_DECODERPARTS_H
#define FLY_LIB_ISA_DECODERPARTS_H

#include "fly/Isa/Instruction.h"

namespace fly::isa {

/// True for encodings that no assembler produces and on which LLVM's decoder
/// or printer ends the process.
bool isFatalToLlvm(const uint8_t (&bytes)[16]);

/// Which of the first two sources were lowered.
struct LoweredSources {
  bool isLowered[2] = {false, false};
  explicit operator bool() const { return isLowered[0] || isLowered[1]; }
};

/// Lowers factors of a multi-format matrix instruction that LLVM's decoder
/// takes for tuples beyond the last register.
LoweredSources lowerHighSources(uint8_t (&bytes)[16]);

/// Gives \p inst its real factors; returns \p text with them.
std::string raiseSources(llvm::StringRef text, LoweredSources lowered,
                         Instruction &inst);

/// Names vcc where VOP1, VOP2 and VOPC leave it out.
void addImpliedVcc(Instruction &inst);

/// Moves the operands of a memory instruction to their MemoryOperand slots.
void arrangeMemory(Instruction &inst);

} // namespace fly::isa

#endif // FLY_LIB_ISA_DECODERPARTS_H
