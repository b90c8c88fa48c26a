//===- Gfx942.cpp - Facts of the MI300 family, and of CDNA ----------------===//
//
// The table of gfx942, and the part that it shares with gfx950. Each value
// names its source; [INF] and [MEM] values name their ledger entry.
//
//===----------------------------------------------------------------------===//

#include "Chips.h"

using namespace fly::arch;

ArchInfo fly::arch::cdnaBase() {
  constexpr const char *descriptor = "[LLVM22] AMDGPUUsage, kernel descriptor";
  constexpr const char *occupancy = "[LLVM22] probed with llc, both chips";
  constexpr const char *sgprs = "[MEM] LLVM's SGPR budget of gfx9";
  constexpr const char *waits = "[LLVM22] s_waitcnt encoding of gfx9";
  constexpr const char *issue = "[AMD] rocprof-compute documentation";
  constexpr const char *trace = "[HW] public MI350X instruction trace";

  ArchInfo info{};
  info.triple = "amdgcn-amd-amdhsa";
  info.canCompile = true;
  info.waveSize = {64, Basis::Llvm, descriptor};
  info.simdsPerCu = {4, Basis::Vendor, "[AMD] CDNA3 and CDNA4 ISA documents"};

  RegisterFile &regs = info.registers;
  regs.vgprsPerSimd = {512, Basis::Llvm, occupancy};
  regs.vgprGranule = {8, Basis::Llvm, occupancy};
  regs.accumOffsetGranule = {4, Basis::Llvm, descriptor};
  regs.maxArchVgprs = {256, Basis::Llvm, descriptor};
  regs.maxAccVgprs = {256, Basis::Llvm, descriptor};
  regs.maxVgprs = {512, Basis::Llvm, descriptor};
  regs.sgprsPerSimd = {800, Basis::Recalled, sgprs, "SGPR-BUDGET"};
  regs.sgprGranule = {16, Basis::Recalled, sgprs, "SGPR-BUDGET"};
  regs.maxSgprs = {102, Basis::Recalled, sgprs, "SGPR-BUDGET"};
  regs.extraSgprs = {6, Basis::Recalled, sgprs, "SGPR-BUDGET"};

  info.lds.bankBytes = {4, Basis::Vendor, "[AMD] ISA documents"};
  info.lds.ports = {2, Basis::Vendor, issue};

  info.counters.vmcnt = {63, Basis::Llvm, waits};
  info.counters.expcnt = {7, Basis::Llvm, waits};
  info.counters.lgkmcnt = {15, Basis::Llvm, waits};

  WorkgroupLimits &groups = info.workgroups;
  groups.maxThreads = {1024, Basis::Hardware, "[HW] agent_info of an MI355X"};
  groups.maxWavesPerSimd = {8, Basis::Hardware, "[HW] agent_info of an MI355X"};
  groups.maxSingleWave = {32, Basis::Recalled,
                          "[MEM] LLVM getMaxWorkGroupsPerCU",
                          "WORKGROUPS-PER-CU"};
  groups.barriers = {16, Basis::Recalled, "[MEM] LLVM getMaxWorkGroupsPerCU",
                     "WORKGROUPS-PER-CU"};

  IssueRates &rates = info.issue;
  rates.slot = {4, Basis::Vendor, issue};
  rates.valu = {4, Basis::Vendor, issue};
  rates.fp64 = {4, Basis::Vendor, issue};
  rates.salu = {4, Basis::Hardware, trace};
  rates.nopUnit = {4, Basis::Hardware, "[HW] public MI308X study"};
  rates.mfmaPass = {4, Basis::Vendor, "[AMD] matrix instruction calculator"};
  rates.mfmaCoIssue = {4, Basis::Vendor, "[AMD] matrix instruction calculator"};
  rates.vmemBytes = {64, Basis::Hardware, "[HW] public MI308X study"};

  info.buffer.word3 = {0x00027000, Basis::Llvm,
                       "[LLVM22] flags of fat_raw_buffer_cast for gfx9"};
  info.buffer.maxRecordsBytes = {0xffffffff, Basis::Llvm,
                                 "[LLVM22] num_records has 32 bits"};
  info.buffer.maxImmediate = {4095, Basis::Llvm,
                              "[LLVM22] 12-bit offset of MUBUF"};

  info.instructionCacheBytes = {65536, Basis::Recalled,
                                "[MEM] 64 KB shared by two compute units",
                                "INSTRUCTION-CACHE"};
  info.cusPerInstructionCache = {2, Basis::Recalled,
                                 "[MEM] 64 KB shared by two compute units",
                                 "INSTRUCTION-CACHE"};
  info.l2Channels = {16, Basis::Recalled, "[MEM] 16 channels an XCD",
                     "L2-SHAPE"};
  info.cacheLineBytes = {128, Basis::Recalled, "[MEM] 128-byte lines",
                         "L2-SHAPE"};
  return info;
}

