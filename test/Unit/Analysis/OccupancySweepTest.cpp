// Occupancy against an independent table: LLVM's register rules as the waves
// for each rounded count (AMDGPUBaseInfo: getNumWavesPerEUWithNumVGPRs,
// getTotalNumVGPRs, getOccupancyWithNumSGPRs), workgroups counted by placing
// one after the other until one finds no room. Every pair of registers is
// placed by itself; then every class that the pairs, LDS, work items and scalar
// registers can be of is placed with every class of the others.

#include "fly/Analysis/OccupancyReport.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace fly;
using arch::OccupancyLimiter;

namespace {

struct Machine {
  const char *chip;
  unsigned ldsBytes, ldsGranule;
};
constexpr Machine machines[] = {{"gfx942", 64 * 1024, 512},
                                {"gfx950", 160 * 1024, 1280}};

/// Waves a SIMD by LLVM's table of thresholds.
unsigned wavesOf(unsigned vgprs) {
  constexpr unsigned table[][2] = {{64, 8},  {72, 7},  {80, 6},  {96, 5},
                                   {128, 4}, {168, 3}, {256, 2}, {512, 1}};
  for (const auto &row : table)
    if (vgprs <= row[0])
      return row[1];
  return 0;
}

/// The same of scalar registers: the table begins at more waves than there are.
unsigned wavesOfSgprs(unsigned sgprs) { return sgprs <= 100 ? 8 : 7; }

unsigned roundUp(unsigned value, unsigned granule) {
  while (value % granule)
    ++value;
  return value;
}

/// Whether `groups` workgroups of `waves` waves fit, resource by resource.
bool fits(const Machine &machine, OccupancyLimiter resource, unsigned vgprs,
          unsigned lds, unsigned waves, unsigned groups, unsigned sgprs = 0) {
  switch (resource) {
  case OccupancyLimiter::Waves:
    return groups * waves <= 32;
  case OccupancyLimiter::Vgpr:
    return groups * waves <= 4 * wavesOf(vgprs);
  case OccupancyLimiter::Lds:
    return groups * roundUp(lds, machine.ldsGranule) <= machine.ldsBytes;
  case OccupancyLimiter::Workgroups:
    return groups <= (waves == 1 ? 32u : 16u);
  case OccupancyLimiter::Sgpr:
    return groups * waves <= 4 * wavesOfSgprs(sgprs);
  }
  return false;
}

unsigned placeAll(const Machine &machine, unsigned vgprs, unsigned lds,
                  unsigned waves, unsigned sgprs) {
  unsigned groups = 0;
  auto all = [&](unsigned count) {
    for (OccupancyLimiter resource :
         {OccupancyLimiter::Waves, OccupancyLimiter::Vgpr,
          OccupancyLimiter::Lds, OccupancyLimiter::Workgroups,
          OccupancyLimiter::Sgpr})
      if (!fits(machine, resource, vgprs, lds, waves, count, sgprs))
        return false;
    return true;
  };
  while (all(groups + 1))
    ++groups;
  return groups;
}

/// Compares one point; false where it differs.
bool isRight(const Machine &machine, const arch::ArchInfo &chip,
             unsigned architectural, unsigned lds, unsigned threads,
             unsigned acc = 0, unsigned sgprs = 0) {
  arch::KernelResources used;
  used.archVgprs = architectural;
  used.accVgprs = acc;
  used.ldsBytes = lds;
  used.sgprs = sgprs;
  unsigned vgprs = acc ? roundUp(architectural, 4) + acc : architectural;
  used.workgroupThreads = threads;
  unsigned waves = (threads + 63) / 64;
  unsigned groups = placeAll(machine, vgprs, lds, waves, sgprs);
  llvm::Expected<arch::Occupancy> result = arch::computeOccupancy(chip, used);
  if (!result) {
    llvm::consumeError(result.takeError());
    return groups == 0;
  }
  // What is named as the limit is one.
  return result->workgroupsPerCu == groups &&
         result->wavesPerSimd == (groups * waves + 3) / 4 &&
         !fits(machine, result->limiter, vgprs, lds, waves, groups + 1, sgprs);
}

} // namespace

