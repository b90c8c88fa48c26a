// Events of waves and banks of LDS in what the timing model gives.

#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "KernelRun.h"

using namespace fly::sim;
using namespace fly::test;

namespace {

/// Lane i reads the dword at i * 128: all lanes of a phase on bank 0. Each wave
/// does so ten times.
constexpr const char *conflicts = R"(
  v_lshlrev_b32 v1, 7, v0
  v_and_b32 v1, 0x1f80, v1
  s_mov_b32 s4, 10
again:
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
)";

KernelRun conflictRun(unsigned workgroups) {
  KernelShape shape;
  shape.ldsBytes = 8192;
  KernelRun run = KernelRun::ofBody(conflicts, "gfx942", shape);
  run.params.workgroupSize = {128, 1, 1};
  run.params.workgroups = {workgroups, 1, 1};
  run.params.options.checks = CheckSet();
  run.params.options.timing.enabled = true;
  run.params.options.timing.timeline = true;
  run.params.options.timing.ldsBanks = true;
  run.setArguments({});
  return run;
}

std::shared_ptr<const TimingResult> timed(KernelRun &run) {
  auto result = run.launch();
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? result->timing : nullptr;
}

uint64_t countEvents(const TimingResult &timing) {
  uint64_t events = 0;
  for (const WaveTiming &wave : timing.waves)
    events += wave.events.size();
  return events;
}

} // namespace

TEST(Timeline, KeepsTheUnitsThatAreAskedFor) {
  KernelRun run = conflictRun(16);
  run.params.options.timing.timelineUnits = 1;
  std::shared_ptr<const TimingResult> timing = timed(run);
  ASSERT_TRUE(timing) << run.message;
  for (const WaveTiming &wave : timing->waves)
    EXPECT_EQ(wave.events.size(), wave.xcd == 0 ? wave.instructions : 0);
  EXPECT_EQ(timing->wavesWithoutEvents, 0u);
}

TEST(Timeline, KeepsWavesWholeOrNot) {
  KernelRun all = conflictRun(4), few = conflictRun(4);
  std::shared_ptr<const TimingResult> whole = timed(all);
  ASSERT_TRUE(whole);
  uint64_t each = whole->waves[0].instructions;
  ASSERT_EQ(countEvents(*whole), 8 * each);
  few.params.options.timing.timelineEvents = 3 * each + each / 2;
  std::shared_ptr<const TimingResult> part = timed(few);
  ASSERT_TRUE(part);
  EXPECT_EQ(countEvents(*part), 3 * each);
  EXPECT_EQ(part->wavesWithoutEvents, 5u);
  EXPECT_EQ(part->cycles, whole->cycles);
}

TEST(Timeline, SlotsOfASimdAreOneWavesAtATime) {
  KernelRun run = conflictRun(4000);
  std::shared_ptr<const TimingResult> timing = timed(run);
  ASSERT_TRUE(timing);
  std::map<std::tuple<unsigned, unsigned, unsigned>,
           std::vector<std::pair<uint64_t, uint64_t>>>
      lives;
  for (const WaveTiming &wave : timing->waves)
    lives[{wave.xcd, wave.simd, wave.slot}].push_back({wave.begin, wave.end});
  for (auto &[slot, waves] : lives) {
    EXPECT_LT(std::get<2>(slot), 8u); // [AMD] wave slots of a SIMD.
    std::sort(waves.begin(), waves.end());
    for (size_t i = 1; i < waves.size(); ++i)
      EXPECT_LE(waves[i - 1].second, waves[i].first);
  }
}

TEST(Timeline, BanksAreCountedByInstruction) {
  // Two phases of 32 lanes, all on bank 0: 64 dwords, of which 62 wait.
  for (unsigned threads : {1u, 2u}) {
    KernelRun run = conflictRun(4);
    run.params.options.threads = threads;
    std::shared_ptr<const TimingResult> timing = timed(run);
    ASSERT_TRUE(timing);
    ASSERT_EQ(timing->ldsBanks.size(), 1u);
    const LdsBankTiming &banks = timing->ldsBanks[0];
    const InstructionTiming &row = timing->instructions[banks.instruction];
    EXPECT_EQ(row.text.substr(0, 11), "ds_read_b32");
    EXPECT_EQ(row.hits, 80u);
    EXPECT_EQ(banks.banks, 32u);
    EXPECT_EQ(banks.dwords[0], 80u * 64);
    EXPECT_EQ(banks.waits[0], 80u * 62);
    EXPECT_EQ(std::accumulate(banks.dwords.begin(), banks.dwords.end(), 0u),
              80u * 64);
    EXPECT_EQ(row.ldsCycles, 80u * 64);
    EXPECT_EQ(row.ldsConflictCycles, 80u * 62);
    EXPECT_EQ(timing->counters.ldsBankConflict, row.ldsConflictCycles);
  }
}
