//===- Instruction.h - one decoded machine instruction ----------*- C++ -*-===//
//
// What problem: the simulator, the checker of final bytes and the reports all
// ask the same questions of an instruction (which registers, which modifiers,
// which memory offset), and LLVM's own opcode numbers and operand order are
// private to its AMDGPU target.
// What idea: LLVM MC decodes each static instruction once; the result is kept
// as this plain struct, keyed by the public mnemonic and the encoding format.
// Operands are in one documented order per format, modifiers are fields.
// What it refuses: bytes that MC can not decode become Format::Invalid, which
// is an error only when executed.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_INSTRUCTION_H
#define FLY_ISA_INSTRUCTION_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace fly::isa {

/// Encoding families of gfx9, found from the bits of the first dword.
enum class Format : uint8_t {
  Invalid, ///< Bytes that LLVM MC does not decode for the chip.
  SOP1,
  SOP2,
  SOPK,
  SOPC,
  SOPP,
  SMEM,
  VOP1,
  VOP2,
  VOPC,
  VOP3,  ///< VOP3A and VOP3B.
  VOP3P, ///< Packed and mixed maths, dot products.
  MAI,   ///< Matrix instructions and v_accvgpr_*, scaled forms included.
  DS,
  MUBUF,
  MTBUF,
  Flat,    ///< flat_*
  Global,  ///< global_*
  Scratch, ///< scratch_*
};

/// Where an operand lives.
enum class OperandKind : uint8_t {
  None,
  /// A scalar register by its hardware code: 0..101 SGPRs, 102/103
  /// flat_scratch, 104/105 xnack_mask, 106/107 vcc, 108..123 ttmp, 124 m0,
  /// 126/127 exec. WaveState::sgpr is indexed by that code.
  SGPR,
  VGPR, ///< Architected vector register.
  AGPR, ///< Accumulation register.
  /// A read-only hardware value by its code: 235 shared_base, 236
  /// shared_limit, 237 private_base, 238 private_limit, 251 vccz, 252 execz,
  /// 253 scc, 254 lds_direct, 125 null.
  Special,
  /// A constant. `imm` holds the value as the operand's type sees it: 1.0 in
  /// an f16 operand is 0x3c00, in an f64 operand 0x3ff0000000000000.
  Immediate,
};

/// One operand: a tuple of `dwords` consecutive registers, or a constant.
struct Operand {
  OperandKind kind = OperandKind::None;
  uint8_t dwords = 0;
  /// Register number inside its kind (first of the tuple).
  uint16_t reg = 0;
  /// True for a 32-bit literal that follows the instruction; false for an
  /// inline constant.
  bool isLiteral = false;
  uint64_t imm = 0;

  bool isVector() const {
    return kind == OperandKind::VGPR || kind == OperandKind::AGPR;
  }
  bool exists() const { return kind != OperandKind::None; }
};

/// Data parallel primitive of 16 lanes: replaces src0 by another lane's.
struct DppControl {
  uint16_t ctrl = 0; ///< Hardware code, for example 0x111 = row_shr:1.
  uint8_t rowMask = 0xf;
  uint8_t bankMask = 0xf;
  bool boundCtrl = false; ///< Lanes without a source read 0 and are written.
};

/// Sub-dword addressing: selectors 0..3 byte, 4..5 word, 6 dword.
struct SdwaControl {
  uint8_t dstSel = 6;
  /// What the rest of the destination becomes: 0 zero, 1 sign, 2 preserve.
  uint8_t dstUnused = 0;
  uint8_t src0Sel = 6;
  uint8_t src1Sel = 6;
};

/// How the operands of memory formats are placed in `src`; None where absent.
enum MemoryOperand : unsigned {
  MemAddr = 0,    ///< vaddr (DS: addr). MUBUF with idxen+offen: 2 dwords.
  MemData = 1,    ///< Store data, atomic operand (DS: data0).
  MemBase = 2,    ///< saddr of global/scratch, srsrc of MUBUF. DS: data1.
  MemSOffset = 3, ///< soffset of MUBUF.
};

