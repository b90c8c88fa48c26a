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
// Where waves are staggered (Stagger.h), each barrier is one of each wave's own
// count: an access of wave a is before one of wave b if a had finished it in
// front of its barrier number n, and b has passed so many.
//
// What is proved, if all addresses are known and all waves pass the same
// barriers, or as many: between two accesses of different waves to the same
// byte, one of them a write, lie a wait that finishes the first and then a
// barrier; between a copy to LDS and an access of the same wave to its bytes
// lies a wait. All work items of the largest allowed workgroup are taken to
// run. What it leaves open, as a note: addresses that depend on arguments or
// data, or differ in each iteration; accesses under an unknown EXEC; flat
// accesses.
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
#include "Stagger.h"

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
  /// Of a finished one: barriers since then that all waves have passed.
  uint8_t crossed = 0;
  /// Of a finished one: the leads of the waves then, by their number.
  uint16_t lead = 0;

  bool isFinished() const { return age == finished; }
  bool operator==(const Pending &other) const {
    return age == other.age && crossedBarrier == other.crossedBarrier &&
           crossed == other.crossed && lead == other.lead;
  }
};

/// Pending accesses by their number in LdsOrderCheck::instances.
using PendingSet = std::map<uint32_t, Pending>;
/// What tells paths apart: registers that addresses are made of, with known
/// values, and how far waves are ahead of each other, by the leads' number.
struct Environment {
  std::vector<std::pair<uint16_t, ValueId>> registers;
  uint16_t lead = 0;

  bool operator<(const Environment &other) const {
    return std::tie(lead, registers) < std::tie(other.lead, other.registers);
  }
};

/// Leads by numbers; 0 is none of any wave.
class Leads {
public:
  explicit Leads(unsigned waves) { number(Lead(waves, 0)); }

  const Lead &operator[](uint16_t number) const { return *all[number]; }
  uint16_t number(Lead lead) {
    auto [it, isNew] = numbers.try_emplace(std::move(lead), all.size());
    if (isNew)
      all.push_back(&it->first);
    return it->second;
  }
  /// The larger one of each wave.
  uint16_t join(uint16_t a, uint16_t b) {
    if (a == b)
      return a;
    Lead joined = *all[a];
    for (auto [mine, other] : llvm::zip_equal(joined, *all[b]))
      mine = std::max(mine, other);
    return number(std::move(joined));
  }

private:
  std::map<Lead, uint16_t> numbers;
  std::vector<const Lead *> all;
};

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
      : code(code), uniformity(uniformity), partings(code, uniformity),
        demand(code, partings), values(items, *code.arch.waveSize),
        leads(values.waves()), vmLimit(*code.arch.counters.vmcnt),
        lgkmLimit(*code.arch.counters.lgkmcnt), in(code.flow.blocks().size()),
        widened(in.size()), variants(in.size()) {}

  CheckResult run(bool knowsWorkItemIds, StaggerVerdict &verdict);

private:
  void runBlock(unsigned number, const Environment &environment,
                PendingSet pending);
  void enter(unsigned block, const LaneRegisters &registers,
             const PendingSet &pending, uint16_t lead);
  bool merge(Pending &into, const Pending &from);
  void passBarriers(PendingSet &pending, unsigned count) const;
  void reportUnequal(size_t index, uint16_t lead);
  bool part(const Parting &parting, const Instruction &branch,
            const LaneRegisters &registers, PendingSet pending, uint16_t lead);
  std::optional<uint32_t> instanceOf(size_t index,
                                     const LaneRegisters &registers);
  void check(uint32_t second, const PendingSet &pending, uint16_t lead);
  unsigned missingBarriers(llvm::ArrayRef<uint32_t> meetings,
                           const Pending &state, uint16_t lead) const;
  void report(const Instance &first, const Instance &second,
              const Pending &state, bool isSameWave, unsigned missing);
  void wait(PendingSet &pending, const arch::WaitCount &count,
            uint16_t lead) const;
  void count(const Instruction &inst, PendingSet &pending, uint16_t lead) const;
  std::optional<bool> knowsBranch(const Instruction &branch,
                                  const LaneRegisters &registers);
  void addNotes();

  const KernelCode &code;
  const Uniformity &uniformity;
  Partings partings;
  AddressDemand demand;
  LaneValues values;
  Leads leads;
  unsigned vmLimit, lgkmLimit;

  std::vector<Instance> instances;
  std::map<std::tuple<size_t, ValueId, ValueId>, uint32_t> numbers;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, llvm::SmallVector<uint32_t, 16>>
      meetings;

  /// For each block, what is pending by environment.
  std::vector<std::map<Environment, PendingSet>> in;
  std::vector<llvm::DenseSet<unsigned>> widened; ///< Registers, by block.
  std::vector<llvm::DenseMap<unsigned, llvm::DenseSet<ValueId>>> variants;
  std::vector<std::pair<unsigned, Environment>> open;

  CheckResult result;
  StaggerVerdict stagger;
  /// Every branch on which waves part was followed by counting.
  bool isFollowed = true;
  llvm::DenseSet<size_t> unequalEnds;
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

