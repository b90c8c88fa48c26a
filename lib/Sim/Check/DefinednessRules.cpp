//===- DefinednessRules.cpp - when results are defined --------------------===//
//
// Vector and matrix instructions; DefinednessScalar.cpp has the others.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/MfmaTable.h"
#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/bit.h"

#include "../Exec/ValuOperands.h"
#include "Definedness.h"

using namespace fly;
using namespace fly::sim;
using isa::Instruction;
using isa::Operand;
namespace reg = isa::reg;

void DefinednessCheck::propagate(const InstructionFacts &facts,
                                 const Instruction &inst, WaveState &wave,
                                 DefinedRegisters &registers) {
  if (isMemory(facts.issue))
    return checkAddress(inst, wave, registers);
  if (isa::isMfma(inst))
    return propagateMatrix(inst, registers);
  if (isa::isValu(inst))
    return propagateVector(inst, wave, registers);
  if (isa::isSalu(inst))
    return propagateScalar(inst, wave, registers);
  checkBranch(inst, wave, registers);
}

void DefinednessCheck::writeLanes(unsigned index, uint64_t written,
                                  const Undefined &undefined,
                                  DefinedRegisters &registers) {
  bool bad = (written & undefined.lanes) != 0;
  uint32_t origin = registers.origin[bad ? undefined.source : index];
  setLanes(index,
           (registers.lanes[index] & ~written) | (written & ~undefined.lanes),
           origin, registers);
}

/// A mask of lanes; disabled ones are 0.
void DefinednessCheck::writeMask(const Operand &dst, const Undefined &undefined,
                                 DefinedRegisters &registers) {
  isa::RegisterRange range = isa::rangeOf(dst);
  uint32_t origin =
      undefined.source != reg::count ? registers.origin[undefined.source] : 0;
  for (unsigned i = 0; i != range.count && i != 2; ++i)
    setBits(range.first + i, uint32_t(~undefined.lanes >> (32 * i)), origin,
            registers);
}

/// Dwords of a source that a dword of the result is made of, as a mask. Of
/// 64-bit sums and shifts the low half needs low halves alone: compilers leave
/// the others undefined where 32 bits are wanted.
static unsigned dwordsFor(const Instruction &inst, unsigned source,
                          unsigned dword) {
  constexpr unsigned all = ~0u;
  unsigned same = 1u << dword;
  llvm::StringRef name = inst.mnemonic;
  if (inst.src[source].dwords != 2 || inst.numDst == 0 ||
      inst.dst[0].dwords != 2)
    return all;
  if (name == "v_mov_b64")
    return same;
  if (name == "v_pk_mov_b32") // The low half takes the first source.
    return source != dword ? 0 : 1u << ((inst.opSel >> source) & 1);
  if (name.starts_with("v_pk_"))
    return 1u << (((dword ? inst.opSelHi : inst.opSel) >> source) & 1);
  if (name.starts_with("v_mad_") || name == "v_lshlrev_b64" ||
      name == "v_lshl_add_u64")
    return dword == 0 ? same : all;
  if (name == "v_lshrrev_b64" || name == "v_ashrrev_i64")
    return dword == 1 ? same : all;
  return all;
}

/// Whether a source of a vector instruction is a mask with a bit a lane.
static bool isLaneMask(const Instruction &inst, unsigned index) {
  return index == 2 && (inst.mnemonic == "v_cndmask_b32" ||
                        inst.mnemonic.starts_with("v_addc_co") ||
                        inst.mnemonic.starts_with("v_subb"));
}

DefinednessCheck::Undefined DefinednessCheck::undefinedSource(
    const Instruction &inst, unsigned index, WaveState &wave,
    const DefinedRegisters &registers, unsigned dwords) {
  Undefined undefined;
  const Operand &source = inst.src[index];
  isa::RegisterRange range = isa::rangeOf(source);
  for (unsigned i = range.first, e = range.first + range.count; i != e; ++i) {
    if (!registers.partial.has(i) || !((dwords >> (i - range.first)) & 1))
      continue;
    if (i < reg::vectors)
      undefined.add(~registers.lanes[i], i);
    else if (isLaneMask(inst, index))
      undefined.add(uint64_t(~registers.bits[i - reg::sgpr])
                        << (i == range.first ? 0 : 32),
                    i);
    else if (~registers.bits[i - reg::sgpr])
      undefined.add(~uint64_t(0), i);
  }
  if (inst.isDpp && index == 0 && undefined.lanes) {
    uint64_t moved = 0;
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      int from = dppSourceLane(inst.dpp.ctrl, lane);
      if (from >= 0 && ((wave.exec() & undefined.lanes) >> from) & 1)
        moved |= uint64_t(1) << lane;
    }
    undefined.lanes = moved;
  }
  return undefined;
}

/// The old value of the destination takes part in the result, rather than
/// staying beside it.
static bool accumulates(const Instruction &inst) {
  return inst.readsDst && !inst.isSdwa && !inst.isDpp && !(inst.opSel & 8) &&
         !inst.mnemonic.starts_with("v_cvt_") &&
         !inst.mnemonic.starts_with("v_permlane") &&
         !inst.mnemonic.starts_with("v_writelane");
}

