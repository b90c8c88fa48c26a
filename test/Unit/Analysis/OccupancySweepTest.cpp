// Occupancy against an independent table: LLVM's register rule as the waves for
// each rounded count (AMDGPUBaseInfo, getNumWavesPerEUWithNumVGPRs and
// getTotalNumVGPRs), workgroups counted by placing one after the other until
// one finds no room. Every number of registers, LDS and work items.

#include "fly/Analysis/OccupancyReport.h"

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

unsigned roundUp(unsigned value, unsigned granule) {
  while (value % granule)
    ++value;
  return value;
}

/// Whether `groups` workgroups of `waves` waves fit, resource by resource.
bool fits(const Machine &machine, OccupancyLimiter resource, unsigned vgprs,
          unsigned lds, unsigned waves, unsigned groups) {
  switch (resource) {
  case OccupancyLimiter::Waves:
    return groups * waves <= 32;
  case OccupancyLimiter::Vgpr:
    return groups * waves <= 4 * wavesOf(vgprs);
  case OccupancyLimiter::Lds:
    return groups * roundUp(lds, machine.ldsGranule) <= machine.ldsBytes;
  case OccupancyLimiter::Workgroups:
    return groups <= (waves == 1 ? 32u : 16u);
  default:
    return true;
  }
}

unsigned placeAll(const Machine &machine, unsigned vgprs, unsigned lds,
                  unsigned waves) {
  unsigned groups = 0;
  auto all = [&](unsigned count) {
    for (OccupancyLimiter resource :
         {OccupancyLimiter::Waves, OccupancyLimiter::Vgpr,
          OccupancyLimiter::Lds, OccupancyLimiter::Workgroups})
      if (!fits(machine, resource, vgprs, lds, waves, count))
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
             unsigned acc = 0) {
  arch::KernelResources used;
  used.archVgprs = architectural;
  used.accVgprs = acc;
  used.ldsBytes = lds;
  unsigned vgprs = acc ? roundUp(architectural, 4) + acc : architectural;
  used.workgroupThreads = threads;
  unsigned waves = (threads + 63) / 64;
  unsigned groups = placeAll(machine, vgprs, lds, waves);
  llvm::Expected<arch::Occupancy> result = arch::computeOccupancy(chip, used);
  if (!result) {
    llvm::consumeError(result.takeError());
    return groups == 0;
  }
  // What is named as the limit is one.
  return result->workgroupsPerCu == groups &&
         result->wavesPerSimd == (groups * waves + 3) / 4 &&
         !fits(machine, result->limiter, vgprs, lds, waves, groups + 1);
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

TEST(OccupancySweep, EveryLdsGranuleAndWorkgroup) {
  unsigned wrong = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned lds = 0; lds <= machine.ldsBytes; lds += machine.ldsGranule)
      for (unsigned threads = 64; threads <= 1024; threads += 64)
        for (unsigned vgprs : {32, 65, 100, 129, 250})
          for (unsigned bytes : {lds, lds + 1})
            wrong += bytes <= machine.ldsBytes &&
                     !isRight(machine, chip, vgprs, bytes, threads);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(OccupancySweep, AllResourcesTogether) {
  unsigned wrong = 0, points = 0;
  for (const Machine &machine : machines) {
    const arch::ArchInfo &chip = *arch::ArchInfo::lookup(machine.chip);
    for (unsigned vgprs = 1; vgprs <= 256; vgprs += 5)
      for (unsigned agprs = 0; agprs <= 256; agprs += 11)
        for (unsigned lds = 0; lds <= machine.ldsBytes;
             lds += machine.ldsBytes / 13)
          for (unsigned threads : {64u, 100u, 256u, 320u, 512u, 1024u}) {
            ++points;
            wrong += !isRight(machine, chip, vgprs, lds, threads, agprs);
          }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(points, 180000u);
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
