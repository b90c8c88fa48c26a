//===- Hotspots.cpp - Where the waves of a trace wait ---------------------===//
//
// Types, sums and ranks. A wait on lgkmcnt says not whether it is LDS or scalar
// memory that it waits for: the last instruction before it that counts there
// decides.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Hotspots.h"

#include "fly/Analysis/SimulationFile.h"
#include "fly/Arch/MfmaTable.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

#include "HotspotParts.h"

using namespace fly;
using namespace fly::analysis;
using isa::InstructionKind;
using llvm::StringRef;
using profile::TracedInstruction;

StringRef fly::analysis::name(StallType type) {
  static constexpr StringRef names[stallTypeCount] = {
      "vmcnt wait",
      "lgkmcnt wait (LDS)",
      "lgkmcnt wait (scalar memory)",
      "vmcnt and lgkmcnt wait",
      "other wait",
      "barrier",
      "LDS access",
      "global access",
      "scalar memory access",
      "MFMA (unit at work, or operands)",
      "VALU dependency",
      "scalar unit",
      "nop",
      "other"};
  return names[unsigned(type)];
}

StringRef fly::analysis::innermost(StringRef source) {
  return source.split(" -> ").first.trim();
}

std::string fly::analysis::describe(const TracedInstruction &instruction) {
  std::string text = instruction.text + " (0x" +
                     llvm::utohexstr(instruction.address, /*LowerCase=*/true);
  if (StringRef place = innermost(instruction.source); !place.empty())
    text += (", " + place).str();
  return text + ")";
}

llvm::Expected<llvm::SmallVector<const arch::ArchInfo *>>
fly::analysis::candidateChips(StringRef chip) {
  llvm::SmallVector<const arch::ArchInfo *> chips;
  if (chip.empty()) {
    for (const arch::ArchInfo *info : arch::allChips())
      if (info->canCompile)
        chips.push_back(info);
    return chips;
  }
  const arch::ArchInfo *info = arch::ArchInfo::lookup(chip);
  if (!info)
    return llvm::createStringError(
        "unknown chip '" + chip +
        "', expected one of: " + arch::knownChipNames());
  chips.push_back(info);
  return chips;
}

std::optional<unsigned>
fly::analysis::matrixCycles(const TracedInstruction &instruction,
                            llvm::ArrayRef<const arch::ArchInfo *> chips) {
  isa::Instruction inst = isa::instructionOfText(instruction.text);
  const arch::MfmaRow *row = arch::lookupMfmaByMnemonic(inst.mnemonic);
  if (!row)
    return std::nullopt;
  // The formats of both operands stand in the text: 2 and up are narrow.
  auto isNarrow = [&](StringRef field) {
    size_t at = inst.text.find(field);
    unsigned format = 0;
    StringRef rest =
        at == StringRef::npos ? "" : inst.text.drop_front(at + field.size());
    return !rest.consumeInteger(10, format) && format >= 2;
  };
  bool narrow = isNarrow("cbsz:") && isNarrow("blgp:");
  std::optional<unsigned> cycles;
  for (const arch::ArchInfo *chip : chips) {
    unsigned passes = row->passesOn(chip->chip, narrow);
    if (!passes || !chip->issue.mfmaPass)
      continue;
    unsigned found = passes * *chip->issue.mfmaPass;
    if (cycles && *cycles != found)
      return std::nullopt;
    cycles = found;
  }
  return cycles;
}

