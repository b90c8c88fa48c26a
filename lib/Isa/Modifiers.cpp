//===- Modifiers.cpp - fields read from the encoding bits -----------------===//
//
// What problem: LLVM gives modifiers as immediates whose order depends on the
// opcode and whose names are private.
// What idea: the bit positions depend on the format alone ([AMD] CDNA3 and
// CDNA4 instruction set documents, chapter "Microcode Formats"), so they are
// read there.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/Decoder.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::isa;
using namespace llvm;

/// Bits [hi:lo] of an encoding.
static uint32_t field(uint64_t word, unsigned hi, unsigned lo) {
  return uint32_t((word >> lo) & maskTrailingOnes<uint64_t>(hi - lo + 1));
}

static bool bit(uint64_t word, unsigned index) { return (word >> index) & 1; }

/// The source code 249 in a VOP1, VOP2 or VOPC first operand announces a dword
/// of sub-dword selections, 250 one of cross-lane control.
enum : unsigned { sdwaCode = 249, dppCode = 250 };

Format fly::isa::formatOf(uint32_t word) {
  if (field(word, 31, 31) == 0) {
    switch (field(word, 30, 25)) {
    case 0x3f:
      return Format::VOP1;
    case 0x3e:
      return Format::VOPC;
    default:
      return Format::VOP2;
    }
  }
  if (field(word, 31, 30) == 2) {
    switch (field(word, 31, 23)) {
    case 0x17d:
      return Format::SOP1;
    case 0x17e:
      return Format::SOPC;
    case 0x17f:
      return Format::SOPP;
    default:
      return field(word, 31, 28) == 0xb ? Format::SOPK : Format::SOP2;
    }
  }
  switch (field(word, 31, 26)) {
  case 0x30:
    return Format::SMEM;
  case 0x34:
    // Matrix instructions share the packed family's prefix; the decoder tells
    // them apart by mnemonic.
    return field(word, 31, 23) == 0x1a7 ? Format::VOP3P : Format::VOP3;
  case 0x36:
    return Format::DS;
  case 0x37:
    switch (field(word, 15, 14)) {
    case 0:
      return Format::Flat;
    case 1:
      return Format::Scratch;
    case 2:
      return Format::Global;
    default:
      return Format::Invalid;
    }
  case 0x38:
    return Format::MUBUF;
  case 0x3a:
    return Format::MTBUF;
  default:
    return Format::Invalid;
  }
}

static void decodeSdwa(fly::isa::Instruction &inst, uint32_t word) {
  inst.isSdwa = true;
  inst.sdwa.src0Sel = field(word, 18, 16);
  inst.sdwa.src1Sel = inst.format == Format::VOP1 ? 6 : field(word, 26, 24);
  inst.sext = uint8_t(bit(word, 19) | bit(word, 27) << 1);
  inst.neg = uint8_t(bit(word, 20) | bit(word, 28) << 1);
  inst.abs = uint8_t(bit(word, 21) | bit(word, 29) << 1);
  if (inst.format == Format::VOPC)
    return; // Bits 8..15 name the scalar destination instead.
  inst.sdwa.dstSel = field(word, 10, 8);
  inst.sdwa.dstUnused = field(word, 12, 11);
  inst.clamp = bit(word, 13);
  inst.omod = field(word, 15, 14);
}

static void decodeDpp(fly::isa::Instruction &inst, uint32_t word) {
  inst.isDpp = true;
  inst.dpp.ctrl = field(word, 16, 8);
  inst.dpp.boundCtrl = bit(word, 19);
  inst.neg = uint8_t(bit(word, 20) | bit(word, 22) << 1);
  inst.abs = uint8_t(bit(word, 21) | bit(word, 23) << 1);
  inst.dpp.bankMask = field(word, 27, 24);
  inst.dpp.rowMask = field(word, 31, 28);
}

static void decodeVop3(fly::isa::Instruction &inst, uint64_t word) {
  inst.clamp = bit(word, 15);
  inst.omod = field(word, 60, 59);
  inst.neg = field(word, 63, 61);
  // VOP3B puts its scalar destination where abs and op_sel are otherwise.
  bool isVop3b = inst.numDst == 2 && !inst.dst[1].isVector();
  if (isVop3b)
    return;
  inst.abs = field(word, 10, 8);
  inst.opSel = field(word, 14, 11);
}

