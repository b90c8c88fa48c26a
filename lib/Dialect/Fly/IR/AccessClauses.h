//===- AccessClauses.h - What accesses of tiles say in words ----*- C++ -*-===//
//
// Loads, stores, gathers and scatters share clauses: pad, cache, label, mask,
// in any order.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_ACCESSCLAUSES_H
#define FLY_LIB_DIALECT_FLY_IR_ACCESSCLAUSES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "MixedList.h"

namespace fly::detail {

/// As parsed.
struct AccessClauses {
  UnresolvedList coordinates;
  mlir::ArrayAttr staticCoordinates;
  std::optional<mlir::OpAsmParser::UnresolvedOperand> mask;
  PadAttr pad;
  CacheAttr cache;
  mlir::StringAttr label;
  mlir::DenseBoolArrayAttr inBounds;
  mlir::IntegerAttr align;
};

/// `{pad w | cache w | label "l" | mask %m}` in any order; `pad` of reads
/// alone, `in_bounds [..]` and `align n` of the accesses of whole tiles.
mlir::ParseResult parseAccessClauses(mlir::OpAsmParser &parser, bool isRead,
                                     bool ofTiles, AccessClauses &clauses);

/// The clauses of all accesses, where they say more than the default.
template <typename OpT>
void printSharedClauses(mlir::OpAsmPrinter &printer, OpT op) {
  if constexpr (std::is_same_v<OpT, LoadOp> || std::is_same_v<OpT, GatherOp>)
    if (op.getPad() != Pad::Zero)
      printer << " pad " << stringifyPad(op.getPad());
  if (op.getCache() != Cache::Default)
    printer << " cache " << stringifyCache(op.getCache());
  if (op.getLabelAttr())
    printer << " label " << op.getLabelAttr();
  if (op.getMask())
    printer << " mask " << op.getMask();
}

template <typename OpT>
void setSharedProperties(mlir::OperationState &result,
                         const AccessClauses &clauses) {
  auto &properties = result.getOrAddProperties<typename OpT::Properties>();
  properties.setStaticCoordinates(clauses.staticCoordinates);
  if (clauses.cache)
    properties.setCache(clauses.cache);
  if (clauses.label)
    properties.setLabel(clauses.label);
  if constexpr (std::is_same_v<OpT, LoadOp> || std::is_same_v<OpT, GatherOp>)
    if (clauses.pad)
      properties.setPad(clauses.pad);
}

/// An error where `in_bounds` and `align` do not fit a view of this rank.
template <typename OpT>
mlir::LogicalResult verifyPlacement(OpT op, size_t rank) {
  if (op.getInBounds() && op.getInBounds()->size() != rank)
    return op.emitOpError() << "expects " << rank << " in_bounds flags, got "
                            << op.getInBounds()->size();
  if (op.getAlign() && int64_t(*op.getAlign()) < 1)
    return op.emitOpError()
           << "expects an align of at least 1, got " << int64_t(*op.getAlign());
  return mlir::success();
}

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_ACCESSCLAUSES_H
