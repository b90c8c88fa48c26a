//===- ArchInfo.cpp - Look-up and listing of the chips --------------------===//
//
// Finds a chip's description by name and lists its facts. The values are in
// one file a chip: Gfx942.cpp, Gfx950.cpp, Gfx1250.cpp.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/StringExtras.h"

#include <type_traits>

#include "Chips.h"

using namespace fly::arch;

const char *fly::arch::basisTag(Basis basis) {
  switch (basis) {
  case Basis::Hardware:
    return "[HW]";
  case Basis::Vendor:
    return "[AMD]";
  case Basis::Llvm:
    return "[LLVM22]";
  case Basis::Guide:
    return "[guide]";
  case Basis::Inferred:
    return "[INF]";
  case Basis::Recalled:
    return "[MEM]";
  case Basis::Unknown:
    return "[unknown]";
  }
  return "";
}

const ArchInfo &ArchInfo::get(Chip chip) {
  switch (chip) {
  case Chip::Gfx942:
    return gfx942();
  case Chip::Gfx950:
    return gfx950();
  case Chip::Gfx1250:
    return gfx1250();
  }
  return gfx942();
}

llvm::ArrayRef<const ArchInfo *> fly::arch::allChips() {
  static const ArchInfo *const chips[] = {&gfx942(), &gfx950(), &gfx1250()};
  return chips;
}

const ArchInfo *ArchInfo::lookup(llvm::StringRef chip) {
  for (const ArchInfo *info : allChips())
    if (chip == info->name)
      return info;
  return nullptr;
}

const ArchInfo *ArchInfo::lookupElfMachine(unsigned machine) {
  for (const ArchInfo *info : allChips())
    if (info->elfMachine && *info->elfMachine == machine)
      return info;
  return nullptr;
}

std::string fly::arch::knownChipNames(bool compilableOnly) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const ArchInfo *info : allChips())
    if (info->canCompile || !compilableOnly)
      names.push_back(info->name);
  return llvm::join(names, ", ");
}

namespace {

std::string text(unsigned value) { return std::to_string(value); }
std::string text(Fp8Flavour value) {
  return value == Fp8Flavour::Fnuz ? "fnuz" : "ocp";
}
std::string text(llvm::ArrayRef<unsigned> values) {
  std::string result;
  for (unsigned value : values) {
    if (!result.empty())
      result += ' ';
    result += std::to_string(value);
  }
  return result;
}

template <typename T>
FactView view(const char *path, const Fact<T> &fact) {
  return {path, fact ? text(*fact) : std::string(), fact.basis(), fact.source(),
          fact.assumption()};
}

} // namespace

void fly::arch::forEachFact(const ArchInfo &info,
                            llvm::function_ref<void(const FactView &)> visit) {
#define FLY_FACT(member) visit(view(#member, info.member))
  FLY_FACT(elfMachine);
  FLY_FACT(waveSize);
  FLY_FACT(simdsPerCu);
  FLY_FACT(registers.vgprsPerSimd);
  FLY_FACT(registers.vgprGranule);
  FLY_FACT(registers.accumOffsetGranule);
  FLY_FACT(registers.maxArchVgprs);
  FLY_FACT(registers.maxAccVgprs);
  FLY_FACT(registers.maxVgprs);
  FLY_FACT(registers.sgprsPerSimd);
  FLY_FACT(registers.sgprGranule);
  FLY_FACT(registers.maxSgprs);
  FLY_FACT(registers.extraSgprs);
  FLY_FACT(lds.bytes);
  FLY_FACT(lds.granuleBytes);
  FLY_FACT(lds.bankBytes);
  FLY_FACT(lds.banks);
  FLY_FACT(lds.bytesPerCycle);
  FLY_FACT(lds.ports);
  FLY_FACT(lds.portReadBytes);
  FLY_FACT(lds.portWriteBytes);
  FLY_FACT(counters.vmcnt);
  FLY_FACT(counters.expcnt);
  FLY_FACT(counters.lgkmcnt);
  FLY_FACT(workgroups.maxThreads);
  FLY_FACT(workgroups.maxWavesPerSimd);
  FLY_FACT(workgroups.maxSingleWave);
  FLY_FACT(workgroups.barriers);
  FLY_FACT(latency.vectorL1Hit);
  FLY_FACT(latency.l2Hit);
  FLY_FACT(latency.mallHit);
  FLY_FACT(latency.hbm);
  FLY_FACT(latency.coldMiss);
  FLY_FACT(latency.scalarLoadCold);
  FLY_FACT(latency.ldsRead);
  FLY_FACT(latency.ldsReadBase);
  FLY_FACT(latency.ldsWrite);
  FLY_FACT(latency.waveStart);
  FLY_FACT(latency.storeToEnd);
  FLY_FACT(issue.slot);
  FLY_FACT(issue.valu);
  FLY_FACT(issue.transcendental);
  FLY_FACT(issue.fp64);
  FLY_FACT(issue.salu);
  FLY_FACT(issue.nopUnit);
  FLY_FACT(issue.mfmaPass);
  FLY_FACT(issue.mfmaCoIssue);
  FLY_FACT(issue.vmemBytes);
  FLY_FACT(dma.widths);
  FLY_FACT(buffer.word3);
  FLY_FACT(buffer.maxRecordsBytes);
  FLY_FACT(buffer.maxImmediate);
  FLY_FACT(fp8);
  FLY_FACT(instructionCacheBytes);
  FLY_FACT(cusPerInstructionCache);
  FLY_FACT(vectorL1Bytes);
  FLY_FACT(cacheLineBytes);
  FLY_FACT(l2BytesPerXcd);
  FLY_FACT(l2Channels);
#undef FLY_FACT
}
