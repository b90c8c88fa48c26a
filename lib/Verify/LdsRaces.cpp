//===- LdsRaces.cpp - Accesses that meet others unordered -----------------===//
#include "LdsRaces.h"

using namespace fly;
using namespace fly::verify;

/// Sets what should stand between the two accesses, and what does.
static void explain(Finding &finding, bool isDma, const Pending &state,
                    bool isSameWave, unsigned missing) {
  std::string counter = isDma ? "vmcnt" : "lgkmcnt";
  if (isSameWave) {
    unsigned age = state.isFinished() ? 0 : state.age;
    finding.expected =
        "a wait for " + counter + "(" + std::to_string(age) + ") in between";
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
}

void LdsRaces::report(const LdsInstance &first, const LdsInstance &second,
                      const Pending &state, bool isSameWave, unsigned missing) {
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
  explain(finding, first.access.isDma, state, isSameWave, missing);
  finding.lacksCopyWait = first.access.isDma && !state.isFinished();
  if (first.isMasked || second.isMasked) {
    finding.what += " if all lanes take part";
    result.notes.push_back(std::move(finding));
  } else {
    result.findings.push_back(std::move(finding));
  }
}

void LdsRaces::check(uint32_t second, const PendingSet &pending,
                     uint16_t lead) {
  const LdsInstance &b = instances[second];
  for (const auto &[first, state] : pending) {
    const LdsInstance &a = instances[first];
    if (!a.access.writes && !b.access.writes)
      continue;
    if (a.access.isAtomic && b.access.isAtomic)
      continue;
    llvm::ArrayRef<uint32_t> meetings = instances.meetings(first, second);
    // Copies of one wave finish in order.
    bool isOrdered = state.isFinished() || b.access.isDma;
    bool meetsItself = false;
    for (auto [wave, mask] : llvm::enumerate(meetings))
      meetsItself |= mask >> wave & 1;
    unsigned missing = order.missingBarriers(meetings, state, lead);
    if (a.access.isDma && meetsItself && !isOrdered)
      report(a, b, state, /*isSameWave=*/true, 0);
    else if (missing)
      report(a, b, state, /*isSameWave=*/false, missing);
  }
}

void LdsRaces::leaveOpen() {
  for (Finding &finding : result.findings) {
    finding.what += " if all waves come that way";
    result.notes.push_back(std::move(finding));
  }
  result.findings.clear();
}

void LdsRaces::tellUnknown() {
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
}
