//===- LaneMap.h - Which lane and register hold an element ------*- C++ -*-===//
//
// What a distributed layout means, as data: coordinates of an element are a
// base (a sum of terms of wave, lane or thread) plus a tail (a static offset
// for each register). Passes emit the base as arithmetic and fold the tail into
// immediate offsets; reports and tests evaluate both. No MLIR in here.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_LANEMAP_H
#define FLY_DIALECT_FLY_IR_LANEMAP_H

#include "fly/Arch/Wave.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace fly {

/// One summand of a coordinate: `((source / div) % mod) * mul`; mod 0 means no
/// modulus.
struct LaneTerm {
  enum Source { Thread, Lane, Wave };
  Source source;
  int64_t div = 1;
  int64_t mod = 0;
  int64_t mul = 1;

  /// The term's value for thread `thread` of a workgroup.
  int64_t evaluate(int64_t thread) const {
    int64_t s = source == Thread ? thread
                                 : (source == Lane ? thread % arch::waveLanes
                                                   : thread / arch::waveLanes);
    s /= div;
    return (mod ? s % mod : s) * mul;
  }
};

/// The map of one tile.
struct LaneMap {
  /// For each dimension, the terms whose sum is the base.
  llvm::SmallVector<llvm::SmallVector<LaneTerm, 3>, 2> base;
  /// Shape of a lane's registers; the product of it is `tails.size()`.
  llvm::SmallVector<int64_t, 3> registers;
  /// For each register element in row-major order of `registers`, its offset
  /// in each dimension.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> tails;
  /// Bit `d`: some lane's base plus tail lies beyond the tile in dimension `d`
  /// (such an element does not exist and must not be stored).
  unsigned partial = 0;

  bool isPartial(unsigned dim) const { return partial >> dim & 1; }

  unsigned rank() const { return base.size(); }
  /// Coordinates of register element `reg` of thread `thread`.
  llvm::SmallVector<int64_t, 2> evaluate(int64_t thread, unsigned reg) const {
    llvm::SmallVector<int64_t, 2> coords(tails[reg].begin(), tails[reg].end());
    for (unsigned d = 0; d < rank(); ++d)
      for (const LaneTerm &term : base[d])
        coords[d] += term.evaluate(thread);
    return coords;
  }
};

/// How one dimension of a tile is spread over lanes and waves.
struct DimSpread {
  /// Bits of the lane number that choose a coordinate of the dimension.
  llvm::SmallVector<unsigned, 6> laneBits;
  /// Number of the part of the dimension that a wave holds, as a sum of terms,
  /// and how many parts there are.
  llvm::SmallVector<LaneTerm, 2> part;
  int64_t numParts = 1;
};

/// The spread of dimension `dim`; none where extents of lanes or waves are no
/// powers of two, or open (a term without a modulus).
std::optional<DimSpread> getDimSpread(const LaneMap &map, unsigned dim);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_LANEMAP_H
