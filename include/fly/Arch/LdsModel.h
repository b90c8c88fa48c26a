//===- LdsModel.h - Banks and phases of LDS instructions --------*- C++ -*-===//
//
// A wave's LDS instruction is served in phases: a fixed group of lanes each.
// Lanes of one phase that touch different dwords of one bank wait for each
// other; lanes that touch the same dword share it. This file has the groups of
// each instruction and chip, and the one conflict rule that the swizzle pass,
// the analyses and the simulator share. Instructions with two addresses
// (ds_read2) count as two accesses.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_LDSMODEL_H
#define FLY_ARCH_LDSMODEL_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>

namespace fly::arch {

/// Direction of an LDS access.
enum class LdsDirection : uint8_t { Read, Write };

/// How one LDS instruction of a chip is served.
struct LdsAccess {
  const char *mnemonic; ///< "ds_read_b128"
  Chip chip;
  LdsDirection direction;
  unsigned bytesPerLane;
  unsigned banks;  ///< Banks that the instruction sees, 4 bytes each.
  unsigned phases; ///< Groups of lanes, one after the other.
  /// Cycles of a phase without conflicts: the dwords of the phase over the
  /// banks.
  unsigned cyclesPerPhase;
  /// The phase of each lane.
  std::array<uint8_t, 64> phaseOfLane;
  Basis basis;
  const char *source;
  const char *assumption;
};

/// All rows.
llvm::ArrayRef<LdsAccess> ldsAccesses();

/// How \p chip serves an access of \p bytesPerLane (1, 2, 4, 8, 12 or 16; the
/// narrow ones are served as 4); nullptr for other widths and chips without
/// figures.
const LdsAccess *lookupLdsAccess(Chip chip, LdsDirection direction,
                                 unsigned bytesPerLane);

/// What an access costs.
struct LdsCost {
  unsigned phases = 0;         ///< Phases with at least one active lane.
  unsigned conflictCycles = 0; ///< As SQ_LDS_BANK_CONFLICT counts.
  /// The most lanes-with-different-dwords on one bank in one phase, divided by
  /// the conflict-free cycles and rounded up: 1 is free of conflicts.
  unsigned degree = 0;
  unsigned cycles = 0; ///< Of the data port: phases plus conflicts.
};

/// The cost of \p access with the byte address of each lane; lanes whose bit in
/// \p exec is clear do not take part. \p addresses has 64 entries.
LdsCost ldsCost(const LdsAccess &access, llvm::ArrayRef<uint32_t> addresses,
                uint64_t exec = ~uint64_t(0));

/// Cycles that lanes of an atomic wait for others on their address, as
/// SQ_LDS_ADDR_CONFLICT counts: in each phase, those of the most lanes on one
/// address but the first. [INF] An assumption, whose id stands below.
unsigned ldsAddressConflicts(const LdsAccess &access,
                             llvm::ArrayRef<uint32_t> addresses,
                             uint64_t exec = ~uint64_t(0));
inline constexpr const char *ldsAddressConflictsAssumption =
    "LDS-ADDRESS-CONFLICTS";

/// What each bank does for an access.
struct LdsBankLoad {
  /// Different dwords that the bank serves, over all phases.
  std::array<uint16_t, 64> dwords = {};
  /// Those of them that come after the cycles which the phase takes without
  /// conflicts.
  std::array<uint16_t, 64> waits = {};
};
LdsBankLoad ldsBankLoad(const LdsAccess &access,
                        llvm::ArrayRef<uint32_t> addresses,
                        uint64_t exec = ~uint64_t(0));

} // namespace fly::arch

#endif // FLY_ARCH_LDSMODEL_H
