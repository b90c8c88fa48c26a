//===- LdsProbes.cpp - phases, ports, queue and latency of LDS ------------===//
//
// Which lanes share a phase is found by pairs: two lanes on one bank conflict
// if they do. Each lane is tried against one lane of every phase that is known,
// which is enough to find all of them. Where a phase takes two cycles in any
// case, it is two lanes against two.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

namespace {

using Phases = std::array<unsigned, 64>;

/// An access, and the phase that an assumption gives each lane.
struct AssumedPhases {
  const char *access; ///< "ds_read_b128 v[4:7], v1"
  unsigned (*phaseOf)(unsigned lane);
  /// Lanes of a phase on one bank that cost nothing: its cycles.
  unsigned freeLanes = 1;
};

} // namespace

static unsigned eights(unsigned lane) { return lane / 8; }
static unsigned sixteens(unsigned lane) { return lane / 16; }
static unsigned halves(unsigned lane) { return lane / 32; }
/// {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and 32 more.
static unsigned crossedEights(unsigned lane) {
  unsigned quad = lane % 32 / 4;
  return lane / 32 * 4 + (quad < 4 ? quad : (quad - 4) ^ 1);
}

/// The enabled lanes, each at its number times the width of 32 banks.
static const char *const pairBody = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 7, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, s[4:5]
  {0}
  s_waitcnt lgkmcnt(0)
)";

/// The phases of an access, numbered as their first lanes come.
static llvm::Expected<Phases> findPhases(Chip chip,
                                         const AssumedPhases &assumed) {
  MicroShape shape;
  shape.ldsBytes = 64 * 128;
  auto kernel = MicroKernel::create(
      chip, llvm::formatv(pairBody, assumed.access).str(), shape);
  if (!kernel)
    return kernel.takeError();
  Phases phases{};
  std::vector<uint64_t> first; // Lanes of each phase.
  for (unsigned lane = 0; lane != 64; lane += assumed.freeLanes) {
    uint64_t lanes = ((uint64_t(1) << assumed.freeLanes) - 1) << lane;
    unsigned phase = 0;
    for (; phase != first.size(); ++phase) {
      MicroKernel::Launch launch;
      launch.arguments = {lanes | first[phase]};
      auto timing = (*kernel)->run(launch);
      if (!timing)
        return timing.takeError();
      if ((*timing)->counters.ldsBankConflict)
        break;
    }
    if (phase == first.size())
      first.push_back(lanes);
    for (unsigned i = 0; i != assumed.freeLanes; ++i)
      phases[lane + i] = phase;
  }
  return phases;
}

/// "{0-3,20-23} {4-7,16-19}"
static std::string phasesText(const Phases &phases) {
  std::string text;
  for (unsigned phase = 0;; ++phase) {
    std::string group;
    for (unsigned lane = 0; lane != 64; ++lane) {
      if (phases[lane] != phase)
        continue;
      unsigned last = lane;
      while (last != 63 && phases[last + 1] == phase)
        ++last;
      group += (group.empty() ? "" : ",") + std::to_string(lane) +
               (last == lane ? "" : "-" + std::to_string(last));
      lane = last;
    }
    if (group.empty())
      return text;
    text += (text.empty() ? "{" : " {") + group + "}";
  }
}

static llvm::Error probePhases(ProbeBench &bench,
                               llvm::ArrayRef<AssumedPhases> accesses) {
  for (const AssumedPhases &assumed : accesses) {
    auto phases = findPhases(bench.chip, assumed);
    if (!phases)
      return phases.takeError();
    unsigned right = 0;
    for (unsigned lane = 0; lane != 64; ++lane) {
      bool isRight = true;
      for (unsigned other = 0; other != 64; ++other)
        isRight &= ((*phases)[lane] == (*phases)[other]) ==
                   (assumed.phaseOf(lane) == assumed.phaseOf(other));
      right += isRight;
    }
    ProbeRow &row = bench.add(
        "lanes of " + llvm::StringRef(assumed.access).split(' ').first.str() +
            " that conflict with those assumed",
        "lanes", Predicted::exactly(64), right, "SQ_LDS_BANK_CONFLICT");
    if (right != 64)
      row.note = "phases found: " + phasesText(*phases);
  }
  return llvm::Error::success();
}

