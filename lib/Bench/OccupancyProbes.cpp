//===- OccupancyProbes.cpp - residents, starts, compute units -------------===//
//
// Workgroups that only sleep take as long as one while all of them are
// resident, and twice as long with one more: so residents are counted by time.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"

#include "MemoryKernels.h"
#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

namespace {

/// A kernel that sleeps much longer than all its waves take to start.
class Sleeper {
public:
  static llvm::Expected<Sleeper> create(Chip chip, const MicroShape &shape,
                                        unsigned threads) {
    auto kernel = MicroKernel::create(
        chip, "  .rept 16\n  s_sleep 127\n  .endr\n", shape);
    if (!kernel)
      return kernel.takeError();
    Sleeper sleeper;
    sleeper.kernel = std::move(*kernel);
    sleeper.threads = threads;
    auto one = sleeper.time(1);
    if (!one)
      return one.takeError();
    sleeper.single = *one;
    return std::move(sleeper);
  }

  /// The most multiples of `step` workgroups, from 1 to `limit`, that take as
  /// long as one workgroup.
  llvm::Expected<unsigned> mostAtOnce(unsigned step, unsigned limit) {
    unsigned low = 0, high = limit + 1; // `low` fits, `high` does not.
    while (high - low > 1) {
      unsigned middle = (low + high) / 2;
      auto cycles = time(middle * step);
      if (!cycles)
        return cycles.takeError();
      (*cycles < single + single / 2 ? low : high) = middle;
    }
    return low;
  }

private:
  llvm::Expected<uint64_t> time(unsigned workgroups) {
    MicroKernel::Launch launch;
    launch.workgroups = workgroups;
    launch.threads = threads;
    auto timing = kernel->run(launch);
    if (!timing)
      return timing.takeError();
    return (*timing)->cycles;
  }

  std::unique_ptr<MicroKernel> kernel;
  unsigned threads = 64;
  uint64_t single = 0;
};

} // namespace

static llvm::Error addResidents(ProbeBench &bench, std::string what,
                                const char *unit, unsigned predicted,
                                const MicroShape &shape, unsigned threads,
                                unsigned step, unsigned limit) {
  auto sleeper = Sleeper::create(bench.chip, shape, threads);
  if (!sleeper)
    return sleeper.takeError();
  auto most = sleeper->mostAtOnce(step, limit);
  if (!most)
    return most.takeError();
  bench.add(std::move(what), unit, Predicted::exactly(predicted), *most);
  return llvm::Error::success();
}

static llvm::Error probeSgprs(ProbeBench &bench) {
  // With VCC and its kin, 6 more.
  for (auto [sgprs, waves] : {std::pair(94, 8), std::pair(96, 7)}) {
    MicroShape shape;
    shape.sgprs = unsigned(sgprs);
    if (llvm::Error error =
            addResidents(bench,
                         "resident waves of " + std::to_string(sgprs + 6) +
                             " scalar registers",
                         "a SIMD", unsigned(waves), shape, 256,
                         *bench.product().computeUnits, 12))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error probeWorkgroups(ProbeBench &bench) {
  for (auto [threads, most] : {std::pair(64, 32), std::pair(128, 16)})
    if (llvm::Error error = addResidents(
            bench,
            "resident workgroups of " + std::to_string(threads / 64) +
                (threads == 64 ? " wave" : " waves"),
            "a unit", unsigned(most), MicroShape(), unsigned(threads),
            *bench.product().computeUnits, 48))
      return error;
  return llvm::Error::success();
}

static llvm::Error probeProduct(ProbeBench &bench) {
  const bool is300 = bench.chip == Chip::Gfx942;
  MicroShape shape;
  shape.ldsBytes = *bench.arch().lds.bytes;
  if (llvm::Error error =
          addResidents(bench, "workgroups with all LDS of a unit at once",
                       "units", is300 ? 304 : 256, shape, 64, 1, 511))
    return error;
  // A read reaches three quarters of the peak on an MI300X, 5.3 TB/s.
  auto bytes = streamBytesPerCycle(
      bench.chip, {readStream(), 4096, 1 << 20, 16384, 1 << 20, 4, 4, 12});
  if (!bytes)
    return bytes.takeError();
  double peak = is300 ? 5.3 : 8.0;
  bench.add("all units read HBM", "TB/s",
            Predicted::between(0.7 * peak, 0.95 * peak),
            *bytes * *bench.product().clockMhz * 1e6 / 1e12);
  return llvm::Error::success();
}

static llvm::Error probeWaveLaunch(ProbeBench &bench) {
  MicroShape shape;
  shape.ldsBytes = *bench.arch().lds.bytes;
  auto kernel = MicroKernel::create(bench.chip, "  s_nop 0\n", shape);
  if (!kernel)
    return kernel.takeError();
  MicroKernel::Launch launch;
  launch.workgroups = 2 * *bench.product().computeUnits;
  launch.threads = 1024;
  auto timing = (*kernel)->run(launch);
  if (!timing)
    return timing.takeError();
  // The second workgroup of a unit finds its code in the cache.
  std::vector<const sim::WaveTiming *> second;
  for (const sim::WaveTiming &wave : (*timing)->waves)
    if (wave.xcd == 0 && wave.workgroup >= launch.workgroups / 2)
      second.push_back(&wave);
  if (second.size() < 2)
    return llvm::createStringError("the trace has no second workgroup");
  llvm::sort(second, [](const sim::WaveTiming *a, const sim::WaveTiming *b) {
    return a->begin < b->begin;
  });
  uint64_t first = second.front()->begin, last = second.back()->begin;
  bench.add("start of a wave to that of the next one", "cycles",
            Predicted::near(16), double(last - first) / (second.size() - 1),
            "instruction trace");
  const sim::IssueEvent &event = second.front()->events.front();
  bench.add("start of a wave to its first issue, code cached", "cycles",
            Predicted::near(64), double(event.time + event.stall - first),
            "instruction trace");
  return llvm::Error::success();
}

void fly::bench::addOccupancyProbes(Probes &probes) {
  const Chip c942 = Chip::Gfx942, c950 = Chip::Gfx950;
  probes.insert(probes.end(),
                {{"PRODUCT-SHEETS", {c942, c950}, probeProduct},
                 {"SGPR-BUDGET", {c942, c950}, probeSgprs},
                 {"WAVE-LAUNCH", {c942, c950}, probeWaveLaunch},
                 {"WORKGROUPS-PER-CU", {c942, c950}, probeWorkgroups}});
}
