//===- Decoder.h - bytes to instructions ------------------------*- C++ -*-===//
//
// What problem: machine code of any compiler has to become isa::Instruction.
// What idea: LLVM MC decides length, mnemonic, register tuples and typed
// constants; the modifiers are read from the documented encoding bits, so that
// no private operand name of LLVM is needed. The decoder is used once per
// static instruction.
// What it refuses: an unknown chip is an error; undecodable bytes give an
// instruction of Format::Invalid.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_DECODER_H
#define FLY_ISA_DECODER_H

#include "fly/Isa/Instruction.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace fly::isa {

class CodeObject;
struct Kernel;

/// Decodes for one chip. An instance is used by one thread at a time; any
/// number of instances may live at once.
class Decoder {
public:
  static llvm::Expected<std::unique_ptr<Decoder>> create(llvm::StringRef chip);
  ~Decoder();

  /// Decodes the instruction at the start of `bytes`; its strings live in
  /// `strings`. Empty `bytes` are not allowed.
  Instruction decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                     llvm::BumpPtrAllocator &strings);

private:
  Decoder();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// All instructions of a code object's executable segments.
class Program {
public:
  static llvm::Expected<std::unique_ptr<Program>>
  decode(const CodeObject &object);

  /// In address order.
  const std::vector<Instruction> &instructions() const { return decoded; }
  /// The instructions of one kernel, in address order. A function of unknown
  /// size ends where the code does.
  llvm::ArrayRef<Instruction> instructionsOf(const Kernel &kernel) const;
  /// Index of the instruction that starts at `pc`; npos if none does.
  size_t indexOf(uint64_t pc) const;
  static constexpr size_t npos = ~size_t(0);

private:
  struct Range {
    uint64_t begin = 0;
    /// Per dword: index of the instruction that starts there, or -1.
    std::vector<int32_t> index;
  };
  std::vector<Instruction> decoded;
  std::vector<Range> ranges;
  llvm::BumpPtrAllocator strings;
};

/// Reads the fields of the encoding that LLVM's operand list does not give a
/// public name to: modifiers, offsets, cache bits, branch targets. `bytes`,
/// `size`, `format` and the operands are set before.
void decodeModifiers(Instruction &inst);

/// The encoding family of the first dword.
Format formatOf(uint32_t firstDword);

} // namespace fly::isa

#endif // FLY_ISA_DECODER_H