static llvm::Error probe942ReadB96(ProbeBench &bench) {
  return probePhases(bench, {{"ds_read_b96 v[4:6], v1", crossedEights}});
}
static llvm::Error probe942WriteB64(ProbeBench &bench) {
  return probePhases(bench, {{"ds_write_b64 v1, v[4:5]", sixteens}});
}
static llvm::Error probe950B32(ProbeBench &bench) {
  return probePhases(
      bench, {{"ds_read_b32 v4, v1", halves}, {"ds_write_b32 v1, v4", halves}});
}
static llvm::Error probe950WriteB128(ProbeBench &bench) {
  return probePhases(bench, {{"ds_write_b128 v1, v[4:7]", eights}});
}
static llvm::Error probeLegacyHalves(ProbeBench &bench) {
  return probePhases(bench, {{"ds_read_b32 v4, v1", halves},
                             {"ds_write_b32 v1, v4", halves},
                             {"ds_read_b64 v[4:5], v1", halves, 2}});
}
static llvm::Error probeWriteB96(ProbeBench &bench) {
  return probePhases(bench, {{"ds_write_b96 v1, v[4:6]", eights}});
}

namespace {

/// Accesses of waves on one or two SIMDs of a port.
struct PortUse {
  const char *what;
  const char *body;
  unsigned bytes, simds, waves;
  double cycles;
};

constexpr unsigned oneSimd = 1, onePair = 3;

} // namespace

static llvm::Error probePort(ProbeBench &bench, llvm::ArrayRef<PortUse> uses,
                             double share) {
  for (const PortUse &use : uses) {
    auto loop = AccessLoop::create(bench.chip, use.body, use.bytes);
    if (!loop)
      return loop.takeError();
    auto cycles = (*loop)->cyclesEach(use.simds, use.waves);
    if (!cycles)
      return cycles.takeError();
    bench.add(use.what, "cycles", Predicted::near(use.cycles, share), *cycles);
  }
  return llvm::Error::success();
}

static llvm::Error probe950Port(ProbeBench &bench) {
  // 1024 bytes of a read at 128 a cycle.
  return probePort(bench,
                   {{"ds_read_b128, a pair of SIMDs, 4 waves each",
                     "  ds_read_b128 v[4:7], v3", 16, onePair, 4, 8},
                    {"ds_write_b128, a pair of SIMDs, 4 waves each",
                     "  ds_write_b128 v3, v[4:7]", 16, onePair, 4, 28}},
                   0.05);
}

static llvm::Error probePortSharing(ProbeBench &bench) {
  double data = 1024.0 / *bench.arch().lds.portReadBytes;
  return probePort(bench,
                   {{"ds_read_b128, a pair of SIMDs, 4 waves each",
                     "  ds_read_b128 v[4:7], v3", 16, onePair, 4, data + 0.25},
                    {"ds_read_b128, one SIMD, 4 waves",
                     "  ds_read_b128 v[4:7], v3", 16, oneSimd, 4, data + 1.25},
                    {"ds_read_b32, one wave", "  ds_read_b32 v4, v3", 4,
                     oneSimd, 1, 4 + 0.25 + 12}},
                   0.01);
}

static llvm::Error probeWritePhases(ProbeBench &bench) {
  // Addresses and data at 64 bytes a cycle, and a cycle a phase.
  return probePort(bench,
                   {{"ds_write_b32, a pair of SIMDs, 4 waves each",
                     "  ds_write_b32 v3, v4", 4, onePair, 4, 4 + 4 + 2},
                    {"ds_write_b64, a pair of SIMDs, 4 waves each",
                     "  ds_write_b64 v3, v[4:5]", 8, onePair, 4, 4 + 8 + 4},
                    {"ds_write_b128, a pair of SIMDs, 4 waves each",
                     "  ds_write_b128 v3, v[4:7]", 16, onePair, 4, 4 + 16 + 8}},
                   0.05);
}

