//===- Hazards.h - Distances that the hardware does not keep ----*- C++ -*-===//
//
// What problem: gfx942 and gfx950 do not interlock all dependences. Between
// some pairs of dependent instructions a number of wait states must lie, or the
// second one sees the old value. The compiler pads; inline assembly and
// hand-written code often do not.
// What idea: one table. Each instruction plays roles towards registers, as one
// that leaves something behind (HazardSource) and as one that depends on it
// (HazardUse); a row gives the wait states for a pair of roles on overlapping
// registers. Distances behind matrix instructions follow from their passes.
// An instruction is one wait state, s_nop N is N + 1; neighbours have none in
// between.
// What it refuses: chips without such tables have no rows.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_HAZARDS_H
#define FLY_ARCH_HAZARDS_H

#include "fly/Arch/ArchInfo.h"

namespace fly::arch {

/// What an instruction leaves behind.
enum class HazardSource : uint8_t {
  ValuWritesScalar,     ///< SGPRs, VCC or EXEC, by a vector instruction.
  ValuWritesVector,     ///< VGPRs, by any vector or matrix instruction.
  PlainValuWrites,      ///< As above, but no matrix and no dot instruction.
  TransWrites,          ///< A transcendental result.
  PartWrites,           ///< Part of a VGPR, or bits moved by op_sel or SDWA.
  DotWrites,            ///< A dot product.
  SaluWritesM0,         ///< M0, by a scalar instruction.
  SetsHardwareRegister, ///< s_setreg of a hardware register.
  WideStoreReads,       ///< Store data of more than 64 bits a lane.
  DoubleMatrix,         ///< An f64 matrix instruction, whatever it writes.
  MatrixWrites,         ///< The result of a matrix instruction.
  MatrixReadsC,         ///< The addend of an XDL matrix instruction.
};
constexpr unsigned hazardSourceCount = 12;

/// What an instruction depends on.
enum class HazardUse : uint8_t {
  MemoryReadsScalar, ///< Vector memory: address or resource SGPRs, EXEC, M0.
  ValuReadsScalar,   ///< A vector instruction: SGPRs and VCC.
  LaneSelect,        ///< The lane number of v_readlane or v_writelane.
  DivFmasReadsVcc,   ///< v_div_fmas_*.
  ReadsZeroFlag,     ///< VCCZ or EXECZ as an operand of a vector instruction.
  DppReads,          ///< VGPRs of an instruction with DPP.
  DppExec,           ///< EXEC of an instruction with DPP.
  LaneReads,         ///< The VGPR of v_readlane or v_readfirstlane.
  LaneExec,          ///< EXEC of v_readlane, v_readfirstlane, v_writelane.
  MatrixReads,       ///< Any VGPR of a matrix instruction.
  MatrixExec,        ///< EXEC in front of a matrix instruction.
  SwapReads,         ///< VGPRs of v_permlane16_swap and v_permlane32_swap.
  SwapExec,          ///< EXEC of those.
  PlainValuReads,    ///< VGPRs of a vector or matrix instruction, but no
                     ///< transcendental one.
  ValuTouches,       ///< VGPRs that one reads or writes.
  ValuOverwrites,    ///< VGPRs that one writes.
  VectorReads,       ///< VGPRs that a vector instruction reads; no matrix ones.
  MemoryReads,       ///< VGPRs that a memory or LDS instruction reads.
  VectorOverwrites,  ///< VGPRs that vector, memory or LDS ones write.
  DotReadsFactor,    ///< VGPRs of a dot product, but its addend.
  ReadsM0,           ///< Copies to LDS, s_movrel, messages, GDS.
  GetsHardwareRegister, ///< s_getreg.
  SetsHardwareRegister, ///< s_setreg.
  DoubleFma,            ///< v_fma_f64 and v_fmac_f64.
  MatrixReadsFactor,    ///< A, B, scales and indices of a matrix instruction.
  MatrixReadsAddend,    ///< Its C.
};
constexpr unsigned hazardUseCount = 26;

/// The wait states of one pair of roles.
struct HazardRow {
  HazardSource source;
  HazardUse use;
  /// Between the two; 0 where they follow from the passes of the matrix
  /// instruction: matrixWaitStates().
  unsigned waitStates;
  bool onGfx942, onGfx950;
  /// Not between instructions of the same mnemonic.
  bool onlyDifferent;
  const char *text; ///< "VALU writes SGPR, vector memory reads it"
  Basis basis;
  const char *origin;

  bool availableOn(Chip chip) const {
    return chip == Chip::Gfx942 ? onGfx942 : chip == Chip::Gfx950 && onGfx950;
  }
};

llvm::ArrayRef<HazardRow> hazardRows();

/// The row of a pair of roles on a chip; null if it needs no distance.
const HazardRow *lookupHazard(Chip chip, HazardSource source, HazardUse use);

/// How a matrix instruction occupies its pipe.
struct MatrixTiming {
  unsigned passes = 0;   ///< Of 4 cycles; 0 for an unknown instruction.
  bool isXdl = false;    ///< On the XDL pipe: not f32 and f64 sources.
  bool isDouble = false; ///< f64.
};

/// The timing by mnemonic. \p isNarrow: both operands of a f8f6f4 form have 6
/// or 4 bits.
MatrixTiming matrixTiming(Chip chip, llvm::StringRef mnemonic, bool isNarrow);

/// Wait states behind a matrix instruction. \p use is one of VectorReads,
/// MemoryReads, VectorOverwrites, MatrixReadsFactor or MatrixReadsAddend, of
/// the result for MatrixWrites and of the addend for MatrixReadsC. \p next is
/// the using matrix instruction; \p isSameTuple: its addend is exactly the
/// result.
unsigned matrixWaitStates(Chip chip, HazardSource source, HazardUse use,
                          const MatrixTiming &matrix, const MatrixTiming &next,
                          bool isSameTuple);

/// Wait states that a taken branch is worth at least, beyond its own: the wave
/// fetches anew, and issues nothing for 16 cycles.
inline constexpr Fact<unsigned> takenBranchWaitStates = {
    3, Basis::Inferred, "[INF] half of the 8 of LLVM's scheduling model",
    "BRANCH-REFETCH"};

/// No row and no matrix instruction needs more.
constexpr unsigned maxHazardWaitStates = 20;

} // namespace fly::arch

#endif // FLY_ARCH_HAZARDS_H