static uint32_t spillKey(unsigned index, unsigned lane) {
  return index * waveLanes + lane;
}

void DefinednessCheck::readLane(const Instruction &inst, WaveState &wave,
                                DefinedRegisters &registers) {
  uint64_t exec = wave.exec();
  unsigned lane = inst.mnemonic == "v_readlane_b32"
                      ? wave.scalar(inst.src[1]) % waveLanes
                  : exec ? llvm::countr_zero(exec)
                         : 0;
  Undefined undefined = undefinedSource(inst, 0, wave, registers);
  bool bad = (undefined.lanes >> lane) & 1;
  uint32_t bits =
      bad ? registers.spilledBits.lookup(spillKey(undefined.source, lane))
          : ~uint32_t(0);
  setBits(isa::rangeOf(inst.dst[0]).first, bits,
          bad ? registers.origin[undefined.source] : 0, registers);
}

void DefinednessCheck::writeLane(const Instruction &inst, WaveState &wave,
                                 DefinedRegisters &registers) {
  unsigned index = isa::rangeOf(inst.dst[0]).first;
  unsigned lane = wave.scalar(inst.src[1]) % waveLanes;
  Undefined undefined = undefinedSource(inst, 0, wave, registers);
  writeLanes(index, uint64_t(1) << lane, undefined, registers);
  isa::RegisterRange source = isa::rangeOf(inst.src[0]);
  if (undefined.lanes && source.first >= reg::sgpr)
    registers.spilledBits[spillKey(index, lane)] =
        registers.bits[source.first - reg::sgpr];
}

/// Moves of whole registers keep what is known of scalars in them; other
/// results are undefined in all bits.
static void moveSpilledBits(const Instruction &inst, uint64_t lanes,
                            DefinedRegisters &registers) {
  bool isMove = (inst.mnemonic.starts_with("v_accvgpr_") ||
                 inst.mnemonic == "v_mov_b32") &&
                inst.src[0].isVector() && !inst.isDpp && !inst.isSdwa;
  unsigned from = isa::rangeOf(inst.src[0]).first,
           to = isa::rangeOf(inst.dst[0]).first;
  for (uint64_t left = lanes; left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    uint32_t bits =
        isMove ? registers.spilledBits.lookup(spillKey(from, lane)) : 0;
    if (bits)
      registers.spilledBits[spillKey(to, lane)] = bits;
    else
      registers.spilledBits.erase(spillKey(to, lane));
  }
}

/// The old content of the destination, into which bits are inserted by a mask
/// that is the same in all lanes: what lies beside them counts as defined.
static bool isInsertedInto(const Instruction &inst, unsigned source) {
  return inst.mnemonic == "v_bfi_b32" && source == 2 &&
         !inst.src[0].isVector() &&
         isa::rangeOf(inst.src[2]).first == isa::rangeOf(inst.dst[0]).first;
}

void DefinednessCheck::propagateVector(const Instruction &inst, WaveState &wave,
                                       DefinedRegisters &registers) {
  llvm::StringRef name = inst.mnemonic;
  uint64_t exec = wave.exec();
  if (name == "v_readfirstlane_b32" || name == "v_readlane_b32")
    return readLane(inst, wave, registers);
  if (name == "v_writelane_b32")
    return writeLane(inst, wave, registers);
  if (name == "v_swap_b32") {
    unsigned a = isa::rangeOf(inst.dst[0]).first,
             b = isa::rangeOf(inst.dst[1]).first;
    uint64_t ofA = registers.lanes[a], ofB = registers.lanes[b];
    uint32_t originA = registers.origin[a], originB = registers.origin[b];
    setLanes(a, (ofA & ~exec) | (ofB & exec), originB, registers);
    setLanes(b, (ofB & ~exec) | (ofA & exec), originA, registers);
    return;
  }
  uint64_t written = fly::sim::writeMask(inst, wave);
  // Half by half, from the operands of each.
  bool hasHalves = inst.numDst && inst.dst[0].isVector() &&
                   inst.dst[0].dwords == 2 && !accumulates(inst);
  Undefined whole = undefinedResult(inst, wave, registers, ~0u);
  if (isa::isCompareToExec(inst) && whole.lanes)
    report(inst, wave, llvm::countr_zero(whole.lanes), whole.source,
           "compared to EXEC", registers);
  Undefined halves[2];
  for (unsigned i = 0; hasHalves && i != 2; ++i)
    halves[i] = undefinedResult(inst, wave, registers, i);
  if (!registers.spilledBits.empty() && inst.numDst && inst.dst[0].isVector())
    moveSpilledBits(inst, written & whole.lanes, registers);
  for (unsigned i = 0; i != inst.numDst; ++i) {
    isa::RegisterRange range = isa::rangeOf(inst.dst[i]);
    if (inst.dst[i].isVector())
      for (unsigned j = 0; j != range.count; ++j)
        writeLanes(range.first + j, written,
                   hasHalves && i == 0 ? halves[j] : whole, registers);
    else if (range.first != reg::exec)
      writeMask(inst.dst[i], whole, registers);
  }
}

