//===- MemoryRows.cpp - latencies and bandwidths of memory ----------------===//
//
// Pointer chases of one lane over footprints that end in each level, and
// streams of all compute units.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Products.h"

#include "HardwareRows.h"
#include "MemoryKernels.h"

using namespace fly;
using namespace fly::bench;

namespace {

struct PublishedLatency {
  const char *what;
  double cycles;
  Chase chase;
};

struct PublishedBandwidth {
  const char *what;
  double low, high; ///< TB/s.
  Stream stream;
  bool isInput = false; ///< A parameter of the model is this figure.
};

} // namespace

static HardwareRow row(const char *group, const char *what, const char *unit) {
  HardwareRow row;
  row.chip = arch::Chip::Gfx942;
  row.group = group;
  row.what = what;
  row.unit = unit;
  row.source = "[HW] gpu-benches, MI300X";
  return row;
}

llvm::Error fly::bench::addMemoryRows(Rows &rows) {
  const PublishedLatency latencies[] = {
      {"vector L1, 16 KB", 119, {1 << 20, strided(128, 128), 128, 512}},
      {"L2, 2 MB", 213, {2 << 20, strided(16384, 128), 16384, 4096}},
      {"MALL, 32 MB", 456, {32 << 20, strided(65536, 512), 65536, 8192}},
      {"MALL, 184 MB",
       526,
       {184 << 20, pageByPage(92, 62784, 3072), 62784, 8192}},
      {"HBM, 512 MB", 880, {512 << 20, freshLines(256, 8192), 256, 4096}},
  };
  for (const PublishedLatency &published : latencies) {
    auto cycles = chaseLatency(arch::Chip::Gfx942, published.chase);
    if (!cycles)
      return cycles.takeError();
    rows.push_back(row("latency of dependent loads", published.what, "cycles"));
    rows.back().low = rows.back().high = published.cycles;
    rows.back().model = *cycles;
    // Latencies of ArchInfo, and translationMiss of TimingTable.
    rows.back().isInput = true;
  }

  const PublishedBandwidth bandwidths[] = {
      {"vector L1, all units read 16 KB each",
       38.8,
       38.8,
       {readStream(), 4096, 16384, 0, 1, 4, 16, 48}},
      {"L2, all units read the same 1 MB",
       27,
       27,
       {readStream(), 4096, 0, 65536, 1 << 20, 16, 16, 32},
       true},
      {"HBM, read",
       4.0,
       4.2,
       {readStream(), 4096, 1 << 20, 16384, 1 << 20, 4, 8, 24},
       true},
      {"HBM, write",
       4.8,
       4.8,
       {writeStream(), 4096, 1 << 20, 16384, 1 << 20, 4, 4, 12},
       true},
      {"HBM, triad",
       3.9,
       3.9,
       {triadStream(), 3 * 4096, 1 << 20, 16384, 1 << 20, 4, 4, 12}},
  };
  const arch::Product &product = *arch::defaultProduct(arch::Chip::Gfx942);
  for (const PublishedBandwidth &published : bandwidths) {
    auto bytes = streamBytesPerCycle(arch::Chip::Gfx942, published.stream);
    if (!bytes)
      return bytes.takeError();
    rows.push_back(row("bandwidth of the chip", published.what, "TB/s"));
    rows.back().isInput = published.isInput;
    rows.back().low = published.low;
    rows.back().high = published.high;
    rows.back().model = *bytes * *product.clockMhz * 1e6 / 1e12;
  }
  return llvm::Error::success();
}
