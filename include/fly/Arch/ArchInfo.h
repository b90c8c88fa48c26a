//===- ArchInfo.h - What is true of a chip ----------------------*- C++ -*-===//
//
// The one description of a chip: register files, LDS, counters, DMA widths,
// latencies. Passes, analyses, simulator and reports ask it and restate no
// number. Look a chip up by name; an unknown chip gives nullptr, and the caller
// reports it with knownChipNames(). Values that nobody knows are empty facts
// (gfx1250 has many): ask before use, never assume. Of a chip that Fly compiles
// for all facts are known, so behind canCompile nobody need ask.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_ARCHINFO_H
#define FLY_ARCH_ARCHINFO_H

#include "fly/Arch/Fact.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace fly::arch {

/// The chips of the tables.
enum class Chip : uint8_t { Gfx942, Gfx950, Gfx1250 };

/// How the 8-bit float types of the matrix unit and of the conversions encode.
enum class Fp8Flavour : uint8_t {
  Fnuz, ///< f8E4M3FNUZ (bias 8, max 240) and f8E5M2FNUZ (bias 16, max 57344).
  Ocp,  ///< f8E4M3FN (bias 7, max 448) and f8E5M2 (bias 15, with infinities).
};

/// Registers of one SIMD and how they are allotted to a wave.
struct RegisterFile {
  /// 32-bit vector registers a lane and SIMD, architectural and accumulation
  /// registers together.
  Fact<unsigned> vgprsPerSimd;
  /// Allocation granule of a wave's combined vector registers.
  Fact<unsigned> vgprGranule;
  /// Granule of the architectural registers below the first accumulation
  /// register (the descriptor's accum_offset).
  Fact<unsigned> accumOffsetGranule;
  /// Most architectural, and most accumulation, vector registers of a wave.
  Fact<unsigned> maxArchVgprs;
  Fact<unsigned> maxAccVgprs;
  /// Most vector registers of a wave, both kinds together.
  Fact<unsigned> maxVgprs;
  /// Scalar registers a SIMD, their granule, and how many a kernel can name.
  Fact<unsigned> sgprsPerSimd;
  Fact<unsigned> sgprGranule;
  Fact<unsigned> maxSgprs;
  /// Scalar registers that VCC, FLAT_SCRATCH and XNACK_MASK add to a wave's.
  Fact<unsigned> extraSgprs;
};

/// The local data share of one compute unit. Banks and phases: LdsModel.h.
struct LdsFile {
  Fact<unsigned> bytes;          ///< Size, and the most one workgroup may have.
  Fact<unsigned> granuleBytes;   ///< Allocation granule.
  Fact<unsigned> bankBytes;      ///< Width of a bank.
  Fact<unsigned> banks;          ///< Banks at the widest access.
  Fact<unsigned> bytesPerCycle;  ///< Peak of one compute unit.
  Fact<unsigned> ports;          ///< SIMDs share ports: 0 and 1, 2 and 3.
  Fact<unsigned> portReadBytes;  ///< Read bytes a cycle and port.
  Fact<unsigned> portWriteBytes; ///< Write bytes a cycle and port.
};

/// Largest values of the wait counters, which are also the most operations
/// that may be outstanding before issue stalls. Encoding: WaitCount.h.
struct CounterLimits {
  Fact<unsigned> vmcnt;
  Fact<unsigned> expcnt;
  Fact<unsigned> lgkmcnt;
};

/// Workgroups on a compute unit.
struct WorkgroupLimits {
  Fact<unsigned> maxThreads; ///< Work items a workgroup.
  Fact<unsigned> maxWavesPerSimd;
  Fact<unsigned> maxSingleWave; ///< Workgroups of one wave a compute unit.
  Fact<unsigned> barriers;      ///< Workgroups of several waves a unit.
};

/// Unloaded latencies in cycles of the shader clock, from issue to first use.
struct Latencies {
  Fact<unsigned> vectorL1Hit;
  Fact<unsigned> l2Hit;
  Fact<unsigned> mallHit;
  Fact<unsigned> hbm;
  Fact<unsigned> coldMiss;       ///< Vector load with cold TLB and caches.
  Fact<unsigned> scalarLoadCold; ///< Scalar load to first use, cold.
  Fact<unsigned> ldsRead;        ///< LDS read to its first dependent use.
  Fact<unsigned> ldsReadBase;    ///< Model: LDS latency of a one-phase read.
  Fact<unsigned> ldsWrite;       ///< LDS write to lgkmcnt(0) satisfied.
  Fact<unsigned> waveStart;      ///< Wave start to first issue, cold fetch.
  Fact<unsigned> storeToEnd;     ///< Store to the end-of-program message.
};

