//===- Valu.cpp - Lookup of the vector instructions -----------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the rows of the families and picks the executor for the modifiers that
// an instruction carries.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringMap.h"

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using ValuMap = llvm::StringMap<const ValuRow *>;

bool hasChip(ValuChips chips, ChipKind chip) {
  switch (chips) {
  case ValuChips::Both:
    return true;
  case ValuChips::Gfx942:
    return chip == ChipKind::Gfx942;
  case ValuChips::Gfx950:
    return chip == ChipKind::Gfx950;
  }
  return false;
}

ValuMap buildMap(ChipKind chip) {
  ValuMap map;
  for (llvm::ArrayRef<ValuRow> rows :
       {valuFloat32Rows(), valuFloat16Rows(), valuDoubleRows(),
        valuDivideRows(), valuTranscendentalRows(), valuTrigonometryRows(),
        valuIntRows(), valuInt16Rows(), valuSadRows(), valuBitRows(),
        valuCarryRows(), valuCompareRows(), valuConvertRows(),
        valuConvertNarrowRows(), valuConvertScaledRows(), valuPackedRows(),
        valuDotRows(), valuLaneRows(), valuCubeRows()})
    for (const ValuRow &row : rows)
      if (hasChip(row.chips, chip))
        map[row.mnemonic] = &row;
  return map;
}

bool hasModifiers(const isa::Instruction &inst) {
  return inst.isDpp || inst.isSdwa || inst.neg || inst.abs || inst.sext ||
         inst.opSel || inst.omod;
}

unsigned usedModifiers(const isa::Instruction &inst) {
  return (inst.opSel ? kHasHalves : 0) |
         (inst.neg || inst.abs ? kHasSigns : 0) | (inst.omod ? kHasOutput : 0);
}

/// A 16-bit dot product whose selects are not the low and then the high half.
/// Products of smaller elements have no selects.
bool selectsHalves(const isa::Instruction &inst) {
  if (inst.format != isa::Format::VOP3P)
    return false;
  bool hasHalves = inst.mnemonic.starts_with("v_dot2");
  return inst.opSel != 0 || (hasHalves && (inst.opSelHi & 3) != 3);
}

} // namespace

/// The forms for the host's vectors.
static WideForms wideForms(const ValuRow &row, VectorLevel level) {
  switch (level) {
  case VectorLevel::Avx512:
    return row.avx512;
  case VectorLevel::Avx2:
    return row.avx2;
  case VectorLevel::Generic:
    break;
  }
  return {};
}

/// Modifiers that need a form of their own.
static bool movesLanesOrHalves(const isa::Instruction &inst) {
  return inst.isDpp || inst.isSdwa || inst.sext || inst.opSel;
}

static ExecFn chooseForm(const ValuRow &row, const isa::Instruction &inst,
                         VectorLevel level) {
  WideForms wide = wideForms(row, level);
  // Of integers, clamp is another function.
  bool isOther = inst.clamp && row.clamped != row.modified;
  if (wide.any && !isOther)
    return wide.any;
  if (!inst.clamp && !hasModifiers(inst))
    return wide.plain ? wide.plain : row.plain;
  ExecFn fitting = movesLanesOrHalves(inst) ? wide.moved : wide.signs;
  if (fitting && !isOther)
    return fitting;
  return inst.clamp ? row.clamped : row.modified;
}

ExecFn fly::sim::lookupValu(const isa::Instruction &inst, ChipKind chip) {
  static const VectorLevel level = hostVectorLevel();
  return lookupValuAt(inst, chip, level);
}

ExecFn fly::sim::lookupValuAt(const isa::Instruction &inst, ChipKind chip,
                              VectorLevel level) {
  static const ValuMap gfx942 = buildMap(ChipKind::Gfx942);
  static const ValuMap gfx950 = buildMap(ChipKind::Gfx950);
  const ValuMap &map = chip == ChipKind::Gfx942 ? gfx942 : gfx950;
  auto found = map.find(inst.mnemonic);
  if (found == map.end())
    return nullptr;
  const ValuRow &row = *found->second;
  if (row.wholeDwords && selectsHalves(inst))
    return nullptr;
  if (usedModifiers(inst) & ~row.modifiers)
    return nullptr;
  return chooseForm(row, inst, level);
}
