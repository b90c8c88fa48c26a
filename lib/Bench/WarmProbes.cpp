//===- WarmProbes.cpp - what a launch leaves for the next one -------------===//
//
// All compute units read memory that nobody else reads, some workgroups one
// after the other; the second launch of the same says what the first one has
// left.
//
//===----------------------------------------------------------------------===//
#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

/// A workgroup of a wave reads 8 KB of its own.
static const char *const readPanel = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 4, v0
  s_mul_i32 s10, s2, 0x2000
  s_movk_i32 s11, 0x0
  s_waitcnt lgkmcnt(0)
  s_add_u32 s4, s4, s10
  s_addc_u32 s5, s5, 0
again:
  global_load_dwordx4 v[4:7], v1, s[4:5]
  v_add_u32 v1, 0x400, v1
  s_add_u32 s11, s11, 1
  s_cmp_lg_u32 s11, 8
  s_cbranch_scc1 again
  s_waitcnt vmcnt(0)
)";

/// Where the second launch finds what it reads.
static llvm::Expected<sim::CacheTraffic>
runTwice(const ProbeBench &bench, unsigned workgroups, uint64_t bytes) {
  MicroShape shape;
  shape.ldsBytes = *bench.arch().lds.bytes; // One workgroup a unit.
  auto kernel = MicroKernel::create(bench.chip, readPanel, shape);
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(bytes);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.workgroups = workgroups;
  launch.arguments = {*buffer};
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = options.timing.timeOnly = true;
  options.timing.isWarm = true;
  auto result = (*kernel)->launch(launch, options);
  if (!result)
    return result.takeError();
  return result->timing->traffic;
}

static llvm::Error probeWarmCaches(ProbeBench &bench) {
  constexpr uint64_t panel = 8192;
  const unsigned units = *bench.product().computeUnits;
  const uint64_t mall = *bench.product().mallBytes;
  struct Case {
    const char *what;
    unsigned workgroups;
    uint64_t bytes;
    double l2, memorySide;
  };
  const Case cases[] = {
      {"second run of reads that fit the L2s: hits of the L2s", units,
       units * panel, 100, 0},
      {"second run of four times the units: hits of the memory-side cache",
       4 * units, 4 * units * panel, 0, 100},
      {"second run of more than the memory-side cache holds: its hits",
       unsigned(2 * mall / panel), 2 * mall, 0, 0},
  };
  for (const Case &each : cases) {
    auto traffic = runTwice(bench, each.workgroups, each.bytes);
    if (!traffic)
      return traffic.takeError();
    uint64_t misses = traffic->requests - traffic->l2Hits;
    // The arguments are one block of hundreds.
    if (each.l2 != 0)
      bench.add(each.what, "%", Predicted::near(each.l2, 0.01),
                100 * traffic->l2HitShare(), "TCC_HIT_sum");
    else
      bench.add(each.what, "%",
                Predicted::between(each.memorySide - 1, each.memorySide + 1),
                misses ? 100.0 * double(traffic->mallHits) / double(misses) : 0,
                "reads of the memory controllers");
  }
  return llvm::Error::success();
}

void fly::bench::addWarmProbes(Probes &probes) {
  probes.push_back(
      {"WARM-CACHES", {Chip::Gfx942, Chip::Gfx950}, probeWarmCaches});
}