static StallType typeOf(const isa::Instruction &inst, InstructionKind kind,
                        InstructionKind lastCounted) {
  switch (kind) {
  case InstructionKind::Wait: {
    arch::WaitCount wait = isa::waitOf(inst);
    bool vm = wait.vm < arch::WaitCount::maxVm;
    bool lgkm = wait.lgkm < arch::WaitCount::maxLgkm;
    if (vm && lgkm)
      return StallType::MixedWait;
    if (vm)
      return StallType::GlobalWait;
    if (!lgkm)
      return StallType::OtherWait;
    return lastCounted == InstructionKind::ScalarMemory ? StallType::ScalarWait
                                                        : StallType::LdsWait;
  }
  case InstructionKind::Barrier:
    return StallType::Barrier;
  case InstructionKind::LdsRead:
  case InstructionKind::LdsWrite:
  case InstructionKind::LdsOther:
    return StallType::LdsIssue;
  case InstructionKind::VectorLoad:
  case InstructionKind::VectorStore:
  case InstructionKind::LdsDma:
    return StallType::GlobalIssue;
  case InstructionKind::ScalarMemory:
    return StallType::ScalarIssue;
  case InstructionKind::Mfma:
    return StallType::Mfma;
  case InstructionKind::AccumulatorMove:
  case InstructionKind::Valu:
    return StallType::Valu;
  case InstructionKind::Salu:
  case InstructionKind::Branch:
    return StallType::Salu;
  case InstructionKind::Nop:
    return StallType::Nop;
  case InstructionKind::Other:
    return StallType::Other;
  }
  return StallType::Other;
}

/// The line number of "file:line"; 0 without one.
static unsigned lineNumber(StringRef place) {
  unsigned line = 0;
  (void)place.rsplit(':').second.getAsInteger(10, line);
  return line;
}

/// True for what kernels begin with before they touch data: arguments and
/// addresses.
static bool isSetup(InstructionKind kind) {
  return kind == InstructionKind::ScalarMemory ||
         kind == InstructionKind::Salu || kind == InstructionKind::Valu ||
         kind == InstructionKind::Branch || kind == InstructionKind::Nop;
}

/// Marks the instructions of one kernel that its compiler made: those on the
/// line of its first instruction, if all others of that file lie behind it.
static void markCompilerMade(llvm::ArrayRef<TracedInstruction> kernel,
                             llvm::MutableArrayRef<TypedInstruction> types) {
  if (!isSetup(types.front().kind))
    return;
  StringRef header = innermost(kernel.front().source);
  StringRef file = header.rsplit(':').first;
  unsigned first = lineNumber(header);
  bool hasOthers = false;
  for (const TracedInstruction &row : kernel) {
    StringRef place = innermost(row.source);
    if (place == header || place.rsplit(':').first != file)
      continue;
    if (lineNumber(place) < first)
      return;
    hasOthers = true;
  }
  if (!first || !hasOthers)
    return;
  for (auto [row, type] : llvm::zip(kernel, types))
    type.isCompilerMade = innermost(row.source) == header;
}

/// Types of all rows; kernels begin at comment rows.
static void addTypes(HotspotReport &report) {
  llvm::ArrayRef<TracedInstruction> rows = report.trace.instructions;
  report.types.resize(rows.size());
  InstructionKind lastCounted = InstructionKind::LdsRead;
  size_t begin = 0;
  auto endKernel = [&](size_t end, bool isNamed) {
    if (isNamed && end > begin)
      markCompilerMade(
          rows.slice(begin, end - begin),
          llvm::MutableArrayRef(report.types).slice(begin, end - begin));
    begin = end + 1;
  };
  bool isNamed = false;
  for (auto [index, row] : llvm::enumerate(rows)) {
    if (row.isComment()) {
      endKernel(index, isNamed);
      isNamed = true;
      continue;
    }
    isa::Instruction inst = isa::instructionOfText(row.text);
    TypedInstruction &type = report.types[index];
    type.kind = isa::kindOf(inst);
    type.type = typeOf(inst, type.kind, lastCounted);
    if (type.kind == InstructionKind::ScalarMemory ||
        type.kind == InstructionKind::LdsRead ||
        type.kind == InstructionKind::LdsWrite ||
        type.kind == InstructionKind::LdsOther)
      lastCounted = type.kind;
  }
  endKernel(rows.size(), isNamed);
}

