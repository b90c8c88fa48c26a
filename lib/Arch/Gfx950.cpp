//===- Gfx950.cpp - Facts of the MI350 family -----------------------------===//
//
// What gfx950 has on top of, or other than, gfx942: more LDS and a wider read
// port, wide DMA, OCP 8-bit floats. No public cache latencies exist for it; the
// table takes gfx942's and says so.
//
//===----------------------------------------------------------------------===//

#include "Chips.h"

using namespace fly::arch;

static ArchInfo build() {
  constexpr const char *trace =
      "[HW] public MI350X instruction trace, midpoint or median";
  constexpr const char *from942 =
      "[INF] as measured on an MI300X (gfx942); no public figure for gfx950";

  ArchInfo info = cdnaBase();
  info.chip = Chip::Gfx950;
  info.name = "gfx950";
  info.elfMachine = {0x04f, Basis::Llvm, "[LLVM22] BinaryFormat/ELF.h"};

  info.lds.bytes = {163840, Basis::Hardware, "[HW] agent_info of an MI355X"};
  info.lds.granuleBytes = {1280, Basis::Llvm,
                           "[LLVM22] AMDGPUUsage: 320 dwords"};
  info.lds.banks = {64, Basis::Hardware,
                    "[HW] HipKittens, conflict counter on an MI355X; b64 and "
                    "b128 reads only"};
  info.lds.bytesPerCycle = {256, Basis::Vendor, "[AMD] CDNA4 announcements"};
  info.lds.portReadBytes = {128, Basis::Inferred,
                            "[INF] read port doubled, consistent with 16-lane "
                            "b128 phases",
                            "LDS-950-PORT"};
  info.lds.portWriteBytes = {38, Basis::Inferred, "[INF] writes as on gfx942",
                             "LDS-950-PORT"};

  Latencies &latency = info.latency;
  latency.vectorL1Hit = {119, Basis::Inferred, from942, "LATENCY-950-FROM-942"};
  latency.l2Hit = {213, Basis::Inferred, from942, "LATENCY-950-FROM-942"};
  latency.mallHit = {456, Basis::Inferred, from942, "LATENCY-950-FROM-942"};
  latency.hbm = {880, Basis::Inferred, from942, "LATENCY-950-FROM-942"};
  latency.coldMiss = {1856, Basis::Hardware, trace};
  latency.scalarLoadCold = {760, Basis::Hardware, trace};
  latency.ldsRead = {46, Basis::Hardware, trace};
  latency.ldsReadBase = {40, Basis::Inferred,
                         "[INF] lower end of the trace; each further phase "
                         "adds to it",
                         "LDS-LATENCY-BASE"};
  latency.ldsWrite = {46, Basis::Hardware, trace};
  latency.waveStart = {558, Basis::Hardware, trace};
  latency.storeToEnd = {232, Basis::Hardware, trace};

  info.issue.transcendental = {8, Basis::Recalled,
                               "[MEM] transcendental rate doubled",
                               "TRANSCENDENTAL-950"};

  static const unsigned widths[] = {1, 2, 4, 12, 16};
  info.dma.widths = {llvm::ArrayRef<unsigned>(widths), Basis::Llvm,
                     "[LLVM22] llc accepts these on gfx950"};
  info.fp8 = {Fp8Flavour::Ocp, Basis::Vendor, "[AMD] CDNA4 ISA document"};
  info.vectorL1Bytes = {32768, Basis::Inferred, "[INF] as gfx942",
                        "CACHES-950-FROM-942"};
  info.l2BytesPerXcd = {4u << 20, Basis::Inferred, "[INF] as gfx942",
                        "CACHES-950-FROM-942"};
  return info;
}

const ArchInfo &fly::arch::gfx950() {
  static const ArchInfo info = build();
  return info;
}
