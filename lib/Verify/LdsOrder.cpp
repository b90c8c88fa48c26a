//===- LdsOrder.cpp - LDS is written before it is read --------------------===//
//
// What problem: waves exchange data through LDS. A write must be finished in
// front of the barrier behind which others read, a read in front of the
// barrier behind which others overwrite, and a copy from memory must have come
// before even its own wave reads it. Nothing in the hardware enforces that.
// What idea: addresses are computed for all lanes of the workgroup
// (LaneValues), so that each access is a set of bytes for each wave. Data flow
// carries the accesses that no barrier has ordered, with how many operations of
// their counter were issued since. An access that meets one of another wave on
// the same bytes, one of them writing, is a race. Paths with different
// addresses (the stages of a pipeline) are followed apart.
//
// What is proved, if all addresses are known and all waves pass the same
// barriers: between two accesses of different waves to the same byte, one of
// them a write, lie a wait that finishes the first and then a barrier; between
// a copy to LDS and an access of the same wave to its bytes lies a wait. All
// work items of the largest allowed workgroup are taken to run.
// What it leaves open, as a note: addresses that depend on arguments or data,
// or differ in each iteration; accesses under an unknown EXEC; flat accesses.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/WaitCount.h"
#include "fly/Arch/Wave.h"
#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

#include "AddressDemand.h"
#include "LdsAccess.h"
#include "Uniformity.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;
namespace reg = isa::reg;

namespace {

/// An access at one address that no barrier has ordered against what follows.
struct Pending {
  static constexpr uint8_t finished = 255;
  /// Operations of its counter issued since; or finished by a wait.
  uint8_t age = 0;
  /// A barrier came while it was outstanding.
  bool crossedBarrier = false;

  bool merge(const Pending &other) {
    Pending before = *this;
    age = std::min(age, other.age);
    crossedBarrier |= other.crossedBarrier;
    return age != before.age || crossedBarrier != before.crossedBarrier;
  }
};

/// Pending accesses by their number in LdsOrderCheck::instances.
using PendingSet = std::map<uint32_t, Pending>;
/// Registers that addresses are made of, with known values.
using Environment = std::vector<std::pair<uint16_t, ValueId>>;

struct Instance {
  size_t index = 0;
  LdsAccess access;
  bool isMasked = false; ///< EXEC was unknown: perhaps fewer lanes.
  std::optional<LdsBytes> bytes;
};

class LdsOrderCheck {
public:
  LdsOrderCheck(const KernelCode &code, const Uniformity &uniformity,
                unsigned items)
      : code(code), uniformity(uniformity), demand(code),
        values(items, *code.arch.waveSize), vmLimit(*code.arch.counters.vmcnt),
        lgkmLimit(*code.arch.counters.lgkmcnt), in(code.flow.blocks().size()),
        widened(in.size()), variants(in.size()) {}

  CheckResult run(bool knowsWorkItemIds);

private:
  void runBlock(unsigned number, const Environment &environment,
                PendingSet pending);
  void enter(unsigned block, const LaneRegisters &registers,
             const PendingSet &pending);
  std::optional<uint32_t> instanceOf(size_t index,
                                     const LaneRegisters &registers);
  void check(uint32_t second, const PendingSet &pending);
  void report(const Instance &first, const Instance &second,
              const Pending &state, bool isSameWave);
  void wait(PendingSet &pending, const arch::WaitCount &count) const;
  void count(const Instruction &inst, PendingSet &pending) const;
  std::optional<bool> knowsBranch(const Instruction &branch,
                                  const LaneRegisters &registers);
  void addNotes();

  const KernelCode &code;
  const Uniformity &uniformity;
  AddressDemand demand;
  LaneValues values;
  unsigned vmLimit, lgkmLimit;

  std::vector<Instance> instances;
  std::map<std::tuple<size_t, ValueId, ValueId>, uint32_t> numbers;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, unsigned> meetings;

  /// For each block, what is pending by environment.
  std::vector<std::map<Environment, PendingSet>> in;
  std::vector<llvm::DenseSet<unsigned>> widened; ///< Registers, by block.
  std::vector<llvm::DenseMap<unsigned, llvm::DenseSet<ValueId>>> variants;
  std::vector<std::pair<unsigned, Environment>> open;

