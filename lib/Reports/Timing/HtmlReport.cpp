//===- HtmlReport.cpp - Timed launches as one HTML file -------------------===//
//
// Gathers the data; Page/*.js draw them. Events of waves are flat rows of
// numbers, since there may be hundreds of thousands.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Timing/HtmlReport.h"

#include "fly/Arch/Assumptions.h"
#include "fly/Arch/Occupancy.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/InstructionKind.h"
#include "fly/Reports/Page/ReportPage.h"
#include "fly/Reports/Timing/TimingReport.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "PageText.inc"
#include "Roofline.h"

using namespace fly;
using namespace fly::reports;
using namespace fly::sim;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::OStream;
using llvm::json::Value;

/// Events that a page can hold and a browser can draw.
static constexpr size_t mostEvents = size_t(1) << 18;

static Value utf8(llvm::StringRef text) { return llvm::json::fixUTF8(text); }

template <typename T>
static Array extents(const std::array<T, 3> &values) {
  return Array{values[0], values[1], values[2]};
}

/// The instructions of the trace, with what each of them waited for: sums over
/// all waves in detail.
static void writeCode(OStream &json, const TimedDispatch &dispatch,
                      const profile::ThreadTrace &trace) {
  llvm::DenseMap<uint64_t, const InstructionTiming *> timings;
  for (const InstructionTiming &row : dispatch.timing->instructions)
    timings[row.pc] = &row;
  for (const profile::TracedInstruction &row : trace.instructions) {
    if (row.isComment())
      continue;
    const InstructionTiming &timing = *timings[row.address];
    const isa::Instruction &inst =
        dispatch.program
            ->instructions()[dispatch.program->indexOf(row.address)];
    Array reasons;
    for (uint64_t cycles : timing.stalls)
      reasons.push_back(cycles);
    json.value(Object{{"line", row.line},
                      {"pc", row.address},
                      {"text", utf8(row.text)},
                      {"kind", unsigned(isa::kindOf(inst))},
                      {"source", utf8(row.source)},
                      {"hits", timing.hits},
                      {"issue", timing.issueCycles},
                      {"stalls", std::move(reasons)},
                      {"matrix_cycles", timing.matrixCycles},
                      {"lds_cycles", timing.ldsCycles},
                      {"lds_conflicts", timing.ldsConflictCycles}});
  }
}

/// Waves with their events, as many as there is room for: line, idle, stall,
/// issue and reason of each, which follow each other without gaps.
static void writeWaves(OStream &json, const TimingResult &timing,
                       llvm::ArrayRef<uint32_t> lines) {
  size_t room = mostEvents;
  for (const WaveTiming &wave : timing.waves) {
    Array events;
    if (wave.events.size() <= room) {
      room -= wave.events.size();
      for (const IssueEvent &event : wave.events) {
        events.push_back(lines[event.instruction]);
        events.push_back(event.idle);
        events.push_back(event.stall - event.idle);
        events.push_back(event.issue);
        events.push_back(unsigned(event.reason));
      }
    }
    json.value(Object{{"workgroup", wave.workgroup},
                      {"wave", wave.wave},
                      {"xcd", wave.xcd},
                      {"simd", wave.simd},
                      {"slot", wave.slot},
                      {"begin", wave.begin},
                      {"end", wave.end},
                      {"instructions", wave.instructions},
                      {"issue", wave.issueCycles},
                      {"events", std::move(events)}});
  }
}

static void writeBanks(OStream &json, const TimingResult &timing,
                       llvm::ArrayRef<uint32_t> lines) {
  for (const LdsBankTiming &row : timing.ldsBanks) {
    auto used = [&](const std::array<uint64_t, 64> &counts) {
      return Array(llvm::ArrayRef(counts).take_front(row.banks));
    };
    json.value(Object{{"line", lines[row.instruction]},
                      {"dwords", used(row.dwords)},
                      {"waits", used(row.waits)}});
  }
}

