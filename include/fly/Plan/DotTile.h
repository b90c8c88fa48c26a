//===- DotTile.h - The arithmetic of one dot of a schedule ------*- C++ -*-===//
//
// What problem: how often a matrix instruction repeats, how many loads and LDS
// reads a lane has, which registers it takes: passes need these before they
// transform anything, reports print them, the generator chooses tiles by them.
// What idea: one description of a dot, without IR, and one function a number.
// What it leaves open: what the code generator makes of it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_DOTTILE_H
#define FLY_PLAN_DOTTILE_H

#include "fly/Arch/MfmaTable.h"
#include "fly/Arch/Wave.h"
#include "fly/Plan/Budget.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace fly::plan {

/// Bytes that a thread copies, and a lane reads, at once.
inline constexpr int64_t accessBytes = arch::widestAccessBytes;
/// Bytes that the rows of an operand tile are a multiple of: a block of four
/// accesses, one for each lane group along K.
inline constexpr int64_t rowBlockBytes = 4 * accessBytes;

/// A tile in registers that an operand is computed of, or that belongs to it: a
/// row for each of the operand's rows, a column for each or several elements of
/// K.
struct SourceTile {
  std::string what; ///< "scales", "elements of 4 bits".
  int64_t columns = 0;
  unsigned bits = 16;    ///< Of an element.
  int64_t atOnce = 1;    ///< Elements that a load brings.
  bool runsAhead = true; ///< The next tile is loaded while this one is used.
};

/// An operand of a dot and how it reaches the lanes.
struct OperandTile {
  unsigned bits = 16; ///< Of an element.
  bool isLoaded = true;
  bool inLds = true;     ///< Through LDS, or straight to registers.
  bool runsAhead = true; ///< The next tile is loaded while this one is used.
  unsigned stages = 2;   ///< Buffers in LDS.
  bool isAsync = false;  ///< To LDS past the registers.
  unsigned depth = 1;    ///< Tiles that run ahead in registers.
  /// Bytes of a load on the way through registers: fewer than a register's
  /// take one each until they are put together.
  int64_t loadBytes = accessBytes;
  /// Of an element while it is computed; 0: as it is multiplied.
  unsigned widestBits = 0;
  llvm::SmallVector<SourceTile, 0> sources;
};

/// The tile m x n x k of a workgroup's dot.
struct DotTile {
  enum Side : uint8_t { A, B };

  int64_t m = 0, n = 0, k = 0;
  /// Waves in rows and columns of the result.
  int64_t wavesM = 1, wavesN = 1;
  /// Rows and columns of the matrix instruction.
  int64_t mfma = 16;
  OperandTile a, b;
  /// Elements of K that a lane reads at once of either operand; 0: the 16 bytes
  /// of A's.
  int64_t pack = 0;
  /// With a scale for each block of K.
  bool isScaled = false;

  const OperandTile &operand(Side side) const { return side == A ? a : b; }
  int64_t waves() const { return wavesM * wavesN; }
  int64_t threads() const { return arch::waveLanes * waves(); }

  /// Matrix instructions of a wave along m, and along n.
  int64_t mRepeat() const { return m / wavesM / mfma; }
  int64_t nPerWave() const { return n / wavesN; }
  int64_t accumulatorsN() const { return nPerWave() / mfma; }
  /// Accumulator registers of a lane.
  int64_t accumulatorRegisters() const {
    return m * n / (arch::waveLanes * waves());
  }
  /// Elements of K that a lane reads at once.
  int64_t packElements() const {
    return pack ? pack : accessBytes * 8 / a.bits;
  }
  /// Elements of K that the lanes cover with one pack each.
  int64_t microStep() const { return packElements() * arch::waveLanes / mfma; }
  int64_t microSteps() const { return k / microStep(); }
  /// Instructions behind each other along K: two micro-steps may share one.
  int64_t mfmasAlongK(const arch::MfmaRow &row) const { return k / row.k; }
  /// Matrix instructions of a wave for one tile of K.
  int64_t mfmasPerTile(const arch::MfmaRow &row) const {
    return mfmasAlongK(row) * mRepeat() * accumulatorsN();
  }

  /// Bytes of an operand's row along K, and of its tile.
  int64_t rowBytes(Side side) const { return k * operand(side).bits / 8; }
  int64_t tileBytes(Side side) const {
    return (side == A ? m : n) * k * operand(side).bits / 8;
  }
  /// 16-byte loads of each thread for an operand's tile, rounded up.
  int64_t copyRounds(Side side) const;
  /// 16-byte reads of a lane from LDS for an operand's tile; 0 where it goes
  /// straight to registers.
  int64_t ldsReads(Side side) const;
  /// LDS bytes of both operands' buffers.
  int64_t ldsBytes() const;

  /// Registers of a lane while the dot runs: accumulators, what the next matrix
  /// instructions read, what the next iteration's loads bring, addresses.
  Budget registers() const;

private:
  void addPrefetch(Side side, int64_t fragment, Budget &budget) const;
  void addSources(Side side, Budget &budget) const;
};

/// The instruction for a dot of these types (arch::chooseMfma); nullptr where
/// the chip has none whose K divides the tile's.
const arch::MfmaRow *findInstruction(const arch::ArchInfo &chip,
                                     const DotTile &tile, arch::ElementType a,
                                     arch::ElementType b);

} // namespace fly::plan

#endif // FLY_PLAN_DOTTILE_H
