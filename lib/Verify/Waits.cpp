//===- Waits.cpp - Results of memory are there when used ------------------===//
//
// What problem: a load writes its registers when its data comes. A read before
// gets the old value, a write before is overwritten later.
// What idea: forward data flow. For each register, how many operations were
// issued since the one that will write it: operations of one counter that
// return in order are finished when a wait leaves no more outstanding than were
// issued since. On a merge of paths the younger one counts. The state only
// grows towards "younger", so loops reach a fixed point.
//
// What is taken as known ([AMD] CDNA3 ISA document, chapter 4.4; [LLVM22]
// SIInsertWaitcnts):
//  * vmcnt counts loads, stores, atomics and copies to LDS, and they finish in
//    issue order. buffer_inv is not counted.
//  * lgkmcnt counts LDS operations, which finish in issue order, and scalar
//    loads and messages, which finish in any order and before or after LDS
//    operations: only a wait for 0 says something about them.
//  * flat_* instructions count in both and finish in any order.
//  * Issue stalls where a counter would pass its limit, so an operation with
//    as many younger ones is finished.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/WaitCount.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

#include "Checks.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;
using isa::RegisterRange;
namespace reg = isa::reg;

namespace {

/// A register that an operation of an ordered counter will write.
struct Slot {
  static constexpr uint8_t none = 255;
  uint8_t age = none;    ///< Operations of the counter issued since.
  uint32_t producer = 0; ///< Index of the instruction.

  bool isPending() const { return age != none; }
  /// Takes the younger of two paths; true if that changed something.
  bool merge(const Slot &other) {
    if (other.age > age || (other.age == age && other.producer >= producer))
      return false;
    *this = other;
    return true;
  }
};

/// A register that an operation without an order will write.
struct Unordered {
  uint8_t counters = 0; ///< Of the values below, each until a wait for 0.
  uint32_t producer = 0;
  enum : uint8_t { vm = 1, lgkm = 2 };

  bool merge(const Unordered &other) {
    Unordered before = *this;
    if (other.counters && (!counters || other.producer < producer))
      producer = other.producer;
    counters |= other.counters;
    return counters != before.counters || producer != before.producer;
  }
};

/// What is outstanding in front of an instruction.
struct State {
  Slot vm[reg::vectors], lds[reg::vectors];
  Unordered other[reg::count];
  bool isReached = false;

  bool merge(const State &from) {
    bool changed = !isReached;
    isReached = true;
    for (unsigned i = 0; i != reg::vectors; ++i) {
      changed |= vm[i].merge(from.vm[i]);
      changed |= lds[i].merge(from.lds[i]);
    }
    for (unsigned i = 0; i != reg::count; ++i)
      changed |= other[i].merge(from.other[i]);
    return changed;
  }
};

class WaitCheck {
public:
  explicit WaitCheck(const KernelCode &code)
      : code(code), vmLimit(*code.arch.counters.vmcnt),
        lgkmLimit(*code.arch.counters.lgkmcnt) {}

  CheckResult run();

private:
  void step(size_t index, State &state);
  void check(size_t index, State &state, RegisterRange range, bool isWrite);
  void wait(State &state, const arch::WaitCount &count);
  void issue(size_t index, State &state);
  void report(size_t index, unsigned registerIndex, uint32_t producer,
              bool isWrite, std::string expected, bool isVm);
  std::string nearestWait(size_t index, uint32_t producer, bool isVm) const;

  const KernelCode &code;
  unsigned vmLimit, lgkmLimit;
  bool isReporting = false;
  CheckResult result;
  llvm::DenseSet<std::pair<size_t, uint32_t>> reported;
};

} // namespace

/// One more operation of an ordered counter.
static void growOlder(Slot (&slots)[reg::vectors], unsigned limit) {
  for (Slot &slot : slots)
    if (slot.isPending() && ++slot.age >= limit)
      slot.age = Slot::none;
}

static void finish(Slot (&slots)[reg::vectors], unsigned left) {
  for (Slot &slot : slots)
    if (slot.isPending() && slot.age >= left)
      slot.age = Slot::none;
}

static bool isCountedVectorMemory(const Instruction &inst) {
  return isVectorMemory(inst) && !isFlat(inst) && inst.mnemonic != "buffer_inv";
}

static bool isOrderedLds(const Instruction &inst) {
  return inst.format == Format::DS && !inst.gds;
}

/// The wait between producer and consumer that asks least too little.
std::string WaitCheck::nearestWait(size_t index, uint32_t producer,
                                   bool isVm) const {
  size_t begin = producer < index
                     ? producer
                     : code.flow.blocks()[code.flow.blockOf(index)].begin;
  for (size_t i = index; i-- > begin;) {
    const Instruction &inst = code.instructions()[i];
    if (inst.mnemonic != "s_waitcnt")
      continue;
    arch::WaitCount count = arch::WaitCount::decode(uint16_t(inst.simm16));
    unsigned asked = isVm ? count.vm : count.lgkm;
    if (asked < (isVm ? vmLimit : lgkmLimit))
      return llvm::formatv("{0}({1}) at {2:x}", isVm ? "vmcnt" : "lgkmcnt",
                           asked, inst.pc);
  }
  return "none";
}

