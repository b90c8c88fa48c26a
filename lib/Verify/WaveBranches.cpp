//===- WaveBranches.cpp - Which way each wave goes ------------------------===//
#include "WaveBranches.h"

using namespace fly;
using namespace fly::verify;
namespace reg = isa::reg;

std::optional<bool> fly::verify::knowsBranch(const isa::Instruction &branch,
                                             const LaneRegisters &registers,
                                             LaneValues &values) {
  llvm::StringRef name = branch.mnemonic;
  bool onExec = name.starts_with("s_cbranch_exec");
  if (!onExec && !name.starts_with("s_cbranch_vcc"))
    return std::nullopt;
  ValueId mask = values.asMask(registers.values[onExec ? reg::exec : reg::vcc]);
  if (mask == unknownValue)
    return std::nullopt;
  unsigned waves = 0;
  for (unsigned wave = 0; wave != values.waves(); ++wave)
    waves += values.anyInWave(mask, wave);
  if (waves != 0 && waves != values.waves())
    return std::nullopt;
  return name.ends_with("nz") == (waves != 0);
}

bool fly::verify::isSkip(const isa::Instruction &branch, bool jumps) {
  return branch.mnemonic.starts_with("s_cbranch_exec") &&
         branch.mnemonic.ends_with("nz") != jumps;
}

std::optional<llvm::SmallVector<unsigned, 16>> fly::verify::countBarriers(
    const Parting &parting, const isa::Instruction &branch,
    const LaneRegisters &registers, const Lead &lead, LaneValues &values) {
  llvm::StringRef name = branch.mnemonic;
  bool onScc = name.starts_with("s_cbranch_scc");
  ValueId condition = onScc ? registers.values[reg::scc]
                            : values.asMask(registers.values[reg::vcc]);
  if (condition == unknownValue)
    return std::nullopt;
  bool onSet = onScc ? name.ends_with("1") : name.ends_with("nz");
  llvm::SmallVector<unsigned, 16> passed;
  for (unsigned wave = 0; wave != values.waves(); ++wave) {
    bool isSet = onScc ? values.at(condition, wave * values.waveSize()) != 0
                       : values.anyInWave(condition, wave);
    passed.push_back(lead[wave] +
                     (isSet == onSet ? parting.taken : parting.other));
  }
  return passed;
}
