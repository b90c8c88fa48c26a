//===- Hazards.cpp - Distances that the hardware does not keep ------------===//
//
// The rows. [AMD] is the CDNA3 instruction set document, chapter 4.5,
// "Manually Inserted Wait States (NOPs)", and the CDNA4 document's. [LLVM22] is
// what LLVM 22.1.8's hazard recognizer pads: each of those rows and each
// distance behind matrix instructions was compared with it for both chips, over
// all pairs of producers and consumers, in test/Unit/Verify/HazardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/Hazards.h"

#include "fly/Arch/MfmaTable.h"

#include <array>

using namespace fly::arch;

namespace {

using S = HazardSource;
using U = HazardUse;

enum On { Both, Only950 };

constexpr const char *manual =
    "[AMD] CDNA3 ISA document, 4.5; [LLVM22] pads the same";
constexpr const char *llvmOnly = "[LLVM22] hazard recognizer";
constexpr const char *manualOnly = "[AMD] CDNA3 ISA document, 4.5";

constexpr HazardRow row(S source, U use, unsigned waitStates, const char *text,
                        Basis basis, const char *origin, On chips = Both,
                        bool onlyDifferent = false) {
  return {source,        use,  waitStates, chips == Both, true,
          onlyDifferent, text, basis,      origin};
}

// clang-format off
constexpr HazardRow rows[] = {
    row(S::ValuWritesScalar, U::MemoryReadsScalar, 5, "VALU writes SGPR, vector memory reads it", Basis::Vendor, manual),
    row(S::ValuWritesScalar, U::ValuReadsScalar, 2, "VALU writes SGPR, VALU reads it", Basis::Llvm, llvmOnly),
    row(S::ValuWritesScalar, U::LaneSelect, 4, "VALU writes SGPR, lane select reads it", Basis::Vendor, manual),
    row(S::ValuWritesScalar, U::DivFmasReadsVcc, 4, "VALU writes VCC, v_div_fmas reads it", Basis::Vendor, manual),
    row(S::ValuWritesScalar, U::ReadsZeroFlag, 5, "VALU writes VCC or EXEC, VALU reads VCCZ or EXECZ", Basis::Vendor, manualOnly),
    row(S::ValuWritesScalar, U::DppExec, 5, "VALU writes EXEC, DPP executes", Basis::Vendor, manual),
    row(S::ValuWritesScalar, U::LaneExec, 4, "VALU writes EXEC, lane access executes", Basis::Llvm, llvmOnly),
    row(S::ValuWritesScalar, U::MatrixExec, 4, "VALU writes EXEC, matrix instruction executes", Basis::Llvm, llvmOnly),
    row(S::ValuWritesScalar, U::SwapExec, 4, "VALU writes EXEC, lane swap executes", Basis::Llvm, llvmOnly, Only950),
    row(S::ValuWritesVector, U::DppReads, 2, "VALU writes VGPR, DPP reads it", Basis::Vendor, manual),
    row(S::ValuWritesVector, U::LaneReads, 1, "VALU writes VGPR, lane access reads it", Basis::Llvm, llvmOnly),
    row(S::ValuWritesVector, U::SwapReads, 2, "VALU writes VGPR, lane swap reads it", Basis::Llvm, llvmOnly, Only950),
    row(S::PlainValuWrites, U::MatrixReads, 2, "VALU writes VGPR, matrix instruction reads it", Basis::Llvm, llvmOnly),
    row(S::TransWrites, U::PlainValuReads, 1, "transcendental writes VGPR, other VALU reads it", Basis::Vendor, manual),
    row(S::PartWrites, U::ValuTouches, 1, "VALU writes part of VGPR, VALU uses it", Basis::Vendor, manual),
    row(S::DotWrites, U::DotReadsFactor, 3, "dot product writes VGPR, dot product reads it as a factor", Basis::Llvm, llvmOnly),
    row(S::DotWrites, U::VectorReads, 3, "dot product writes VGPR, VALU reads it", Basis::Llvm, llvmOnly, Both, true),
    row(S::DotWrites, U::MemoryReads, 3, "dot product writes VGPR, memory instruction reads it", Basis::Llvm, llvmOnly),
    row(S::DotWrites, U::VectorOverwrites, 3, "dot product writes VGPR, another instruction overwrites it", Basis::Llvm, llvmOnly, Both, true),
    row(S::SaluWritesM0, U::ReadsM0, 1, "SALU writes M0, it is read as an address or message", Basis::Vendor, manual),
    row(S::SetsHardwareRegister, U::GetsHardwareRegister, 2, "s_setreg, s_getreg of the same register", Basis::Vendor, manual),
    row(S::SetsHardwareRegister, U::SetsHardwareRegister, 2, "s_setreg, s_setreg of the same register", Basis::Vendor, manual),
    row(S::WideStoreReads, U::ValuOverwrites, 2, "store of more than 64 bits reads VGPR, VALU overwrites it", Basis::Vendor, manual),
    row(S::DoubleMatrix, U::DoubleFma, 2, "f64 matrix instruction, f64 fused multiply-add", Basis::Llvm, llvmOnly),
    row(S::MatrixWrites, U::VectorReads, 0, "matrix instruction writes VGPR, VALU reads it", Basis::Llvm, llvmOnly),
    row(S::MatrixWrites, U::MemoryReads, 0, "matrix instruction writes VGPR, memory instruction reads it", Basis::Llvm, llvmOnly),
    row(S::MatrixWrites, U::VectorOverwrites, 0, "matrix instruction writes VGPR, another instruction overwrites it", Basis::Llvm, llvmOnly),
    row(S::MatrixWrites, U::MatrixReadsFactor, 0, "matrix instruction writes VGPR, matrix instruction reads it as a factor", Basis::Llvm, llvmOnly),
    row(S::MatrixWrites, U::MatrixReadsAddend, 0, "matrix instruction writes VGPR, matrix instruction reads it as its addend", Basis::Llvm, llvmOnly),
    row(S::MatrixReadsC, U::VectorOverwrites, 0, "matrix instruction reads its addend, another instruction overwrites it", Basis::Llvm, llvmOnly),
};
// clang-format on

/// Row numbers plus 1 by pair of roles.
using RowIndex =
    std::array<std::array<uint8_t, hazardUseCount>, hazardSourceCount>;

constexpr RowIndex indexRows() {
  RowIndex index{};
  for (unsigned i = 0; i != std::size(rows); ++i)
    index[unsigned(rows[i].source)][unsigned(rows[i].use)] = uint8_t(i + 1);
  return index;
}

constexpr RowIndex rowIndex = indexRows();

} // namespace

