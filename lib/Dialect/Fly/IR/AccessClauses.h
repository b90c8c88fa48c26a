//===- AccessClauses.h - What accesses of tiles say in words ----*- C++ -*-===//
//
// Loads, stores, gathers and scatters share clauses: pad, cache, label, mask,
// in_bounds, align, in any order.
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

/// `{pad w | cache w | label "l" | mask %m | in_bounds [..] | align n}` in any
/// order; `pad` of reads alone.
mlir::ParseResult parseAccessClauses(mlir::OpAsmParser &parser, bool isRead,
                                     AccessClauses &clauses);

/// The clauses, where they say more than the default, and other attributes.
template <typename OpT>
void printAccessClauses(mlir::OpAsmPrinter &printer, OpT op) {
  if constexpr (std::is_same_v<OpT, LoadOp> || std::is_same_v<OpT, GatherOp>)
    if (op.getPad() != Pad::Zero)
      printer << " pad " << stringifyPad(op.getPad());
  if (op.getCache() != Cache::Default)
    printer << " cache " << stringifyCache(op.getCache());
  if (op.getLabelAttr())
    printer << " label " << op.getLabelAttr();
  if (op.getMask())
    printer << " mask " << op.getMask();
  if (op.getInBoundsAttr()) {
    printer << " in_bounds ";
    op.getInBoundsAttr().print(printer);
  }
  if (op.getAlignAttr())
    printer << " align " << op.getAlignAttr().getInt();
  printer.printOptionalAttrDict(op->getAttrs(),
                                {"static_coordinates", "pad", "cache", "label",
                                 "in_bounds", "align", "operandSegmentSizes"});
}

template <typename OpT>
void setAccessProperties(mlir::OperationState &result,
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
  if (clauses.inBounds)
    properties.setInBounds(clauses.inBounds);
  if (clauses.align)
    properties.setAlign(clauses.align);
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