void WaitCheck::report(size_t index, unsigned registerIndex, uint32_t producer,
                       bool isWrite, std::string expected, bool isVm) {
  if (!isReporting || !reported.insert({index, producer}).second)
    return;
  Finding finding;
  finding.rule = Rule::Waits;
  finding.place = code.place(index);
  finding.producer = code.place(producer);
  finding.what = (isWrite ? "overwrites " : "reads ") +
                 isa::registerName(registerIndex) + " before its data has come";
  finding.expected = "a wait for " + std::move(expected) + " in between";
  finding.actual = nearestWait(index, producer, isVm);
  result.findings.push_back(std::move(finding));
}

/// Nothing may be outstanding for a register that is read or written, but for
/// writes that come in order behind the outstanding ones. What was reported
/// counts as waited for.
void WaitCheck::check(size_t index, State &state, RegisterRange range,
                      bool isWrite) {
  const Instruction &inst = code.instructions()[index];
  bool isVmWrite = isWrite && isCountedVectorMemory(inst);
  bool isLdsWrite = isWrite && isOrderedLds(inst);
  for (unsigned i = range.first, e = range.first + range.count; i != e; ++i) {
    if (i < reg::vectors && state.vm[i].isPending() && !isVmWrite) {
      report(index, i, state.vm[i].producer, isWrite,
             "vmcnt(" + std::to_string(state.vm[i].age) + ")", true);
      state.vm[i] = Slot();
    }
    if (i < reg::vectors && state.lds[i].isPending() && !isLdsWrite) {
      report(index, i, state.lds[i].producer, isWrite,
             "lgkmcnt(" + std::to_string(state.lds[i].age) + ")", false);
      state.lds[i] = Slot();
    }
    if (uint8_t counters = state.other[i].counters) {
      bool isVm = counters & Unordered::vm, isLgkm = counters & Unordered::lgkm;
      report(index, i, state.other[i].producer, isWrite,
             isVm && isLgkm ? "vmcnt(0) and lgkmcnt(0)"
             : isVm         ? "vmcnt(0)"
                            : "lgkmcnt(0)",
             isVm);
      state.other[i] = Unordered();
    }
  }
}

void WaitCheck::wait(State &state, const arch::WaitCount &count) {
  if (count.vm < vmLimit)
    finish(state.vm, count.vm);
  if (count.lgkm < lgkmLimit)
    finish(state.lds, count.lgkm);
  uint8_t left = Unordered::vm | Unordered::lgkm;
  if (count.vm == 0)
    left &= ~Unordered::vm;
  if (count.lgkm == 0)
    left &= ~Unordered::lgkm;
  if (left != (Unordered::vm | Unordered::lgkm))
    for (Unordered &entry : state.other)
      entry.counters &= left;
}

/// Counts a memory operation and marks the registers that it will write.
void WaitCheck::issue(size_t index, State &state) {
  const Instruction &inst = code.instructions()[index];
  auto mark = [&](auto set) {
    forEachWrite(inst, [&](RegisterRange range) {
      for (unsigned i = 0; i != range.count; ++i)
        set(unsigned(range.first) + i);
    });
  };
  uint32_t producer = uint32_t(index);
  if (isCountedVectorMemory(inst)) {
    growOlder(state.vm, vmLimit);
    mark([&](unsigned i) {
      if (i < reg::vectors)
        state.vm[i] = {0, producer};
    });
  } else if (isOrderedLds(inst)) {
    growOlder(state.lds, lgkmLimit);
    mark([&](unsigned i) {
      if (i < reg::vectors)
        state.lds[i] = {0, producer};
    });
  } else if (isFlat(inst)) {
    mark([&](unsigned i) {
      state.other[i] = {Unordered::vm | Unordered::lgkm, producer};
    });
  } else if (inst.format == Format::SMEM || inst.format == Format::DS) {
    mark([&](unsigned i) { state.other[i] = {Unordered::lgkm, producer}; });
  }
}

void WaitCheck::step(size_t index, State &state) {
  const Instruction &inst = code.instructions()[index];
  if (inst.mnemonic == "s_waitcnt")
    return wait(state, arch::WaitCount::decode(uint16_t(inst.simm16)));
  forEachRead(inst, [&](const isa::RegisterRead &read) {
    // A load of half a register keeps the other half; it does not read it.
    bool keepsHalf = read.kind == isa::ReadKind::Tied &&
                     (isVectorMemory(inst) || inst.format == Format::DS);
    if (!keepsHalf)
      check(index, state, read.range, /*isWrite=*/false);
  });
  forEachWrite(inst, [&](RegisterRange range) {
    check(index, state, range, /*isWrite=*/true);
  });
  issue(index, state);
}

CheckResult WaitCheck::run() {
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  std::vector<State> in(blocks.size());
  for (unsigned entry : code.flow.entryBlocks())
    in[entry].isReached = true;
  std::vector<bool> isWaiting(blocks.size(), true);
  auto runBlock = [&](unsigned number) {
    State state = in[number];
    for (size_t i = blocks[number].begin; i != blocks[number].end; ++i)
      step(i, state);
    // What is called waits for everything before it returns. [LLVM22]
    if (llvm::is_contained(code.flow.unknownJumps(), blocks[number].end - 1))
      state = State();
    return state;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : code.flow.order()) {
      if (!isWaiting[number] || !in[number].isReached)
        continue;
      isWaiting[number] = false;
      State out = runBlock(number);
      for (unsigned next : blocks[number].successors)
        if (in[next].merge(out))
          isWaiting[next] = changed = true;
    }
  }
  isReporting = true;
  for (unsigned number : code.flow.order())
    if (in[number].isReached)
      runBlock(number);
  return std::move(result);
}

CheckResult fly::verify::checkWaits(const KernelCode &code) {
  return WaitCheck(code).run();
}
