//===- Recorder.cpp - the trace of a launch -------------------------------===//

#include "Recorder.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "../Workgroup.h"
#include "TimeSlice.h"

using namespace fly;
using namespace fly::sim;

Recorder::Recorder(LaunchTrace &trace)
    : trace(trace), halfShift(llvm::Log2_32(trace.machine.requestBytes / 2)),
      lists(std::make_shared<llvm::BumpPtrAllocator>()) {
  assert(llvm::isPowerOf2_32(trace.machine.requestBytes) &&
         "blocks are aligned");
}

void Recorder::startWorkgroup(WorkgroupState &workgroup) {
  uint64_t id = workgroup.linearId();
  depth = id < trace.plan.size() ? trace.plan[id] : TraceDepth::None;
  current = WorkgroupTrace();
  current.workgroup = id;
  current.lists = lists;
  current.waves.resize(workgroup.allWaves().size());
}

void Recorder::endWorkgroup(WorkgroupState &) {
  if (depth != TraceDepth::None)
    trace.add(std::move(current));
  depth = TraceDepth::None;
  if (!banksOf.empty())
    trace.add(banksOf);
  banksOf.clear();
}

/// Adds what `from` counts to `to`, which may be new.
static void addBanks(LdsBankTiming &to, const LdsBankTiming &from) {
  to.instruction = from.instruction;
  to.banks = std::max(to.banks, from.banks);
  for (unsigned bank = 0; bank != from.dwords.size(); ++bank) {
    to.dwords[bank] += from.dwords[bank];
    to.waits[bank] += from.waits[bank];
  }
}

void LaunchTrace::add(const std::map<uint32_t, LdsBankTiming> &banks) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[number, counted] : banks)
    addBanks(banksOf[number], counted);
}

std::vector<LdsBankTiming> LaunchTrace::ldsBanks() const {
  std::vector<LdsBankTiming> result;
  for (const auto &entry : banksOf)
    result.push_back(entry.second);
  return result;
}

/// Scratch of a launch, in no allocation's way.
static constexpr uint64_t scratchBase = uint64_t(1) << 46;

/// Appends the blocks of a range of bytes; the last one is often the same.
void Recorder::addBytes(uint64_t address, unsigned bytes,
                        BlockAccess::Kind kind) {
  uint64_t begin = address >> halfShift,
           last = (address + bytes - 1) >> halfShift;
  for (uint64_t block = begin / 2; block <= last / 2; ++block) {
    unsigned halves = (2 * block >= begin ? 1 : 0) | (2 * block < last ? 2 : 0);
    BlockAccess entry(block, halves, kind);
    if (!blocks.empty() && blocks.back().block() == entry.block())
      blocks.back().merge(entry);
    else
      blocks.push_back(entry);
  }
}

/// Sorts the blocks that were added, and keeps each once.
void Recorder::sortBlocks() {
  if (!std::is_sorted(blocks.begin(), blocks.end()))
    std::sort(blocks.begin(), blocks.end());
  auto out = blocks.begin();
  for (BlockAccess block : blocks) {
    if (out != blocks.begin() && (out - 1)->block() == block.block())
      (out - 1)->merge(block);
    else
      *out++ = block;
  }
  blocks.erase(out, blocks.end());
}

/// The blocks, of a list that those share which are as far from each other.
BlockRun Recorder::shareList() {
  uint64_t first = blocks.front().block();
  for (BlockAccess &block : blocks)
    block = block.movedBy(0 - first);
  llvm::StringRef content(reinterpret_cast<const char *>(blocks.data()),
                          blocks.size() * sizeof(BlockAccess));
  auto [entry, isNew] = sharedLists.try_emplace(content);
  if (isNew)
    entry->second = BlockRun(llvm::ArrayRef(blocks).copy(*lists));
  return entry->second.movedBy(first);
}

/// The address that timing takes it for: see DeviceMemory::setTimedShift().
uint64_t Recorder::timedAddress(uint64_t address, const LaunchState &launch) {
  if (!region || !region->contains(address, 1))
    region = launch.memory->find(address);
  return address + (region ? region->timedShift : 0);
}

