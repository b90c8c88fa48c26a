//===- Chips.h - The chips' tables, private to the library ------*- C++ -*-===//
//
// Each chip's description is built once, on first use.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_ARCH_CHIPS_H
#define FLY_LIB_ARCH_CHIPS_H

#include "fly/Arch/ArchInfo.h"

namespace fly::arch {

const ArchInfo &gfx942();
const ArchInfo &gfx950();
const ArchInfo &gfx1250();

/// What gfx942 and gfx950 have in common: registers, counters, issue slots.
ArchInfo cdnaBase();

} // namespace fly::arch

#endif // FLY_LIB_ARCH_CHIPS_H