  CheckResult result;
  llvm::DenseSet<std::pair<size_t, size_t>> reported;
  std::map<size_t, llvm::StringRef> unknownPlaces;
};

} // namespace

/// Values that a register may have at the begin of one block before it counts
/// as unknown there: more than any pipeline has stages.
static constexpr unsigned maxVariants = 8;

/// Visits of blocks, times their number, after which the analysis gives up:
/// kernels with three stages need less than twenty.
static constexpr size_t maxVisits = 200;

void LdsOrderCheck::wait(PendingSet &pending,
                         const arch::WaitCount &count) const {
  for (auto &[number, state] : pending) {
    bool isDma = instances[number].access.isDma;
    unsigned left = isDma ? count.vm : count.lgkm;
    if (left < (isDma ? vmLimit : lgkmLimit) && state.age >= left)
      state.age = Pending::finished;
  }
}

/// One more operation of a counter.
void LdsOrderCheck::count(const Instruction &inst, PendingSet &pending) const {
  bool isVm =
      isVectorMemory(inst) && !isFlat(inst) && inst.mnemonic != "buffer_inv";
  bool isLds = inst.format == Format::DS && !inst.gds;
  if (!isVm && !isLds)
    return;
  for (auto &[number, state] : pending)
    if (state.age != Pending::finished &&
        instances[number].access.isDma == isVm &&
        ++state.age >= (isVm ? vmLimit : lgkmLimit))
      state.age = Pending::finished;
}

void LdsOrderCheck::report(const Instance &first, const Instance &second,
                           const Pending &state, bool isSameWave) {
  if (!reported.insert({second.index, first.index}).second)
    return;
  Finding finding;
  finding.rule = Rule::LdsOrder;
  finding.place = code.place(second.index);
  finding.producer = code.place(first.index);
  std::string doing = second.access.writes && !second.access.reads
                          ? "overwrites bytes of LDS that "
                          : "reads bytes of LDS that ";
  std::string doer = isSameWave ? "its wave " : "another wave ";
  finding.what = doing + doer + (first.access.writes ? "writes" : "reads");
  std::string counter = first.access.isDma ? "vmcnt" : "lgkmcnt";
  std::string wait =
      counter + "(" +
      std::to_string(state.age == Pending::finished ? 0 : state.age) + ")";
  if (isSameWave) {
    finding.expected = "a wait for " + wait + " in between";
    finding.actual = "none that covers it";
  } else if (state.age == Pending::finished && !state.crossedBarrier) {
    finding.expected = "a barrier in between";
    finding.actual = "none behind its wait";
  } else {
    finding.expected =
        "a wait for " + counter + " that covers it and then a barrier";
    finding.actual = state.age == Pending::finished
                         ? "a wait behind the barrier alone"
                     : state.crossedBarrier ? "a barrier without that wait"
                                            : "neither";
  }
  if (first.isMasked || second.isMasked) {
    finding.what += " if all lanes take part";
    result.notes.push_back(std::move(finding));
  } else {
    result.findings.push_back(std::move(finding));
  }
}

void LdsOrderCheck::check(uint32_t second, const PendingSet &pending) {
  enum : unsigned { otherWave = 1, sameWave = 2 };
  for (const auto &[first, state] : pending) {
    const Instance &a = instances[first], &b = instances[second];
    if (!a.access.writes && !b.access.writes)
      continue;
    if (a.access.isAtomic && b.access.isAtomic)
      continue;
    auto [it, isNew] = meetings.try_emplace({first, second}, 0);
    if (isNew) {
      if (a.bytes->meetsOtherWave(*b.bytes))
        it->second |= otherWave;
      if (a.access.isDma && a.bytes->meetsSameWave(*b.bytes))
        it->second |= sameWave;
    }
    unsigned meeting = it->second;
    // Copies of one wave finish in order.
    bool isOrdered = state.age == Pending::finished || b.access.isDma;
    if ((meeting & sameWave) && !isOrdered)
      report(a, b, state, /*isSameWave=*/true);
    else if (meeting & otherWave)
      report(a, b, state, /*isSameWave=*/false);
  }
}

