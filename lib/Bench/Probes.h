//===- Probes.h - the parts of the probes -----------------------*- C++ -*-===//
#ifndef FLY_LIB_BENCH_PROBES_H
#define FLY_LIB_BENCH_PROBES_H

#include "fly/Arch/Products.h"
#include "fly/Bench/Probe.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include "HardwareRows.h"

namespace fly::bench {

/// What an assumption predicts of a quantity.
struct Predicted {
  double low, high;

  static Predicted exactly(double value) { return {value, value}; }
  /// Within a share of the value; 10 % where nothing else is said.
  static Predicted near(double value, double share = 0.1) {
    return {value * (1 - share), value * (1 + share)};
  }
  static Predicted between(double low, double high) { return {low, high}; }
};

/// Takes the rows of one probe on one chip.
class ProbeBench {
public:
  ProbeBench(const char *assumption, arch::Chip chip,
             std::vector<ProbeRow> &rows)
      : assumption(assumption), chip(chip), rows(rows) {}

  ProbeRow &add(std::string what, std::string unit, Predicted predicted,
                double measured, const char *means = "launch time");

  const arch::ArchInfo &arch() const { return arch::ArchInfo::get(chip); }
  const arch::Product &product() const { return *arch::defaultProduct(chip); }

  const char *const assumption;
  const arch::Chip chip;

private:
  std::vector<ProbeRow> &rows;
};

/// The experiment for one assumption.
struct Probe {
  const char *assumption;
  std::vector<arch::Chip> chips;
  llvm::Error (*run)(ProbeBench &bench);
};
using Probes = std::vector<Probe>;

/// Phases, banks, ports, queue and latency of LDS.
void addLdsProbes(Probes &probes);
/// Atomics of LDS.
void addLdsAtomicProbes(Probes &probes);
/// Latencies, bandwidths, caches, translation and queues of memory.
void addMemoryProbes(Probes &probes);
/// Rates of units, branches, fetch.
void addIssueProbes(Probes &probes);
/// How many workgroups and waves are resident, how they start, how many
/// compute units there are.
void addOccupancyProbes(Probes &probes);
/// What a launch leaves in caches for the next one.
void addWarmProbes(Probes &probes);
/// Where matrix instructions have their elements.
void addMatrixProbes(Probes &probes);

/// Cycles of one of `count` instructions of a loop's body; s4 counts, s[4:11]
/// are the arguments. `setup` comes before the loop.
struct RepeatedCode {
  std::string setup, body;
  double count = 1;
  unsigned less = 2, more = 6;
  /// Bytes of a zeroed buffer, whose address is the second argument.
  unsigned bufferBytes = 0;
};
llvm::Expected<double> cyclesEach(arch::Chip chip, const RepeatedCode &code,
                                  MicroKernel::Launch launch = {},
                                  const MicroShape &shape = {});

/// How many instructions whose text starts with `text` the first wave issued
/// before one came more than `gap` cycles behind its neighbour.
unsigned issuedAtOnce(const sim::TimingResult &timing, llvm::StringRef text,
                      uint64_t gap);

} // namespace fly::bench

#endif // FLY_LIB_BENCH_PROBES_H
