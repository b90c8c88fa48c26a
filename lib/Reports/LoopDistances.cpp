//===- LoopDistances.cpp - From accesses to their waits -------------------===//
//
// LDS accesses answer in order, so do loads of global memory: a wait that
// leaves n under way ends all but the youngest n. Three rounds of the loop are
// walked; what was issued in the second is counted, so that the first fills the
// queues and the third empties them. What no wait ends is not counted. Scalar
// loads share the counter of LDS and come back in any order [LLVM22], so a loop
// with one of them waits for all, which leaves none under way.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/WaitCount.h"
#include "fly/Isa/InstructionClass.h"

#include "llvm/Support/FormatVariadic.h"

#include <deque>

#include "LoopReport.h"

using namespace fly;
using namespace fly::reports;
using isa::Format;
using isa::Instruction;

namespace {
/// An access under way.
struct UnderWay {
  /// Where its distance is added; null for what is not counted.
  Distance *kind;
  unsigned mfmas; ///< Issued before it.
};
using Queue = std::deque<UnderWay>;
} // namespace

static void drain(Queue &queue, unsigned leave, unsigned mfmas) {
  for (; queue.size() > leave; queue.pop_front()) {
    auto [kind, before] = queue.front();
    if (!kind)
      continue;
    unsigned distance = mfmas - before;
    kind->least = kind->accesses ? std::min(kind->least, distance) : distance;
    kind->mean += distance;
    ++kind->accesses;
  }
}

LoopDistances fly::reports::measureDistances(llvm::ArrayRef<Instruction> loop) {
  LoopDistances result;
  Queue lds, global;
  unsigned mfmas = 0;
  for (unsigned round = 0; round < 3; ++round)
    for (const Instruction &inst : loop) {
      auto note = [&](Queue &queue, Distance &kind) {
        queue.push_back({round == 1 ? &kind : nullptr, mfmas});
      };
      if (isMfma(inst)) {
        ++mfmas;
      } else if (isVectorMemory(inst)) {
        note(global, result.global);
      } else if (inst.format == Format::DS || inst.format == Format::SMEM) {
        bool isWrite = llvm::StringRef(inst.mnemonic).starts_with("ds_write");
        if (inst.format == Format::SMEM || isLdsPermutation(inst))
          lds.push_back({nullptr, mfmas});
        else
          note(lds, isWrite ? result.ldsWrite : result.ldsRead);
      } else if (inst.mnemonic == "s_waitcnt") {
        arch::WaitCount wait = arch::WaitCount::decode(uint16_t(inst.simm16));
        drain(lds, wait.lgkm, mfmas);
        drain(global, wait.vm, mfmas);
      }
    }
  for (Distance *kind : {&result.ldsRead, &result.ldsWrite, &result.global})
    if (kind->accesses)
      kind->mean /= kind->accesses;
  return result;
}

std::string fly::reports::describe(const LoopDistances &distances) {
  std::string text;
  for (auto [name, kind] : {std::pair("LDS reads", &distances.ldsRead),
                            {"LDS writes", &distances.ldsWrite},
                            {"global accesses", &distances.global}})
    if (kind->accesses)
      text +=
          llvm::formatv("{0}{1} {2:f1} (least {3})", text.empty() ? "" : ", ",
                        name, kind->mean, kind->least);
  return text;
}
