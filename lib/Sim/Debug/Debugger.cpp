//===- Debugger.cpp - tells of what a launch was asked for ----------------===//
//
// Watches, breaks and dumps; FirstNan.cpp knows which results are floats.
//
//===----------------------------------------------------------------------===//

#include "Debugger.h"

#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;

/// How often one watch, and all breaks of a launch, tell.
static constexpr unsigned maxTold = 32;
/// Lanes whose values a break shows: the first ones enabled.
static constexpr unsigned shownLanes = 4;

/// Where a break could stand instead: behind it in the same file, or the files
/// that the object has lines of.
static std::string describeLines(const LoadedProgram &program,
                                 llvm::StringRef wanted) {
  auto [wantedFile, wantedNumber] = wanted.rsplit(':');
  unsigned from = 0, next = ~0u;
  wantedNumber.getAsInteger(10, from);
  std::set<std::string> files;
  for (const LoadedProgram::Slot &slot : program.slots()) {
    std::string place = program.lines().at(slot.instruction->pc);
    auto [file, text] = llvm::StringRef(place).rsplit(':');
    unsigned number = 0;
    if (slot.instruction->format == isa::Format::Invalid ||
        text.getAsInteger(10, number))
      continue;
    files.insert(file.str());
    if (file == wantedFile && number > from)
      next = std::min(next, number);
  }
  if (next != ~0u)
    return "; the next line that has one is " + std::to_string(next);
  return files.empty() ? "; it has no line tables"
                       : "; its lines are of " + llvm::join(files, ", ");
}

llvm::Expected<DebugPlan> DebugPlan::make(const LaunchState &launch,
                                          const DebugOptions &options) {
  DebugPlan plan;
  plan.firstNan = options.firstNan;
  plan.dumpLds = options.dumpLds;
  for (const DebugOptions::Watch &watch : options.watches) {
    uint64_t address = watch.begin;
    if (!watch.allocation.empty()) {
      std::optional<uint64_t> begin =
          launch.memory->findByName(watch.allocation);
      if (!begin)
        return llvm::createStringError("there is no buffer '%s' to watch",
                                       watch.allocation.c_str());
      address += *begin;
    }
    const MemoryRegion *region = launch.memory->find(address);
    if (!region || !region->contains(address, watch.bytes))
      return llvm::createStringError(
          "%s, %llu bytes at 0x%llx, is not inside one buffer",
          watch.text.c_str(), (unsigned long long)watch.bytes,
          (unsigned long long)address);
    plan.watches.push_back({address, watch.bytes, watch.text});
  }
  llvm::ArrayRef<LoadedProgram::Slot> slots = launch.program->slots();
  plan.breakSlots.resize(slots.size());
  for (const DebugOptions::Break &place : options.breaks) {
    bool isFound = false, isInside = false;
    for (auto [index, slot] : llvm::enumerate(slots)) {
      const isa::Instruction &inst = *slot.instruction;
      if (inst.format == isa::Format::Invalid)
        continue;
      bool isThere = place.pc
                         ? inst.pc == *place.pc
                         : launch.program->lines().at(inst.pc) == place.line;
      // Of a line, where control comes to it and something is computed.
      bool isIdle = !place.pc &&
                    (inst.mnemonic == "s_waitcnt" || inst.mnemonic == "s_nop");
      if (isThere && !isInside && !isIdle)
        plan.breakSlots.set(unsigned(index));
      isInside = isThere && (isInside || !isIdle);
      isFound |= isInside;
    }
    if (!isFound)
      return place.pc
                 ? llvm::createStringError("no instruction starts at pc 0x%llx",
                                           (unsigned long long)*place.pc)
                 : llvm::createStringError(
                       "the object has no instruction of line %s%s",
                       place.line.c_str(),
                       describeLines(*launch.program, place.line).c_str());
  }
  return plan;
}

Debugger::Debugger(const LaunchState &launch, const DebugPlan &plan)
    : launch(launch), plan(plan), watchCounts(plan.watches.size()) {
  for (const DebugPlan::Range &range : plan.watches) {
    const uint8_t *host = launch.memory->host(range.address, range.bytes);
    lastSeen.emplace_back(host, host + range.bytes);
  }
}

void Debugger::startWorkgroup(WorkgroupState &) { hasNan = false; }