/// Reads of one's own address: s[6:7] are the enabled lanes, s8 the distance of
/// neighbours.
static llvm::Expected<double> readLatency(Chip chip, uint64_t exec,
                                          unsigned distance) {
  RepeatedCode code;
  code.setup = R"(
  v_mul_lo_u32 v1, v0, s8
  s_mov_b64 exec, s[6:7]
  ds_write_b32 v1, v1
  s_waitcnt lgkmcnt(0)
)";
  code.body = R"(
  .rept 32
  ds_read_b32 v1, v1
  s_waitcnt lgkmcnt(0)
  .endr
)";
  code.count = 32;
  MicroKernel::Launch launch;
  launch.arguments = {0, exec, distance};
  MicroShape shape;
  shape.ldsBytes = 64 * 128;
  return cyclesEach(chip, code, launch, shape);
}

static llvm::Error probeLatencyBase(ProbeBench &bench) {
  auto one = readLatency(bench.chip, 1, 4);
  if (!one)
    return one.takeError();
  auto all = readLatency(bench.chip, ~uint64_t(0), 4);
  if (!all)
    return all.takeError();
  auto conflicting = readLatency(bench.chip, ~uint64_t(0), 128);
  if (!conflicting)
    return conflicting.takeError();
  // The wait for the result takes an issue slot, and each of the two may just
  // miss one.
  bench.add("ds_read_b32 of one lane to the next one that needs it", "cycles",
            Predicted::between(40 + 4, 40 + 3 * 4), *one);
  bench.add("the same of 64 lanes on one bank, against 64 on all", "cycles",
            Predicted::near(64 - 2), *conflicting - *all);
  return llvm::Error::success();
}

static llvm::Error probeQueue(ProbeBench &bench) {
  MicroShape shape;
  shape.ldsBytes = 64 * 128;
  auto kernel = MicroKernel::create(bench.chip, R"(
  v_lshlrev_b32 v1, 7, v0
  s_nop 7
  .rept 12
  ds_read_b32 v4, v1
  .endr
  s_waitcnt lgkmcnt(0)
)",
                                    shape);
  if (!kernel)
    return kernel.takeError();
  auto timing = (*kernel)->run({});
  if (!timing)
    return timing.takeError();
  // All lanes are on one bank, so that each read takes 64 cycles: one is at
  // work, and those that issue at once wait for it.
  bench.add("reads that issue while one is at work", "reads",
            Predicted::exactly(4), issuedAtOnce(**timing, "ds_read", 16) - 1.0,
            "instruction trace");
  return llvm::Error::success();
}

void fly::bench::addLdsProbes(Probes &probes) {
  const Chip c942 = Chip::Gfx942, c950 = Chip::Gfx950;
  probes.insert(probes.end(),
                {{"LDS-942-READ-B96", {c942}, probe942ReadB96},
                 {"LDS-942-WRITE-B64", {c942}, probe942WriteB64},
                 {"LDS-950-B32", {c950}, probe950B32},
                 {"LDS-950-PORT", {c950}, probe950Port},
                 {"LDS-950-WRITE-B128", {c950}, probe950WriteB128},
                 {"LDS-LATENCY-BASE", {c942, c950}, probeLatencyBase},
                 {"LDS-LEGACY-HALVES", {c942}, probeLegacyHalves},
                 {"LDS-PORT-SHARING", {c942, c950}, probePortSharing},
                 {"LDS-QUEUE", {c942, c950}, probeQueue},
                 {"LDS-WRITE-B96", {c942, c950}, probeWriteB96},
                 {"LDS-WRITE-PHASES", {c942, c950}, probeWritePhases}});
}