/// Leads beyond which waves are no longer followed: no order of turns has more.
static constexpr unsigned maxLead = 8;

static void finish(Pending &state, uint16_t lead) {
  if (state.isFinished())
    return;
  state.age = Pending::finished;
  state.lead = lead;
}

void LdsOrderCheck::wait(PendingSet &pending, const arch::WaitCount &count,
                         uint16_t lead) const {
  for (auto &[number, state] : pending) {
    bool isDma = instances[number].access.isDma;
    unsigned left = isDma ? count.vm : count.lgkm;
    if (left < (isDma ? vmLimit : lgkmLimit) && state.age >= left)
      finish(state, lead);
  }
}

/// Barriers that all waves pass; what they order for all waves is done with.
void LdsOrderCheck::passBarriers(PendingSet &pending, unsigned count) const {
  for (auto it = pending.begin(); it != pending.end();) {
    Pending &state = it->second;
    state.crossedBarrier |= count != 0;
    if (state.isFinished())
      state.crossed = uint8_t(std::min(state.crossed + count, maxLead + 1));
    bool isOrdered = state.isFinished() &&
                     state.crossed > *llvm::max_element(leads[state.lead]);
    it = isOrdered ? pending.erase(it) : std::next(it);
  }
}

bool LdsOrderCheck::merge(Pending &into, const Pending &from) {
  Pending before = into;
  into.crossedBarrier |= from.crossedBarrier;
  if (into.isFinished() && from.isFinished()) {
    into.crossed = std::min(into.crossed, from.crossed);
    into.lead = leads.join(into.lead, from.lead);
  } else {
    into.age = std::min(into.age, from.age);
    into.crossed = 0;
    into.lead = 0;
  }
  return !(into == before);
}

/// One more operation of a counter.
void LdsOrderCheck::count(const Instruction &inst, PendingSet &pending,
                          uint16_t lead) const {
  bool isVm =
      isVectorMemory(inst) && !isFlat(inst) && inst.mnemonic != "buffer_inv";
  bool isLds = inst.format == Format::DS && !inst.gds;
  if (!isVm && !isLds)
    return;
  for (auto &[number, state] : pending)
    if (!state.isFinished() && instances[number].access.isDma == isVm &&
        ++state.age >= (isVm ? vmLimit : lgkmLimit))
      finish(state, lead);
}