static void decodeVop3p(fly::isa::Instruction &inst, uint64_t word) {
  inst.negHi = field(word, 10, 8);
  inst.opSel = field(word, 13, 11);
  inst.clamp = bit(word, 15);
  inst.opSelHi = uint8_t(field(word, 60, 59) | bit(word, 14) << 2);
  inst.neg = field(word, 63, 61);
}

static void decodeMai(fly::isa::Instruction &inst, const uint8_t *bytes) {
  uint64_t word = support::endian::read64le(bytes);
  if (inst.size == 16) {
    // v_mfma_ld_scale_b32 goes in front and carries the byte selects of the
    // scales in the places of op_sel.
    inst.opSel = field(word, 13, 11);
    inst.opSelHi = uint8_t(field(word, 60, 59) | bit(word, 14) << 2);
    word = support::endian::read64le(bytes + 8);
  }
  inst.cbsz = field(word, 10, 8);
  inst.abid = field(word, 14, 11);
  inst.blgp = field(word, 63, 61);
}

static void decodeMemory(fly::isa::Instruction &inst, uint64_t word) {
  switch (inst.format) {
  case Format::DS:
    inst.offset = int32_t(field(word, 15, 0));
    inst.gds = bit(word, 16);
    break;
  case Format::SMEM:
    inst.offset = bit(word, 17) ? SignExtend32<21>(field(word, 52, 32)) : 0;
    inst.sc0 = bit(word, 16);
    break;
  case Format::MUBUF:
    inst.offset = int32_t(field(word, 11, 0));
    inst.offen = bit(word, 12);
    inst.idxen = bit(word, 13);
    inst.sc0 = bit(word, 14);
    inst.sc1 = bit(word, 15);
    inst.lds = bit(word, 16);
    inst.nt = bit(word, 17);
    break;
  default: // Flat, Global, Scratch.
    inst.offset = inst.format == Format::Flat
                      ? int32_t(field(word, 11, 0))
                      : SignExtend32<13>(field(word, 12, 0));
    inst.sc0 = bit(word, 16);
    inst.nt = bit(word, 17);
    inst.sc1 = bit(word, 25);
    inst.scratchVaddr = inst.format == Format::Scratch && bit(word, 13);
    inst.lds = inst.mnemonic.contains("_lds_");
    break;
  }
  // Two-offset DS instructions scale each 8-bit offset by their element.
  if (inst.format == Format::DS &&
      (inst.mnemonic.contains("read2") || inst.mnemonic.contains("write2") ||
       inst.mnemonic.contains("wrxchg2"))) {
    inst.offset1 = uint8_t(inst.offset >> 8);
    inst.offset &= 0xff;
  }
}

void fly::isa::decodeModifiers(fly::isa::Instruction &inst) {
  uint32_t low = support::endian::read32le(inst.bytes);
  uint32_t high = inst.size > 4 ? support::endian::read32le(inst.bytes + 4) : 0;
  uint64_t word = low | uint64_t(high) << 32;
  switch (inst.format) {
  case Format::Invalid:
  case Format::SOP1:
  case Format::SOP2:
  case Format::SOPC:
    break;
  case Format::SOPP:
  case Format::SOPK:
    inst.simm16 = SignExtend32<16>(low & 0xffff);
    if (inst.mnemonic == "s_branch" || inst.mnemonic.starts_with("s_cbranch") ||
        inst.mnemonic == "s_call_b64")
      inst.branchTarget = inst.pc + 4 + int64_t(inst.simm16) * 4;
    break;
  case Format::VOP1:
  case Format::VOP2:
  case Format::VOPC: {
    unsigned source = field(low, 8, 0);
    if (source == sdwaCode)
      decodeSdwa(inst, high);
    else if (source == dppCode)
      decodeDpp(inst, high);
    break;
  }
  case Format::VOP3:
    decodeVop3(inst, word);
    break;
  case Format::VOP3P:
    decodeVop3p(inst, word);
    break;
  case Format::MAI:
    // The moves keep VOP3P's unused selects in the same bits.
    if (!inst.mnemonic.starts_with("v_accvgpr"))
      decodeMai(inst, inst.bytes);
    break;
  default:
    decodeMemory(inst, word);
    break;
  }
}
