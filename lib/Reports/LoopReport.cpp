//===- LoopReport.cpp - Counts of the hot loop ----------------------------===//
//
// The pipe cover is a static bound: one wave a SIMD in steady state, an issue
// slot an instruction; a wait is exposed by the unloaded latency of the oldest
// operation that it covers less the issue and MFMA time since [INF]. Two rounds
// of the loop are walked, so that the second sees what the first left
// outstanding.
//
//===----------------------------------------------------------------------===//
#include "LoopReport.h"

#include "fly/Arch/MfmaTable.h"
#include "fly/Arch/WaitCount.h"
#include "fly/Arch/Wave.h"
#include "fly/Isa/ControlFlow.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/InstructionKind.h"

#include <deque>

using namespace fly;
using namespace fly::reports;
using isa::Format;
using isa::Instruction;
using isa::InstructionKind;

static void count(const Instruction &inst, LoopReport &loop) {
  ++loop.instructions;
  auto countAccess = [&](unsigned &accesses) {
    ++accesses;
    unsigned bytes = isa::accessBytes(inst.mnemonic);
    loop.accessBytes =
        loop.accessBytes ? std::min(loop.accessBytes, bytes) : bytes;
    loop.narrowAccesses += bytes < arch::widestAccessBytes;
  };
  switch (isa::kindOf(inst)) {
  case InstructionKind::Mfma:
    ++loop.mfma;
    if (const arch::MfmaRow *row = arch::lookupMfmaByMnemonic(inst.mnemonic))
      loop.macs += uint64_t(row->m) * row->n * row->k * row->blocks;
    break;
  case InstructionKind::AccumulatorMove:
    ++loop.accMove;
    break;
  case InstructionKind::LdsDma:
    countAccess(loop.ldsDma);
    break;
  case InstructionKind::VectorLoad:
    countAccess(loop.vmemLoad);
    loop.scratchLoad += inst.format == isa::Format::Scratch;
    break;
  case InstructionKind::VectorStore:
    countAccess(loop.vmemStore);
    loop.scratchStore += inst.format == isa::Format::Scratch;
    break;
  case InstructionKind::LdsWrite:
    countAccess(loop.dsWrite);
    break;
  case InstructionKind::LdsRead:
    countAccess(loop.dsRead);
    break;
  case InstructionKind::Wait:
    ++loop.wait;
    break;
  case InstructionKind::Barrier:
    ++loop.barrier;
    break;
  case InstructionKind::Nop:
    ++loop.nop;
    break;
  case InstructionKind::LdsOther: // Uses the LDS unit, not its memory.
  case InstructionKind::Valu:
    ++loop.valu;
    break;
  case InstructionKind::ScalarMemory:
    break;
  case InstructionKind::Branch:
  case InstructionKind::Salu:
  case InstructionKind::Other:
    ++loop.salu;
    break;
  }
}

namespace {
/// Time of the static model, in cycles.
struct Clock {
  double issue = 0, mfma = 0;
  double since(const Clock &start) const {
    return std::max(issue - start.issue, mfma - start.mfma);
  }
};
} // namespace

static unsigned passesOf(const Instruction &inst, const arch::ArchInfo &arch) {
  const arch::MfmaRow *row = arch::lookupMfmaByMnemonic(inst.mnemonic);
  // cbsz and blgp of the scaled forms say how wide the operands are.
  bool isNarrow = row && row->scaled && inst.cbsz >= 2 && inst.blgp >= 2;
  return row ? row->passesOn(arch.chip, isNarrow) : 0;
}

double fly::reports::matrixCycles(const Instruction &inst,
                                  const arch::ArchInfo &arch) {
  return double(passesOf(inst, arch)) * *arch.issue.mfmaPass;
}