void LdsOrderCheck::report(const Instance &first, const Instance &second,
                           const Pending &state, bool isSameWave,
                           unsigned missing) {
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
      counter + "(" + std::to_string(state.isFinished() ? 0 : state.age) + ")";
  if (isSameWave) {
    finding.expected = "a wait for " + wait + " in between";
    finding.actual = "none that covers it";
  } else if (state.isFinished() && state.crossed) {
    finding.expected = std::to_string(state.crossed + missing) +
                       " barriers in between, since waves are staggered";
    finding.actual = std::to_string(state.crossed);
  } else if (state.isFinished() && !state.crossedBarrier) {
    finding.expected = "a barrier in between";
    finding.actual = "none behind its wait";
  } else {
    finding.expected =
        "a wait for " + counter + " that covers it and then a barrier";
    finding.actual = state.isFinished()     ? "a wait behind the barrier alone"
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

/// Barriers that are missing between an access in `state` and one made now, of
/// waves that meet by `meetings`; 0 if all of them are ordered.
unsigned LdsOrderCheck::missingBarriers(llvm::ArrayRef<uint32_t> meetings,
                                        const Pending &state,
                                        uint16_t lead) const {
  unsigned missing = 0;
  const Lead &then = leads[state.isFinished() ? state.lead : 0];
  const Lead &now = leads[lead];
  for (size_t first = 0; first != meetings.size(); ++first)
    for (size_t second = 0; second != meetings.size(); ++second) {
      if (first == second || !(meetings[first] >> second & 1))
        continue;
      unsigned needed = 1 + then[first], passed = state.crossed + now[second];
      if (!state.isFinished() || passed < needed)
        missing = std::max(missing, passed < needed ? needed - passed : 1);
    }
  return missing;
}

void LdsOrderCheck::check(uint32_t second, const PendingSet &pending,
                          uint16_t lead) {
  for (const auto &[first, state] : pending) {
    const Instance &a = instances[first], &b = instances[second];
    if (!a.access.writes && !b.access.writes)
      continue;
    if (a.access.isAtomic && b.access.isAtomic)
      continue;
    auto [it, isNew] = meetings.try_emplace({first, second});
    if (isNew)
      it->second = a.bytes->meetings(*b.bytes);
    // Copies of one wave finish in order.
    bool isOrdered = state.isFinished() || b.access.isDma;
    bool meetsItself = false;
    for (auto [wave, mask] : llvm::enumerate(it->second))
      meetsItself |= mask >> wave & 1;
    unsigned missing = missingBarriers(it->second, state, lead);
    if (a.access.isDma && meetsItself && !isOrdered)
      report(a, b, state, /*isSameWave=*/true, 0);
    else if (missing)
      report(a, b, state, /*isSameWave=*/false, missing);
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
                          const PendingSet &pending, uint16_t lead) {
  const llvm::BitVector &live = demand.liveIn(block);
  Environment environment;
  environment.lead = lead;
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
    environment.registers.push_back({uint16_t(r), value});
  }
  // What was told apart by a register that no longer counts comes together.
  if (isWidened) {
    std::map<Environment, PendingSet> before = std::move(in[block]);
    in[block].clear();
    for (auto &[old, state] : before) {
      Environment kept = old;
      llvm::erase_if(kept.registers, [&](const auto &entry) {
        return widened[block].contains(entry.first);
      });
      PendingSet &merged = in[block][kept];
      for (auto &[number, entry] : state) {
        auto [it, isNew] = merged.try_emplace(number, entry);
        if (!isNew)
          merge(it->second, entry);
      }
      open.push_back({block, std::move(kept)});
    }
  }
  auto [it, isNew] = in[block].try_emplace(environment);
  bool changed = isNew;
  for (const auto &[number, entry] : pending) {
    auto [place, isNewEntry] = it->second.try_emplace(number, entry);
    changed |= isNewEntry || merge(place->second, entry);
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

/// Waves part and meet again, some with more barriers passed than others; false
/// if it is not known which.
bool LdsOrderCheck::part(const Parting &parting, const Instruction &branch,
                         const LaneRegisters &registers, PendingSet pending,
                         uint16_t lead) {
  llvm::StringRef name = branch.mnemonic;
  bool onScc = name.starts_with("s_cbranch_scc");
  ValueId condition = onScc ? registers.values[reg::scc]
                            : values.asMask(registers.values[reg::vcc]);
  bool onSet = onScc ? name.ends_with("1") : name.ends_with("nz");
  Lead next = leads[lead];
  unsigned least = maxLead, most = 0;
  for (unsigned wave = 0; wave != values.waves(); ++wave) {
    if (condition == unknownValue)
      break;
    bool isSet = onScc ? values.at(condition, wave * values.waveSize()) != 0
                       : values.anyInWave(condition, wave);
    next[wave] += isSet == onSet ? parting.taken : parting.other;
    least = std::min<unsigned>(least, next[wave]);
    most = std::max<unsigned>(most, next[wave]);
  }
  if (condition == unknownValue || most - least > maxLead) {
    isFollowed = false;
    return false;
  }
  for (uint8_t &ahead : next)
    ahead -= least;
  passBarriers(pending, least);
  LaneRegisters after = registers;
  for (size_t index : parting.instructions)
    forEachWrite(code.instructions()[index], [&](isa::RegisterRange range) {
      for (unsigned r = 0; r != range.count; ++r)
        after.values[range.first + r] = unknownValue;
    });
  enter(parting.join, after, pending, leads.number(std::move(next)));
  return true;
}

/// The kernel ends at `index` for waves that have passed more or fewer barriers
/// than others.
void LdsOrderCheck::reportUnequal(size_t index, uint16_t lead) {
  if (!unequalEnds.insert(index).second)
    return;
  Finding finding;
  finding.rule = Rule::Barriers;
  finding.place = code.place(index);
  finding.what = "is reached by waves that have not passed the same number of "
                 "barriers";
  finding.expected = "as many by each wave";
  std::string ahead;
  for (auto [wave, more] : llvm::enumerate(leads[lead]))
    if (more)
      ahead += (ahead.empty() ? "" : ", ") + std::to_string(more) +
               " more by wave " + std::to_string(wave);
  finding.actual = std::move(ahead);
  stagger.findings.push_back(std::move(finding));
}

void LdsOrderCheck::runBlock(unsigned number, const Environment &environment,
                             PendingSet pending) {
  LaneRegisters registers;
  for (auto [r, value] : environment.registers)
    registers.values[r] = value;
  const isa::Block &block = code.flow.blocks()[number];
  for (size_t i = block.begin; i != block.end; ++i) {
    const Instruction &inst = code.instructions()[i];
    if (inst.mnemonic == "s_waitcnt") {
      wait(pending, arch::WaitCount::decode(uint16_t(inst.simm16)),
           environment.lead);
      continue;
    }
    if (inst.mnemonic == "s_barrier") {
      passBarriers(pending, 1);
      continue;
    }
    if (inst.format == Format::DS || isVectorMemory(inst)) {
      std::optional<uint32_t> instance = instanceOf(i, registers);
      if (instance)
        check(*instance, pending, environment.lead);
      count(inst, pending, environment.lead);
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
  const Instruction &last = code.instructions()[block.end - 1];
  if (const Parting *parting = partings.at(number))
    if (part(*parting, last, registers, pending, environment.lead))
      return;
  if (block.successors.empty() && environment.lead)
    reportUnequal(block.end - 1, environment.lead);
  std::optional<bool> isTaken = knowsBranch(last, registers);
  for (unsigned next : block.successors) {
    bool isTarget = code.flow.blocks()[next].begin != block.end;
    if (!isTaken || *isTaken == isTarget)
      enter(next, registers, pending, environment.lead);
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
  if (stagger.isFollowed)
    return;
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

CheckResult LdsOrderCheck::run(bool knowsWorkItemIds, StaggerVerdict &verdict) {
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
    enter(entry, registers, {}, /*lead=*/0);
  size_t visits = 0;
  while (!open.empty()) {
    if (++visits > maxVisits * code.flow.blocks().size()) {
      Finding note;
      note.rule = Rule::LdsOrder;
      note.place = code.place(code.flow.blocks()[open.back().first].begin);
      note.what = "is reached with more combinations of addresses than are "
                  "followed";
      result.notes.push_back(std::move(note));
      isFollowed = false;
      break;
    }
    auto [block, environment] = std::move(open.back());
    open.pop_back();
    auto it = in[block].find(environment);
    if (it != in[block].end()) // Else it has come together with others.
      runBlock(block, environment, it->second);
  }
  stagger.isFollowed = isFollowed && partings.coverBarriers();
  // Where one branch was not counted, the others say nothing.
  if (!stagger.isFollowed)
    stagger.findings.clear();
  addNotes();
  verdict = std::move(stagger);
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
                                       const Uniformity &uniformity,
                                       StaggerVerdict &stagger) {
  bool touchesLds = llvm::any_of(code.instructions(), [](const auto &inst) {
    return ldsAccessOf(inst).has_value();
  });
  bool partsAtBarrier = false;
  for (size_t i = 0; i != code.instructions().size(); ++i)
    partsAtBarrier |= code.instructions()[i].mnemonic == "s_barrier" &&
                      uniformity.partedBy(i);
  if (!touchesLds && !partsAtBarrier)
    return {};
  bool knowsShape = code.kernel.requiredWorkgroupSize[0] != 0 ||
                    code.kernel.descriptor.workitemIdDims() == 0;
  CheckResult result =
      LdsOrderCheck(code, uniformity, workgroupItems(code.kernel))
          .run(knowsShape, stagger);
  return touchesLds ? std::move(result) : CheckResult();
}