/// Of one dword of the result, or of all of them.
DefinednessCheck::Undefined
DefinednessCheck::undefinedResult(const Instruction &inst, WaveState &wave,
                                  const DefinedRegisters &registers,
                                  unsigned dword) {
  llvm::StringRef name = inst.mnemonic;
  Undefined undefined;
  if (name == "v_cndmask_b32" && !inst.isDpp) {
    uint64_t selects = wave.scalar64(inst.src[2]);
    Undefined a = undefinedSource(inst, 0, wave, registers),
              b = undefinedSource(inst, 1, wave, registers),
              mask = undefinedSource(inst, 2, wave, registers);
    undefined.add(a.lanes & ~selects, a.source);
    undefined.add(b.lanes & selects, b.source);
    undefined.add(mask.lanes, mask.source);
  } else if (!name.starts_with("v_permlane")) {
    for (unsigned i = 0; i != inst.numSrc; ++i) {
      if (isInsertedInto(inst, i))
        continue;
      Undefined source =
          undefinedSource(inst, i, wave, registers,
                          dword == ~0u ? ~0u : dwordsFor(inst, i, dword));
      undefined.add(source.lanes, source.source);
    }
    if (accumulates(inst)) {
      isa::RegisterRange range = isa::rangeOf(inst.dst[0]);
      for (unsigned i = range.first, e = i + range.count; i != e; ++i)
        if (i < reg::vectors)
          undefined.add(~registers.lanes[i], i);
    }
    if (name.starts_with("v_div_fmas"))
      for (unsigned i : {0u, 1u})
        undefined.add(uint64_t(~registers.bits[reg::vcc + i - reg::sgpr])
                          << (32 * i),
                      reg::vcc + i);
  }
  undefined.lanes &= wave.exec();
  return undefined;
}

/// Rows (or columns) of blocks that undefined lanes of an input belong to.
static uint64_t undefinedRows(const arch::MfmaRow &row, uint64_t lanes,
                              unsigned block) {
  uint64_t rows = 0;
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    if (!((lanes >> lane) & 1))
      continue;
    // Which element of the lane does not matter: it has one row of one block.
    arch::LaneCoordinate at =
        arch::inputCoordinate(row, lane, 0, arch::ElementType::Fp4);
    if (at.block == block)
      rows |= uint64_t(1) << at.row;
  }
  return rows;
}

void DefinednessCheck::propagateMatrix(const Instruction &inst,
                                       DefinedRegisters &registers) {
  const arch::MfmaRow *row = arch::lookupMfmaByMnemonic(inst.mnemonic);
  auto undefinedOf = [&](const Operand &operand) {
    Undefined undefined;
    isa::RegisterRange range = isa::rangeOf(operand);
    if (operand.isVector())
      for (unsigned i = range.first, e = i + range.count; i != e; ++i)
        undefined.add(~registers.lanes[i], i);
    return undefined;
  };
  Undefined a = undefinedOf(inst.src[0]), b = undefinedOf(inst.src[1]);
  isa::RegisterRange d = isa::rangeOf(inst.dst[0]);
  const Operand &c = inst.readsDst ? inst.dst[0] : inst.src[2];
  isa::RegisterRange cRange = isa::rangeOf(c);
  // Forms that broadcast blocks, and sparse ones, are taken for defined where
  // the accumulator is.
  bool hasMap = row && (row->blocks == 1 || (!inst.cbsz && !inst.blgp));
  unsigned source = a.lanes ? a.source : b.source;
  llvm::SmallVector<uint64_t, 16> rowsOfA, rowsOfB;
  if (hasMap && (a.lanes | b.lanes))
    for (unsigned block = 0; block != row->blocks; ++block) {
      rowsOfA.push_back(undefinedRows(*row, a.lanes, block));
      rowsOfB.push_back(undefinedRows(*row, b.lanes, block));
    }
  unsigned perElement = hasMap ? arch::bitWidth(row->c) / 32 : 1;
  for (unsigned i = 0; i != d.count; ++i) {
    uint64_t lanes = ~uint64_t(0);
    uint32_t origin = 0;
    if (c.isVector() && i < cRange.count) {
      lanes = registers.lanes[cRange.first + i];
      origin = registers.origin[cRange.first + i];
    }
    if (!rowsOfA.empty()) {
      for (unsigned lane = 0; lane != waveLanes; ++lane) {
        arch::LaneCoordinate at =
            arch::outputCoordinate(*row, lane, i / perElement);
        if ((rowsOfA[at.block] >> at.row) & 1 ||
            (rowsOfB[at.block] >> at.col) & 1)
          lanes &= ~(uint64_t(1) << lane);
      }
      origin = registers.origin[source];
    }
    setLanes(d.first + i, lanes, origin, registers);
  }
}
