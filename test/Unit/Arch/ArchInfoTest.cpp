// The golden table: values from a second source (the hardware fact sheet), and
// the rules that every fact keeps.
//
// Rests on the assumptions CACHES-950-FROM-942, INSTRUCTION-CACHE, L2-SHAPE,
// LATENCY-942-FROM-950, LATENCY-950-FROM-942, PEAK-ARITHMETIC, PRODUCT-SHEETS,
// SGPR-BUDGET, TRANSCENDENTAL-950, WORKGROUPS-PER-CU.

#include "fly/Arch/ArchInfo.h"

#include "fly/Arch/Assumptions.h"
#include "fly/Arch/Hazards.h"
#include "fly/Arch/LdsModel.h"
#include "fly/Arch/Products.h"
#include "fly/Arch/SchedMask.h"
#include "fly/Arch/TimingTable.h"
#include "fly/Arch/WaitCount.h"
#include "fly/Arch/Wave.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace fly::arch;

namespace {

struct Golden {
  const char *path, *gfx942, *gfx950, *gfx1250;
};

// "" = unknown.
const Golden golden[] = {
    {"waveSize", "64", "64", "32"},
    {"simdsPerCu", "4", "4", ""},
    {"registers.vgprsPerSimd", "512", "512", ""},
    {"registers.vgprGranule", "8", "8", ""},
    {"registers.accumOffsetGranule", "4", "4", ""},
    {"registers.sgprsPerSimd", "800", "800", ""},
    {"registers.sgprGranule", "16", "16", ""},
    {"registers.maxSgprs", "102", "102", ""},
    {"lds.bytes", "65536", "163840", "327680"},
    {"lds.granuleBytes", "512", "1280", ""},
    {"lds.banks", "32", "64", ""},
    {"lds.bankBytes", "4", "4", ""},
    {"lds.bytesPerCycle", "128", "256", ""},
    {"counters.vmcnt", "63", "63", ""},
    {"counters.expcnt", "7", "7", ""},
    {"counters.lgkmcnt", "15", "15", ""},
    {"workgroups.maxThreads", "1024", "1024", ""},
    {"workgroups.maxWavesPerSimd", "8", "8", ""},
    {"workgroups.maxSingleWave", "32", "32", ""},
    {"workgroups.barriers", "16", "16", ""},
    {"latency.vectorL1Hit", "119", "119", ""},
    {"latency.l2Hit", "213", "213", ""},
    {"latency.mallHit", "456", "456", ""},
    {"latency.hbm", "880", "880", ""},
    {"latency.ldsRead", "46", "46", ""},
    {"issue.transcendental", "16", "8", ""},
    {"issue.valu", "4", "4", ""},
    {"dma.widths", "1 2 4", "1 2 4 12 16", ""},
    {"fp8", "fnuz", "ocp", ""},
    {"instructionCacheBytes", "65536", "65536", ""},
    {"l2BytesPerXcd", "4194304", "4194304", ""},
    {"l2Channels", "16", "16", ""},
    {"cacheLineBytes", "128", "128", ""},
};

llvm::StringMap<FactView> factsOf(const ArchInfo &info) {
  llvm::StringMap<FactView> facts;
  forEachFact(info, [&](const FactView &fact) { facts[fact.path] = fact; });
  return facts;
}

} // namespace

TEST(ArchInfo, GoldenTable) {
  auto gfx942 = factsOf(*ArchInfo::lookup("gfx942"));
  auto gfx950 = factsOf(*ArchInfo::lookup("gfx950"));
  auto gfx1250 = factsOf(*ArchInfo::lookup("gfx1250"));
  for (const Golden &row : golden) {
    ASSERT_TRUE(gfx942.count(row.path)) << row.path;
    EXPECT_EQ(gfx942[row.path].value, row.gfx942) << row.path;
    EXPECT_EQ(gfx950[row.path].value, row.gfx950) << row.path;
    EXPECT_EQ(gfx1250[row.path].value, row.gfx1250) << row.path;
  }
}

