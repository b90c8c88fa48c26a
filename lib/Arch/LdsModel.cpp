//===- LdsModel.cpp - Lane groups of LDS instructions, conflicts ----------===//
//
// The rows, and the conflict rule that matches every published counter sample:
// a phase costs the most different dwords that meet on one bank.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/LdsModel.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cassert>
#include <utility>

using namespace fly::arch;

namespace {

using Phases = std::array<uint8_t, 64>;

/// Phases of \p lanes consecutive lanes.
constexpr Phases consecutive(unsigned lanes) {
  Phases phases{};
  for (unsigned lane = 0; lane < 64; ++lane)
    phases[lane] = static_cast<uint8_t>(lane / lanes);
  return phases;
}

/// 8 phases of 8 lanes in two halves; phase of each group of 4 lanes.
/// {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27}, and +32.
constexpr Phases interleaved8() {
  constexpr uint8_t ofQuad[8] = {0, 1, 2, 3, 1, 0, 3, 2};
  Phases phases{};
  for (unsigned lane = 0; lane < 64; ++lane)
    phases[lane] = static_cast<uint8_t>(ofQuad[lane % 32 / 4] + lane / 32 * 4);
  return phases;
}

/// 4 phases of 16 lanes: {0-3,12-15,20-27} {4-11,16-19,28-31}, and +32.
constexpr Phases interleaved16() {
  constexpr uint8_t ofQuad[8] = {0, 1, 1, 0, 1, 0, 0, 1};
  Phases phases{};
  for (unsigned lane = 0; lane < 64; ++lane)
    phases[lane] = static_cast<uint8_t>(ofQuad[lane % 32 / 4] + lane / 32 * 2);
  return phases;
}

constexpr LdsAccess access(const char *mnemonic, Chip chip,
                           LdsDirection direction, unsigned bytes,
                           unsigned banks, Phases phaseOfLane, Basis basis,
                           const char *source, const char *assumption = "") {
  LdsAccess row{};
  row.mnemonic = mnemonic;
  row.chip = chip;
  row.direction = direction;
  row.bytesPerLane = bytes;
  row.banks = banks;
  for (uint8_t phase : phaseOfLane)
    if (phase + 1u > row.phases)
      row.phases = phase + 1u;
  unsigned dwordsPerPhase = 64 / row.phases * bytes / 4;
  row.cyclesPerPhase = (dwordsPerPhase + banks - 1) / banks;
  row.phaseOfLane = phaseOfLane;
  row.basis = basis;
  row.source = source;
  row.assumption = assumption;
  return row;
}

constexpr Chip c942 = Chip::Gfx942, c950 = Chip::Gfx950;
constexpr LdsDirection read = LdsDirection::Read, write = LdsDirection::Write;
constexpr const char *kernels = "[HW] HipKittens, SQ_LDS_BANK_CONFLICT on an "
                                "MI355X";
constexpr const char *ck = "[AMD] CK documentation";
constexpr const char *legacy = "[INF] rule of earlier chips: halves of 32 "
                               "lanes over 32 banks";
constexpr const char *as942 = "[INF] not measured on gfx950; as gfx942";

const LdsAccess rows[] = {
    access("ds_read_b32", c942, read, 4, 32, consecutive(32), Basis::Inferred,
           legacy, "LDS-LEGACY-HALVES"),
    access("ds_read_b64", c942, read, 8, 32, consecutive(32), Basis::Inferred,
           legacy, "LDS-LEGACY-HALVES"),
    access("ds_read_b96", c942, read, 12, 32, interleaved8(), Basis::Inferred,
           "[INF] same lane groups as ds_read_b128", "LDS-942-READ-B96"),
    access("ds_read_b128", c942, read, 16, 32, interleaved8(), Basis::Vendor,
           ck),
    access("ds_write_b32", c942, write, 4, 32, consecutive(32), Basis::Inferred,
           legacy, "LDS-LEGACY-HALVES"),
    access("ds_write_b64", c942, write, 8, 32, consecutive(16), Basis::Inferred,
           "[INF] as measured on gfx950", "LDS-942-WRITE-B64"),
    access("ds_write_b96", c942, write, 12, 32, consecutive(8), Basis::Inferred,
           "[INF] same lane groups as ds_write_b128", "LDS-WRITE-B96"),
    access("ds_write_b128", c942, write, 16, 32, consecutive(8), Basis::Vendor,
           ck),

    access("ds_read_b32", c950, read, 4, 32, consecutive(32), Basis::Inferred,
           as942, "LDS-950-B32"),
    access("ds_read_b64", c950, read, 8, 64, consecutive(32), Basis::Hardware,
           kernels),
    access("ds_read_b96", c950, read, 12, 32, interleaved8(), Basis::Hardware,
           kernels),
    access("ds_read_b128", c950, read, 16, 64, interleaved16(), Basis::Hardware,
           kernels),
    access("ds_write_b32", c950, write, 4, 32, consecutive(32), Basis::Inferred,
           as942, "LDS-950-B32"),
    access("ds_write_b64", c950, write, 8, 32, consecutive(16), Basis::Hardware,
           kernels),
    access("ds_write_b96", c950, write, 12, 32, consecutive(8), Basis::Inferred,
           "[INF] same lane groups as ds_write_b128", "LDS-WRITE-B96"),
    access("ds_write_b128", c950, write, 16, 32, consecutive(8),
           Basis::Inferred, as942, "LDS-950-WRITE-B128"),
};

} // namespace

