//===- MfmaTable.h - The matrix instructions --------------------*- C++ -*-===//
//
// One row for each dense MFMA of gfx942 and gfx950: shape, element types,
// elements a lane, passes, names. The same row serves the converter (intrinsic
// and op name), the register estimate, the simulator (lane maps follow from
// shape and elements a lane) and the hazard rules. Sparse forms are not here.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_MFMATABLE_H
#define FLY_ARCH_MFMATABLE_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace fly::arch {

/// Element types of matrix instructions. Fp8 and Bf8 are E4M3 and E5M2 in the
/// chip's flavour (ArchInfo::fp8).
enum class ElementType : uint8_t {
  F64,
  F32,
  Xf32,
  F16,
  Bf16,
  Fp8,
  Bf8,
  Fp6,
  Bf6,
  Fp4,
  I8,
  I32,
  F8F6F4, ///< Any of Fp8, Bf8, Fp6, Bf6, Fp4, chosen by cbsz and blgp.
};

/// Bits of one element; 0 for F8F6F4, which has no fixed width.
unsigned bitWidth(ElementType type);
/// The type as the tables write it: "f16", "bf16", "fp8", ...
const char *elementTypeName(ElementType type);

/// The type as MLIR spells it, 8-bit floats in \p flavour: "f8E4M3FNUZ",
/// "bf16"; "" for Xf32 and F8F6F4, which are no storage types.
const char *mlirTypeName(ElementType type, Fp8Flavour flavour);
/// The element type that MLIR spells \p name on chips of \p flavour; nothing
/// for other types, the other flavour's among them.
std::optional<ElementType> elementTypeOfMlir(llvm::StringRef name,
                                             Fp8Flavour flavour);

/// A matrix instruction D = A * B + C. A is m x k, B is k x n, per block.
struct MfmaRow {
  const char *mnemonic; ///< "v_mfma_f32_16x16x16_bf16"
  const char *suffix;   ///< "mfma.f32.16x16x16bf16.1k"
  unsigned m, n, k;     ///< Shape of one block.
  unsigned blocks;      ///< Independent products in one instruction.
  ElementType a, b, c;  ///< c is the type of both C and D.
  /// Elements that a lane holds of each operand.
  unsigned aElements, bElements, cElements;
  /// Passes of 4 cycles on gfx942 and gfx950; 0 where the chip lacks it. For
  /// F8F6F4 with an 8-bit operand; see passesOn().
  unsigned passesGfx942, passesGfx950;
  /// Runs on the XDL pipe; false for f32 and f64 sources ("SMFMA", DGEMM),
  /// which block the vector unit and have other wait states.
  bool xdl;
  /// Takes E8M0 scales (v_mfma_scale_*).
  bool scaled;
  /// Where the row comes from.
  Basis basis;
  const char *source;
  const char *assumption; ///< Ledger id, "" if none.

  /// The LLVM intrinsic, "llvm.amdgcn.mfma.f32.16x16x16bf16.1k".
  std::string intrinsic() const { return std::string("llvm.amdgcn.") + suffix; }
  /// The op of the rocdl dialect, "rocdl.mfma.f32.16x16x16bf16.1k".
  std::string rocdlOp() const { return std::string("rocdl.") + suffix; }
  bool availableOn(Chip chip) const { return passesOn(chip) != 0; }
  /// Passes on \p chip, 0 if it lacks the instruction. \p narrow says that
  /// both F8F6F4 operands have 6- or 4-bit elements (half the passes).
  unsigned passesOn(Chip chip, bool narrow = false) const;
  /// 32-bit registers a lane of each operand. A F8F6F4 operand needs its type.
  unsigned aRegisters(ElementType type) const;
  unsigned aRegisters() const { return aRegisters(a); }
  unsigned bRegisters(ElementType type) const;
  unsigned bRegisters() const { return bRegisters(b); }
  unsigned cRegisters() const;
};

/// Cycles that the matrix unit of a SIMD of \p chip is busy with \p row, for
/// operands of types \p a and \p b; nothing where the chip lacks it.
std::optional<unsigned> matrixCycles(const ArchInfo &chip, const MfmaRow &row,
                                     ElementType a, ElementType b);

/// All rows, gfx942's first.
llvm::ArrayRef<MfmaRow> mfmaTable();

/// The single-block row of \p chip with this shape and these input types;
/// nullptr if there is none. F8F6F4 rows match each of their types.
const MfmaRow *lookupMfma(Chip chip, unsigned m, unsigned n, unsigned k,
                          ElementType a, ElementType b);
/// The instruction for a product of m x n blocks whose K is a multiple of
/// \p multiple: the one with the fewest passes an element of K, of equal ones
/// that with the largest K. F8F6F4 rows are taken for 8-bit operands without
/// scales too, where they are the faster ones; with \p scaled no others are.
/// nullptr if the chip has none.
const MfmaRow *chooseMfma(Chip chip, unsigned side, ElementType a,
                          ElementType b, uint64_t multiple,
                          bool scaled = false);
/// The row with this assembler mnemonic, nullptr if there is none. Suffixes
/// (_e64, _vgprcd_e64, _mac_e64) and the v_mfma_scale_ form are accepted.
const MfmaRow *lookupMfmaByMnemonic(llvm::StringRef mnemonic);
/// The row with this LLVM intrinsic name.
const MfmaRow *lookupMfmaByIntrinsic(llvm::StringRef intrinsic);

/// The legal k of m x n single-block MFMAs of \p chip with these input types,
/// ascending, for messages.
llvm::SmallVector<unsigned> legalMfmaK(Chip chip, unsigned m, unsigned n,
                                       ElementType a, ElementType b);

/// Position of an element: which row and column (or k) of the operand, in
/// which block.
struct LaneCoordinate {
  unsigned row; ///< i for A and D, j (the column) for B.
  unsigned col; ///< k for A and B, j for D.
  unsigned block;
};

/// Coordinate in A (\p isB false: row = i, col = k) or B (row = j, col = k) of
/// element \p element of lane \p lane. \p type is the real type of F8F6F4
/// operands, whose 8-bit forms hold two chunks of 16.
LaneCoordinate inputCoordinate(const MfmaRow &row, unsigned lane,
                               unsigned element, ElementType type);
/// Coordinate in C and D of element \p element of lane \p lane.
LaneCoordinate outputCoordinate(const MfmaRow &row, unsigned lane,
                                unsigned element);

} // namespace fly::arch

#endif // FLY_ARCH_MFMATABLE_H
