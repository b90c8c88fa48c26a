//===- LineReport.cpp - How much of a kernel has a line of the source -----===//
#include "LineReport.h"

#include "fly/Isa/InstructionClass.h"

#include <algorithm>

using namespace fly;
using namespace fly::reports;

std::optional<LineReport>
fly::reports::countLines(const isa::Kernel &kernel,
                         llvm::ArrayRef<isa::Instruction> instructions,
                         const isa::LineTable &lines) {
  if (lines.empty())
    return std::nullopt;
  // Code that belongs to nothing in particular is attributed to the header.
  std::string header = lines.at(kernel.entry);
  LineReport report;
  for (const isa::Instruction &inst : instructions) {
    std::string line = lines.at(inst.pc);
    bool isPlaced = !line.empty() && line != header;
    report.all.count(isPlaced);
    if (isMfma(inst))
      report.mfma.count(isPlaced);
    else if (isVectorMemory(inst) || inst.format == isa::Format::SMEM)
      report.memory.count(isPlaced);
    else if (inst.format == isa::Format::DS)
      report.lds.count(isPlaced);
  }
  return report;
}