TEST(ArchInfo, LookupNamesTheKnownChips) {
  EXPECT_EQ(ArchInfo::lookup("gfx94x"), nullptr);
  EXPECT_EQ(ArchInfo::lookup(""), nullptr);
  EXPECT_EQ(knownChipNames(), "gfx942, gfx950, gfx1250");
  EXPECT_EQ(knownChipNames(/*compilableOnly=*/true), "gfx942, gfx950");
  for (const ArchInfo *info : allChips())
    EXPECT_EQ(&ArchInfo::get(info->chip), info);
}

TEST(ArchInfo, AllIsKnownOfChipsWithCode) {
  for (const ArchInfo *info : allChips())
    if (info->canCompile)
      forEachFact(*info, [&](const FactView &fact) {
        EXPECT_NE(fact.value, "") << info->name << " " << fact.path;
      });
}

TEST(ArchInfo, EveryFactNamesItsSource) {
  auto check = [](const char *where, Basis basis, llvm::StringRef source,
                  llvm::StringRef assumption) {
    bool assumed = basis == Basis::Inferred || basis == Basis::Recalled;
    EXPECT_EQ(assumed, !assumption.empty()) << where;
    if (assumed) {
      EXPECT_NE(lookupAssumption(assumption), nullptr) << assumption.str();
    }
    if (basis != Basis::Unknown) {
      EXPECT_TRUE(source.contains(basisTag(basis))) << where;
    }
  };
  for (const ArchInfo *info : allChips())
    forEachFact(*info, [&](const FactView &fact) {
      EXPECT_EQ(fact.basis == Basis::Unknown, fact.value.empty()) << fact.path;
      check(fact.path, fact.basis, fact.source, fact.assumption);
    });
  for (const ArchInfo *info : allChips())
    if (const TimingTable *table = timingTable(info->chip))
      forEachTimingFact(*table, [&](const FactView &fact) {
        EXPECT_NE(fact.value, "") << fact.path;
        check(fact.path, fact.basis, fact.source, fact.assumption);
      });
  for (const MfmaRow &row : mfmaTable())
    check(row.mnemonic, row.basis, row.source, row.assumption);
  for (const LdsAccess &row : ldsAccesses())
    check(row.mnemonic, row.basis, row.source, row.assumption);
}

TEST(ArchInfo, LedgerIsSortedAndUsed) {
  llvm::StringSet<> used;
  for (const ArchInfo *info : allChips())
    forEachFact(*info,
                [&](const FactView &fact) { used.insert(fact.assumption); });
  for (const ArchInfo *info : allChips())
    if (const TimingTable *table = timingTable(info->chip))
      forEachTimingFact(
          *table, [&](const FactView &fact) { used.insert(fact.assumption); });
  for (const MfmaRow &row : mfmaTable())
    used.insert(row.assumption);
  for (const LdsAccess &row : ldsAccesses())
    used.insert(row.assumption);
  for (const Product &product : products()) {
    used.insert(product.hbmGBs.assumption());
    used.insert(
        peakTeraOps(product, ElementType::F16, ElementType::F16).assumption());
  }
  used.insert(takenBranchWaitStates.assumption());
  used.insert(ldsAddressConflictsAssumption);
  used.insert(warmCachesAssumption);
  llvm::StringRef previous;
  for (const Assumption &entry : assumptions()) {
    EXPECT_LT(previous, llvm::StringRef(entry.id));
    EXPECT_TRUE(used.contains(entry.id)) << entry.id;
    previous = entry.id;
  }
}

TEST(ArchInfo, DmaWidths) {
  const DmaRules &gfx942 = ArchInfo::lookup("gfx942")->dma;
  const DmaRules &gfx950 = ArchInfo::lookup("gfx950")->dma;
  EXPECT_TRUE(gfx942.supports(4));
  EXPECT_FALSE(gfx942.supports(16));
  EXPECT_TRUE(gfx950.supports(16));
  EXPECT_FALSE(gfx950.supports(8));
  EXPECT_FALSE(ArchInfo::lookup("gfx1250")->dma.supports(4));
}

