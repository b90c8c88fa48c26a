//===- MemoryProbes.cpp - the memory system's assumptions -----------------===//
//
// Latencies and capacities by pointer chases, bandwidths by streams of all
// compute units, queues by an instruction trace. Ways are not found by strides,
// since caches fold upper bits into the set: of lines that are drawn at random,
// and fill three quarters of a cache, the share that stays is a function of the
// ways alone, whatever the folding.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "MemoryKernels.h"
#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

// Latencies of an MI300X in cycles, which assumptions refer to.
static constexpr double l1Cycles = 119, l2Cycles = 213, mallCycles = 456,
                        hbmCycles = 880;

static llvm::Error addLatency(ProbeBench &bench, const char *what,
                              const Chase &chase, Predicted predicted) {
  auto cycles = chaseLatency(bench.chip, chase);
  if (!cycles)
    return cycles.takeError();
  bench.add(what, "cycles", predicted, *cycles);
  return llvm::Error::success();
}

/// The share of lines that the least recently used replacement keeps, of lines
/// that fill `load` of the ways on average: a line stays if no more than its
/// set's ways were drawn for it.
static double keptShare(unsigned ways, double load) {
  // The others of a line's set are Poisson-distributed around ways * load.
  double mean = ways * load, term = std::exp(-mean), sum = 0;
  for (unsigned others = 0; others != ways; ++others) {
    sum += term;
    term *= mean / (others + 1);
  }
  return sum;
}

namespace {

/// A cache and how its ways are found.
struct AssumedWays {
  const char *what;
  unsigned ways;
  unsigned lines;  ///< Three quarters of what it holds.
  uint64_t region; ///< Bytes that they are drawn from.
  bool isScalar;
  /// Lines that all stay, and lines that never do, 64 bytes and `distance`
  /// apart.
  unsigned hits, misses, distance;
  unsigned draws; ///< The mean of so many: sets are few where lines are.
};

} // namespace

static llvm::Error addWays(ProbeBench &bench, const AssumedWays &cache) {
  auto latency = [&](std::vector<uint32_t> offsets) {
    auto count = unsigned(offsets.size() + 31) / 32 * 32;
    unsigned counted = std::min(std::max(2 * count, 1024u), 16384u);
    Chase chase{cache.region, std::move(offsets), 2 * count, counted};
    chase.isScalar = cache.isScalar;
    return chaseLatency(bench.chip, chase);
  };
  auto hit = latency(strided(cache.hits, 64));
  if (!hit)
    return hit.takeError();
  auto miss = latency(strided(cache.misses, cache.distance));
  if (!miss)
    return miss.takeError();
  double kept = 0;
  for (unsigned draw = 1; draw <= cache.draws; ++draw) {
    auto cycles = latency(drawnLines(cache.lines, cache.region, draw));
    if (!cycles)
      return cycles.takeError();
    kept += (*miss - *cycles) / (*miss - *hit) / cache.draws;
  }
  // Half and double as many ways lie outside.
  auto share = [&](double ways) {
    return 100 * keptShare(unsigned(ways), 0.75);
  };
  double ways = cache.ways;
  bench.add(cache.what, "%",
            Predicted::between((share(ways) + share(ways / 2)) / 2,
                               (share(ways) + share(ways * 2)) / 2),
            100 * kept);
  return llvm::Error::success();
}

static llvm::Error probeCacheShapes(ProbeBench &bench) {
  for (const AssumedWays &cache :
       {AssumedWays{"lines kept by a vector L1 filled to 3/4 at random", 64,
                    384, 1 << 20, false, 128, 2048, 512, 8},
        AssumedWays{"lines kept by an L2 filled to 3/4 at random", 16, 49152,
                    32 << 20, false, 16384, 131072, 256, 1},
        AssumedWays{"lines kept by a scalar cache filled to 3/4 at random", 4,
                    192, 1 << 20, true, 64, 2048, 512, 8}})
    if (llvm::Error error = addWays(bench, cache))
      return error;

  // Lanes of 4 bytes, side by side.
  auto kernel = MicroKernel::create(bench.chip, R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
)");
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(4096);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.arguments = {*buffer};
  auto timing = (*kernel)->run(launch);
  if (!timing)
    return timing.takeError();
  bench.add("requests of a load of 256 neighbouring bytes", "requests",
            Predicted::exactly(4), double((*timing)->counters.l1Requests),
            "TCP_TOTAL_CACHE_ACCESSES");
  return llvm::Error::success();
}

