//===- ConflictRows.cpp - LDS phases and banks against hardware -----------===//
//
// The lanes of a published group, each with a dword of its own on one bank,
// conflict with each other: one less than their number. One lane of each group
// on that bank do not conflict at all. Both together say that the groups are
// the phases. What is counted is SQ_LDS_BANK_CONFLICT.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

namespace {

/// What is published of one instruction. Groups of the lower half of the wave,
/// as masks; the upper half is the same.
struct PublishedPhases {
  arch::Chip chip;
  const char *instruction;
  unsigned banks;
  std::vector<uint64_t> groups;
  arch::Basis basis;
  const char *source;
};

} // namespace

static constexpr uint64_t lanes(unsigned first, unsigned last) {
  return (last == 63 ? ~uint64_t(0) : (uint64_t(1) << (last + 1)) - 1) &
         ~((uint64_t(1) << first) - 1);
}

static std::vector<PublishedPhases> publishedPhases() {
  std::vector<uint64_t> eights = {
      lanes(0, 3) | lanes(20, 23), lanes(4, 7) | lanes(16, 19),
      lanes(8, 11) | lanes(28, 31), lanes(12, 15) | lanes(24, 27)};
  std::vector<uint64_t> sixteens = {lanes(0, 3) | lanes(12, 15) | lanes(20, 27),
                                    lanes(4, 11) | lanes(16, 19) |
                                        lanes(28, 31)};
  const char *ck = "[AMD] CK documentation";
  const char *kernels = "[HW] HipKittens on an MI355X";
  return {
      {arch::Chip::Gfx942, "ds_read_b128", 32, eights, arch::Basis::Vendor, ck},
      {arch::Chip::Gfx942,
       "ds_write_b128",
       32,
       {lanes(0, 7), lanes(8, 15), lanes(16, 23), lanes(24, 31)},
       arch::Basis::Vendor,
       ck},
      {arch::Chip::Gfx950, "ds_read_b128", 64, sixteens, arch::Basis::Hardware,
       kernels},
      {arch::Chip::Gfx950, "ds_read_b96", 32, eights, arch::Basis::Hardware,
       kernels},
      {arch::Chip::Gfx950,
       "ds_read_b64",
       64,
       {lanes(0, 31)},
       arch::Basis::Hardware,
       kernels},
      {arch::Chip::Gfx950,
       "ds_write_b64",
       32,
       {lanes(0, 15), lanes(16, 31)},
       arch::Basis::Hardware,
       kernels},
  };
}

/// Each enabled lane at its number times the banks' whole width.
static std::string conflictBody(llvm::StringRef instruction, unsigned banks,
                                uint64_t exec) {
  bool isRead = instruction.contains("read");
  unsigned dwords = instruction.ends_with("128")  ? 4
                    : instruction.ends_with("96") ? 3
                    : instruction.ends_with("64") ? 2
                                                  : 1;
  std::string data = dwords == 1 ? std::string("v4")
                                 : "v[4:" + std::to_string(3 + dwords) + "]";
  std::string operands = isRead ? data + ", v1" : "v1, " + data;
  return llvm::formatv(R"(
  v_mul_u32_u24 v1, {0}, v0
  s_mov_b32 exec_lo, 0x{1:x-}
  s_mov_b32 exec_hi, 0x{2:x-}
  {3} {4}
  s_waitcnt lgkmcnt(0)
)",
                       4 * banks, uint32_t(exec), uint32_t(exec >> 32),
                       instruction, operands)
      .str();
}

static llvm::Expected<sim::TimingCounters>
countConflicts(arch::Chip chip, llvm::StringRef instruction, unsigned banks,
               uint64_t exec) {
  MicroShape shape;
  shape.ldsBytes = 64 * 4 * banks;
  auto kernel =
      MicroKernel::create(chip, conflictBody(instruction, banks, exec), shape);
  if (!kernel)
    return kernel.takeError();
  auto timing = (*kernel)->run({});
  if (!timing)
    return timing.takeError();
  return (*timing)->counters;
}

llvm::Error fly::bench::addConflictRows(Rows &rows) {
  auto add = [&](const PublishedPhases &phases, uint64_t exec, double expected,
                 std::string what) -> llvm::Error {
    auto counters =
        countConflicts(phases.chip, phases.instruction, phases.banks, exec);
    if (!counters)
      return counters.takeError();
    HardwareRow row;
    row.chip = phases.chip;
    row.group = "LDS conflicts";
    row.what = std::string(phases.instruction) + ", " + what;
    row.unit = "cycles";
    row.low = row.high = expected;
    row.model = double(counters->ldsBankConflict);
    row.basis = phases.basis;
    row.source = phases.source;
    row.judgement = Judgement::Exact;
    rows.push_back(row);
    return llvm::Error::success();
  };
  std::vector<PublishedPhases> published = publishedPhases();
  for (const PublishedPhases &phases : published) {
    uint64_t single = 0;
    unsigned size = 0;
    for (uint64_t group : phases.groups)
      for (uint64_t half : {group, group << 32}) {
        size = unsigned(llvm::popcount(half));
        single |= half & -half;
        if (half == phases.groups.front())
          if (llvm::Error error =
                  add(phases, half, size - 1,
                      "the " + std::to_string(size) + " lanes of a phase"))
            return error;
        auto counters =
            countConflicts(phases.chip, phases.instruction, phases.banks, half);
        if (!counters)
          return counters.takeError();
        if (counters->ldsBankConflict != size - 1)
          return add(phases, half, size - 1, "a further phase");
      }
    if (llvm::Error error = add(phases, single, 0, "a lane of each phase"))
      return error;
    if (llvm::Error error =
            add(phases, ~uint64_t(0), double(64 / size) * (size - 1),
                "all lanes on one bank"))
      return error;
  }
  // Published as a share: 31 of 32 cycles of a read are lost at worst.
  auto counters =
      countConflicts(arch::Chip::Gfx942, "ds_read_b32", 32, ~uint64_t(0));
  if (!counters)
    return counters.takeError();
  HardwareRow row;
  row.chip = arch::Chip::Gfx942;
  row.group = "LDS conflicts";
  row.what = "largest conflict rate";
  row.unit = "%";
  row.low = row.high = 96.875;
  row.model = 100.0 * double(counters->ldsBankConflict) /
              double(counters->ldsIndexActive);
  row.basis = arch::Basis::Vendor;
  row.source = "[AMD] rocprof-compute documentation";
  row.judgement = Judgement::Exact;
  rows.push_back(row);
  return llvm::Error::success();
}