/// A decoded instruction. Plain data; strings point into the owning Program.
///
/// Operand order:
///  * VALU and SALU: `dst` and `src` in the order of the assembly text. VOP e32
///    forms name vcc explicitly where the encoding implies it: the carry or
///    comparison result is a dst, the carry or select input is src[2].
///  * A source tied to the destination (v_fmac, v_swap, d16_hi loads, DPP
///    "old") is not repeated: readsDst is set and the executor reads dst.
///  * v_fmamk/v_fmaak/v_madmk/v_madak: the constant is the last immediate, in
///    text order (fmamk: src0, K, src1; fmaak: src0, src1, K).
///  * MAI: dst[0], src[0] = A, src[1] = B, src[2] = C, scaled forms have
///    src[3], src[4] = scale of A and B.
///  * Memory: dst[0] = loaded or returned registers; src by MemoryOperand.
///  * SMEM: dst[0]; src[0] = base (2 or 4 dwords), src[1] = soffset SGPR.
///  * SOPK: src[0] = the sign-extended simm16, also in `simm16`.
struct Instruction {
  static constexpr unsigned maxDst = 2;
  static constexpr unsigned maxSrc = 5;

  uint64_t pc = 0; ///< Address in the loaded image, bytes.
  /// Public mnemonic without _e32, _e64, _dpp or _sdwa: "v_add_f32".
  llvm::StringRef mnemonic;
  /// Whole assembly text, for messages.
  llvm::StringRef text;
  Format format = Format::Invalid;
  uint8_t size = 4; ///< Bytes: 4, 8, 12 or 16.
  uint8_t numDst = 0;
  uint8_t numSrc = 0;
  /// The old value of dst is an input.
  bool readsDst = false;
  bool isDpp = false;
  bool isSdwa = false;

  Operand dst[maxDst];
  Operand src[maxSrc];

  // Modifiers of vector arithmetic. Bit i belongs to src[i].
  uint8_t neg = 0; ///< VOP3, SDWA, DPP; neg_lo of VOP3P.
  uint8_t abs = 0; ///< VOP3, SDWA, DPP.
  uint8_t sext = 0;
  uint8_t negHi = 0; ///< VOP3P neg_hi.
  /// op_sel: bits 0..2 of the sources, bit 3 of the destination (VOP3).
  uint8_t opSel = 0;
  uint8_t opSelHi = 0; ///< VOP3P op_sel_hi. Scaled MFMA: of the scales.
  bool clamp = false;
  uint8_t omod = 0; ///< 0 none, 1 *2, 2 *4, 3 /2.
  uint8_t cbsz = 0; ///< MAI. Scaled forms: format of A.
  uint8_t abid = 0; ///< MAI.
  uint8_t blgp = 0; ///< MAI. Scaled forms: format of B. f64: neg of A, B, C.
  DppControl dpp;
  SdwaControl sdwa;

  // Memory.
  /// Immediate byte offset, sign-extended where the format is signed. DS with
  /// two offsets: offset0, in units of the element.
  int32_t offset = 0;
  uint8_t offset1 = 0; ///< DS second offset, in units of the element.
  bool sc0 = false;    ///< Also "glc": atomics return the old value.
  bool sc1 = false;
  bool nt = false;
  bool lds = false;          ///< MUBUF/global to LDS.
  bool gds = false;          ///< DS on the global data share.
  bool offen = false;        ///< MUBUF: vaddr holds a byte offset.
  bool idxen = false;        ///< MUBUF: vaddr holds an index.
  bool scratchVaddr = false; ///< Scratch: vaddr is used (SVE bit).

  /// SOPP and SOPK constant, sign-extended. s_waitcnt: the raw 16 bits.
  int32_t simm16 = 0;
  /// Target of a direct branch, as an address; 0 for other instructions.
  uint64_t branchTarget = 0;

  /// The encoding, little endian; `size` bytes are valid.
  uint8_t bytes[16] = {};
};

} // namespace fly::isa

#endif // FLY_ISA_INSTRUCTION_H
