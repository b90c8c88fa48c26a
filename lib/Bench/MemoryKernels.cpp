//===- MemoryKernels.cpp - pointer chases and streams ---------------------===//
#include "MemoryKernels.h"

#include "fly/Arch/Products.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <random>

#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

/// A line, as neighbouring groups of lanes have one each.
static constexpr unsigned lineBytes = 64;

/// Thirty-two dependent loads an iteration; each loads the offset of the next.
/// Lanes start at the line of their group.
static const char *const chaseBody = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x10
  v_mov_b32 v2, 0
  s_waitcnt lgkmcnt(0)
  v_lshrrev_b32 v1, s8, v0
  v_lshlrev_b32 v1, 6, v1
  s_mov_b64 exec, s[10:11]
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

/// The same by scalar loads.
static const char *const scalarChaseBody = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b32 s12, 0
  s_waitcnt lgkmcnt(0)
again:
  .rept 32
  s_load_dword s12, s[6:7], s12
  s_waitcnt lgkmcnt(0)
  .endr
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
)";

std::vector<uint32_t> fly::bench::strided(unsigned count, unsigned stride) {
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != count; ++i)
    offsets.push_back(i * stride);
  return offsets;
}

std::vector<uint32_t> fly::bench::pageByPage(unsigned pages, unsigned count,
                                             unsigned stride) {
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != count; ++i)
    offsets.push_back(i % pages * (2u << 20) + i / pages * stride);
  return offsets;
}

std::vector<uint32_t> fly::bench::freshLines(unsigned pages, unsigned lines) {
  constexpr unsigned page = 2u << 20;
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i != pages; ++i)
    offsets.push_back(i * page);
  for (unsigned i = 0; i != lines; ++i)
    offsets.push_back(i % pages * page + (i / pages + 1) * 4224);
  return offsets;
}

std::vector<uint32_t> fly::bench::drawnLines(unsigned count, uint64_t bytes,
                                             unsigned seed) {
  uint32_t lines = uint32_t(bytes / lineBytes);
  std::vector<bool> isDrawn(lines);
  isDrawn[0] = true;
  std::vector<uint32_t> offsets = {0};
  std::mt19937 draw(seed);
  while (offsets.size() != count) {
    uint32_t line = draw() % lines;
    if (isDrawn[line])
      continue;
    isDrawn[line] = true;
    offsets.push_back(line * lineBytes);
  }
  return offsets;
}

llvm::Expected<double> fly::bench::chaseLatency(arch::Chip chip,
                                                const Chase &chase) {
  auto kernel =
      MicroKernel::create(chip, chase.isScalar ? scalarChaseBody : chaseBody);
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(chase.bytes);
  if (!buffer)
    return buffer.takeError();
  for (size_t i = 0; i != chase.offsets.size(); ++i)
    for (unsigned line = 0; line != chase.lines; ++line) {
      uint32_t next =
          chase.offsets[(i + 1) % chase.offsets.size()] + line * lineBytes;
      std::memcpy((*kernel)->memory().host(
                      *buffer + chase.offsets[i] + line * lineBytes, 4),
                  &next, 4);
    }
  MicroKernel::Launch launch;
  uint64_t shift = 6 - llvm::countr_zero(chase.lines);
  uint64_t exec = chase.lines == 1 ? 1 : ~uint64_t(0);
  launch.arguments = {0, *buffer, shift, exec};
  auto cycles = cyclesBetween(**kernel, launch, chase.warm / 32,
                              (chase.warm + chase.counted) / 32);
  if (!cycles)
    return cycles.takeError();
  return *cycles / chase.counted;
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

llvm::Expected<double> fly::bench::streamBytesPerCycle(arch::Chip chip,
                                                       const Stream &stream) {
  auto kernel = MicroKernel::create(chip, streamBody(stream.body));
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(uint64_t(3) << 29);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.workgroups = *arch::defaultProduct(chip)->computeUnits;
  launch.threads = stream.waves * 64;
  launch.arguments = {0, *buffer, stream.perGroup | stream.step << 32,
                      stream.window - 1};
  auto cycles = cyclesBetween(**kernel, launch, stream.less, stream.more);
  if (!cycles)
    return cycles.takeError();
  return double(stream.bytes) * stream.waves * launch.workgroups *
         (stream.more - stream.less) / *cycles;
}

static std::string repeated(llvm::StringRef format) {
  std::string text;
  for (unsigned offset = 0; offset != 4096; offset += 1024)
    text += llvm::formatv(format.str().c_str(), offset).str();
  return text;
}

static std::string loads() {
  return repeated("  global_load_dwordx4 v[4:7], v3, s[8:9] offset:{0}\n");
}

static std::string stores() {
  return repeated("  global_store_dwordx4 v3, v[4:7], s[12:13] offset:{0}\n");
}

std::string fly::bench::readStream() {
  return loads() + "  s_waitcnt vmcnt(12)\n";
}

std::string fly::bench::writeStream() {
  return stores() + "  s_waitcnt vmcnt(12)\n";
}

std::string fly::bench::triadStream() {
  return loads() +
         repeated("  global_load_dwordx4 v[8:11], v3, s[10:11] offset:{0}\n") +
         "  s_waitcnt vmcnt(4)\n" + stores();
}
