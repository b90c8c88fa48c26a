//===- Pieces.h - A vector as machine accesses ------------------*- C++ -*-===//
//
// A read or write becomes one machine access or several (AccessPieces.h); this
// file moves values between the vector of the program and the registers of the
// accesses.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_PIECES_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_PIECES_H

#include "fly/Arch/AccessPieces.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SmallVector.h"

namespace fly {

using Piece = arch::AccessPiece;
using arch::splitIntoPieces;

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