TEST(OccupancySweep, EveryPairOfRegisters) {
  unsigned wrong = 0, points = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned vgprs = 1; vgprs <= 512; ++vgprs)
      for (unsigned agprs = 0; agprs <= 256; ++agprs, ++points) {
        // Accumulation registers begin at a multiple of four.
        unsigned total = agprs ? roundUp(vgprs, 4) + agprs : vgprs;
        arch::KernelResources used;
        used.archVgprs = vgprs;
        used.accVgprs = agprs;
        llvm::Expected<arch::Occupancy> result =
            arch::computeOccupancy(chip, used);
        unsigned waves = result ? result->wavesPerSimd : 0;
        if (!result)
          llvm::consumeError(result.takeError());
        wrong += waves != wavesOf(total);
        if (total > 512)
          break; // No more of them either.
      }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(points, 190000u);
}

TEST(OccupancySweep, EveryRegisterCountAndWorkgroup) {
  unsigned wrong = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned vgprs = 1; vgprs <= 512; ++vgprs)
      for (unsigned threads = 1; threads <= 1024; threads += 3)
        wrong += !isRight(machine, chip, vgprs, machine.ldsBytes / 5, threads);
  }
  EXPECT_EQ(wrong, 0u);
}

// Registers are allotted by eight, LDS by its granule, waves whole: of each
// class one member, another one each time that the class comes up.
TEST(OccupancySweep, EveryClassOfAllResourcesTogether) {
  unsigned wrong = 0, points = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned total = 8; total <= 512; total += 8)
      for (unsigned lds = 0; lds <= machine.ldsBytes; lds += machine.ldsGranule)
        for (unsigned waves = 1; waves <= 16; ++waves, ++points) {
          // Accumulation registers: none, all that may be, or a part.
          unsigned vgprs = total - points % 8, agprs = 0;
          if (points % 3 && total > 8) {
            agprs = points % 3 == 1 ? std::min(total - 4, 256u)
                                    : std::min(total / 8 * 4, 256u);
            vgprs = total - agprs;
          }
          unsigned bytes = lds - (lds ? points % machine.ldsGranule : 0);
          unsigned threads = 64 * waves - points % 64;
          constexpr unsigned sgprs[] = {0, 16, 100, 101, 112};
          wrong += !isRight(machine, chip, vgprs, bytes, threads, agprs,
                            sgprs[points % std::size(sgprs)]);
        }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(points, 2u * 64 * 129 * 16);
}

TEST(OccupancySweep, EveryScalarRegisterCount) {
  unsigned wrong = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned sgprs = 1; sgprs <= 112; ++sgprs)
      for (unsigned waves = 1; waves <= 16; ++waves)
        for (unsigned vgprs : {64, 72, 128})
          wrong += !isRight(machine, chip, vgprs, 0, 64 * waves, 0, sgprs);
  }
  EXPECT_EQ(wrong, 0u);
}

// What a row names as the next step is one, and the smallest one.
TEST(OccupancySweep, StepsAreSmallest) {
  const Machine &machine = machines[0];
  unsigned steps = 0;
  const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
  for (unsigned vgprs = 1; vgprs <= 512; vgprs += 7)
    for (unsigned lds = 0; lds <= machine.ldsBytes; lds += 4099)
      for (unsigned threads : {64, 192, 256, 512}) {
        unsigned waves = threads / 64;
        arch::KernelResources used;
        used.archVgprs = vgprs;
        used.ldsBytes = lds;
        used.workgroupThreads = threads;
        analysis::OccupancyReport report =
            analysis::reportOccupancy(chip, "", used);
        for (const analysis::OccupancyRow &row : report.rows) {
          if (!row.next)
            continue;
          auto groupsOf = [&](unsigned amount) {
            bool isLds = row.resource == OccupancyLimiter::Lds;
            unsigned groups = 0;
            while (fits(machine, row.resource, isLds ? 1 : amount,
                        isLds ? amount : 0, waves, groups + 1) &&
                   groups < 64)
              ++groups;
            return groups;
          };
          ++steps;
          unsigned now = groupsOf(row.used);
          EXPECT_EQ(*row.workgroupsPerCu, now);
          EXPECT_GT(groupsOf(row.used - row.next->fewer), now);
          EXPECT_EQ(groupsOf(row.used - row.next->fewer + 1), now);
          EXPECT_EQ(row.next->wavesPerSimd, ((now + 1) * waves + 3) / 4);
        }
      }
  EXPECT_GT(steps, 3000u);
}
