//===- Exchanges.h - Tiles that go through LDS from lanes to lanes -*- C++ -*-//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "../LdsFieldCost.h"

namespace fly::stage {

/// A conversion between lanes, and the field that it goes through.
struct Exchange {
  ConvertLayoutOp op;
  ViewType field;
};

/// A scan along a dimension that waves share, and the fields in which they
/// exchange what each has combined, one for each tile.
struct ScanExchange {
  ScanOp op;
  llvm::SmallVector<ViewType> fields;
};

/// What waves exchange in a kernel.
struct Exchanges {
  llvm::SmallVector<Exchange> conversions;
  llvm::SmallVector<ScanExchange> scans;
};

/// Finds what moves between lanes of `threads` threads. `chip` chooses orders
/// of fields by its bank model, null for rows as they are; `compact` forbids
/// padding. An error at a tile that memory cannot hold.
mlir::FailureOr<Exchanges> collectExchanges(mlir::FunctionOpInterface kernel,
                                            const arch::ArchInfo *chip,
                                            int64_t threads, bool compact);

/// Says at the conversion what it costs: bytes, accesses, cycles.
void remarkExchange(const Exchange &exchange, const arch::ArchInfo &chip);

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_EXCHANGES_H
