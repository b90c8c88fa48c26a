//===- FindingLog.cpp - findings of one host thread -----------------------===//

#include "FindingLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;

/// In the order of Check.
static constexpr llvm::StringLiteral names[] = {
    "bounds", "init", "races", "delivery", "hazards", "visibility", "barriers",
};
static_assert(std::size(names) == checkCount);

llvm::StringRef fly::sim::checkName(Check check) {
  return names[unsigned(check)];
}

std::optional<Check> fly::sim::checkByName(llvm::StringRef name) {
  const auto *found = llvm::find(names, name);
  if (found == std::end(names))
    return std::nullopt;
  return Check(found - std::begin(names));
}

std::string CheckSet::names() const {
  std::string text;
  for (unsigned i = 0; i != checkCount; ++i)
    if (has(Check(i)))
      text += (text.empty() ? "" : ", ") + ::names[i].str();
  return text;
}

void FindingLog::report(Check check, const WaveState &wave,
                        const isa::Instruction &inst, int lane,
                        const isa::Instruction *other,
                        llvm::function_ref<std::string()> text) {
  Key key(check, inst.pc, other ? other->pc : ~uint64_t(0));
  auto [it, isNew] = entries.try_emplace(key);
  Entry &entry = it->second;
  ++entry.finding.count;
  if (!isNew)
    return;
  const WorkgroupState &workgroup = *wave.workgroup;
  entry.workgroup = workgroup.linearId();
  entry.sequence = nextSequence++;
  Finding &finding = entry.finding;
  finding.check = check;
  finding.workgroup = workgroup.id();
  finding.wave = wave.waveIndex;
  finding.lane = lane;
  finding.pc = inst.pc;
  finding.instruction = inst.text.str();
  const isa::LineTable &lines = workgroup.launch.program->lines();
  finding.source = lines.at(inst.pc);
  finding.message =
      llvm::formatv("{0}: workgroup ({1}, {2}, {3}), wave {4}",
                    checkName(check), finding.workgroup[0],
                    finding.workgroup[1], finding.workgroup[2], finding.wave);
  if (lane >= 0)
    finding.message += llvm::formatv(", lane {0}", lane);
  finding.message +=
      llvm::formatv(", pc {0:x}: {1}; at: {2}", inst.pc, text(), inst.text);
  if (!finding.source.empty())
    finding.message += " (" + finding.source + ")";
  if (!other)
    return;
  finding.otherPc = other->pc;
  finding.otherInstruction = other->text.str();
  finding.message +=
      llvm::formatv("; other: {0:x}: {1}", other->pc, other->text);
  if (std::string source = lines.at(other->pc); !source.empty())
    finding.message += " (" + source + ")";
}

void FindingLog::merge(FindingLog &&other) {
  for (auto &[key, theirs] : other.entries) {
    auto [it, isNew] = entries.try_emplace(key, theirs);
    if (isNew)
      continue;
    Entry &mine = it->second;
    uint64_t count = mine.finding.count + theirs.finding.count;
    if (theirs.workgroup < mine.workgroup)
      mine = std::move(theirs);
    mine.finding.count = count;
  }
  other.entries.clear();
}

std::vector<Finding> FindingLog::take(uint64_t lastWorkgroup) {
  std::vector<Entry> sorted;
  for (auto &[key, entry] : entries)
    if (entry.workgroup <= lastWorkgroup)
      sorted.push_back(std::move(entry));
  llvm::sort(sorted, [](const Entry &a, const Entry &b) {
    return std::tie(a.workgroup, a.sequence) <
           std::tie(b.workgroup, b.sequence);
  });
  std::vector<Finding> findings;
  for (Entry &entry : sorted)
    findings.push_back(std::move(entry.finding));
  entries.clear();
  return findings;
}