llvm::ArrayRef<HazardRow> fly::arch::hazardRows() { return rows; }

const HazardRow *fly::arch::lookupHazard(Chip chip, HazardSource source,
                                         HazardUse use) {
  unsigned number = rowIndex[unsigned(source)][unsigned(use)];
  if (!number || !rows[number - 1].availableOn(chip))
    return nullptr;
  return &rows[number - 1];
}

MatrixTiming fly::arch::matrixTiming(Chip chip, llvm::StringRef mnemonic,
                                     bool isNarrow) {
  MatrixTiming timing;
  if (mnemonic.starts_with("v_smfmac_")) {
    // The sparse forms have no rows; passes as in facts of the dense shapes.
    timing.passes = mnemonic.contains("_32x32x") ? 8 : 4;
    timing.isXdl = true;
    return timing;
  }
  if (const MfmaRow *found = lookupMfmaByMnemonic(mnemonic)) {
    timing.passes = found->passesOn(chip, isNarrow);
    timing.isXdl = found->xdl;
    timing.isDouble = found->c == ElementType::F64;
  }
  return timing;
}

/// Behind f64 matrix instructions the distances follow no formula.
static unsigned doubleWaitStates(Chip chip, HazardUse use, bool isSmall,
                                 const MatrixTiming &next, bool isSameTuple) {
  bool isSlow = chip == Chip::Gfx950; // 16 passes instead of 8.
  switch (use) {
  case U::VectorReads:
  case U::MatrixReadsFactor:
    return isSmall ? 6 : isSlow ? 19 : 11;
  case U::VectorOverwrites:
    return isSmall ? 6 : 11; // Of gfx950, too, as LLVM pads.

  case U::MemoryReads:
    return isSmall ? 9 : 18;
  case U::MatrixReadsAddend:
    if (isSameTuple)
      return isSmall && next.isDouble && next.passes == 4 ? 4 : 0;
    if (next.isXdl)
      return 0;
    return isSmall ? 4 : isSlow ? 17 : 9;
  default:
    return 0;
  }
}

unsigned fly::arch::matrixWaitStates(Chip chip, HazardSource source,
                                     HazardUse use, const MatrixTiming &matrix,
                                     const MatrixTiming &next,
                                     bool isSameTuple) {
  if (source == S::MatrixReadsC)
    return matrix.isXdl && matrix.passes ? matrix.passes - 1 : 0;
  if (matrix.isDouble)
    return doubleWaitStates(chip, use, matrix.passes == 4, next, isSameTuple);
  // gfx950 needs one more behind XDL instructions; behind those of 2 passes
  // only where another one adds to part of the result.
  bool is950 = chip == Chip::Gfx950;
  if (use == U::MatrixReadsAddend) {
    if (isSameTuple)
      return matrix.passes == 2 ? 2 : 0;
    if (matrix.isXdl)
      return matrix.passes + 1 + (is950 && (next.isXdl || matrix.passes != 2));
    return next.isXdl ? 0 : matrix.passes;
  }
  if (!matrix.isXdl)
    return matrix.passes + 2;
  return matrix.passes + (is950 && matrix.passes != 2 ? 4 : 3);
}