static void addSums(HotspotReport &report) {
  llvm::StringMap<size_t> lineOf;
  for (auto [index, row] : llvm::enumerate(report.trace.instructions)) {
    if (row.isComment())
      continue;
    const TypedInstruction &type = report.types[index];
    ++report.instructions;
    report.hits += row.hits;
    report.latency += row.latency;
    report.stall += row.stall;
    report.idle += row.idle;
    if (row.stall)
      report.ranked.push_back(index);
    for (Share *share : {&report.byType[unsigned(type.type)],
                         &report.byKind[unsigned(type.kind)]}) {
      ++share->instructions;
      share->hits += row.hits;
      share->latency += row.latency;
      share->stall += row.stall;
    }
    std::string place = innermost(row.source).str();
    auto [found, isNew] = lineOf.try_emplace(
        place + (type.isCompilerMade ? "!" : ""), report.lines.size());
    if (isNew)
      report.lines.push_back({place, 0, 0, 0, type.isCompilerMade});
    HotLine &line = report.lines[found->second];
    line.latency += row.latency;
    line.stall += row.stall;
    ++line.instructions;
  }
  llvm::sort(report.ranked, [&](size_t a, size_t b) {
    uint64_t first = report.trace.instructions[a].stall;
    uint64_t second = report.trace.instructions[b].stall;
    return first != second ? first > second : a < b;
  });
  llvm::sort(report.lines, [](const HotLine &a, const HotLine &b) {
    return a.stall != b.stall ? a.stall > b.stall : a.place < b.place;
  });
}

static void addMatrix(HotspotReport &report,
                      llvm::ArrayRef<const arch::ArchInfo *> chips) {
  double unitCycles = 0;
  bool isKnown = true;
  for (auto [row, type] : llvm::zip(report.trace.instructions, report.types)) {
    if (row.isComment() || type.kind != InstructionKind::Mfma || !row.hits)
      continue;
    report.matrix.hits += row.hits;
    std::optional<unsigned> cycles = matrixCycles(row, chips);
    isKnown &= cycles.has_value();
    unitCycles += double(row.hits) * cycles.value_or(0);
  }
  if (report.hits)
    report.matrix.shareOfInstructions =
        double(report.matrix.hits) / double(report.hits);
  double life = double(report.latency) + double(report.idle);
  if (isKnown && life > 0)
    report.matrix.shareOfWave = unitCycles / life;
}

static void addLoopShare(HotspotReport &report) {
  std::vector<ExecutedInstruction> executed;
  for (auto [row, type] : llvm::zip(report.trace.instructions, report.types))
    if (!row.isComment())
      executed.push_back({row.hits, type.kind == InstructionKind::Mfma});
  report.matrix.shareOfLoop = matrixShareOfLoop(executed);
}

static llvm::Expected<HotspotReport>
analyze(profile::ThreadTrace trace,
        llvm::ArrayRef<const arch::ArchInfo *> chips) {
  HotspotReport report;
  report.trace = std::move(trace);
  addTypes(report);
  addSums(report);
  addMatrix(report, chips);
  addLoopShare(report);
  if (!report.hits)
    return llvm::createStringError(
        "the trace has " + llvm::Twine(report.instructions) +
        " instructions, none of which was executed while it was taken");
  return report;
}

llvm::Expected<HotspotReport>
fly::analysis::findHotspots(profile::ThreadTrace trace,
                            const HotspotOptions &options) {
  auto chips = candidateChips(options.chip);
  if (!chips)
    return chips.takeError();
  llvm::Expected<HotspotReport> report = analyze(std::move(trace), *chips);
  if (!report)
    return report;
  report->distancesNotTold = "wave files, which are in a ui_output_agent_* "
                             "folder";
  report->occupancyNotTold = "a kernel trace";
  addSymptoms(*report, options.threshold);
  return report;
}

llvm::Expected<HotspotReport>
fly::analysis::findHotspots(StringRef directory,
                            const HotspotOptions &options) {
  auto chips = candidateChips(options.chip);
  if (!chips)
    return chips.takeError();
  profile::ThreadTraceOptions reading;
  reading.sources = true;
  llvm::Expected<profile::ThreadTrace> trace =
      profile::readThreadTrace(directory, reading);
  if (!trace)
    return trace.takeError();
  llvm::Expected<HotspotReport> report = analyze(std::move(*trace), *chips);
  if (!report)
    return llvm::createStringError("'" + directory +
                                   "': " + llvm::toString(report.takeError()));
  if (llvm::Error error = addWaves(*report, directory, *chips))
    return std::move(error);
  if (llvm::Error error = addOccupancy(*report, directory, *chips))
    return std::move(error);
  addSymptoms(*report, options.threshold);
  return report;
}
