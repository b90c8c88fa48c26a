//===- ThroughputRows.cpp - LDS and vector memory of a unit ---------------===//
//
// The matrix of a public MI308X study: bytes a cycle of a compute unit with 1,
// 2 and 4 waves on each of one SIMD, a pair that shares a port, one SIMD of
// each pair, and all four. The saturated cells are judged: the largest of each
// triple, and all of the last column.
//
// The study's kernels are not published. Here LDS instructions run without
// waits, sixteen an iteration; loads keep four in flight.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

namespace {

/// SIMDs at work, and their name in the study.
struct Column {
  const char *name;
  unsigned simds;
};
constexpr Column columns[] = {
    {"1 SIMD", 1}, {"one pair", 3}, {"both ports", 5}, {"all 4", 15}};
constexpr unsigned wavesPerSimd[] = {1, 2, 4};

struct PublishedThroughput {
  const char *what;
  /// One access of a wave, without the loop.
  const char *body;
  unsigned bytes;                ///< A lane.
  double cells[4][3];            ///< By column and waves.
  unsigned less = 40, more = 80; ///< Iterations.
};

} // namespace

/// Sixteen accesses an iteration by the waves on the SIMDs of the mask; v3 is
/// the lane's own offset, s[8:9] a buffer, s15 runs over 64 KB of a wave.
static std::string loopBody(llvm::StringRef body, unsigned bytes) {
  bool isFar = body.contains("s[16:17]");
  return llvm::formatv(R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x10
  v_lshrrev_b32 v1, 6, v0
  s_nop 4
  v_readfirstlane_b32 s12, v1
  s_nop 4
  s_and_b32 s13, s12, 3
  s_mov_b32 s15, 0
  s_waitcnt lgkmcnt(0)
  s_lshr_b32 s14, s6, s13
  s_and_b32 s14, s14, 1
  s_cbranch_scc0 finish
  v_and_b32 v2, 63, v0
  v_mul_u32_u24 v3, {0}, v2
  {1}
  s_mov_b64 s[16:17], s[8:9]
again:
  {2}
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
finish:
  s_waitcnt vmcnt(0) lgkmcnt(0)
)",
                       bytes,
                       body.contains("global")
                           ? (isFar ? "v_lshl_add_u32 v3, v1, 16, v3"
                                    : "v_lshl_add_u32 v3, v1, 10, v3")
                           : "",
                       isFar ? (".rept 4\n" + body +
                                "\n  s_add_u32 s15, s15, 4096\n"
                                "  s_and_b32 s15, s15, 0xffff\n"
                                "  s_add_u32 s16, s8, s15\n"
                                "  s_addc_u32 s17, s9, 0\n.endr")
                                   .str()
                             : (".rept 16\n" + body + "\n.endr").str())
      .str();
}

/// Four loads of neighbouring kilobytes.
static const char *const farLoads =
    "  global_load_dwordx4 v[4:7], v3, s[16:17]\n"
    "  s_waitcnt vmcnt(3)\n"
    "  global_load_dwordx4 v[4:7], v3, s[16:17] offset:1024\n"
    "  s_waitcnt vmcnt(3)\n"
    "  global_load_dwordx4 v[4:7], v3, s[16:17] offset:2048\n"
    "  s_waitcnt vmcnt(3)\n"
    "  global_load_dwordx4 v[4:7], v3, s[16:17] offset:3072\n"
    "  s_waitcnt vmcnt(3)\n";