TEST(WaitCount, EncodesAsLlvmDoes) {
  // From llvm-mc: s_waitcnt vmcnt(0) lgkmcnt(0) is 0x0070, vmcnt(63) 0xcf7f,
  // vmcnt(17) 0x4f71, lgkmcnt(0) 0xc07f.
  WaitCount wait;
  EXPECT_EQ(wait.encode(), 0xcf7f);
  EXPECT_TRUE(wait.waitsForNothing());
  wait.vm = 17;
  EXPECT_EQ(wait.encode(), 0x4f71);
  wait = {};
  wait.lgkm = 0;
  EXPECT_EQ(wait.encode(), 0xc07f);
  wait.vm = 0;
  EXPECT_EQ(wait.encode(), 0x0070);
  for (unsigned vm = 0; vm < 64; ++vm)
    for (unsigned lgkm = 0; lgkm < 16; ++lgkm) {
      WaitCount each{vm, 7, lgkm};
      EXPECT_EQ(WaitCount::decode(each.encode()), each);
    }
}

// Layouts ask no chip, so every chip that is compiled for must have their wave.
TEST(Wave, IsThatOfEveryChipThatIsCompiledFor) {
  unsigned chips = 0, largestLds = 0;
  for (const ArchInfo *info : allChips()) {
    largestLds = std::max(largestLds, *info->lds.bytes);
    if (!info->canCompile)
      continue;
    ++chips;
    EXPECT_EQ(*info->waveSize, waveLanes) << info->name;
    EXPECT_EQ(*info->workgroups.maxThreads, maxWorkgroupThreads) << info->name;
    EXPECT_EQ(*info->registers.maxVgprs * registerBits, laneRegisterBits)
        << info->name;
    EXPECT_EQ(*info->registers.maxAccVgprs, accumulationRegisters)
        << info->name;
    for (LdsDirection direction : {LdsDirection::Read, LdsDirection::Write}) {
      unsigned widest = 0;
      for (const LdsAccess &access : ldsAccesses())
        if (access.chip == info->chip && access.direction == direction)
          widest = std::max(widest, access.bytesPerLane);
      EXPECT_EQ(widest, widestAccessBytes) << info->name;
    }
  }
  EXPECT_EQ(chips, 2u);
  EXPECT_LE(largestLds, 1u << ldsAddressBits);
  EXPECT_GT(largestLds, 1u << (ldsAddressBits - 1));
}

TEST(SchedMask, Values) {
  EXPECT_EQ(static_cast<unsigned>(SchedMask::Mfma), 0x8u);
  EXPECT_EQ(SchedMask::VmemRead | SchedMask::DsRead, 0x120u);
  EXPECT_EQ(static_cast<unsigned>(SchedMask::DsWrite), 0x200u);
}

TEST(Products, PeaksMatchThePublishedOnes) {
  const Product *mi300x = lookupProduct("MI300X");
  const Product *mi355x = lookupProduct("MI355X");
  auto peak = [](const Product *product, ElementType type) {
    return *peakTeraOps(*product, type, type);
  };
  EXPECT_NEAR(peak(mi300x, ElementType::F16), 1307.4, 0.1);
  EXPECT_NEAR(peak(mi300x, ElementType::Fp8), 2614.9, 0.1);
  EXPECT_NEAR(peak(mi300x, ElementType::I8), 2614.9, 0.1);
  EXPECT_NEAR(peak(mi355x, ElementType::Bf16), 2516.6, 0.1);
  EXPECT_NEAR(peak(mi355x, ElementType::Fp8), 5033.2, 0.1);
  EXPECT_NEAR(peak(mi355x, ElementType::Fp4), 10066.3, 0.1);
  EXPECT_NEAR(peak(mi355x, ElementType::F64), 78.6, 0.1);
  EXPECT_FALSE(
      peakTeraOps(*mi300x, ElementType::Fp4, ElementType::Fp4).known());
  EXPECT_EQ(*lookupProduct("MI325X")->hbmGBs, 6000u);
  EXPECT_EQ(defaultProduct(Chip::Gfx942), mi300x);
  EXPECT_EQ(defaultProduct(Chip::Gfx1250), nullptr);
  EXPECT_EQ(lookupProduct("MI999"), nullptr);
}
