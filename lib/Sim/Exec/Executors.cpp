//===- Executors.cpp - which unit executes an instruction -----------------===//

#include "fly/Sim/Executors.h"

using namespace fly::sim;
using fly::isa::Format;
using fly::isa::Instruction;

static void unknownInstruction(const Instruction &inst, WaveState &wave) {
  wave.raise(FaultKind::UnknownInstruction, inst);
}

static void unimplementedInstruction(const Instruction &inst, WaveState &wave) {
  wave.raise(FaultKind::Unimplemented, inst);
}

ExecFn fly::sim::unimplementedExecutor() { return unimplementedInstruction; }

ExecFn fly::sim::lookupExecutor(const Instruction &inst, ChipKind chip) {
  if (inst.format == Format::Invalid)
    return unknownInstruction;
  for (auto lookup : {lookupValu, lookupMfma, lookupLds, lookupVmem, lookupSmem,
                      lookupFlow, lookupSalu})
    if (ExecFn execute = lookup(inst, chip))
      return execute;
  return unimplementedInstruction;
}