static std::vector<PublishedThroughput> publishedThroughput() {
  return {
      {"ds_read_b32",
       "  ds_read_b32 v4, v3",
       4,
       {{17, 33, 51}, {29, 57, 58}, {33, 66, 102}, {58, 117, 116}}},
      {"ds_read_b64",
       "  ds_read_b64 v[4:5], v3",
       8,
       {{28, 55, 48}, {55, 64, 64}, {55, 111, 109}, {111, 120, 124}}},
      {"ds_read_b128",
       "  ds_read_b128 v[4:7], v3",
       16,
       {{39, 64, 59}, {64, 64, 64}, {79, 128, 122}, {128, 128, 128}}},
      {"ds_write_b128",
       "  ds_write_b128 v3, v[4:7]",
       16,
       {{27, 35, 37}, {34, 37, 38}, {55, 71, 74}, {67, 74, 76}}},
      {"global_load_dwordx4, L1 hit",
       "  global_load_dwordx4 v[4:7], v3, s[8:9]\n  s_waitcnt vmcnt(3)",
       16,
       {{30, 62, 64}, {43, 64, 64}, {43, 64, 64}, {64, 64, 64}}},
      {"global_load_dwordx4, L2 hit",
       farLoads,
       16,
       {{12, 24, 48}, {21, 42, 64}, {21, 42, 64}, {48, 64, 64}},
       8,
       24},
  };
}

llvm::Expected<double> fly::bench::cyclesBetween(MicroKernel &kernel,
                                                 MicroKernel::Launch launch,
                                                 uint64_t less, uint64_t more) {
  uint64_t cycles[2];
  for (unsigned i = 0; i != 2; ++i) {
    launch.arguments[0] = i ? more : less;
    auto timing = kernel.run(launch);
    if (!timing)
      return timing.takeError();
    cycles[i] = (*timing)->cycles;
  }
  return double(cycles[1]) - double(cycles[0]);
}

llvm::Expected<std::unique_ptr<AccessLoop>>
AccessLoop::create(arch::Chip chip, llvm::StringRef body, unsigned bytes) {
  MicroShape shape;
  shape.ldsBytes = 65536;
  auto kernel = MicroKernel::create(chip, loopBody(body, bytes), shape);
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(2 << 20);
  if (!buffer)
    return buffer.takeError();
  auto loop = std::make_unique<AccessLoop>();
  loop->kernel = std::move(*kernel);
  loop->buffer = *buffer;
  return std::move(loop);
}

llvm::Expected<double> AccessLoop::cyclesEach(unsigned simds, unsigned waves,
                                              unsigned less, unsigned more) {
  MicroKernel::Launch launch;
  launch.threads = waves * 4 * 64;
  launch.arguments = {0, simds, buffer};
  auto cycles = cyclesBetween(*kernel, launch, less, more);
  if (!cycles)
    return cycles.takeError();
  return *cycles /
         (16.0 * (more - less) * waves * unsigned(llvm::popcount(simds)));
}

llvm::Error fly::bench::addThroughputRows(Rows &rows) {
  for (const PublishedThroughput &published : publishedThroughput()) {
    auto loop =
        AccessLoop::create(arch::Chip::Gfx942, published.body, published.bytes);
    if (!loop)
      return loop.takeError();
    for (unsigned column = 0; column != 4; ++column)
      for (unsigned i = 0; i != 3; ++i) {
        unsigned waves = wavesPerSimd[i];
        auto cycles = (*loop)->cyclesEach(columns[column].simds, waves,
                                          published.less, published.more);
        if (!cycles)
          return cycles.takeError();
        const double (&triple)[3] = published.cells[column];
        HardwareRow row;
        row.chip = arch::Chip::Gfx942;
        row.group = "throughput of a compute unit";
        row.what = std::string(published.what) + ", " + columns[column].name +
                   ", " + std::to_string(waves) +
                   (waves == 1 ? " wave" : " waves");
        row.unit = "B/clk";
        row.low = row.high = triple[i];
        row.model = 64 * published.bytes / *cycles;
        row.source = "[HW] MI308X study";
        bool isSaturated =
            column == 3 || triple[i] == *std::max_element(triple, triple + 3);
        row.judgement = isSaturated ? Judgement::Tenth : Judgement::Printed;
        rows.push_back(row);
      }
  }
  return llvm::Error::success();
}
