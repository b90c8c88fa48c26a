//===- Gfx1250.cpp - The little that is known of gfx1250 ------------------===//
//
// Reports mention the chip; Fly does not compile for it. The wave and LDS sizes
// come from the kernel tuning guide; everything else is unknown and stays an
// empty fact.
//
//===----------------------------------------------------------------------===//

#include "Chips.h"

using namespace fly::arch;

static ArchInfo build() {
  constexpr const char *guide = "[guide] kernel tuning guide";
  ArchInfo info{};
  info.chip = Chip::Gfx1250;
  info.name = "gfx1250";
  info.elfMachine = {0x049, Basis::Llvm, "[LLVM22] BinaryFormat/ELF.h"};
  info.triple = "amdgcn-amd-amdhsa";
  info.canCompile = false;
  info.waveSize = {32, Basis::Guide, guide};
  info.lds.bytes = {327680, Basis::Guide, guide};
  return info;
}

const ArchInfo &fly::arch::gfx1250() {
  static const ArchInfo info = build();
  return info;
}
