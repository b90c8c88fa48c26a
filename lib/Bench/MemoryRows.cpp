//===- MemoryRows.cpp - latencies and bandwidths of memory ----------------===//
//
// Pointer chases of one lane over footprints that end in each level, and
// streams of all compute units.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Products.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

/// Thirty-two dependent loads an iteration; each loads the offset of the next.
static const char *const chaseBody = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 0
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
again:
  .rept 32
  global_load_dword v1, v1, s[6:7]
  s_waitcnt vmcnt(0)
  v_add_u32 v1, v1, v2
  .endr
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
)";

namespace {

/// The offsets that a chase visits, one after the other and round again.
struct Chase {
  const char *what;
  double cycles; ///< Published.
  uint64_t bytes;
  std::vector<uint32_t> offsets;
  /// Loads that only warm up, and those that count; multiples of 32.
  unsigned warm, counted;
};

} // namespace

static std::vector<uint32_t> strided(unsigned count, unsigned stride) {
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != count; ++i)
    offsets.push_back(i * stride);
  return offsets;
}

/// The lines of strided(), a page's next one when all pages had their turn.
static std::vector<uint32_t> pageByPage(unsigned pages, unsigned count,
                                        unsigned stride) {
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != count; ++i)
    offsets.push_back(i % pages * (2u << 20) + i / pages * stride);
  return offsets;
}

/// A line of each page first, then lines that nobody has touched, page after
/// page.
static std::vector<uint32_t> freshLines(unsigned pages, unsigned lines) {
  constexpr unsigned page = 2u << 20;
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != pages; ++i)
    offsets.push_back(i * page);
  for (unsigned i = 0; i != lines; ++i)
    offsets.push_back(i % pages * page + (i / pages + 1) * 4224);
  return offsets;
}

static llvm::Error addChase(Rows &rows, const Chase &chase) {
  auto kernel = MicroKernel::create(arch::Chip::Gfx942, chaseBody);
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(chase.bytes);
  if (!buffer)
    return buffer.takeError();
  for (size_t i = 0; i != chase.offsets.size(); ++i) {
    uint32_t next = chase.offsets[(i + 1) % chase.offsets.size()];
    std::memcpy((*kernel)->memory().host(*buffer + chase.offsets[i], 4), &next,
                4);
  }
  MicroKernel::Launch launch;
  launch.arguments = {0, *buffer};
  auto cycles = cyclesBetween(**kernel, launch, chase.warm / 32,
                              (chase.warm + chase.counted) / 32);
  if (!cycles)
    return cycles.takeError();
  HardwareRow row;
  row.chip = arch::Chip::Gfx942;
  row.group = "latency of dependent loads";
  row.what = chase.what;
  row.unit = "cycles";
  row.low = row.high = chase.cycles;
  row.model = *cycles / chase.counted;
  row.source = "[HW] gpu-benches, MI300X";
  rows.push_back(row);
  return llvm::Error::success();
}

/// `body` streams a kilobyte a wave and access. s[8:9], s[10:11] and s[12:13]
/// are buffers at the workgroup's place; they move on by a step an iteration,
/// inside of a window.
static std::string streamBody(llvm::StringRef body) {
  return llvm::formatv(R"(
  s_load_dwordx8 s[4:11], s[0:1], 0x0
  v_lshrrev_b32 v1, 6, v0
  v_and_b32 v2, 63, v0
  v_lshlrev_b32 v3, 4, v2
  v_lshl_add_u32 v3, v1, 12, v3
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s17, s9
  s_mov_b32 s18, 0
  s_mov_b32 s19, s10
  s_mul_i32 s14, s2, s8
  s_mul_hi_u32 s15, s2, s8
  s_add_u32 s20, s6, s14
  s_addc_u32 s21, s7, s15
again:
  s_add_u32 s8, s20, s18
  s_addc_u32 s9, s21, 0
  s_add_u32 s10, s8, 0x20000000
  s_addc_u32 s11, s9, 0
  s_add_u32 s12, s10, 0x20000000
  s_addc_u32 s13, s11, 0
  {0}
  s_add_u32 s18, s18, s17
  s_and_b32 s18, s18, s19
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
  s_waitcnt vmcnt(0)
)",
                       body)
      .str();
}

