//===- ChecklistInputs.cpp - What code, traces, counters tell -------------===//
//
// Each row with the number that decides it, and the instruction that is worst.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/LineTable.h"
#include "fly/Reports/IsaReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "ChecklistLimits.h"
#include "HotspotParts.h"

using namespace fly;
using namespace fly::analysis;
using isa::InstructionKind;
using llvm::formatv;
using llvm::StringRef;

/// "0x1230, gemm.mlir:12"
static std::string place(const isa::Instruction &inst,
                         const isa::LineTable &lines) {
  std::string line = lines.at(inst.pc);
  return formatv("0x{0:x-}{1}{2}", inst.pc, line.empty() ? "" : ", ", line)
      .str();
}

/// Nops between the matrix instructions of a loop.
static void addBubbles(Checklist &list, StringRef input,
                       const reports::KernelReport &kernel,
                       llvm::ArrayRef<isa::Instruction> code,
                       const isa::LineTable &lines) {
  const isa::Instruction *first = nullptr;
  for (const isa::Instruction &inst : code)
    if (inst.pc >= kernel.hotLoop->begin && inst.pc < kernel.hotLoop->end &&
        isa::kindOf(inst) == InstructionKind::Nop && !first)
      first = &inst;
  std::string text =
      formatv("{0}: {1} s_nop among {2} MFMAs of the hot loop", kernel.name,
              kernel.hotLoop->nop, kernel.hotLoop->mfma);
  if (first)
    text += ", the first at " + place(*first, lines);
  list.add(Check::Bubbles, input, text, kernel.hotLoop->nop == 0);
}

static void addStores(Checklist &list, StringRef input, StringRef kernel,
                      llvm::ArrayRef<isa::Instruction> code,
                      const isa::LineTable &lines) {
  unsigned count = 0, least = 0;
  const isa::Instruction *narrowest = nullptr;
  for (const isa::Instruction &inst : code) {
    if (isa::kindOf(inst) != InstructionKind::VectorStore || !isStore(inst) ||
        inst.format == isa::Format::Scratch)
      continue;
    unsigned bytes = isa::accessBytes(inst.mnemonic);
    ++count;
    if (!narrowest || bytes < least) {
      least = bytes;
      narrowest = &inst;
    }
  }
  if (narrowest)
    list.add(Check::CoalescedStores, input,
             formatv("{0}: {1} global stores, the narrowest with {2} bytes a "
                     "lane at {3}",
                     kernel, count, least, place(*narrowest, lines))
                 .str(),
             least >= leastStoreBytes, /*isDirect=*/false);
}

llvm::Error Checklist::addObject(StringRef input, StringRef bytes,
                                 StringRef wanted) {
  auto wrong = [&](llvm::Error error) {
    return llvm::createStringError("'" + input +
                                   "': " + llvm::toString(std::move(error)));
  };
  llvm::Expected<reports::ObjectReport> report = reports::reportObject(bytes);
  if (!report)
    return wrong(report.takeError());
  llvm::Expected<isa::CodeObject> object = isa::CodeObject::load(bytes);
  if (!object)
    return wrong(object.takeError());
  auto program = isa::Program::decode(*object);
  if (!program)
    return wrong(program.takeError());
  isa::LineTable lines = isa::LineTable::read(bytes);
  std::string names;
  bool isFound = false;
  for (const reports::KernelReport &kernel : report->kernels) {
    names += (names.empty() ? "" : ", ") + kernel.name;
    if (!wanted.empty() && kernel.name != wanted)
      continue;
    isFound = true;
    unsigned registers = kernel.vgpr + kernel.agpr;
    add(Check::Registers, input,
        formatv("{0}: {1} + {2} = {3} registers a lane, {4} spilled",
                kernel.name, kernel.vgpr, kernel.agpr, registers,
                kernel.vgprSpills)
            .str(),
        registers <= mostRegisters && kernel.vgprSpills == 0);
    llvm::ArrayRef<isa::Instruction> code;
    for (const isa::Kernel &candidate : object->kernels())
      if (candidate.name == kernel.name)
        code = (*program)->instructionsOf(candidate);
    addStores(*this, input, kernel.name, code, lines);
    if (!kernel.hotLoop)
      continue;
    double share =
        double(kernel.hotLoop->mfma) / double(kernel.hotLoop->instructions);
    add(Check::MfmaShare, input,
        formatv("{0}: {1} of {2} instructions of the hot loop at 0x{3:x-}, "
                "{4:f1} %",
                kernel.name, kernel.hotLoop->mfma, kernel.hotLoop->instructions,
                kernel.hotLoop->begin, 100 * share)
            .str(),
        share >= leastMfmaShare);
    addBubbles(*this, input, kernel, code, lines);
  }
  if (!isFound)
    return wrong(llvm::createStringError(
        wanted.empty() ? "holds no kernel"
                       : "holds no kernel '" + wanted + "', but: " + names));
  return llvm::Error::success();
}