/// Blocks of lanes that lie as others did: theirs, further on. A pattern is of
/// one instruction, so that its size and kind are the same.
BlockRun Recorder::recordAlike(const PatternAccess &access,
                               BlockAccess::Kind kind,
                               const LaunchState &launch) {
  const LanePattern &pattern = *access.pattern;
  uint64_t least = access.base + pattern.least;
  uint64_t base = timedAddress(least, launch) - pattern.least;
  // Offset 0 may lie before all memory.
  auto block = uint64_t(int64_t(base) >> (halfShift + 1));
  auto inBlock = unsigned(base - (block << (halfShift + 1)));
  auto [entry, isNew] = knownRuns.try_emplace({pattern.number, inBlock});
  if (isNew) {
    for (uint64_t lanes = pattern.lanes; lanes; lanes &= lanes - 1)
      addBytes(base + pattern.offsets[llvm::countr_zero(lanes)], access.bytes,
               kind);
    sortBlocks();
    entry->second = shareList().movedBy(0 - block);
  }
  return entry->second.movedBy(block);
}

BlockRun Recorder::recordBlocks(const TimedInstruction &timed,
                                const AccessLog &accesses,
                                const WaveState &wave) {
  BlockAccess::Kind kind =
      timed.kind == TimedKind::VectorStore  ? BlockAccess::Store
      : timed.kind == TimedKind::ScalarLoad ? BlockAccess::Scalar
                                            : BlockAccess::Load;
  const LaunchState &launch = wave.workgroup->launch;
  blocks.clear();
  if (accesses.alike().pattern)
    return recordAlike(accesses.alike(), kind, launch);
  uint64_t scratch = scratchBase;
  scratch += (current.workgroup * launch.wavesPerWorkgroup + wave.waveIndex) *
             waveLanes * launch.privateBytes;
  for (const LaneAccess &access : accesses) {
    if (access.space == MemorySpace::Global)
      addBytes(timedAddress(access.address, launch), access.bytes, kind);
    if (access.space != MemorySpace::Scratch)
      continue;
    // The dwords of all lanes stand together. [AMD] CDNA3 ISA document,
    // "Scratch"
    for (uint64_t at = access.address & ~uint64_t(3);
         at < access.address + access.bytes; at += 4)
      addBytes(scratch + at * waveLanes + access.lane * 4, 4, kind);
  }
  sortBlocks();
  return BlockRun(llvm::ArrayRef(blocks).copy(*lists));
}

/// In a time slice: stops the wave where something needed may come from what
/// the slice does not store.
void Recorder::noteUses(const isa::Instruction &inst,
                        const TimedInstruction &timed, uint32_t slot,
                        WaveState &wave, const AccessLog &accesses) {
  const LaunchState &launch = wave.workgroup->launch;
  bool isStore = timed.kind == TimedKind::VectorStore;
  if (!isStore && !launch.slice->needsMemory(slot))
    return;
  LaunchTrace::RegionUse use =
      isStore ? LaunchTrace::Dropped : LaunchTrace::Needed;
  const MemoryRegion *last = nullptr;
  auto note = [&](uint64_t address) {
    if (last && last->contains(address, 1))
      return;
    last = launch.memory->find(address);
    unsigned &noted = uses[last];
    if (noted & use)
      return;
    noted |= use;
    if (!trace.noteUse(last, use))
      wave.raise(FaultKind::Trap, inst,
                 "time depends on memory that the launch writes");
  };
  if (const LanePattern *pattern = accesses.alike().pattern)
    return note(accesses.alike().base + pattern->least);
  for (const LaneAccess &access : accesses)
    if (access.space == MemorySpace::Global &&
        wave.status != WaveStatus::Faulted)
      note(access.address);
}