llvm::ArrayRef<LdsAccess> fly::arch::ldsAccesses() { return rows; }

const LdsAccess *fly::arch::lookupLdsAccess(Chip chip, LdsDirection direction,
                                            unsigned bytesPerLane) {
  if (bytesPerLane == 1 || bytesPerLane == 2)
    bytesPerLane = 4;
  for (const LdsAccess &row : rows)
    if (row.chip == chip && row.direction == direction &&
        row.bytesPerLane == bytesPerLane)
      return &row;
  return nullptr;
}

/// Calls `visit(bank, dwords)` for each bank that a phase touches, with how
/// many different dwords of it; false where the phase touches none.
template <typename Visit>
static bool visitBanks(const LdsAccess &access,
                       llvm::ArrayRef<uint32_t> addresses, uint64_t exec,
                       unsigned phase, Visit visit) {
  assert(addresses.size() == 64 && "one address a lane");
  // (bank, dword) pairs of the phase; sorted, equal dwords collapse into one.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 64> touched;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (access.phaseOfLane[lane] != phase || !(exec >> lane & 1))
      continue;
    uint32_t first = addresses[lane] / 4;
    uint32_t last = (addresses[lane] + access.bytesPerLane - 1) / 4;
    for (uint32_t dword = first; dword <= last; ++dword)
      touched.push_back({dword % access.banks, dword});
  }
  llvm::sort(touched);
  touched.erase(llvm::unique(touched), touched.end());
  for (size_t i = 0, end = 0; i < touched.size(); i = end) {
    while (end < touched.size() && touched[end].first == touched[i].first)
      ++end;
    visit(touched[i].first, unsigned(end - i));
  }
  return !touched.empty();
}

LdsCost fly::arch::ldsCost(const LdsAccess &access,
                           llvm::ArrayRef<uint32_t> addresses, uint64_t exec) {
  LdsCost cost;
  for (unsigned phase = 0; phase < access.phases; ++phase) {
    unsigned worst = 0;
    if (!visitBanks(access, addresses, exec, phase,
                    [&](unsigned, unsigned dwords) {
                      worst = std::max(worst, dwords);
                    }))
      continue;
    unsigned free = access.cyclesPerPhase;
    unsigned busy = std::max(worst, free);
    ++cost.phases;
    cost.conflictCycles += busy - free;
    cost.degree = std::max(cost.degree, (busy + free - 1) / free);
    cost.cycles += busy;
  }
  return cost;
}

unsigned fly::arch::ldsAddressConflicts(const LdsAccess &access,
                                        llvm::ArrayRef<uint32_t> addresses,
                                        uint64_t exec) {
  unsigned cycles = 0;
  for (unsigned phase = 0; phase < access.phases; ++phase) {
    llvm::SmallVector<uint32_t, 64> of;
    for (unsigned lane = 0; lane < 64; ++lane)
      if (access.phaseOfLane[lane] == phase && (exec >> lane & 1))
        of.push_back(addresses[lane]);
    llvm::sort(of);
    size_t most = 1;
    for (size_t i = 0, end = 0; i < of.size(); i = end) {
      while (end < of.size() && of[end] == of[i])
        ++end;
      most = std::max(most, end - i);
    }
    cycles += unsigned(most) - 1;
  }
  return cycles;
}

LdsBankLoad fly::arch::ldsBankLoad(const LdsAccess &access,
                                   llvm::ArrayRef<uint32_t> addresses,
                                   uint64_t exec) {
  LdsBankLoad load;
  for (unsigned phase = 0; phase < access.phases; ++phase)
    visitBanks(
        access, addresses, exec, phase, [&](unsigned bank, unsigned dwords) {
          unsigned waits = dwords - std::min(dwords, access.cyclesPerPhase);
          load.dwords[bank] = uint16_t(load.dwords[bank] + dwords);
          load.waits[bank] = uint16_t(load.waits[bank] + waits);
        });
  return load;
}