/// The number of the access at its present address, if that is known.
std::optional<uint32_t>
LdsOrderCheck::instanceOf(size_t index, const LaneRegisters &registers) {
  const Instruction &inst = code.instructions()[index];
  const std::optional<LdsAccess> &access = demand.access(index);
  if (!access) {
    if (isFlat(inst))
      unknownPlaces.try_emplace(index, "may touch LDS by a flat address");
    return std::nullopt;
  }
  ValueId address = access->address.count
                        ? registers.values[access->address.first]
                        : unknownValue;
  if (address == unknownValue || values.isMask(address)) {
    unknownPlaces.try_emplace(index, "touches LDS at an address that is not "
                                     "known");
    return std::nullopt;
  }
  ValueId exec = registers.values[reg::exec];
  auto [it, isNew] =
      numbers.try_emplace({index, address, exec}, uint32_t(instances.size()));
  if (isNew) {
    Instance instance;
    instance.index = index;
    instance.access = *access;
    instance.isMasked = exec == unknownValue;
    instance.bytes.emplace(
        *access, address, instance.isMasked ? values.allLanes() : exec, values);
    instances.push_back(std::move(instance));
  }
  return it->second;
}

void LdsOrderCheck::enter(unsigned block, const LaneRegisters &registers,
                          const PendingSet &pending) {
  const llvm::BitVector &live = demand.liveIn(block);
  Environment environment;
  bool isWidened = false;
  for (unsigned r : live.set_bits()) {
    ValueId value = registers.values[r];
    if (value == unknownValue || widened[block].contains(r))
      continue;
    llvm::DenseSet<ValueId> &seen = variants[block][r];
    seen.insert(value);
    if (seen.size() > maxVariants) {
      widened[block].insert(r);
      isWidened = true;
      continue;
    }
    environment.push_back({uint16_t(r), value});
  }
  // What was told apart by a register that no longer counts comes together.
  if (isWidened) {
    std::map<Environment, PendingSet> before = std::move(in[block]);
    in[block].clear();
    for (auto &[old, state] : before) {
      Environment kept = old;
      llvm::erase_if(kept, [&](const auto &entry) {
        return widened[block].contains(entry.first);
      });
      PendingSet &merged = in[block][kept];
      for (auto &[number, entry] : state) {
        auto [it, isNew] = merged.try_emplace(number, entry);
        if (!isNew)
          it->second.merge(entry);
      }
      open.push_back({block, std::move(kept)});
    }
  }
  auto [it, isNew] = in[block].try_emplace(environment);
  bool changed = isNew;
  for (const auto &[number, entry] : pending) {
    auto [place, isNewEntry] = it->second.try_emplace(number, entry);
    changed |= isNewEntry || place->second.merge(entry);
  }
  if (changed)
    open.push_back({block, std::move(environment)});
}