/// Cycles of the banks: those of each address of the instruction.
BankCycles Recorder::recordBanks(uint32_t number, const TimedInstruction &timed,
                                 const AccessLog &accesses) {
  struct Pattern {
    uint32_t addresses[waveLanes];
    uint64_t lanes;
    uint64_t shape;
  };
  Pattern pattern;
  BankCycles result;
  uint32_t seenParts = 0;
  for (const LaneAccess &access : accesses) {
    // A lane's second address, of ds_read2 and the like, is another part.
    uint32_t part = 1u << (access.part % 32);
    if (access.space != MemorySpace::Lds || (seenParts & part))
      continue;
    seenParts |= part;
    std::memset(&pattern, 0, sizeof(pattern));
    unsigned bytes = access.bytes;
    for (const LaneAccess &lane : accesses) {
      if (lane.space != MemorySpace::Lds || lane.part != access.part)
        continue;
      pattern.addresses[lane.lane] = uint32_t(lane.address);
      pattern.lanes |= uint64_t(1) << lane.lane;
    }
    pattern.shape = bytes | uint64_t(timed.isLdsWrite) << 8 |
                    uint64_t(timed.isLdsAtomic) << 9;
    uint64_t key = llvm::xxh3_64bits(llvm::ArrayRef(
        reinterpret_cast<const uint8_t *>(&pattern), sizeof(pattern)));
    key &= ~uint64_t(3); // Keeps clear of the map's own keys.
    auto [entry, isNew] = knownPatterns.try_emplace(key);
    KnownPattern &known = entry->second;
    if (isNew)
      if (const arch::LdsAccess *row =
              arch::lookupLdsAccess(trace.machine.chip,
                                    timed.isLdsWrite ? arch::LdsDirection::Write
                                                     : arch::LdsDirection::Read,
                                    bytes)) {
        arch::LdsCost cost =
            arch::ldsCost(*row, pattern.addresses, pattern.lanes);
        unsigned onOne = timed.isLdsAtomic
                             ? arch::ldsAddressConflicts(
                                   *row, pattern.addresses, pattern.lanes)
                             : 0;
        known.cycles = {uint16_t(cost.cycles + onOne),
                        uint16_t(cost.conflictCycles), uint16_t(onOne)};
        if (trace.countsBanks) {
          known.banks = row->banks;
          known.load = uint32_t(loads.size());
          loads.push_back(
              arch::ldsBankLoad(*row, pattern.addresses, pattern.lanes));
        }
      }
    if (known.banks)
      countBanks(number, known.banks, loads[known.load]);
    result.cycles = uint16_t(result.cycles + known.cycles.cycles);
    result.conflicts = uint16_t(result.conflicts + known.cycles.conflicts);
    result.addressConflicts =
        uint16_t(result.addressConflicts + known.cycles.addressConflicts);
  }
  return result;
}

void Recorder::countBanks(uint32_t number, unsigned banks,
                          const arch::LdsBankLoad &load) {
  LdsBankTiming &sum = banksOf[number];
  sum.instruction = number;
  sum.banks = banks;
  for (unsigned bank = 0; bank != banks; ++bank) {
    sum.dwords[bank] += load.dwords[bank];
    sum.waits[bank] += load.waits[bank];
  }
}

void Recorder::after(const isa::Instruction &inst, size_t, WaveState &wave,
                     const AccessLog &accesses) {
  if (depth == TraceDepth::None)
    return;
  const LoadedProgram &program = *wave.workgroup->launch.program;
  uint32_t slot = uint32_t((inst.pc - program.codeBegin()) / 4);
  const TimedInstruction &timed = trace.program.at(slot);
  WaveTrace &out = current.waves[wave.waveIndex];
  if (timed.isMemory && wave.workgroup->launch.slice)
    noteUses(inst, timed, slot, wave, accesses);
  if (timed.isMemory) {
    BlockRun run = recordBlocks(timed, accesses, wave);
    run.first = current.blocks;
    current.blocks += uint32_t(run.size());
    current.runs.push_back(run);
    if (depth == TraceDepth::Full)
      out.memory.push_back(run);
  }
  if (depth != TraceDepth::Full)
    return;
  if (timed.kind == TimedKind::Lds)
    out.lds.push_back(
        recordBanks(trace.program.numberOf(slot), timed, accesses));
  out.slots.push_back(slot);
}