static llvm::Error probe950Caches(ProbeBench &bench) {
  // A wrong size moves the chase to another level.
  if (llvm::Error error =
          addLatency(bench, "chase through 28 KB: vector L1",
                     {1 << 20, strided(448, 64), 448, 896},
                     Predicted::between(0, (l1Cycles + l2Cycles) / 2)))
    return error;
  if (llvm::Error error = addLatency(
          bench, "chase through 64 KB: L2",
          {1 << 20, strided(1024, 64), 1024, 1024},
          Predicted::between((l1Cycles + l2Cycles) / 2, l2Cycles * 1.1)))
    return error;
  if (llvm::Error error =
          addLatency(bench, "chase through 3.5 MB: L2",
                     {8 << 20, strided(57344, 64), 57344, 8192},
                     Predicted::between(0, (l2Cycles + mallCycles) / 2)))
    return error;
  if (llvm::Error error =
          addLatency(bench, "chase through 8 MB: behind the L2",
                     {8 << 20, strided(131072, 64), 131072, 8192},
                     Predicted::between((l2Cycles + mallCycles) / 2, 1e4)))
    return error;
  auto l2 = streamBytesPerCycle(
      bench.chip, {readStream(), 4096, 0, 65536, 1 << 20, 16, 16, 24});
  if (!l2)
    return l2.takeError();
  bench.add("all units read the same 1 MB, of an XCD", "B/clk",
            Predicted::near(1607), *l2 / *bench.product().xcds);
  const double peak = *bench.product().hbmGBs * 1e3 / *bench.product().clockMhz;
  auto read = streamBytesPerCycle(
      bench.chip, {readStream(), 4096, 1 << 20, 16384, 1 << 20, 4, 4, 12});
  if (!read)
    return read.takeError();
  bench.add("all units read HBM, of its peak", "%", Predicted::near(76.4),
            100 * *read / peak);
  auto write = streamBytesPerCycle(
      bench.chip, {writeStream(), 4096, 1 << 20, 16384, 1 << 20, 4, 4, 12});
  if (!write)
    return write.takeError();
  bench.add("all units write HBM, of its peak", "%", Predicted::near(90.6),
            100 * *write / peak);
  return llvm::Error::success();
}

static llvm::Error probe950Latencies(ProbeBench &bench) {
  for (auto [what, cycles, chase] :
       {std::tuple("chase through 16 KB", l1Cycles,
                   Chase{1 << 20, strided(128, 128), 128, 512}),
        std::tuple("chase through 2 MB", l2Cycles,
                   Chase{2 << 20, strided(16384, 128), 16384, 4096}),
        std::tuple("chase through 32 MB", mallCycles,
                   Chase{32 << 20, strided(65536, 512), 65536, 4096}),
        std::tuple("chase through new lines of 512 MB", hbmCycles,
                   Chase{512 << 20, freshLines(256, 4096), 256, 4096})})
    if (llvm::Error error =
            addLatency(bench, what, chase, Predicted::near(cycles)))
      return error;
  return llvm::Error::success();
}

static llvm::Error probe942Latencies(ProbeBench &bench) {
  auto distances = traceDistances(bench.chip);
  if (!distances)
    return distances.takeError();
  for (const TraceDistance &distance : *distances)
    bench.add(distance.what, "cycles",
              Predicted::between(distance.low * 0.9, distance.high * 1.1),
              distance.model, "instruction trace");
  return llvm::Error::success();
}

static llvm::Error probeL2Shape(ProbeBench &bench) {
  // Lines of 128 bytes: of one whose first half was read the second is there.
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != 2048; ++i)
    offsets.push_back(i / 2 * 4096 + i % 2 * 64);
  auto halves = chaseLatency(bench.chip, {4 << 20, offsets, 32, 2016});
  if (!halves)
    return halves.takeError();
  auto whole =
      chaseLatency(bench.chip, {4 << 20, strided(1024, 4096), 32, 992});
  if (!whole)
    return whole.takeError();
  bench
      .add("second half of a new line, against a new line", "%",
           Predicted::between(0, 50), 100 * (2 * *halves - *whole) / *whole)
      .isModelled = false;
  // One channel of 16 holds each 2 KB's first line.
  auto all = streamBytesPerCycle(
      bench.chip, {readStream(), 4096, 0, 65536, 1 << 20, 16, 16, 24});
  if (!all)
    return all.takeError();
  std::string one;
  for (unsigned i = 0; i != 4; ++i)
    one += "  global_load_dwordx4 v[4:7], v14, s[8:9]\n";
  auto channel = streamBytesPerCycle(
      bench.chip,
      {"  v_and_b32 v14, 0x70, v3\n  v_lshl_add_u32 v14, v2, 11, v14\n" + one +
           "  s_waitcnt vmcnt(12)\n",
       4096, 0, 65536, 1 << 20, 16, 2, 4});
  if (!channel)
    return channel.takeError();
  bench
      .add("bandwidth of one channel, of all", "%",
           Predicted::near(100.0 / 16, 0.3), 100 * *channel / *all)
      .isModelled = false;
  return llvm::Error::success();
}