static ArchInfo build() {
  constexpr const char *chase = "[HW] gpu-benches pointer chase, MI300X";
  constexpr const char *from950 =
      "[INF] as traced on an MI350X (gfx950), midpoint or median";
  constexpr const char *study = "[HW] public MI308X study";

  ArchInfo info = cdnaBase();
  info.chip = Chip::Gfx942;
  info.name = "gfx942";
  info.elfMachine = {0x04c, Basis::Llvm, "[LLVM22] BinaryFormat/ELF.h"};

  info.lds.bytes = {65536, Basis::Llvm, "[LLVM22] AMDGPUUsage"};
  info.lds.granuleBytes = {512, Basis::Llvm, "[LLVM22] AMDGPUUsage"};
  info.lds.banks = {32, Basis::Vendor, "[AMD] CK documentation"};
  info.lds.bytesPerCycle = {128, Basis::Vendor, "[AMD] CDNA3 documentation"};
  info.lds.portReadBytes = {64, Basis::Hardware, study};
  info.lds.portWriteBytes = {38, Basis::Hardware,
                             "[HW] public MI308X study: ds_write_b128 takes "
                             "about 27 cycles a port"};

  Latencies &latency = info.latency;
  latency.vectorL1Hit = {119, Basis::Hardware, chase};
  latency.l2Hit = {213, Basis::Hardware, chase};
  latency.mallHit = {456, Basis::Hardware, chase};
  latency.hbm = {880, Basis::Hardware, chase};
  latency.coldMiss = {1856, Basis::Inferred, from950, "LATENCY-942-FROM-950"};
  latency.scalarLoadCold = {760, Basis::Inferred, from950,
                            "LATENCY-942-FROM-950"};
  latency.ldsRead = {46, Basis::Inferred, from950, "LATENCY-942-FROM-950"};
  latency.ldsReadBase = {40, Basis::Inferred,
                         "[INF] lower end of the trace; each further phase "
                         "adds to it",
                         "LDS-LATENCY-BASE"};
  latency.ldsWrite = {46, Basis::Inferred, from950, "LATENCY-942-FROM-950"};
  latency.waveStart = {558, Basis::Inferred, from950, "LATENCY-942-FROM-950"};
  latency.storeToEnd = {232, Basis::Inferred, from950, "LATENCY-942-FROM-950"};

  info.issue.transcendental = {16, Basis::Vendor,
                               "[AMD] quarter rate in the ISA documents"};

  static const unsigned widths[] = {1, 2, 4};
  info.dma.widths = {llvm::ArrayRef<unsigned>(widths), Basis::Llvm,
                     "[LLVM22] llc rejects wider ones on gfx942"};
  info.fp8 = {Fp8Flavour::Fnuz, Basis::Vendor, "[AMD] CDNA3 ISA document"};
  info.vectorL1Bytes = {32768, Basis::Hardware, chase};
  info.l2BytesPerXcd = {4u << 20, Basis::Hardware, chase};
  return info;
}

const ArchInfo &fly::arch::gfx942() {
  static const ArchInfo info = build();
  return info;
}