/// Issue rates, in cycles of the shader clock.
struct IssueRates {
  Fact<unsigned> slot; ///< A SIMD's issue slot comes every so often.
  Fact<unsigned> valu; ///< 32-bit vector instruction.
  Fact<unsigned> transcendental;
  Fact<unsigned> fp64;
  Fact<unsigned> salu;
  Fact<unsigned> nopUnit;     ///< s_nop N takes (N+1) times this.
  Fact<unsigned> mfmaPass;    ///< Cycles a pass of the matrix unit.
  Fact<unsigned> mfmaCoIssue; ///< Cycles until a VALU may follow an XDL MFMA.
  Fact<unsigned> vmemBytes;   ///< VMEM return bytes a cycle and compute unit.
};

/// Direct copies from global memory to LDS.
struct DmaRules {
  /// Bytes a lane that one instruction may copy, ascending; empty if unknown.
  Fact<llvm::ArrayRef<unsigned>> widths;
  /// True if \p bytes a lane is a width of the chip.
  bool supports(unsigned bytes) const {
    return widths && llvm::is_contained(*widths, bytes);
  }
};

/// Raw buffer resources (V#).
struct BufferRules {
  /// The fourth dword of a raw buffer resource.
  Fact<uint32_t> word3;
  /// Largest num_records: the range check is one linear range of bytes.
  Fact<uint32_t> maxRecordsBytes;
  /// Largest immediate offset of a buffer instruction, in bytes.
  Fact<unsigned> maxImmediate;
};

/// What is true of a chip. All members are facts; see Fact.h.
struct ArchInfo {
  Chip chip;
  const char *name;          ///< "gfx942"
  const char *triple;        ///< "amdgcn-amd-amdhsa"
  Fact<unsigned> elfMachine; ///< EF_AMDGPU_MACH in the flags of an object.
  Fact<unsigned> waveSize;   ///< Lanes a wave.
  Fact<unsigned> simdsPerCu;
  RegisterFile registers;
  LdsFile lds;
  CounterLimits counters;
  WorkgroupLimits workgroups;
  Latencies latency;
  IssueRates issue;
  DmaRules dma;
  BufferRules buffer;
  Fact<Fp8Flavour> fp8;
  Fact<unsigned> instructionCacheBytes; ///< Shared by cusPerInstructionCache.
  Fact<unsigned> cusPerInstructionCache;
  Fact<unsigned> vectorL1Bytes;  ///< A compute unit.
  Fact<unsigned> cacheLineBytes; ///< A line of the L2.
  Fact<unsigned> l2BytesPerXcd;
  Fact<unsigned> l2Channels; ///< An XCD.
  /// True if Fly generates code for the chip, of which all facts are known
  /// then; false for chips that only the reports know.
  bool canCompile;

  /// The description of \p chip ("gfx942"), nullptr for an unknown name.
  static const ArchInfo *lookup(llvm::StringRef chip);
  /// The chip of an object's ELF flags, nullptr for another machine.
  static const ArchInfo *lookupElfMachine(unsigned machine);
  static const ArchInfo &get(Chip chip);
};

/// All chips of the tables, ascending by name.
llvm::ArrayRef<const ArchInfo *> allChips();

/// The names of the chips, comma-separated, for messages: all of them, or only
/// those that Fly compiles for.
std::string knownChipNames(bool compilableOnly = false);

/// Calls \p visit for each fact of \p info with its path ("lds.bytes"), for
/// ledgers, documentation and tests. Values are printed as decimal text, ""
/// where unknown.
struct FactView {
  const char *path;
  std::string value;
  Basis basis;
  const char *source;
  const char *assumption;
};
void forEachFact(const ArchInfo &info,
                 llvm::function_ref<void(const FactView &)> visit);

} // namespace fly::arch

#endif // FLY_ARCH_ARCHINFO_H
