//===- Pieces.h - A vector as machine accesses ------------------*- C++ -*-===//
//
// A read or write of up to 16 bytes becomes one machine access, or several
// where its alignment is not known to be enough: pieces of 1, 2, 4, 8 or 16
// bytes. This file says which, and moves values between the vector of the
// program and the registers of the accesses.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_PIECES_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_PIECES_H

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SmallVector.h"

namespace fly {

/// Elements `first` .. `first + count - 1` of a vector.
struct Piece {
  unsigned first;
  unsigned count;
};

/// Splits `elements` elements of `elementBytes` bytes: each piece is a power of
/// two, at most `maxBytes` wide, and starts at a multiple of its size, given
/// that the vector starts at a multiple of `alignElements` elements.
llvm::SmallVector<Piece> splitIntoPieces(unsigned elements,
                                         unsigned elementBytes,
                                         uint64_t alignElements,
                                         unsigned maxBytes);

/// The register type of an access of `bytes` bytes: i8, i16, i32, or a vector
/// of i32.
mlir::Type getAccessType(mlir::OpBuilder &builder, unsigned bytes);

/// The value of type `type` (an element, or a vector of rank 1 of them) made
/// from the accesses' registers.
mlir::Value assemblePieces(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Type type, llvm::ArrayRef<Piece> pieces,
                           mlir::ValueRange registers);

/// The register of one piece of `value`.
mlir::Value extractPiece(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, Piece piece);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_PIECES_H