/// What the kernel uses and is allotted, what that allows, and what would allow
/// one workgroup more: by the same figures as the timing.
static Object occupancyJSON(const TimedDispatch &dispatch) {
  const arch::KernelResources &used = dispatch.timing->resources;
  const arch::Occupancy &occupancy = dispatch.timing->occupancy;
  Object result{{"arch_vgprs", used.archVgprs},
                {"acc_vgprs", used.accVgprs},
                {"sgprs", used.sgprs},
                {"lds_bytes", used.ldsBytes},
                {"scratch_bytes", dispatch.kernel->privateSegmentFixedSize},
                {"workgroup_threads", used.workgroupThreads},
                {"allocated_vgprs", occupancy.allocatedVgprs},
                {"needed_vgprs", occupancy.neededVgprs},
                {"limited_by_padding", occupancy.isLimitedByPadding},
                {"allocated_lds_bytes", occupancy.allocatedLdsBytes},
                {"waves_by_vgpr", occupancy.wavesByVgpr},
                {"waves_by_used_vgpr", occupancy.wavesByUsedVgpr},
                {"waves_by_sgpr", occupancy.wavesBySgpr},
                {"workgroups_by_lds", occupancy.workgroupsByLds}};
  Array steps;
  if (const arch::ArchInfo *info =
          arch::ArchInfo::lookup(dispatch.timing->chip))
    for (const arch::OccupancyStep &step :
         arch::nextOccupancy(*info, used, occupancy))
      steps.push_back(Object{{"resource", arch::limiterName(step.resource)},
                             {"used", step.used},
                             {"most", step.most}});
  result["for_one_more"] = std::move(steps);
  return result;
}

/// The assumptions that the figures rest on, with what they say.
static Array assumptionsJSON(const TimingResult &timing) {
  Array rows;
  for (const std::string &id : timing.assumptions) {
    const arch::Assumption *known = arch::lookupAssumption(id);
    rows.push_back(Object{{"id", id},
                          {"basis", known ? arch::basisTag(known->basis) : ""},
                          {"statement", known ? known->statement : ""},
                          {"probe", known ? known->probe : ""}});
  }
  return rows;
}

static void writeLaunch(OStream &json, const HtmlLaunch &launch) {
  const TimedDispatch &dispatch = launch.dispatch;
  const TimingResult &timing = *dispatch.timing;
  profile::ThreadTrace trace = toThreadTrace(dispatch);
  llvm::DenseMap<uint64_t, uint32_t> lineOf;
  for (const profile::TracedInstruction &row : trace.instructions)
    if (!row.isComment())
      lineOf[row.address] = row.line;
  std::vector<uint32_t> lines;
  for (const InstructionTiming &row : timing.instructions)
    lines.push_back(lineOf.lookup(row.pc));
  Object summary = toJSON(timing);
  // The code below has all of them.
  summary.getObject("detail")->erase("hotspots");
  summary.erase("assumptions");
  json.object([&] {
    json.attribute("kernel", utf8(dispatch.kernel->name));
    json.attribute("id", dispatch.id);
    json.attribute("chip", timing.chip);
    json.attribute("grid", extents(dispatch.workgroups));
    json.attribute("workgroup_size", extents(dispatch.workgroupSize));
    json.attribute("workgroups", timing.workgroups);
    json.attribute("waves_without_events", timing.wavesWithoutEvents);
    json.attribute("timing", std::move(summary));
    json.attribute("resources", occupancyJSON(dispatch));
    json.attribute("roofline", rooflineJSON(dispatch));
    json.attribute("assumptions", assumptionsJSON(timing));
    json.attributeArray("code", [&] { writeCode(json, dispatch, trace); });
    json.attributeArray("sources", [&] {
      for (const profile::TracedSource &source : launch.sources) {
        llvm::SmallVector<llvm::StringRef> text;
        llvm::StringRef(source.text).split(text, '\n');
        Array rows;
        for (llvm::StringRef row : text)
          rows.push_back(utf8(row));
        json.value(
            Object{{"name", utf8(source.name)}, {"lines", std::move(rows)}});
      }
    });
    json.attributeArray("waves", [&] { writeWaves(json, timing, lines); });
    json.attributeArray("banks", [&] { writeBanks(json, timing, lines); });
  });
}

void fly::reports::writeHtml(llvm::raw_ostream &os,
                             llvm::ArrayRef<HtmlLaunch> launches) {
  std::string data;
  llvm::raw_string_ostream stream(data);
  OStream json(stream);
  json.object([&] {
    json.attributeArray("reasons", [&] {
      for (unsigned i = 0; i != stallReasonCount; ++i)
        json.value(stallReasonName(StallReason(i)));
    });
    json.attributeArray("reason_texts", [&] {
      for (unsigned i = 0; i != stallReasonCount; ++i)
        json.value(stallReasonText(StallReason(i)));
    });
    json.attributeArray("kinds", [&] {
      for (unsigned i = 0; i != isa::instructionKindCount; ++i)
        json.value(isa::name(isa::InstructionKind(i)));
    });
    json.attributeArray("launches", [&] {
      for (const HtmlLaunch &launch : launches)
        writeLaunch(json, launch);
    });
  });
  // Text of a source must not end the element that holds it.
  os << pageHead << "<style>\n"
     << getPageStyle() << timingStyle << "</style>\n"
     << pageBody << "<script type=\"application/json\" id=\"data\">";
  for (char c : data) {
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
  }
  os << "</script>\n<script>\n"
     << pageScript << "</script>\n</body>\n</html>\n";
}
