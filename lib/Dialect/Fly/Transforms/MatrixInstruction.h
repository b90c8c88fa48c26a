//===- MatrixInstruction.h - Products of tiles on the matrix unit *- C++
//-*-===//
//
// Which instruction computes a product, and how much of K a lane reads at
// once. The schedule's rules, the layouts and the lowering ask here, so that
// they cannot differ.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_MATRIXINSTRUCTION_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_MATRIXINSTRUCTION_H

#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <optional>

namespace fly {

/// The types that the matrix unit multiplies for a product.
struct MatrixTypes {
  arch::ElementType a, b;
  /// With a scale for each block of K.
  bool isScaled = false;
};

/// The types of `op`; none where no instruction of any chip takes them.
std::optional<MatrixTypes> getMatrixTypes(ProductOpInterface op);

/// The instruction of `side` rows and columns that computes `op`, whose K is
/// static; null if the chip has none.
const arch::MfmaRow *chooseInstruction(ProductOpInterface op,
                                       const arch::ArchInfo &chip,
                                       unsigned side);

/// Scales of 8 bits that a register holds, of which a scaled instruction takes
/// one.
inline constexpr int64_t scalesOfRegister = 4;

/// Scales of a scaled product that a lane holds next to each other: those of
/// its blocks of K of so many instructions behind each other, at most a
/// register of them. 1 for products without scales.
int64_t getScalePack(ProductOpInterface op, unsigned side);

/// Contiguous elements of K that a lane holds of an operand: a widest access
/// of what lies in memory, where lanes of `side` rows cover K with it.
int64_t getPack(ProductOpInterface op, mlir::OpOperand &operand, unsigned side);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_MATRIXINSTRUCTION_H
