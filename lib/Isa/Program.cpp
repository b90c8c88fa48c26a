//===- Program.cpp - all instructions of a code object --------------------===//
//
// What idea: one linear sweep over each executable segment; a symbol's address
// resynchronises it, so that data between functions does no harm.
// What it refuses: a branch into the middle of an instruction finds no index
// and becomes a fault of the wave.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"

using namespace fly::isa;
using namespace llvm;

Expected<std::unique_ptr<Program>> Program::decode(const CodeObject &object) {
  Expected<std::unique_ptr<Decoder>> decoder = Decoder::create(object.chip());
  if (!decoder)
    return decoder.takeError();
  auto program = std::make_unique<Program>();
  const std::vector<Symbol> &symbols = object.symbols();
  for (const Segment &segment : object.segments()) {
    if (!segment.executable)
      continue;
    Range range;
    range.begin = segment.address;
    range.index.assign(segment.bytes.size() / 4, -1);
    ArrayRef<uint8_t> bytes(segment.bytes);
    auto symbol = llvm::lower_bound(symbols, segment.address,
                                    [](const Symbol &entry, uint64_t address) {
                                      return entry.address < address;
                                    });
    for (size_t offset = 0; offset + 4 <= bytes.size();) {
      uint64_t pc = segment.address + offset;
      while (symbol != symbols.end() && symbol->address <= pc)
        ++symbol;
      size_t limit = bytes.size() - offset;
      if (symbol != symbols.end() && symbol->address % 4 == 0)
        limit = std::min<size_t>(limit, symbol->address - pc);
      fly::isa::Instruction inst =
          (*decoder)->decode(bytes.slice(offset, limit), pc, program->strings);
      range.index[offset / 4] = int32_t(program->decoded.size());
      offset += inst.size;
      program->decoded.push_back(inst);
    }
    program->ranges.push_back(std::move(range));
  }
  return program;
}

size_t Program::indexOf(uint64_t pc) const {
  for (const Range &range : ranges) {
    if (pc < range.begin || pc - range.begin >= range.index.size() * 4 ||
        pc % 4 != 0)
      continue;
    int32_t index = range.index[(pc - range.begin) / 4];
    return index < 0 ? npos : size_t(index);
  }
  return npos;
}

ArrayRef<fly::isa::Instruction>
Program::instructionsOf(const Kernel &kernel) const {
  auto at = [&](uint64_t pc) {
    auto it = llvm::lower_bound(
        decoded, pc, [](const fly::isa::Instruction &inst, uint64_t address) {
          return inst.pc < address;
        });
    return size_t(it - decoded.begin());
  };
  size_t begin = at(kernel.entry);
  size_t end =
      kernel.codeSize ? at(kernel.entry + kernel.codeSize) : decoded.size();
  return ArrayRef(decoded).slice(begin, std::max(begin, end) - begin);
}
