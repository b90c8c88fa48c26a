//===- Exchanges.h - Tiles that go through LDS from lanes to lanes -*- C++ -*-//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "../LdsFieldCost.h"

namespace fly::stage {

/// Where a tile lies in a field.
struct FieldTile {
  /// Of the op, for a tile that is written.
  unsigned operand = 0;
  /// What the field is seen as, and the tile's origin in it.
  ViewType view;
  llvm::SmallVector<int64_t, 2> at;
};

/// A conversion between lanes, or a slice, concatenation or reshape, and the
/// field that it goes through.
struct Exchange {
  mlir::Operation *op;
  ViewType field;
  /// What is written, in this order, and what is read after that.
  llvm::SmallVector<FieldTile, 2> sources;
  FieldTile result;
};

/// A scan along a dimension that waves share, and the fields in which they
/// exchange what each has combined, one for each tile.
struct ScanExchange {
  ScanOp op;
  llvm::SmallVector<ViewType> fields;
};

/// What waves exchange in a kernel.
struct Exchanges {
  llvm::SmallVector<Exchange> moves;
  llvm::SmallVector<ScanExchange> scans;
};

/// Finds what moves between lanes of `threads` threads. `chip` chooses orders
/// of fields by its bank model, null for rows as they are; `compact` forbids
/// padding. An error at a tile that memory cannot hold.
mlir::FailureOr<Exchanges> collectExchanges(mlir::FunctionOpInterface kernel,
                                            const arch::ArchInfo *chip,
                                            int64_t threads, bool compact);

/// How fields are chosen: by the bank model of `chip`, null for rows as they
/// are, for tiles of `threads` threads; `compact` forbids padding.
struct FieldChoice {
  const arch::ArchInfo *chip;
  int64_t threads;
  bool compact;

  /// A field of these extents for `accesses`.
  ViewType choose(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                  llvm::ArrayRef<LdsTileAccess> accesses) const;
};

/// The exchange of a slice, concatenation or reshape (ShapeExchanges.cpp).
Exchange makeShapeExchange(mlir::Operation *op, const FieldChoice &choice);

/// The tiles that the exchange writes and reads.
llvm::SmallVector<LdsTileAccess, 2> getAccesses(mlir::Operation *op);

/// Says at the op what it costs: bytes, accesses, cycles.
void remarkExchange(const Exchange &exchange, const arch::ArchInfo &chip);

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H
