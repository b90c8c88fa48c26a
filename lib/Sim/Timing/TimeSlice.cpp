//===- TimeSlice.cpp - what has to be executed for its time ---------------===//

#include "TimeSlice.h"

#include "fly/Isa/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"

#include "../Exec/AddressOnly.h"
#include "../Workgroup.h"
#include "NeededRegisters.h"

using namespace fly;
using namespace fly::sim;

static void nothing(const isa::Instruction &, WaveState &) {}

/// Waits and hints, which execution does nothing for.
static bool isSilent(const isa::Instruction &inst) {
  return inst.mnemonic == "s_waitcnt" || inst.mnemonic == "s_nop" ||
         inst.mnemonic == "s_setprio" || inst.mnemonic == "s_sleep";
}

std::unique_ptr<TimeSlice> TimeSlice::of(const LaunchState &launch,
                                         const LaunchTrace &trace) {
  const LoadedProgram &program = *launch.program;
  llvm::ArrayRef<isa::Instruction> function =
      program.program().instructionsOf(*launch.kernel);
  isa::ControlFlow flow(function,
                        {launch.kernel->entry, launch.kernel->preloadEntry()});
  if (function.empty() || !flow.unknownJumps().empty())
    return nullptr;
  std::vector<NeedFlow> flows;
  flows.reserve(function.size());
  for (const isa::Instruction &inst : function) {
    flows.push_back(NeedFlow::of(inst));
    if (flows.back().isRefused)
      return nullptr;
  }
  bool startsFull = launch.flatWorkgroupSize % waveLanes == 0;
  NeededRegisters forAll(flow, flows, startsFull, /*needsLds=*/true),
      forBlocks(flow, flows, startsFull, /*needsLds=*/false);
  if (!forAll.isValid() || !forBlocks.isValid())
    return nullptr;

  std::unique_ptr<TimeSlice> slice(new TimeSlice(trace));
  slice->full = slice->blocks = program.slots();
  slice->feeds.resize(program.slots().size());
  for (auto [index, inst] : llvm::enumerate(function)) {
    size_t slot = (inst.pc - program.codeBegin()) / 4;
    ExecFn &inFull = slice->full[slot].execute;
    // What cannot be executed has to fault.
    if (inFull == unimplementedExecutor())
      continue;
    if (!forAll.mustRun(index))
      inFull = nothing;
    ExecFn &inBlocks = slice->blocks[slot].execute;
    if (!forBlocks.mustRun(index) || isSilent(inst))
      inBlocks = nullptr;
    if (ExecFn addressOnly = lookupAddressOnly(inst)) {
      if (!forAll.needsData(index))
        inFull = addressOnly;
      if (!forBlocks.needsData(index))
        inBlocks = addressOnly;
    }
    slice->feeds[slot] = forAll.needsMemory(index) ||
                         forBlocks.needsMemory(index) ||
                         inst.format == isa::Format::SMEM;
  }
  return slice;
}