static double pipeCover(llvm::ArrayRef<Instruction> loop,
                        const arch::ArchInfo &arch) {
  if (!arch.issue.slot || !arch.issue.mfmaPass || !arch.latency.l2Hit ||
      !arch.latency.ldsRead)
    return 0;
  double slot = *arch.issue.slot, mfmaCycles = 0, exposed = 0, issued = 0;
  Clock now;
  std::deque<Clock> vmem, lgkm;
  auto drain = [&](std::deque<Clock> &queue, unsigned leave, double latency) {
    if (queue.size() <= leave)
      return;
    double wait = std::max(0.0, latency - now.since(queue.front()));
    queue.erase(queue.begin(), queue.end() - leave);
    now.issue += wait;
    exposed += wait;
  };
  for (unsigned round = 0; round < 2; ++round) {
    mfmaCycles = exposed = issued = 0; // Of the second round alone.
    for (const Instruction &inst : loop) {
      double cycles = slot;
      if (inst.mnemonic == "s_nop")
        cycles = slot * (inst.simm16 + 1);
      now.issue += cycles;
      issued += cycles;
      if (isMfma(inst)) {
        double busy = matrixCycles(inst, arch);
        now.mfma += busy;
        mfmaCycles += busy;
      } else if (isVectorMemory(inst)) {
        vmem.push_back(now);
      } else if (inst.format == Format::DS || inst.format == Format::SMEM) {
        lgkm.push_back(now);
      } else if (inst.mnemonic == "s_waitcnt") {
        arch::WaitCount wait = arch::WaitCount::decode(uint16_t(inst.simm16));
        drain(vmem, wait.vm, *arch.latency.l2Hit);
        drain(lgkm, wait.lgkm, *arch.latency.ldsRead);
      }
    }
  }
  double bound = std::max(mfmaCycles, issued + exposed);
  return bound > 0 ? mfmaCycles / bound : 0;
}

/// Whether a loop walks the lanes: a round takes a value of the first lane that
/// is left, does something for all lanes that have it, and goes on with the
/// others. LLVM makes one for each access whose scalar operand it does not know
/// as uniform.
static bool walksLanes(llvm::ArrayRef<Instruction> body) {
  auto has = [&](llvm::StringRef mnemonic) {
    return llvm::any_of(body, [&](const Instruction &inst) {
      return inst.mnemonic == mnemonic;
    });
  };
  return body.back().mnemonic == "s_cbranch_execnz" &&
         has("v_readfirstlane_b32") && has("s_and_saveexec_b64");
}

static llvm::ArrayRef<Instruction>
bodyOf(llvm::ArrayRef<Instruction> instructions, const isa::LoopRange &range) {
  return instructions.slice(range.begin, range.end - range.begin);
}

/// Loops that hold none but those that walk lanes, which belong to them.
static std::vector<isa::LoopRange>
findInnermost(llvm::ArrayRef<Instruction> instructions) {
  std::vector<isa::LoopRange> loops = isa::findLoops(instructions), innermost;
  llvm::erase_if(loops, [&](const isa::LoopRange &loop) {
    return walksLanes(bodyOf(instructions, loop));
  });
  for (const isa::LoopRange &loop : loops)
    if (llvm::none_of(loops, [&](const isa::LoopRange &other) {
          return loop.contains(other);
        }))
      innermost.push_back(loop);
  return innermost;
}

std::optional<LoopReport>
fly::reports::findHotLoop(llvm::ArrayRef<Instruction> instructions,
                          const arch::ArchInfo &arch, unsigned wavesInStep) {
  std::optional<LoopReport> best;
  llvm::ArrayRef<Instruction> bestBody;
  for (const isa::LoopRange &range : findInnermost(instructions)) {
    llvm::ArrayRef<Instruction> body = bodyOf(instructions, range);
    LoopReport loop;
    loop.begin = body.front().pc;
    loop.end = body.back().pc + body.back().size;
    for (const Instruction &inst : body)
      count(inst, loop);
    for (const isa::LoopRange &inner : isa::findLoops(body))
      loop.laneLoops += walksLanes(bodyOf(body, inner));
    bool isBetter =
        !best || loop.mfma > best->mfma ||
        (loop.mfma == best->mfma && loop.instructions < best->instructions);
    if (loop.mfma && isBetter) {
      best = loop;
      bestBody = body;
    }
  }
  if (!best)
    return best;
  best->pipeCover = pipeCover(bestBody, arch);
  best->walkedCover = walkCover(bestBody, arch, wavesInStep);
  best->distances = measureDistances(bestBody);
  best->mfmaShareCeiling =
      double(best->mfma) / (best->mfma + best->countMemory());
  return best;
}
