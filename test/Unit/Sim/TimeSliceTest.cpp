//===- TimeSliceTest.cpp - launches that are executed for their time ------===//
//
// Which instructions a slice keeps is known by construction of small kernels;
// what it may not change is everything that timing says, of another compiler's
// GEMMs and softmax too.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "../../../lib/Sim/Timing/NeededRegisters.h"
#include "ForeignGemm.h"
#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

/// The text of what must not be left out, one mnemonic a word, without scalar
/// and control instructions, which never are.
std::string kept(llvm::StringRef body, bool needsLds = true,
                 bool startsFull = true) {
  KernelShape shape;
  shape.ldsBytes = 4096;
  KernelRun run = KernelRun::ofBody(body, "gfx942", shape);
  EXPECT_FALSE(run.failed()) << run.message;
  const LoadedProgram &program = *run.params.program;
  const isa::Kernel &kernel = program.object().kernels().front();
  llvm::ArrayRef<isa::Instruction> function =
      program.program().instructionsOf(kernel);
  isa::ControlFlow flow(function, {kernel.entry});
  std::vector<NeedFlow> flows;
  for (const isa::Instruction &inst : function)
    flows.push_back(NeedFlow::of(inst));
  NeededRegisters needed(flow, flows, startsFull, needsLds);
  std::string text;
  for (size_t i = 0; i != function.size(); ++i)
    if (function[i].mnemonic[0] != 's' && needed.mustRun(i))
      text += (text.empty() ? "" : " ") + function[i].mnemonic.str();
  return text;
}

/// All that timing says, as text.
std::string textOf(const TimingResult &timing) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto stalls = [&](const StallCycles &cycles) {
    for (uint64_t each : cycles)
      os << ' ' << each;
    os << '\n';
  };
  os << timing.cycles << ' ' << timing.detailCycles << ' '
     << timing.instructionsReplayed << ' ' << timing.issueCycles;
  stalls(timing.stalls);
  for (const TimingCounters *counters :
       {&timing.counters, &timing.launchCounters})
    forEachCounter(*counters, [&](llvm::StringRef name, uint64_t value) {
      os << name << ' ' << value << '\n';
    });
  for (const CacheTraffic *traffic : {&timing.traffic, &timing.launchTraffic})
    os << traffic->workgroups << ' ' << traffic->l1Hits << ' '
       << traffic->requests << ' ' << traffic->l2Hits << ' '
       << traffic->mallHits << ' ' << traffic->reads << ' ' << traffic->writes
       << ' ' << traffic->writtenHalves << '\n';
  for (const InstructionTiming &row : timing.instructions) {
    os << row.text << ' ' << row.hits << ' ' << row.issueCycles << ' '
       << row.ldsCycles << ' ' << row.ldsConflictCycles;
    stalls(row.stalls);
  }
  for (const WaveTiming &wave : timing.waves) {
    os << wave.workgroup << ' ' << wave.wave << ' ' << wave.begin << ' '
       << wave.end;
    stalls(wave.stalls);
  }
  for (const LdsBankTiming &banks : timing.ldsBanks)
    for (unsigned bank = 0; bank != banks.banks; ++bank)
      os << banks.dwords[bank] << ' ' << banks.waits[bank] << '\n';
  return text;
}

/// Times a launch with and without values.
std::string timeOf(KernelRun &run, bool timeOnly) {
  run.params.options.checks = CheckSet();
  run.params.options.timing.enabled = true;
  run.params.options.timing.ldsBanks = true;
  run.params.options.timing.recordedOnly = !timeOnly;
  run.params.options.timing.timeOnly = timeOnly;
  auto result = run.launch();
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? textOf(*result->timing) : "";
}

} // namespace

TEST(TimeSlice, KeepsAddressesAndLeavesValuesOut) {
  EXPECT_EQ(kept(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_add_u32 v1, 4, v1
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_f32 v3, v2, v2
  v_mul_f32 v3, v3, v3
  global_store_dword v1, v3, s[4:5]
)"),
            "v_lshlrev_b32 v_add_u32 global_load_dword global_store_dword");
}

// v1 is a value in front of the address that it becomes.
TEST(TimeSlice, RegistersAreUsedAgain) {
  const char *body = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mul_f32 v1, v0, v0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
)";
  EXPECT_EQ(kept(body), "v_lshlrev_b32 global_load_dword");
  // Lanes that do not start keep what is there.
  EXPECT_EQ(kept(body, true, /*startsFull=*/false),
            "v_mul_f32 v_lshlrev_b32 global_load_dword");
}

// Under a part of EXEC the old value stays in other lanes; behind the region
// all lanes are written again.
TEST(TimeSlice, WritesOfSomeLanesKeepTheOthers) {
  EXPECT_EQ(kept(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mul_u32_u24 v3, v0, v0
  v_mov_b32 v1, v0
  v_cmp_gt_u32 vcc, 32, v0
  s_and_saveexec_b64 s[8:9], vcc
  v_lshlrev_b32 v1, 2, v0
  s_or_b64 exec, exec, s[8:9]
  v_mov_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v3, s[4:5]
)"),
            "v_mov_b32 v_cmp_gt_u32 v_lshlrev_b32 v_mov_b32 "
            "global_load_dword");
}

