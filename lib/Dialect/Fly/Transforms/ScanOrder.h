//===- ScanOrder.h - In which order lanes hold a dimension ------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCANORDER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCANORDER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <optional>

namespace fly {

/// A dimension whose coordinates count, from the fastest to the slowest, the
/// elements of a lane's run, lanes, waves, and rounds.
struct ScanOrder {
  /// Contiguous elements of a lane in each round, and how many rounds.
  int64_t run = 1, rounds = 1;
  DimSpread spread;

  /// Lanes of a wave that share the dimension.
  int64_t numLanes() const { return int64_t(1) << spread.laneBits.size(); }
};

/// The order of dimension `dim`; none where lanes hold it in another.
std::optional<ScanOrder> getScanOrder(const LaneMap &map, unsigned dim,
                                      int64_t threads);

/// Whether no lane may reach beyond the tile along the dimension.
bool needsEvenLanes(ScanOp op);

/// Whether the scan can run on tiles of this layout.
bool canScan(ScanOp op, mlir::Attribute layout, int64_t threads);

/// The type in which what is combined of `source` goes from lane to lane: by a
/// kind narrow elements combine in 32 bits, and memory holds whole bytes.
mlir::Type getScanExchangeType(ScanOp op, mlir::Value source);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCANORDER_H
