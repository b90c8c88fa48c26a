//===- LoopWalk.cpp - The matrix units' share of a loop that is walked ----===//
//
// What problem: the pipe cover adds up issue and waits, and compares the sum
// with what the matrix instructions take. So a wait whose latency exceeds the
// few instructions in front of it looks free in a loop with enough matrix
// instructions elsewhere, though nothing is multiplied meanwhile. A loop that
// waits for each LDS read right behind it had the same cover of 100 % as one
// that reads a step ahead.
// What idea: the loop is walked in order by those waves of a workgroup that
// share a SIMD. They share its matrix unit and the port of LDS, issue one
// instruction each a slot, stand at a matrix instruction until the unit is
// free, at waits until the answers are there, at barriers for each other. The
// first rounds fill the queues, later ones are counted.
// What it leaves out: conflicts in banks and caches, the width of memory, which
// are the same in all forms of a kernel; other workgroups on the unit. Where
// data go from memory to matrix instructions without LDS in between, what a
// load takes hangs on the traffic of all units, and the walk says nothing: it
// found fewer waits where the whole machine had a fifth more. [INF] latencies,
// rates and ports are those of the chip's table.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/WaitCount.h"
#include "fly/Arch/Wave.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/InstructionKind.h"
#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <deque>

#include "LoopReport.h"

using namespace fly;
using namespace fly::reports;
using isa::Format;
using isa::Instruction;
using isa::InstructionKind;

/// Rounds that fill queues, and rounds that are counted.
static constexpr unsigned kFillRounds = 2, kCountedRounds = 2;

namespace {

struct WalkedWave {
  double now = 0;
  size_t next = 0;
  unsigned rounds = 0;
  bool isAtBarrier = false;
  /// When accesses under way are answered.
  std::deque<double> vmem, lgkm;
};

class Walk {
public:
  Walk(llvm::ArrayRef<Instruction> loop, const arch::ArchInfo &arch,
       unsigned waves)
      : loop(loop), arch(arch), waves(waves) {}

  /// When all waves have made so many rounds.
  double runTo(unsigned rounds) {
    while (WalkedWave *wave = pickNext(rounds))
      step(*wave);
    double end = 0;
    for (const WalkedWave &wave : waves)
      end = std::max(end, wave.now);
    return end;
  }

private:
  /// The wave whose turn it is; all that stand at barriers are let go where no
  /// other is left.
  WalkedWave *pickNext(unsigned rounds) {
    WalkedWave *first = nullptr;
    double last = 0;
    for (WalkedWave &wave : waves) {
      last = std::max(last, wave.now);
      if (!wave.isAtBarrier && wave.rounds < rounds &&
          (!first || wave.now < first->now))
        first = &wave;
    }
    if (first)
      return first;
    for (WalkedWave &wave : waves) {
      if (!wave.isAtBarrier)
        continue;
      wave.isAtBarrier = false;
      wave.now = last;
      if (!first && wave.rounds < rounds)
        first = &wave;
    }
    return first;
  }

  void step(WalkedWave &wave) {
    const Instruction &inst = loop[wave.next];
    double slot = *arch.issue.slot;
    if (isMfma(inst)) {
      double start = std::max(wave.now, matrixFree);
      matrixFree = start + matrixCycles(inst, arch);
      wave.now = start;
    } else if (isVectorMemory(inst)) {
      wave.vmem.push_back(wave.now + *arch.latency.l2Hit);
    } else if (inst.format == Format::DS) {
      // All SIMDs of a port make the access.
      bool isWrite = isa::kindOf(inst) == InstructionKind::LdsWrite;
      double bytes = double(isa::accessBytes(inst.mnemonic)) * arch::waveLanes *
                     (*arch.simdsPerCu / *arch.lds.ports);
      double start = std::max(wave.now, ldsFree);
      ldsFree = start + bytes / (isWrite ? *arch.lds.portWriteBytes
                                         : *arch.lds.portReadBytes);
      wave.lgkm.push_back(start + *arch.latency.ldsRead);
    } else if (inst.format == Format::SMEM) {
      wave.lgkm.push_back(wave.now + *arch.latency.ldsRead);
    } else if (inst.mnemonic == "s_waitcnt") {
      arch::WaitCount wait = arch::WaitCount::decode(uint16_t(inst.simm16));
      drain(wave.vmem, wait.vm, wave.now);
      drain(wave.lgkm, wait.lgkm, wave.now);
    } else if (isa::kindOf(inst) == InstructionKind::Barrier) {
      wave.isAtBarrier = true;
    } else if (inst.mnemonic == "s_nop") {
      wave.now += slot * inst.simm16;
    }
    wave.now += slot;
    if (++wave.next == loop.size()) {
      wave.next = 0;
      ++wave.rounds;
    }
  }

  static void drain(std::deque<double> &queue, unsigned leave, double &now) {
    for (; queue.size() > leave; queue.pop_front())
      now = std::max(now, queue.front());
  }

  llvm::ArrayRef<Instruction> loop;
  const arch::ArchInfo &arch;
  llvm::SmallVector<WalkedWave, 4> waves;
  double matrixFree = 0, ldsFree = 0;
};

} // namespace

/// Whether matrix instructions read registers that loads from memory write.
static bool feedsFromMemory(llvm::ArrayRef<Instruction> loop) {
  llvm::BitVector loaded(isa::reg::count);
  for (const Instruction &inst : loop)
    if (isVectorMemory(inst))
      forEachWrite(inst, [&](isa::RegisterRange range) {
        loaded.set(range.first, range.first + range.count);
      });
  bool feeds = false;
  for (const Instruction &inst : loop)
    if (isMfma(inst))
      forEachRead(inst, [&](const isa::RegisterRead &read) {
        for (unsigned i = 0; i != read.range.count; ++i)
          feeds |= loaded[read.range.first + i];
      });
  return feeds;
}

std::optional<double> fly::reports::walkCover(llvm::ArrayRef<Instruction> loop,
                                              const arch::ArchInfo &arch,
                                              unsigned waves) {
  if (!arch.issue.slot || !arch.issue.mfmaPass || !arch.latency.l2Hit ||
      !arch.latency.ldsRead || !arch.simdsPerCu || !arch.lds.ports ||
      !arch.lds.portReadBytes || !arch.lds.portWriteBytes ||
      feedsFromMemory(loop))
    return std::nullopt;
  double busy = 0;
  for (const Instruction &inst : loop)
    if (isMfma(inst))
      busy += matrixCycles(inst, arch);
  waves = std::max(waves, 1u);
  Walk walk(loop, arch, waves);
  double start = walk.runTo(kFillRounds);
  double cycles = walk.runTo(kFillRounds + kCountedRounds) - start;
  return cycles > 0 ? std::min(1.0, kCountedRounds * waves * busy / cycles) : 0;
}