void Debugger::tell(const WaveState &wave, const isa::Instruction &inst,
                    int lane, std::string what) {
  const WorkgroupState &workgroup = *wave.workgroup;
  std::array<uint32_t, 3> id = workgroup.id();
  std::string text = llvm::formatv("workgroup ({0}, {1}, {2}), wave {3}", id[0],
                                   id[1], id[2], wave.waveIndex);
  if (lane >= 0)
    text += llvm::formatv(", lane {0}", lane);
  text += llvm::formatv(", pc {0:x}: {1}; at: {2}", inst.pc, what, inst.text);
  std::string line = launch.program->lines().at(inst.pc);
  if (!line.empty())
    text += " (" + line + ")";
  launch.options.debug.tell({workgroup.linearId(), std::move(text)});
}

std::string sim::floatText(uint32_t bits) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%g", double(llvm::bit_cast<float>(bits)));
  return text;
}

/// Bytes as a little-endian number, of dwords as a float too.
static std::string describe(llvm::ArrayRef<uint8_t> bytes) {
  std::string text = "0x";
  for (uint8_t byte : llvm::reverse(bytes))
    text += llvm::formatv("{0:x-2}", byte);
  if (bytes.size() == 4)
    text +=
        " (" + floatText(llvm::support::endian::read32le(bytes.data())) + ")";
  return text;
}

void Debugger::watch(const isa::Instruction &inst, const WaveState &wave,
                     const AccessLog &accesses) {
  for (auto [range, last, count] :
       llvm::zip(plan.watches, lastSeen, watchCounts))
    for (const LaneAccess &access : accesses) {
      if (access.space != MemorySpace::Global ||
          access.address >= range.address + range.bytes ||
          range.address >= access.address + access.bytes)
        continue;
      const uint8_t *host = launch.memory->host(range.address, range.bytes);
      std::vector<uint8_t> now(host, host + range.bytes);
      if (count < maxTold)
        tell(wave, inst, access.lane,
             access.isWrite ? range.text + " is written: " + describe(last) +
                                  " becomes " + describe(now)
                            : range.text + " is read: " + describe(now));
      else if (count == maxTold)
        tell(wave, inst, access.lane,
             range.text + " is accessed again; no more is told of it");
      ++count;
      last = std::move(now);
    }
}

void Debugger::tellState(const isa::Instruction &inst, WaveState &wave) {
  if (breakCount++ >= maxTold)
    return;
  std::string text =
      llvm::formatv("exec {0:x-16}, vcc {1:x-16}, scc {2}, m0 {3:x-8}",
                    wave.exec(), wave.vcc(), wave.scc, wave.m0());
  llvm::SmallVector<unsigned, shownLanes> lanes;
  for (uint64_t left = wave.exec(); left && lanes.size() != shownLanes;
       left &= left - 1)
    lanes.push_back(unsigned(llvm::countr_zero(left)));
  auto show = [&](const isa::Operand &operand) {
    isa::RegisterRange range = isa::rangeOf(operand);
    for (unsigned i = 0; i != range.count; ++i) {
      text += "; " + isa::registerName(range.first + i) + " =";
      if (!operand.isVector()) {
        text += llvm::formatv(" {0:x-8}", wave.scalar(operand, i));
        continue;
      }
      for (unsigned lane : lanes) {
        uint32_t bits = wave.lanes(operand, i)[lane];
        text +=
            llvm::formatv(" [{0}] {1:x-8} ({2})", lane, bits, floatText(bits));
      }
    }
  };
  for (unsigned i = 0; i != isa::Instruction::maxSrc; ++i)
    show(inst.src[i]);
  tell(wave, inst, -1, std::move(text));
}

void Debugger::before(const isa::Instruction &inst, size_t slot,
                      WaveState &wave) {
  if (slot != noSlot && plan.breakSlots.test(unsigned(slot)))
    tellState(inst, wave);
}

void Debugger::after(const isa::Instruction &inst, size_t, WaveState &wave,
                     const AccessLog &accesses) {
  if (!plan.watches.empty() && !accesses.empty())
    watch(inst, wave, accesses);
  if (plan.firstNan && !hasNan)
    findNan(inst, wave);
}

void Debugger::endWorkgroup(WorkgroupState &workgroup) {
  if (plan.dumpLds != workgroup.linearId())
    return;
  constexpr uint32_t perRow = 32;
  std::string text =
      llvm::formatv("LDS of workgroup {0}, {1} bytes:", workgroup.linearId(),
                    launch.ldsBytes);
  for (uint32_t at = 0; at < launch.ldsBytes; at += perRow) {
    text += llvm::formatv("\n{0,6}:", at);
    for (uint32_t i = at; i < at + perRow && i < launch.ldsBytes; ++i)
      text +=
          llvm::formatv("{0}{1:x-2}", i % 4 ? "" : " ", *workgroup.ldsAt(i, 1));
  }
  launch.options.debug.tell({workgroup.linearId(), std::move(text)});
}