/// Whether a branch on EXEC or VCC is taken, where all waves know and agree.
std::optional<bool> LdsOrderCheck::knowsBranch(const Instruction &branch,
                                               const LaneRegisters &registers) {
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

void LdsOrderCheck::runBlock(unsigned number, const Environment &environment,
                             PendingSet pending) {
  LaneRegisters registers;
  for (auto [r, value] : environment)
    registers.values[r] = value;
  const isa::Block &block = code.flow.blocks()[number];
  for (size_t i = block.begin; i != block.end; ++i) {
    const Instruction &inst = code.instructions()[i];
    if (inst.mnemonic == "s_waitcnt") {
      wait(pending, arch::WaitCount::decode(uint16_t(inst.simm16)));
      continue;
    }
    if (inst.mnemonic == "s_barrier") {
      for (auto it = pending.begin(); it != pending.end();) {
        it->second.crossedBarrier = true;
        it = it->second.age == Pending::finished ? pending.erase(it)
                                                 : std::next(it);
      }
      continue;
    }
    if (inst.format == Format::DS || isVectorMemory(inst)) {
      std::optional<uint32_t> instance = instanceOf(i, registers);
      if (instance)
        check(*instance, pending);
      count(inst, pending);
      if (instance)
        pending[*instance] = Pending();
    }
    if (demand.isNeeded(i))
      evaluate(inst, registers, values);
    else
      forEachWrite(inst, [&](isa::RegisterRange range) {
        for (unsigned r = 0; r != range.count; ++r)
          registers.values[range.first + r] = unknownValue;
      });
  }
  std::optional<bool> isTaken =
      knowsBranch(code.instructions()[block.end - 1], registers);
  for (unsigned next : block.successors) {
    bool isTarget = code.flow.blocks()[next].begin != block.end;
    if (!isTaken || *isTaken == isTarget)
      enter(next, registers, pending);
  }
}

/// Places without an address, told once for each kind, and barriers that not
/// all waves may pass.
void LdsOrderCheck::addNotes() {
  llvm::DenseSet<llvm::StringRef> told;
  for (const auto &place : unknownPlaces) {
    llvm::StringRef what = place.second;
    if (!told.insert(what).second)
      continue;
    size_t more = 0;
    for (const auto &other : unknownPlaces)
      more += other.second == what && &other != &place;
    Finding note;
    note.rule = Rule::LdsOrder;
    note.place = code.place(place.first);
    note.what = what.str();
    if (more)
      note.what += ", as " + std::to_string(more) + " more";
    result.notes.push_back(std::move(note));
  }
  for (size_t i = 0; i != code.instructions().size(); ++i) {
    if (code.instructions()[i].mnemonic != "s_barrier" ||
        !uniformity.partedBy(i))
      continue;
    Finding note;
    note.rule = Rule::LdsOrder;
    note.place = code.place(i);
    note.what = "orders nothing between waves that may not all pass it";
    result.notes.push_back(std::move(note));
    return;
  }
}

CheckResult LdsOrderCheck::run(bool knowsWorkItemIds) {
  LaneRegisters registers;
  registers.values[reg::exec] = values.allLanes();
  if (knowsWorkItemIds) {
    // Without a required size the ids of x alone count; see checkLdsOrder().
    std::array<uint32_t, 3> size = code.kernel.requiredWorkgroupSize;
    uint32_t width = size[0] ? size[0] : values.items();
    uint32_t height = std::max(1u, size[1]);
    std::vector<uint32_t> ids(values.items());
    for (unsigned item = 0; item != values.items(); ++item) {
      // [LLVM22] AMDGPUUsage: ids of x, y and z at bits 0, 10 and 20.
      uint32_t x = item % width;
      uint32_t y = item / width % height;
      uint32_t z = item / width / height;
      unsigned dims = code.kernel.descriptor.workitemIdDims();
      ids[item] = x | (dims > 0 ? y << 10 : 0) | (dims > 1 ? z << 20 : 0);
    }
    registers.values[reg::vgpr] = values.lanes(std::move(ids));
  }
  for (unsigned entry : code.flow.entryBlocks())
    enter(entry, registers, {});
  size_t visits = 0;
  while (!open.empty()) {
    if (++visits > maxVisits * code.flow.blocks().size()) {
      Finding note;
      note.rule = Rule::LdsOrder;
      note.place = code.place(code.flow.blocks()[open.back().first].begin);
      note.what = "is reached with more combinations of addresses than are "
                  "followed";
      result.notes.push_back(std::move(note));
      break;
    }
    auto [block, environment] = std::move(open.back());
    open.pop_back();
    auto it = in[block].find(environment);
    if (it != in[block].end()) // Else it has come together with others.
      runBlock(block, environment, it->second);
  }
  addNotes();
  return std::move(result);
}

/// Work items of a workgroup: what the kernel requires, or the most it allows.
static unsigned workgroupItems(const isa::Kernel &kernel) {
  const std::array<uint32_t, 3> &size = kernel.requiredWorkgroupSize;
  uint64_t items = uint64_t(size[0]) * size[1] * size[2];
  if (!items)
    items = kernel.maxFlatWorkgroupSize;
  return unsigned(std::clamp<uint64_t>(items, 1, arch::maxWorkgroupThreads));
}

CheckResult fly::verify::checkLdsOrder(const KernelCode &code,
                                       const Uniformity &uniformity) {
  bool touchesLds = llvm::any_of(code.instructions(), [](const auto &inst) {
    return ldsAccessOf(inst).has_value();
  });
  if (!touchesLds)
    return {};
  bool knowsShape = code.kernel.requiredWorkgroupSize[0] != 0 ||
                    code.kernel.descriptor.workitemIdDims() == 0;
  return LdsOrderCheck(code, uniformity, workgroupItems(code.kernel))
      .run(knowsShape);
}