namespace {
/// The stall of some types, by the waves' time, and its worst instruction.
struct Stalled {
  double timeShare = 0;
  std::string text;
};
} // namespace

static Stalled stallOf(const HotspotReport &report,
                       llvm::ArrayRef<StallType> types) {
  uint64_t stall = 0;
  for (StallType type : types)
    stall += report.byType[unsigned(type)].stall;
  Stalled result;
  result.timeShare = report.shareOfTime(stall);
  result.text =
      formatv("{0:f1} % of the waves' time ({1:f1} % of the stall, {2} cycles)",
              100 * result.timeShare, 100 * report.shareOfStall(stall), stall);
  for (size_t index : report.ranked)
    if (llvm::is_contained(types, report.types[index].type)) {
      result.text += ", most on " + describe(report.trace.instructions[index]);
      break;
    }
  return result;
}

/// Registers of the traced dispatch. What is allotted may be padded.
static void addTracedRegisters(Checklist &list, StringRef input,
                               const TracedOccupancy &traced) {
  const arch::KernelResources &kernel = traced.kernel;
  uint64_t arch = kernel.archVgprs, accum = kernel.accVgprs;
  std::string of =
      kernel.isAllotment
          ? std::string()
          : formatv(" of {0} allotted", kernel.allottedVgprs).str();
  list.add(Check::Registers, input,
           formatv("{0} + {1} registers a lane{2}, by '{3}'", arch, accum, of,
                   traced.source)
               .str(),
           arch <= mostRegisters && accum <= mostRegisters - arch);
}

void Checklist::addTrace(StringRef input, const HotspotReport &report) {
  Stalled lds = stallOf(report, {StallType::LdsIssue});
  if (lds.timeShare >= mostStall)
    lds.text += ": conflicts, or more accesses than the LDS takes; counters or "
                "a simulation tell which";
  add(Check::BankConflicts, input, lds.text, lds.timeShare < mostStall,
      /*isDirect=*/false);
  Stalled global =
      stallOf(report, {StallType::GlobalWait, StallType::MixedWait});
  add(Check::GlobalLatency, input, global.text, global.timeShare < mostStall);
  if (report.occupancy)
    addTracedRegisters(*this, input, *report.occupancy);
  if (!report.matrix.hits)
    return;
  NopCycles nops = nopsBetweenMfmas(report);
  double nopShare = report.shareOfTime(nops.cycles);
  add(Check::Bubbles, input,
      formatv("{0:f1} % of the waves' time on {1} s_nop between MFMAs",
              100 * nopShare, nops.count)
          .str(),
      nopShare < mostStall);
  double share =
      report.matrix.shareOfLoop.value_or(report.matrix.shareOfInstructions);
  add(Check::MfmaShare, input,
      formatv(report.matrix.shareOfLoop
                  ? "{0:f1} % of what the loop with most MFMAs executes"
                  : "{0:f1} % of the executed instructions; no loop has MFMAs",
              100 * share)
          .str(),
      share >= leastMfmaShare);
}

void Checklist::addCounters(StringRef input, const KernelCounters &counters) {
  for (const CounterFigure &figure : counters.figures) {
    if (!figure.value)
      continue;
    std::string text =
        formatv("{0}: {1} {2:f2} {3} ({4})", counters.name, figure.name,
                *figure.value, figure.unit, figure.evidence);
    if (!figure.impossible.empty())
      text += ", impossible: " + figure.impossible;
    if (figure.name == "L2 hit rate")
      add(Check::CacheBalance, input, text,
          *figure.value >= 100 * leastHitRate && figure.impossible.empty());
    else if (figure.name == "fullest channel of the L2")
      add(Check::CacheBalance, input, text, *figure.value <= mostImbalance);
    else if (figure.name == "LDS cycles lost to conflicts")
      add(Check::BankConflicts, input, text,
          *figure.value < 100 * mostStall && figure.impossible.empty());
    else if (figure.name == "writes of whole blocks")
      add(Check::CoalescedStores, input, text,
          *figure.value >= 100 * leastWholeWrites && figure.impossible.empty());
  }
}
