//===- MixedList.h - Lists of values, numbers and names ---------*- C++ -*-===//
//
// Extents, coordinates, bounds and steps are written `[%m, 64, BK]`: values,
// numbers, and names of sizes. In an op they are operands plus one array
// attribute, in which a unit attribute stands for the next operand.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_MIXEDLIST_H
#define FLY_LIB_DIALECT_FLY_IR_MIXEDLIST_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

namespace fly::detail {

using UnresolvedList =
    llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4>;

/// Parses one element; appends to `operands` or only to `entries`.
mlir::ParseResult parseMixed(mlir::OpAsmParser &parser,
                             UnresolvedList &operands,
                             llvm::SmallVectorImpl<mlir::Attribute> &entries);
/// Parses a delimited list.
mlir::ParseResult parseMixedList(mlir::OpAsmParser &parser,
                                 mlir::OpAsmParser::Delimiter delimiter,
                                 UnresolvedList &operands,
                                 mlir::ArrayAttr &entries);
/// Prints one element.
void printMixed(mlir::OpAsmPrinter &printer, mlir::OpFoldResult element);
/// Prints elements separated by commas.
void printMixedList(mlir::OpAsmPrinter &printer,
                    llvm::ArrayRef<mlir::OpFoldResult> elements);
/// Joins operands and attribute into one list.
llvm::SmallVector<mlir::OpFoldResult> getMixed(mlir::ArrayAttr entries,
                                               mlir::ValueRange operands);
/// Checks that `entries` has `expected` elements, that its unit entries match
/// the number of operands, and that the others are numbers or names.
mlir::LogicalResult verifyMixed(mlir::Operation *op, llvm::StringRef what,
                                mlir::ArrayAttr entries,
                                mlir::ValueRange operands, size_t expected);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_MIXEDLIST_H
