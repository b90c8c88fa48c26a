//===- Assumptions.cpp - The ledger of assumptions ------------------------===//
//
// The entries, ascending by id.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/Assumptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::arch;

static constexpr Assumption ledger[] = {
    {"BRANCH-REFETCH", Basis::Inferred,
     "a taken branch keeps its wave from issuing for 16 cycles",
     "a loop of nothing but taken branches, timed",
     "Unit/Verify/HazardsTest.cpp", Timed::All},
    {"CACHE-SHAPES", Basis::Recalled,
     "vector L1: 64 ways, requests of 64 bytes; L2 and MALL: 16 ways; scalar "
     "cache: 16 KB, 64-byte lines, 4 ways",
     "pointer chases through lines drawn at random that fill three quarters of "
     "a cache",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"CACHES-950-FROM-942", Basis::Inferred,
     "gfx950 has 32 KB of vector L1 a compute unit and 4 MB of L2 an XCD, "
     "which delivers 1607 bytes a cycle, as gfx942; its memory reaches the "
     "same share of the peak",
     "pointer chase over growing footprints on an MI355X",
     "Tools/fly-bench-mechanisms-all.test Unit/Arch/ArchInfoTest.cpp",
     Timed::Gfx950},
    {"INSTRUCTION-CACHE", Basis::Recalled,
     "64 KB of instruction cache are shared by two compute units",
     "loop bodies of growing size on one and on two neighbouring units",
     "Tools/fly-bench-hardware.test Unit/Arch/ArchInfoTest.cpp", Timed::All},
    {"L2-SHAPE", Basis::Recalled,
     "the L2 of an XCD has 16 channels and lines of 128 bytes",
     "strided loads with one and with all channels in use",
     "Unit/Arch/ArchInfoTest.cpp"},
    {"LATENCY-942-FROM-950", Basis::Inferred,
     "LDS, cold memory, wave start and store latencies of gfx942 are those "
     "traced on an MI350X",
     "the same instruction trace on an MI300X", "Unit/Arch/ArchInfoTest.cpp",
     Timed::Gfx942},
    {"LATENCY-950-FROM-942", Basis::Inferred,
     "vector L1, L2, MALL and HBM latencies of gfx950 are those measured on "
     "an MI300X, in cycles",
     "pointer chase on an MI355X",
     "Tools/fly-bench-mechanisms-all.test Unit/Arch/ArchInfoTest.cpp",
     Timed::Gfx950},
    {"LDS-942-READ-B96", Basis::Inferred,
     "ds_read_b96 on gfx942 has the lane groups of ds_read_b128",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Unit/Arch/LdsModelTest.cpp"},
    {"LDS-942-WRITE-B64", Basis::Inferred,
     "ds_write_b64 on gfx942 has 4 phases of 16 consecutive lanes, as gfx950",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Unit/Arch/LdsModelTest.cpp"},
    {"LDS-950-B32", Basis::Inferred,
     "32-bit LDS reads and writes on gfx950 go in halves of 32 lanes over 32 "
     "banks",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Unit/Arch/LdsModelTest.cpp"},
    {"LDS-950-PORT", Basis::Inferred,
     "a gfx950 LDS port reads 128 bytes a cycle and writes as fast as "
     "gfx942's",
     "saturating ds_read_b128 and ds_write_b128 loops on one SIMD pair",
     "Tools/fly-bench-mechanisms-all.test", Timed::Gfx950},
    {"LDS-950-WRITE-B128", Basis::Inferred,
     "ds_write_b128 on gfx950 has 8 phases of 8 consecutive lanes over 32 "
     "banks, as gfx942",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Tools/fly-bench-mechanisms-all.test Unit/Arch/LdsModelTest.cpp",
     Timed::Gfx950},
    {"LDS-ADDRESS-CONFLICTS", Basis::Inferred,
     "lanes of an LDS atomic that meet on one address in a phase are served "
     "one "
     "a cycle, which SQ_LDS_ADDR_CONFLICT counts",
     "LDS atomics whose lanes meet on 1, 2, 4, .. 64 addresses",
     "Unit/Arch/LdsModelTest.cpp Unit/Sim/LaunchCountersTest.cpp"},
    {"LDS-LATENCY-BASE", Basis::Inferred,
     "an LDS read of one phase takes 40 cycles, and each further phase adds",
     "dependent LDS reads of each width with 1 and with 64 active lanes",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"LDS-LEGACY-HALVES", Basis::Inferred,
     "32-bit accesses and ds_read_b64 on gfx942 go in halves of 32 lanes over "
     "32 banks",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Tools/fly-bench-hardware.test Unit/Arch/LdsModelTest.cpp"},
    {"LDS-PORT-SHARING", Basis::Inferred,
     "an LDS port takes a quarter cycle beside the data of an instruction, "
     "loses "
     "a cycle between two instructions of one SIMD, and serves one wave's "
     "instructions 12 cycles apart",
     "LDS throughput of each width with 1, 2 and 4 waves on 1 and 2 SIMDs",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"LDS-QUEUE", Basis::Inferred,
     "four LDS instructions of a wave wait for the port, a fifth does not "
     "issue",
     "an instruction trace of a run of LDS reads",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"LDS-WRITE-B96", Basis::Inferred,
     "ds_write_b96 has the lane groups of ds_write_b128",
     "SQ_LDS_BANK_CONFLICT for each pair of lanes",
     "Unit/Arch/LdsModelTest.cpp"},
    {"LDS-WRITE-PHASES", Basis::Inferred,
     "an LDS write takes the port for its addresses and data at 64 bytes a "
     "cycle and a cycle a phase: 28 cycles for ds_write_b128",
     "LDS write throughput of each width", "Tools/fly-bench-hardware.test",
     Timed::All},
    {"MALL-BANDWIDTH", Basis::Recalled,
     "the memory-side cache delivers 8190 bytes a cycle to all XCDs",
     "reads of 32 to 128 MB by all compute units, again and again",
     "Tools/fly-bench-mechanisms-all.test", Timed::All},
    {"MFMA-BLOCK-ORDER", Basis::Recalled,
     "multi-block MFMAs put further result blocks into further registers, and "
     "input blocks into further lane groups",
     "one multi-block MFMA of each form with distinct inputs",
     "Unit/Arch/MfmaTableTest.cpp Unit/Sim/MfmaTest.cpp"},
    {"PEAK-ARITHMETIC", Basis::Inferred,
     "peaks are operations a cycle of the MFMA table times SIMDs times peak "
     "clock",
     "an MFMA-only loop on every SIMD at a locked clock",
     "Unit/Arch/ArchInfoTest.cpp"},
    {"PRODUCT-SHEETS", Basis::Recalled,
     "compute units, clocks, memory bandwidth and MALL sizes are those of the "
     "data sheets",
     "the device properties that the runtime reports, and a stream benchmark",
     "Tools/fly-bench-hardware.test Tools/fly-report-roofline.test "
     "Unit/Arch/ArchInfoTest.cpp",
     Timed::All},
    {"SGPR-BUDGET", Basis::Recalled,
     "800 scalar registers a SIMD, granule 16, 102 usable and 6 more for VCC, "
     "FLAT_SCRATCH and XNACK_MASK; up to 100 allow 8 waves, above 7",
     "resident waves of kernels with 96 to 108 scalar registers",
     "Unit/Arch/ArchInfoTest.cpp Unit/Arch/OccupancyTest.cpp"},
    {"TRANSCENDENTAL-950", Basis::Recalled,
     "a transcendental vector instruction takes 8 cycles on gfx950, half of "
     "gfx942's",
     "a loop of independent v_exp_f32", "Unit/Arch/ArchInfoTest.cpp",
     Timed::Gfx950},
    {"TRANSLATION", Basis::Inferred,
     "the first access to each 2 MB adds to its latency what a cold load takes "
     "longer than HBM",
     "pointer chases with strides around the page size, cold and warm",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"VMEM-MISS-SPREAD", Basis::Inferred,
     "each further 64-byte request of an instruction that misses the vector L1 "
     "comes 8 cycles later",
     "latency of L2 hits of 1 to 16 lines", "Tools/fly-bench-hardware.test",
     Timed::All},
    {"VMEM-QUEUE", Basis::Inferred,
     "16 vector memory instructions of a compute unit wait for the address "
     "unit",
     "an instruction trace of a run of loads", "Tools/fly-bench-hardware.test",
     Timed::All},
    {"VMEM-REQUEST-RATE", Basis::Inferred,
     "the address unit looks up 64 bytes a cycle, so that 64 scattered lanes "
     "take 64 cycles",
     "throughput of L1 hits with 1 to 64 lines an instruction",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"WARM-CACHES", Basis::Inferred,
     "translations, L2s and memory-side cache keep what a launch leaves for "
     "the next one; memory beyond the size of the memory-side cache pushes all "
     "of itself out of it",
     "the second run of reads of less than an L2, of what the memory-side "
     "cache holds, and of twice as much",
     "Tools/fly-bench-mechanisms-all.test Tools/fly-bench-mechanisms.test "
     "Tools/fly-bench-predictions-all.test Unit/Sim/WarmCachesTest.cpp"},
    {"WAVE-LAUNCH", Basis::Inferred,
     "a compute unit gets a wave every 16 cycles, which issues after 64 where "
     "its code is cached",
     "an instruction trace of the second round of workgroups",
     "Tools/fly-bench-hardware.test", Timed::All},
    {"WORKGROUPS-PER-CU", Basis::Recalled,
     "a compute unit holds 32 workgroups of one wave, and 16 of several",
     "resident workgroups of small kernels of one and of two waves",
     "Unit/Arch/ArchInfoTest.cpp Unit/Arch/OccupancyTest.cpp"},
};

namespace {
/// A test that times launches, and on which chips.
struct TimedTest {
  const char *file;
  Timed chips;
};
} // namespace

/// Ascending. test/Sim/ledger.test compares with what tests run.
static constexpr TimedTest timedTests[] = {
    {"Analysis/allotted-registers.test", Timed::All},
    {"Pipelines/program-loops.test", Timed::All},
    {"Tools/fly-bench-copies-past-registers.test", Timed::Gfx950},
    {"Tools/fly-bench-hardware.test", Timed::Gfx942},
    {"Tools/fly-bench-mechanisms-all.test", Timed::All},
    {"Tools/fly-bench-mechanisms.test", Timed::All},
    {"Tools/fly-bench-predictions-all.test", Timed::All},
    {"Tools/fly-bench-predictions.test", Timed::Gfx950},
    {"Tools/fly-bench-run.test", Timed::Gfx942},
    {"Tools/fly-report-html.test", Timed::Gfx942},
    {"Tools/fly-report-outputs.test", Timed::Gfx942},
    {"Tools/fly-report-roofline.test", Timed::All},
    {"Tools/fly-run-gpu.test", Timed::Gfx942},
    {"Tools/fly-run-report.test", Timed::Gfx942},
    {"Tools/fly-run-sources-below.test", Timed::Gfx942},
    {"Tools/fly-run-time-only-all.test", Timed::Gfx942},
    {"Tools/fly-run-time-only.test", Timed::Gfx942},
    {"Tools/fly-run-timed-alignment.test", Timed::Gfx942},
    {"Tools/fly-run-timed-lines.test", Timed::Gfx942},
    {"Tools/fly-run-views.test", Timed::Gfx942},
    {"Tools/fly-run-what-if.test", Timed::All},
    {"Tools/foreign-timing.test", Timed::All},
    {"Unit/Reports/TraceViewTest.cpp", Timed::Gfx942},
    {"Unit/Sim/ForeignTimingTest.cpp", Timed::All},
    {"Unit/Sim/LaunchCountersTest.cpp", Timed::Gfx942},
    {"Unit/Sim/MatrixCountersTest.cpp", Timed::All},
    {"Unit/Sim/ScalarCountersTest.cpp", Timed::All},
    {"Unit/Sim/TimeSliceTest.cpp", Timed::All},
    {"Unit/Sim/TimelineTest.cpp", Timed::Gfx942},
    {"Unit/Sim/TimingCachesTest.cpp", Timed::Gfx942},
    {"Unit/Sim/TimingCasesTest.cpp", Timed::Gfx942},
    {"Unit/Sim/TimingTest.cpp", Timed::All},
    {"Unit/Sim/WarmCachesTest.cpp", Timed::Gfx942},
};

std::string fly::arch::testsOf(const Assumption &entry) {
  llvm::SmallVector<llvm::StringRef> tests;
  llvm::StringRef(entry.tests).split(tests, ' ');
  for (const TimedTest &test : timedTests)
    if (entry.timed != Timed::None &&
        (entry.timed == test.chips || entry.timed == Timed::All ||
         test.chips == Timed::All))
      tests.push_back(test.file);
  llvm::sort(tests);
  tests.erase(llvm::unique(tests), tests.end());
  return llvm::join(tests, " ");
}

llvm::ArrayRef<Assumption> fly::arch::assumptions() { return ledger; }

const Assumption *fly::arch::lookupAssumption(llvm::StringRef id) {
  for (const Assumption &entry : ledger)
    if (id == entry.id)
      return &entry;
  return nullptr;
}
