//===- HotspotText.cpp - Hotspots for people ------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

#include "HotspotParts.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;
using llvm::StringRef;
using profile::TracedInstruction;

/// "1 instruction", "2 instructions"
static std::string counted(unsigned instructions) {
  return std::to_string(instructions) +
         (instructions == 1 ? " instruction" : " instructions");
}

namespace {
class Printer {
public:
  Printer(llvm::raw_ostream &os, const HotspotReport &report,
          const HotspotView &view)
      : os(os), report(report), view(view) {}
  void print();

private:
  void printHead();
  void printInstructions();
  void printAround(size_t index);
  void printLines();
  void printSourceAround(StringRef place);
  void printShares();
  void printMatrix();
  void printDistances();
  void printOccupancy();
  void printSymptoms();
  /// " 90.0 %", or "      -" of nothing.
  static std::string percent(double part, double whole) {
    return whole > 0 ? formatv("{0,5:f1} %", 100 * part / whole).str()
                     : "    - %";
  }
  std::string ofStall(uint64_t cycles) const {
    return percent(double(cycles), double(report.stall));
  }
  const TracedInstruction *atLine(uint32_t line) const {
    for (const TracedInstruction &row : report.trace.instructions)
      if (row.line == line && !row.isComment())
        return &row;
    return nullptr;
  }

  llvm::raw_ostream &os;
  const HotspotReport &report;
  const HotspotView &view;
  /// Of the sources that were needed so far.
  std::map<const profile::TracedSource *, llvm::SmallVector<StringRef>> linesOf;
};
} // namespace

void Printer::printHead() {
  const profile::ThreadTrace &trace = report.trace;
  os << "thread trace";
  for (auto [index, kernel] : llvm::enumerate(trace.kernels))
    os << (index ? ", " : " of ") << kernel;
  if (!trace.dispatch.empty())
    os << ", dispatch " << trace.dispatch << " on agent " << trace.agent;
  if (trace.isSimulated())
    os << ", by the simulator of fly-run: modelled, not measured";
  else if (!trace.writer.empty())
    os << ", by " << trace.writer;
  os << '\n';
  uint64_t issue =
      report.latency > report.stall ? report.latency - report.stall : 0;
  os << formatv(
      "  {0} instructions, executed {1} times; {2} cycles at them: "
      "{3} stall ({4}), {5} issue; {6} idle before them\n",
      report.instructions, report.hits, report.latency, report.stall,
      StringRef(percent(double(report.stall), double(report.latency))).trim(),
      issue, report.idle);
  if (report.stall > report.latency)
    os << "  impossible: more stall than latency; is a column another's?\n";
}

/// The instructions before and behind one, with what they cost.
void Printer::printAround(size_t index) {
  const auto &rows = report.trace.instructions;
  size_t begin = index > view.context ? index - view.context : 0;
  size_t end = std::min(rows.size(), index + view.context + 1);
  for (size_t i = begin; i < end; ++i)
    os << formatv("       {0} {1,10}  0x{2:x-}  {3}\n", i == index ? '>' : ' ',
                  rows[i].stall, rows[i].address, rows[i].text);
}

void Printer::printInstructions() {
  os << "by instruction, of " << report.stall << " stall cycles\n"
     << "     stall           hits  cycles a hit  address   instruction\n";
  for (size_t index : llvm::ArrayRef(report.ranked).take_front(view.top)) {
    const TracedInstruction &row = report.trace.instructions[index];
    double each = row.hits ? double(row.latency) / double(row.hits) : 0;
    os << formatv("  {0,8} {1} {2,6} {3,13:f1}  0x{4,-7:x-} {5}  [{6}]",
                  row.stall, ofStall(row.stall), row.hits, each, row.address,
                  row.text, name(report.types[index].type));
    if (StringRef place = innermost(row.source); !place.empty())
      os << "  " << place;
    os << '\n';
    if (view.context)
      printAround(index);
  }
  if (report.ranked.empty())
    os << "  no instruction stalled\n";
  else if (report.ranked.size() > view.top)
    os << "  " << report.ranked.size() - view.top
       << " more with stall (--topk)\n";
}

/// Lines of the source around "file:line", where the trace has a copy.
void Printer::printSourceAround(StringRef place) {
  auto [file, number] = place.rsplit(':');
  unsigned line = 0;
  if (number.getAsInteger(10, line) || !line)
    return;
  for (const profile::TracedSource &source : report.trace.sources) {
    if (source.name != file)
      continue;
    llvm::SmallVector<StringRef> &lines = linesOf[&source];
    if (lines.empty())
      StringRef(source.text).split(lines, '\n');
    size_t begin = line - 1 > view.context ? line - 1 - view.context : 0;
    size_t end = std::min<size_t>(lines.size(), line + view.context);
    for (size_t i = begin; i < end; ++i)
      os << formatv("       {0} {1,5}  {2}\n", i + 1 == line ? '>' : ' ', i + 1,
                    lines[i].rtrim());
    return;
  }
}