// Half of a register, or one lane of it, is no whole one.
TEST(TimeSlice, WritesOfPartsKeepTheRest) {
  EXPECT_EQ(kept(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32 v1, v0
  v_lshlrev_b16 v1, 2, v0
  v_mov_b32 v3, v0
  v_writelane_b32 v3, s2, 5
  v_mov_b32 v4, v0
  v_mov_b32_sdwa v4, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  global_load_dword v2, v3, s[4:5]
  global_load_dword v2, v4, s[4:5]
)"),
            "v_mov_b32 v_lshlrev_b16 v_mov_b32 v_writelane_b32 v_mov_b32 "
            "v_mov_b32 global_load_dword global_load_dword global_load_dword");
}

TEST(TimeSlice, BranchesNeedTheirConditions) {
  EXPECT_EQ(kept(R"(
  v_cvt_f32_u32 v1, v0
loop:
  v_add_f32 v1, v1, v1
  v_add_f32 v2, v1, v1
  v_cmp_gt_f32 vcc, 1.0, v1
  s_cbranch_vccnz loop
)"),
            "v_cvt_f32_u32 v_add_f32 v_cmp_gt_f32");
}

// What is stored to LDS is needed where an address comes from there.
TEST(TimeSlice, AddressesGoThroughLds) {
  std::string body = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_xor_b32 v3, 1, v1
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0)
)";
  EXPECT_EQ(kept(body), "v_lshlrev_b32 ds_write_b32 ds_read_b32");
  EXPECT_EQ(kept(body, /*needsLds=*/false), "");
  body += "global_load_dword v4, v2, s[4:5]\n";
  for (bool needsLds : {false, true})
    EXPECT_EQ(kept(body, needsLds),
              "v_lshlrev_b32 v_xor_b32 ds_write_b32 ds_read_b32 "
              "global_load_dword");
}

// The index in memory is written by the launch itself: a slice cannot tell,
// and all is executed.
TEST(TimeSlice, StoredAddressesAreExecuted) {
  for (unsigned stored : {0u, 1u}) {
    std::string times[2];
    uint32_t found[2];
    for (bool timeOnly : {false, true}) {
      KernelRun run = KernelRun::ofBody(R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_lshlrev_b32 v3, 8, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[4:5]
  s_waitcnt vmcnt(0)
  global_load_dword v2, v1, s[6:7]
  s_waitcnt vmcnt(0)
  global_load_dword v4, v2, s[4:5]
)");
      uint64_t a = run.buffer(65536), b = run.buffer(65536);
      run.setArguments({a, stored ? a : b});
      run.params.workgroups = {3, 1, 1};
      times[timeOnly] = timeOf(run, timeOnly);
      found[timeOnly] = run.read<uint32_t>(a, 2)[1];
    }
    EXPECT_EQ(times[0], times[1]);
    EXPECT_EQ(found[0], 256u);
    // Of a slice nothing is stored.
    EXPECT_EQ(found[1], stored ? 256u : 0u);
  }
}

// A work queue: what an atomic gives decides.
TEST(TimeSlice, AtomicsThatAreAskedForAreExecuted) {
  std::string times[2];
  for (bool timeOnly : {false, true}) {
    KernelRun run = KernelRun::ofBody(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v3, v1, v2, s[4:5] sc0
  s_waitcnt vmcnt(0)
  v_lshlrev_b32 v3, 6, v3
  global_load_dword v4, v3, s[4:5]
)");
    run.setArguments({run.buffer(65536)});
    run.params.workgroups = {3, 1, 1};
    times[timeOnly] = timeOf(run, timeOnly);
  }
  EXPECT_EQ(times[0], times[1]);
}

class TimeSliceOfGemm : public testing::TestWithParam<GemmObject> {};

TEST_P(TimeSliceOfGemm, SaysTheSame) {
  const GemmObject &object = GetParam();
  std::string times[2];
  for (bool timeOnly : {false, true}) {
    ForeignGemmRun gemm(KernelRun::ofObject(object.file), object,
                        2 * object.tileM, 3 * object.tileN, 4 * object.tileK);
    ASSERT_FALSE(gemm.run.failed()) << gemm.run.message;
    times[timeOnly] = timeOf(gemm.run, timeOnly);
    // Values are left out, indeed.
    EXPECT_EQ(llvm::all_of(gemm.values(), [](uint16_t v) { return v == 0; }),
              timeOnly);
  }
  EXPECT_EQ(times[0], times[1]);
}

INSTANTIATE_TEST_SUITE_P(Objects, TimeSliceOfGemm,
                         testing::ValuesIn(foreignGemms()));

TEST(TimeSlice, ForeignSoftmaxSaysTheSame) {
  for (const char *file : {"gfx942_softmax_2048.s", "gfx950_softmax_2048.s"}) {
    std::string times[2];
    for (bool timeOnly : {false, true}) {
      KernelRun run = KernelRun::ofObject(file);
      ASSERT_FALSE(run.failed()) << run.message;
      std::vector<uint16_t> x(size_t(5) * 800, toBf16(0.5f)), y(x.size());
      uint64_t px = run.bufferOf(x, "x"), py = run.bufferOf(y, "y");
      run.setArguments({px, py, 800, 777, 0, 0});
      run.params.workgroups = {5, 1, 1};
      run.params.workgroupSize = {256, 1, 1};
      run.params.dynamicLdsBytes = 65536;
      times[timeOnly] = timeOf(run, timeOnly);
      EXPECT_EQ(run.read<uint16_t>(py, 1)[0] == 0, timeOnly) << file;
    }
    EXPECT_EQ(times[0], times[1]) << file;
  }
}