namespace {

struct Stream {
  const char *what;
  double low, high; ///< TB/s, published.
  std::string body;
  unsigned bytes;    ///< A wave and iteration.
  uint64_t perGroup; ///< Distance of workgroups.
  uint64_t step;     ///< Of an iteration.
  uint64_t window;   ///< After which it starts again.
  unsigned waves, less, more;
  Judgement judgement;
};

} // namespace

static llvm::Error addStream(Rows &rows, const Stream &stream) {
  const arch::Product &product = *arch::lookupProduct("MI300X");
  auto kernel =
      MicroKernel::create(arch::Chip::Gfx942, streamBody(stream.body));
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(uint64_t(3) << 29);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.workgroups = *product.computeUnits;
  launch.threads = stream.waves * 64;
  launch.arguments = {0, *buffer, stream.perGroup | stream.step << 32,
                      stream.window - 1};
  auto cycles = cyclesBetween(**kernel, launch, stream.less, stream.more);
  if (!cycles)
    return cycles.takeError();
  double bytes = double(stream.bytes) * stream.waves * launch.workgroups *
                 (stream.more - stream.less);
  HardwareRow row;
  row.chip = arch::Chip::Gfx942;
  row.group = "bandwidth of the chip";
  row.what = stream.what;
  row.unit = "TB/s";
  row.low = stream.low;
  row.high = stream.high;
  row.model = bytes / *cycles * *product.clockMhz * 1e6 / 1e12;
  row.source = "[HW] gpu-benches, MI300X";
  row.judgement = stream.judgement;
  rows.push_back(row);
  return llvm::Error::success();
}

static std::string repeated(llvm::StringRef format) {
  std::string text;
  for (unsigned offset = 0; offset != 4096; offset += 1024)
    text += llvm::formatv(format.str().c_str(), offset).str();
  return text;
}

llvm::Error fly::bench::addMemoryRows(Rows &rows) {
  const Chase chases[] = {
      {"vector L1, 16 KB", 119, 1 << 20, strided(128, 128), 128, 512},
      {"L2, 2 MB", 213, 2 << 20, strided(16384, 128), 16384, 4096},
      {"MALL, 32 MB", 456, 32 << 20, strided(65536, 512), 65536, 8192},
      {"MALL, 184 MB", 526, 184 << 20, pageByPage(92, 62784, 3072), 62784,
       8192},
      {"HBM, 512 MB", 880, 512 << 20, freshLines(256, 8192), 256, 4096},
  };
  for (const Chase &chase : chases)
    if (llvm::Error error = addChase(rows, chase))
      return error;

  std::string loads =
      repeated("  global_load_dwordx4 v[4:7], v3, s[8:9] offset:{0}\n");
  std::string reads = loads + "  s_waitcnt vmcnt(12)\n";
  std::string stores =
      repeated("  global_store_dwordx4 v3, v[4:7], s[12:13] offset:{0}\n");
  std::string triad =
      loads +
      repeated("  global_load_dwordx4 v[8:11], v3, s[10:11] offset:{0}\n") +
      "  s_waitcnt vmcnt(4)\n" + stores;
  const Stream streams[] = {
      {"vector L1, all units read 16 KB each", 38.8, 38.8, reads, 4096, 16384,
       0, 1, 4, 16, 48, Judgement::Tenth},
      {"L2, all units read the same 1 MB", 27, 27, reads, 4096, 0, 65536,
       1 << 20, 16, 16, 32, Judgement::Tenth},
      {"HBM, read", 4.0, 4.2, reads, 4096, 1 << 20, 16384, 1 << 20, 4, 8, 24,
       Judgement::Tenth},
      {"HBM, write", 4.8, 4.8, stores + "  s_waitcnt vmcnt(12)\n", 4096,
       1 << 20, 16384, 1 << 20, 4, 4, 12, Judgement::Tenth},
      {"HBM, triad", 3.9, 3.9, triad, 3 * 4096, 1 << 20, 16384, 1 << 20, 4, 4,
       12, Judgement::Tenth},
  };
  for (const Stream &stream : streams)
    if (llvm::Error error = addStream(rows, stream))
      return error;
  return llvm::Error::success();
}
