//===- Mfma.cpp - Lookup of the matrix instructions -----------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the rows of the families and refuses modifiers that an instruction does
// not define [AMD].
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringMap.h"

#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using MfmaMap = llvm::StringMap<const MfmaRow *>;

bool hasChip(MfmaChips chips, ChipKind chip) {
  switch (chips) {
  case MfmaChips::Both:
    return true;
  case MfmaChips::Gfx942:
    return chip == ChipKind::Gfx942;
  case MfmaChips::Gfx950:
    return chip == ChipKind::Gfx950;
  }
  return false;
}

MfmaMap buildMap(ChipKind chip) {
  MfmaMap map;
  for (llvm::ArrayRef<MfmaRow> rows :
       {mfmaFloatRows(), mfmaFp8Rows(), mfmaIntRows(), mfmaDoubleRows(),
        mfmaScaledRows(), mfmaSparseRows(), accumulatorRows()})
    for (const MfmaRow &row : rows)
      if (hasChip(row.chips, chip))
        map[row.mnemonic] = &row;
  return map;
}

/// Registers of 32 elements of an f8f6f4 format, by its code.
unsigned formatRegisters(unsigned code) {
  constexpr unsigned registers[] = {8, 8, 6, 6, 4};
  return registers[code];
}

bool acceptsModifiers(const MfmaRow &row, const isa::Instruction &inst) {
  // Formats 0 to 4 exist. [LLVM22]
  constexpr unsigned formatCount = 5;
  switch (row.modifiers) {
  case MfmaModifiers::None:
    return inst.cbsz == 0 && inst.abid == 0 && inst.blgp == 0;
  case MfmaModifiers::LanePatterns:
    return (1u << inst.cbsz) <= row.blocks && inst.abid < (1u << inst.cbsz);
  case MfmaModifiers::Signs:
    return inst.cbsz == 0 && inst.abid == 0;
  case MfmaModifiers::Formats:
    // The place of ABID says whether scales are present [LLVM22: encoding].
    return inst.cbsz < formatCount && inst.blgp < formatCount &&
           inst.src[0].dwords >= formatRegisters(inst.cbsz) &&
           inst.src[1].dwords >= formatRegisters(inst.blgp);
  case MfmaModifiers::IndexSet:
    return inst.blgp == 0;
  }
  return false;
}

} // namespace

ExecFn fly::sim::lookupMfma(const isa::Instruction &inst, ChipKind chip) {
  static const MfmaMap gfx942 = buildMap(ChipKind::Gfx942);
  static const MfmaMap gfx950 = buildMap(ChipKind::Gfx950);
  const MfmaMap &map = chip == ChipKind::Gfx942 ? gfx942 : gfx950;
  auto found = map.find(inst.mnemonic);
  if (found == map.end())
    return nullptr;
  const MfmaRow &row = *found->second;
  return acceptsModifiers(row, inst) ? row.execute : nullptr;
}
