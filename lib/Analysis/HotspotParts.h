//===- HotspotParts.h - The steps of a hotspot report -----------*- C++ -*-===//
#ifndef FLY_LIB_ANALYSIS_HOTSPOTPARTS_H
#define FLY_LIB_ANALYSIS_HOTSPOTPARTS_H

#include "fly/Analysis/Hotspots.h"

#include "llvm/ADT/SmallVector.h"

namespace fly::analysis {

/// The chips that a trace may come from: the one that was named, or all whose
/// thread traces these are. Errors: an unknown name.
llvm::Expected<llvm::SmallVector<const arch::ArchInfo *>>
candidateChips(llvm::StringRef chip);

/// Cycles of the matrix unit for an instruction, where all \p chips that have
/// it agree.
std::optional<unsigned>
matrixCycles(const profile::TracedInstruction &instruction,
             llvm::ArrayRef<const arch::ArchInfo *> chips);

/// Reads wave files: distances, and how busy the matrix unit was.
llvm::Error addWaves(HotspotReport &report, llvm::StringRef directory,
                     llvm::ArrayRef<const arch::ArchInfo *> chips);

/// Finds the dispatch in a kernel trace in or beside \p directory.
llvm::Error addOccupancy(HotspotReport &report, llvm::StringRef directory,
                         llvm::ArrayRef<const arch::ArchInfo *> chips);

/// Applies the guide's table.
void addSymptoms(HotspotReport &report, double threshold);

/// Cycles of the s_nop between two matrix instructions, and their number.
struct NopCycles {
  uint64_t cycles = 0, stall = 0;
  unsigned count = 0;
};
NopCycles nopsBetweenMfmas(const HotspotReport &report);

/// "file:line" of the innermost place of a source.
llvm::StringRef innermost(llvm::StringRef source);
/// "s_waitcnt vmcnt(0) (0x1008, gemm.mlir:12)"
std::string describe(const profile::TracedInstruction &instruction);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_HOTSPOTPARTS_H
