//===- Intrinsics.h - AMDGPU intrinsics of each chip ------------*- C++ -*-===//
//
// Which target intrinsics, other than matrix instructions (MfmaTable.h), the
// chips have. LLVM aborts at an intrinsic that it cannot select, so anything
// that is not in this table is refused before.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_INTRINSICS_H
#define FLY_ARCH_INTRINSICS_H

#include "fly/Arch/ArchInfo.h"

namespace fly::arch {

/// One intrinsic, or a family that shares a prefix.
struct IntrinsicRow {
  /// Name behind "llvm.amdgcn.", which is also the name behind "rocdl.".
  const char *name;
  /// `name` is a prefix of all members.
  bool isFamily;
  bool onGfx942, onGfx950;

  bool availableOn(Chip chip) const {
    return chip == Chip::Gfx942 ? onGfx942 : chip == Chip::Gfx950 && onGfx950;
  }
};

/// All rows. [LLVM22] selected by llc for each chip, or not.
llvm::ArrayRef<IntrinsicRow> intrinsicTable();
/// The row of `name` ("readfirstlane"); nullptr if no chip of the table has it.
const IntrinsicRow *lookupIntrinsic(llvm::StringRef name);

} // namespace fly::arch

#endif // FLY_ARCH_INTRINSICS_H