static llvm::Error probeMallBandwidth(ProbeBench &bench) {
  // Each unit reads 512 KB of its own again and again: much more than the L2s
  // hold, less than the memory-side cache.
  auto bytes = streamBytesPerCycle(
      bench.chip, {readStream(), 4096, 1 << 19, 16384, 1 << 19, 4, 48, 56});
  if (!bytes)
    return bytes.takeError();
  bench.add("all units read 512 KB each, again and again", "B/clk",
            Predicted::near(8190), *bytes);
  return llvm::Error::success();
}

static llvm::Error probeTranslation(ProbeBench &bench) {
  // What a cold load takes, and one that only misses all caches.
  constexpr double cold = 1856;
  if (llvm::Error error = addLatency(
          bench, "chase of new lines, each in 2 MB of its own",
          {512 << 20, strided(256, 2 << 20), 32, 224}, Predicted::near(cold)))
    return error;
  return addLatency(bench, "chase of new lines, two in each 2 MB",
                    {256 << 20, strided(256, 1 << 20), 32, 224},
                    Predicted::near((cold + hbmCycles) / 2));
}

static llvm::Error probeMissSpread(ProbeBench &bench) {
  Chase chase{1 << 20, strided(1024, 1024), 1024, 1024};
  auto one = chaseLatency(bench.chip, chase);
  if (!one)
    return one.takeError();
  for (unsigned lines : {4, 16}) {
    chase.lines = lines;
    auto many = chaseLatency(bench.chip, chase);
    if (!many)
      return many.takeError();
    bench.add("L2 hits of " + std::to_string(lines) + " lines, each further",
              "cycles", Predicted::near(8), (*many - *one) / (lines - 1));
  }
  return llvm::Error::success();
}

/// Loads of lanes that lie `distance` apart, which hit the vector L1.
static RepeatedCode scatteredLoads(unsigned distance) {
  RepeatedCode code;
  code.setup = llvm::formatv("  v_mul_u32_u24 v1, {0}, v0\n", distance);
  code.body = "  .rept 16\n  global_load_dword v4, v1, s[6:7]\n  .endr\n"
              "  s_waitcnt vmcnt(4)\n";
  code.count = 16;
  code.bufferBytes = 4096;
  code.less = 4;
  code.more = 12;
  return code;
}

static llvm::Error probeRequestRate(ProbeBench &bench) {
  for (auto [lanes, distance] : {std::pair(64, 64), std::pair(32, 32)}) {
    auto cycles = cyclesEach(bench.chip, scatteredLoads(unsigned(distance)));
    if (!cycles)
      return cycles.takeError();
    bench.add("an L1 hit of " + std::to_string(lanes) + " lines", "cycles",
              Predicted::near(lanes), *cycles);
  }
  return llvm::Error::success();
}

static llvm::Error probeVmemQueue(ProbeBench &bench) {
  auto kernel = MicroKernel::create(bench.chip, R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 7, v0
  v_add_u32 v1, 56, v1
  s_waitcnt lgkmcnt(0)
  .rept 32
  global_load_dwordx4 v[4:7], v1, s[4:5]
  .endr
  s_waitcnt vmcnt(0)
)");
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(64 * 128 + 64);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.arguments = {*buffer};
  auto timing = (*kernel)->run(launch);
  if (!timing)
    return timing.takeError();
  // Lanes have two lines each: a load takes the address unit for 128 cycles,
  // the first one at once.
  bench.add(
      "loads that issue while one is at work", "loads", Predicted::exactly(16),
      issuedAtOnce(**timing, "global_load", 16) - 1.0, "instruction trace");
  return llvm::Error::success();
}

void fly::bench::addMemoryProbes(Probes &probes) {
  const Chip c942 = Chip::Gfx942, c950 = Chip::Gfx950;
  probes.insert(probes.end(),
                {{"CACHE-SHAPES", {c942}, probeCacheShapes},
                 {"CACHES-950-FROM-942", {c950}, probe950Caches},
                 {"L2-SHAPE", {c942}, probeL2Shape},
                 {"LATENCY-942-FROM-950", {c942}, probe942Latencies},
                 {"LATENCY-950-FROM-942", {c950}, probe950Latencies},
                 {"MALL-BANDWIDTH", {c942}, probeMallBandwidth},
                 {"TRANSLATION", {c942, c950}, probeTranslation},
                 {"VMEM-MISS-SPREAD", {c942, c950}, probeMissSpread},
                 {"VMEM-QUEUE", {c942, c950}, probeVmemQueue},
                 {"VMEM-REQUEST-RATE", {c942, c950}, probeRequestRate}});
}
