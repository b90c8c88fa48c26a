//===- HazardWatch.cpp - distances that hardware does not keep ------------===//

#include "HazardWatch.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Sim/Simulator.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::sim;

HazardWatch::HazardWatch(FindingLog &log, const LoadedProgram &program)
    : log(log), program(program),
      chip(arch::ArchInfo::lookup(program.object().chip())->chip),
      places(program.slots().size()), roles(program.slots().size()) {
  for (auto [slot, content] : llvm::enumerate(program.slots())) {
    if (content.instruction->format == isa::Format::Invalid)
      continue;
    roles[slot] = isa::hazardRoles(*content.instruction, chip);
    places[slot].hasUses = !roles[slot].uses.empty();
    places[slot].waitStates = uint8_t(roles[slot].waitStates);
    places[slot].dwords = uint8_t(content.instruction->size / 4);
  }
}

void HazardWatch::startWave(RecentInstructions &recent) const {
  recent = RecentInstructions();
  // The first instruction comes from nowhere.
  recent.nextSlot = ExecutionListener::noSlot;
}

void HazardWatch::turn(size_t slot, RecentInstructions &recent) const {
  if (recent.waitStates >= recent.wayEnds)
    recent.way = 0;
  // Every taken branch is worth some wait states. [INF: BRANCH-REFETCH]
  recent.waitStates += *arch::takenBranchWaitStates;
  recent.way =
      uint64_t(llvm::hash_combine(recent.way, recent.nextSlot, slot)) | 1;
  recent.wayEnds = recent.waitStates + arch::maxHazardWaitStates;
}

void HazardWatch::ask(const isa::Instruction &inst, size_t slot,
                      const WaveState &wave, const RecentInstructions &recent) {
  Place &place = places[slot];
  place.asked[1] = place.asked[0];
  place.asked[0] = recent.way;
  uint64_t reach =
      std::min<uint64_t>(recent.count, uint64_t(RecentInstructions::capacity));
  llvm::SmallVector<isa::RegisterRange> overwritten;
  for (uint64_t back = 1; back <= reach; ++back) {
    const RecentInstructions::Entry &entry =
        recent.entries[(recent.count - back) % RecentInstructions::capacity];
    uint64_t distance = recent.waitStates - entry.end;
    if (distance >= arch::maxHazardWaitStates)
      return;
    std::optional<isa::HazardNeed> need =
        isa::findHazard(roles[entry.slot], roles[slot], chip, overwritten);
    roles[entry.slot].addResults(overwritten);
    if (!need || need->waitStates <= distance)
      continue;
    log.report(Check::Hazards, wave, inst, -1,
               program.slots()[entry.slot].instruction, [&] {
                 return llvm::formatv("{0}: {1} wait states have to lie in "
                                      "between, {2} do",
                                      need->row->text, need->waitStates,
                                      distance)
                     .str();
               });
  }
}
