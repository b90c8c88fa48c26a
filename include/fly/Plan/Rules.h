//===- Rules.h - What a schedule must satisfy on a chip ---------*- C++ -*-===//
//
// What problem: passes refuse an illegal schedule, reports list what holds and
// what does not, the generator offers legal tiles alone; all three must mean
// the same.
// What idea: one function a rule, from numbers to whether it holds and the text
// that says so with these numbers. Who refuses adds the place and the fix.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_RULES_H
#define FLY_PLAN_RULES_H

#include "fly/Plan/DotTile.h"

namespace fly::plan {

/// A rule, applied.
struct Rule {
  /// What it is about, as reports print it: "rows over waves".
  std::string name;
  bool holds;
  /// The numbers: "64 rows = 4 * (1 wave * 16)".
  std::string text;
};

/// Rows (A) or columns (B) of the result are whole instructions of each wave.
Rule checkSplit(const DotTile &tile, DotTile::Side side);
/// Rows of operands are whole blocks of 64 bytes along K.
Rule checkRows(const DotTile &tile);
/// K is whole packs of all lanes.
Rule checkPacks(const DotTile &tile);
/// The chip multiplies these types with this instruction.
Rule checkInstruction(const arch::ArchInfo &chip, const DotTile &tile,
                      arch::ElementType a, arch::ElementType b);
/// Threads copy a tile in whole rounds of 16 bytes, or the last one is guarded,
/// which is legal.
Rule checkCopy(llvm::StringRef label, int64_t bytes, int64_t threads);
/// Bytes that each lane copies at once where `threads` of them share a tile on
/// its way to LDS past the registers: the widest that the chip has and that
/// divides the tile and its rows. A wave writes LDS in one run, so no lane may
/// be idle; none where no width does.
std::optional<int64_t> findDirectCopy(const arch::ArchInfo &chip,
                                      unsigned elementBits, int64_t rowBytes,
                                      int64_t bytes, int64_t threads);
/// There is such a width.
Rule checkDirectCopy(const arch::ArchInfo &chip, llvm::StringRef label,
                     unsigned elementBits, int64_t rowBytes, int64_t bytes,
                     int64_t threads);
/// An XOR of 16-byte chunks stays inside rows of so many bytes.
Rule checkXor(llvm::StringRef label, int64_t rowBytes);
/// Each SIMD has two waves of the workgroup, which take turns.
Rule checkTurns(const arch::ArchInfo &chip, int64_t waves);
/// The LDS of a compute unit holds the members; the limit is inclusive.
Rule checkLds(const arch::ArchInfo &chip, const Budget &budget);
/// A lane's registers hold the members that no order of the instructions can do
/// without, with so many waves on a SIMD.
Rule checkRegisters(const arch::ArchInfo &chip, const Budget &budget,
                    unsigned wavesPerSimd);
/// They hold all members, so that nothing is spilled in any order; where
/// factors are computed, the architectural ones hold all but accumulators.
Rule checkSpills(const arch::ArchInfo &chip, const DotTile &tile,
                 unsigned wavesPerSimd);

} // namespace fly::plan

#endif // FLY_PLAN_RULES_H
