//===- Probe.cpp - experiments that settle assumptions --------------------===//
#include "fly/Bench/Probe.h"

#include "fly/Arch/Assumptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "Probes.h"

using namespace fly;
using namespace fly::bench;

static Probes makeProbes() {
  Probes probes;
  for (auto add :
       {addLdsProbes, addLdsAtomicProbes, addMemoryProbes, addIssueProbes,
        addOccupancyProbes, addMatrixProbes, addWarmProbes})
    add(probes);
  llvm::sort(probes, [](const Probe &a, const Probe &b) {
    return llvm::StringRef(a.assumption) < b.assumption;
  });
  return probes;
}

std::vector<std::string> fly::bench::probedAssumptions() {
  std::vector<std::string> ids;
  for (const Probe &probe : makeProbes())
    ids.push_back(probe.assumption);
  return ids;
}

llvm::Expected<std::vector<ProbeRow>>
fly::bench::runProbes(llvm::StringRef match) {
  std::vector<ProbeRow> rows;
  for (const Probe &probe : makeProbes()) {
    if (!llvm::StringRef(probe.assumption).contains(match))
      continue;
    for (arch::Chip chip : probe.chips) {
      ProbeBench bench(probe.assumption, chip, rows);
      if (llvm::Error error = probe.run(bench))
        return llvm::createStringError(
            llvm::formatv("the probe of {0} on {1}: {2}", probe.assumption,
                          bench.arch().name, llvm::toString(std::move(error))));
    }
  }
  return rows;
}

ProbeRow &ProbeBench::add(std::string what, std::string unit,
                          Predicted predicted, double measured,
                          const char *means) {
  ProbeRow &row = rows.emplace_back();
  row.assumption = assumption;
  row.chip = chip;
  row.what = std::move(what);
  row.unit = std::move(unit);
  row.means = means;
  row.low = predicted.low;
  row.high = predicted.high;
  row.measured = measured;
  return row;
}

llvm::Expected<double> fly::bench::cyclesEach(arch::Chip chip,
                                              const RepeatedCode &code,
                                              MicroKernel::Launch launch,
                                              const MicroShape &shape) {
  auto kernel = MicroKernel::create(chip,
                                    llvm::formatv(R"(
  s_load_dwordx8 s[4:11], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
{0}
again:
{1}
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
)",
                                                  code.setup, code.body)
                                        .str(),
                                    shape);
  if (!kernel)
    return kernel.takeError();
  launch.arguments.resize(std::max<size_t>(launch.arguments.size(), 2));
  if (code.bufferBytes) {
    auto buffer = (*kernel)->allocate(code.bufferBytes);
    if (!buffer)
      return buffer.takeError();
    launch.arguments[1] = *buffer;
  }
  auto cycles = cyclesBetween(**kernel, launch, code.less, code.more);
  if (!cycles)
    return cycles.takeError();
  return *cycles / (code.count * (code.more - code.less));
}

unsigned fly::bench::issuedAtOnce(const sim::TimingResult &timing,
                                  llvm::StringRef text, uint64_t gap) {
  unsigned count = 0;
  uint64_t last = 0;
  for (const sim::IssueEvent &event : timing.waves.front().events) {
    if (!llvm::StringRef(timing.instructions[event.instruction].text)
             .starts_with(text))
      continue;
    uint64_t issued = event.time + event.stall;
    if (count && issued - last > gap)
      break;
    last = issued;
    ++count;
  }
  return count;
}

static std::string numberText(double value) {
  return llvm::formatv(value == std::floor(value) ? "{0:f0}"
                       : std::abs(value) < 1000   ? "{0:f1}"
                                                  : "{0:f0}",
                       value)
      .str();
}

static std::string predictionText(const ProbeRow &row) {
  return row.low == row.high
             ? numberText(row.low)
             : numberText(row.low) + " to " + numberText(row.high);
}

static const char *verdictText(const ProbeRow &row) {
  if (!row.isModelled)
    return "not modelled";
  return row.agrees() ? "agrees" : "DIFFERS";
}

void fly::bench::print(llvm::raw_ostream &os, llvm::ArrayRef<ProbeRow> rows) {
  std::string heading;
  unsigned differing = 0, assumptions = 0;
  for (const ProbeRow &row : rows) {
    if (row.assumption != heading) {
      heading = row.assumption;
      ++assumptions;
      const arch::Assumption &entry = *arch::lookupAssumption(heading);
      os << (assumptions == 1 ? "" : "\n") << entry.id << ' '
         << arch::basisTag(entry.basis) << ' ' << entry.statement
         << "\n  tests: " << arch::testsOf(entry) << '\n';
    }
    os << llvm::formatv("  {0} {1,-54} {2,16} {3,9} {4,-9} {5,-12}  {6}\n",
                        arch::ArchInfo::get(row.chip).name, row.what,
                        predictionText(row), numberText(row.measured), row.unit,
                        verdictText(row), row.means);
    if (!row.note.empty())
      os << "         " << row.note << '\n';
    differing += row.differs();
  }
  os << llvm::formatv("\nprobes on the simulator: {0} assumptions, {1} "
                      "quantities, {2} differ\n",
                      assumptions, rows.size(), differing);
}

llvm::json::Value fly::bench::toJSON(llvm::ArrayRef<ProbeRow> rows) {
  llvm::json::Array array;
  for (const ProbeRow &row : rows)
    array.push_back(
        llvm::json::Object{{"assumption", row.assumption},
                           {"chip", arch::ArchInfo::get(row.chip).name},
                           {"what", row.what},
                           {"unit", row.unit},
                           {"means", row.means},
                           {"predicted_low", row.low},
                           {"predicted_high", row.high},
                           {"measured", row.measured},
                           {"note", row.note},
                           {"verdict", verdictText(row)}});
  return llvm::json::Object{{"device", "sim"}, {"probes", std::move(array)}};
}