void Printer::printLines() {
  os << "by source line\n";
  size_t printed = 0, left = 0;
  for (const HotLine &line : report.lines) {
    if (line.isCompilerMade || !line.stall)
      continue;
    if (printed == view.top) {
      ++left;
      continue;
    }
    ++printed;
    os << formatv("  {0,8} {1}  {2}  {3}\n", line.stall, ofStall(line.stall),
                  counted(line.instructions),
                  line.place.empty() ? "no line of the source" : line.place);
    if (view.context)
      printSourceAround(line.place);
  }
  if (!printed)
    os << "  no line stalled\n";
  if (left)
    os << "  " << left << " more with stall (--topk)\n";
  for (const HotLine &line : report.lines)
    if (line.isCompilerMade)
      os << formatv("  apart: {0} stall cycles ({1}) of {2} that the compiler "
                    "made, on the kernel's first line {3}\n",
                    line.stall, StringRef(ofStall(line.stall)).trim(),
                    counted(line.instructions), line.place);
}

void Printer::printShares() {
  os << "by type of stall\n";
  std::vector<unsigned> types;
  for (unsigned i = 0; i < stallTypeCount; ++i)
    if (report.byType[i].stall)
      types.push_back(i);
  llvm::sort(types, [&](unsigned a, unsigned b) {
    uint64_t first = report.byType[a].stall, second = report.byType[b].stall;
    return first != second ? first > second : a < b;
  });
  for (unsigned i : types)
    os << formatv("  {0,8} {1}  {2}\n", report.byType[i].stall,
                  ofStall(report.byType[i].stall), name(StallType(i)));
  os << "what was executed\n";
  for (unsigned i = 0; i < isa::instructionKindCount; ++i)
    if (const Share &share = report.byKind[i]; share.hits)
      os << formatv("  {0,8} {1}  {2}\n", share.hits,
                    percent(double(share.hits), double(report.hits)),
                    isa::name(isa::InstructionKind(i)));
}

void Printer::printMatrix() {
  const MatrixUse &matrix = report.matrix;
  if (!matrix.hits) {
    os << "matrix unit: no matrix instruction was executed\n";
    return;
  }
  os << formatv("matrix unit: {0:f1} % of the executed instructions",
                100 * matrix.shareOfInstructions);
  if (matrix.shareOfLoop)
    os << formatv(", {0:f1} % of those of the hot loop",
                  100 * *matrix.shareOfLoop);
  if (matrix.shareOfWave)
    os << formatv(", {0:f1} % of a wave's life", 100 * *matrix.shareOfWave);
  else
    os << ", share of a wave's life: not told without --chip";
  if (matrix.busy) {
    os << formatv("; busy {0:f1} % of the time that its SIMD has waves",
                  100 * *matrix.busy);
    if (*matrix.busy > 1)
      os << " (impossible: above 100 %; is the chip another?)";
  }
  os << '\n';
}

void Printer::printDistances() {
  os << "from access to wait\n";
  if (report.distances.empty()) {
    os << "  not told without " << report.distancesNotTold << '\n';
    return;
  }
  for (const WaitDistance &row :
       llvm::ArrayRef(report.distances).take_front(view.top)) {
    const TracedInstruction *wait = atLine(row.wait);
    const TracedInstruction *access = atLine(row.access);
    os << formatv("  {0:f0} cycles (least {1}), {2:f0} instructions, {3:f1} "
                  "MFMA ahead; stood {4:f0} more: {5} -> {6}\n",
                  row.cycles, row.leastCycles, row.instructions, row.mfma,
                  row.stall, access ? access->text : "?",
                  wait ? describe(*wait) : "?");
  }
}

void Printer::printOccupancy() {
  if (!report.occupancy) {
    os << "occupancy: not told without " << report.occupancyNotTold << '\n';
    return;
  }
  const profile::DispatchResources &held = report.occupancy->resources;
  os << formatv("occupancy, with {0} + {1} VGPRs, ", *held.archVgprs,
                *held.accumVgprs);
  const arch::KernelResources &kernel = report.occupancy->kernel;
  if (!kernel.isAllotment)
    os << formatv("of which the instructions name {0} + {1}, ",
                  kernel.archVgprs, kernel.accVgprs);
  os << formatv("{0} SGPRs, {1} bytes of LDS, {2} x {3} x {4} work items\n",
                *held.sgprs, *held.ldsBytes, (*held.workgroup)[0],
                (*held.workgroup)[1], (*held.workgroup)[2]);
  for (const TracedOccupancy::OnChip &chip : report.occupancy->chips) {
    os << "  " << chip.chip << ": ";
    if (!chip.occupancy) {
      os << "not told: " << chip.problem << '\n';
      continue;
    }
    os << formatv("{0} waves a SIMD, limited by {1}",
                  chip.occupancy->wavesPerSimd,
                  arch::limiterName(chip.occupancy->limiter));
    if (!chip.next.empty())
      os << "; one workgroup more takes " << chip.next;
    os << '\n';
  }
}

void Printer::printSymptoms() {
  os << "what the guide says of it\n";
  for (const Symptom &row : report.symptoms)
    os << "  " << row.symptom << ": " << row.bottleneck << "\n    "
       << row.evidence << "\n    -> " << row.action << '\n';
  if (report.symptoms.empty())
    os << "  nothing: no row of its table reaches its share\n";
}

void Printer::print() {
  printHead();
  if (view.byInstruction)
    printInstructions();
  if (view.bySource)
    printLines();
  printShares();
  printMatrix();
  printDistances();
  printOccupancy();
  printSymptoms();
}

void fly::analysis::print(llvm::raw_ostream &os, const HotspotReport &report,
                          const HotspotView &view) {
  Printer(os, report, view).print();
}
