//===- TimingTable.cpp - Figures of the timing model ----------------------===//
//
// One table a chip. What is said of LDS ports is read off the public matrix of
// throughputs of an MI308X (four instructions, 1 to 16 waves on 1 to 4 SIMDs);
// what is said of starts and fetches, off a public instruction trace of an
// MI350X.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/TimingTable.h"

#include "fly/Arch/Hazards.h"

using namespace fly::arch;

static TimingTable common() {
  constexpr const char *trace = "[HW] public MI350X instruction trace";
  constexpr const char *ports =
      "[INF] from the throughput matrix of a public MI308X study";
  constexpr const char *launches =
      "[INF] no figure; small against cold starts, which are measured";
  constexpr const char *caches = "[MEM] CDNA3 documents";

  TimingTable table;
  table.valuToMemory = {12, Basis::Hardware, trace};
  table.takenBranch = {4 * (*takenBranchWaitStates + 1), Basis::Inferred,
                       "[INF] wait states of a taken branch, and its own",
                       takenBranchWaitStates.assumption()};

  table.fetchLineBytes = {64, Basis::Recalled, "[MEM] 64-byte lines",
                          "INSTRUCTION-CACHE"};
  table.fetchNextLine = {8, Basis::Hardware,
                         "[HW] public MI350X instruction trace: 4 to 16"};
  table.coldStart = {756, Basis::Hardware,
                     "[HW] public MI350X instruction trace, upper end: the "
                     "first wave waits for all of the fetch"};
  table.warmStart = {64, Basis::Inferred, launches, "WAVE-LAUNCH"};
  table.waveInterval = {16, Basis::Inferred, launches, "WAVE-LAUNCH"};

  table.ldsInputBytes = {64, Basis::Vendor,
                         "[AMD] rocprof-compute documentation: 64-lane stores "
                         "of 32 and 128 bits take 8 and 20 cycles"};
  table.ldsWritePhase = {1, Basis::Inferred, ports, "LDS-WRITE-PHASES"};
  table.ldsOverheadQuarters = {1, Basis::Inferred, ports, "LDS-PORT-SHARING"};
  table.ldsSameSimd = {1, Basis::Inferred, ports, "LDS-PORT-SHARING"};
  table.ldsSameWave = {12, Basis::Inferred, ports, "LDS-PORT-SHARING"};
  table.ldsQueue = {4, Basis::Inferred, "[INF] no figure", "LDS-QUEUE"};

  table.requestBytes = {64, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.requestsPerCycle = {1, Basis::Inferred,
                            "[INF] 64 bytes a cycle of the measured bus",
                            "VMEM-REQUEST-RATE"};
  table.vmemQueue = {16, Basis::Inferred, "[INF] no figure", "VMEM-QUEUE"};
  table.missSpread = {8, Basis::Inferred, ports, "VMEM-MISS-SPREAD"};
  table.vectorL1Ways = {64, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.l2Ways = {16, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.mallWays = {16, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.l2BytesPerCycle = {1607, Basis::Hardware,
                           "[HW] gpu-benches, MI300X: 27 TB/s of 8 XCDs"};
  table.mallBytesPerCycle = {8190, Basis::Recalled,
                             "[MEM] 17.2 TB/s in the documents of the MI300X",
                             "MALL-BANDWIDTH"};
  table.memoryReadShare = {764, Basis::Hardware,
                           "[HW] gpu-benches, MI300X: 4.0 to 4.2 of 5.3 TB/s"};
  table.memoryWriteShare = {906, Basis::Hardware,
                            "[HW] gpu-benches, MI300X: 4.8 of 5.3 TB/s"};
  table.pageBytes = {2u << 20, Basis::Inferred,
                     "[INF] one cold miss a 2 MB fragment", "TRANSLATION"};

  table.translationReach = {64u << 20, Basis::Hardware,
                            "[HW] gpu-benches, MI300X: latency of the MALL is "
                            "flat up to 64 MB"};
  table.translationMiss = {70, Basis::Hardware,
                           "[HW] gpu-benches, MI300X: 526 cycles at 184 MB, "
                           "456 below"};

  table.scalarCacheBytes = {16384, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.scalarLineBytes = {64, Basis::Recalled, caches, "CACHE-SHAPES"};
  table.scalarWays = {4, Basis::Recalled, caches, "CACHE-SHAPES"};
  return table;
}

/// What the trace of a gfx950 says is an assumption about gfx942.
static TimingTable buildGfx942() {
  constexpr const char *from950 = "[INF] as traced on an MI350X (gfx950)";
  TimingTable table = common();
  for (Fact<unsigned> *fact :
       {&table.valuToMemory, &table.fetchNextLine, &table.coldStart})
    *fact = {**fact, Basis::Inferred, from950, "LATENCY-942-FROM-950"};
  return table;
}

/// And bandwidths of a gfx942 about gfx950.
static TimingTable buildGfx950() {
  constexpr const char *from942 = "[INF] as measured on an MI300X (gfx942)";
  TimingTable table = common();
  for (Fact<unsigned> *fact :
       {&table.l2BytesPerCycle, &table.memoryReadShare, &table.memoryWriteShare,
        &table.translationReach, &table.translationMiss})
    *fact = {**fact, Basis::Inferred, from942, "CACHES-950-FROM-942"};
  return table;
}

const TimingTable *fly::arch::timingTable(Chip chip) {
  static const TimingTable gfx942 = buildGfx942(), gfx950 = buildGfx950();
  switch (chip) {
  case Chip::Gfx942:
    return &gfx942;
  case Chip::Gfx950:
    return &gfx950;
  case Chip::Gfx1250:
    break;
  }
  return nullptr;
}

void fly::arch::forEachTimingFact(
    const TimingTable &table,
    llvm::function_ref<void(const FactView &)> visit) {
  auto view = [&](const char *path, const Fact<unsigned> &fact) {
    visit({path, fact ? std::to_string(*fact) : std::string(), fact.basis(),
           fact.source(), fact.assumption()});
  };
#define FLY_FACT(member) view("timing." #member, table.member)
  FLY_FACT(valuToMemory);
  FLY_FACT(takenBranch);
  FLY_FACT(fetchLineBytes);
  FLY_FACT(fetchNextLine);
  FLY_FACT(coldStart);
  FLY_FACT(warmStart);
  FLY_FACT(waveInterval);
  FLY_FACT(ldsInputBytes);
  FLY_FACT(ldsWritePhase);
  FLY_FACT(ldsOverheadQuarters);
  FLY_FACT(ldsSameSimd);
  FLY_FACT(ldsSameWave);
  FLY_FACT(ldsQueue);
  FLY_FACT(requestBytes);
  FLY_FACT(requestsPerCycle);
  FLY_FACT(vmemQueue);
  FLY_FACT(missSpread);
  FLY_FACT(vectorL1Ways);
  FLY_FACT(l2Ways);
  FLY_FACT(mallWays);
  FLY_FACT(l2BytesPerCycle);
  FLY_FACT(mallBytesPerCycle);
  FLY_FACT(memoryReadShare);
  FLY_FACT(memoryWriteShare);
  FLY_FACT(pageBytes);
  FLY_FACT(translationReach);
  FLY_FACT(translationMiss);
  FLY_FACT(scalarCacheBytes);
  FLY_FACT(scalarLineBytes);
  FLY_FACT(scalarWays);
#undef FLY_FACT
}
