//===- LdsAccess.h - Which bytes of LDS an instruction touches --*- C++ -*-===//
#ifndef FLY_LIB_VERIFY_LDSACCESS_H
#define FLY_LIB_VERIFY_LDSACCESS_H

#include "llvm/ADT/SmallVector.h"

#include <optional>

#include "LaneValues.h"

namespace fly::verify {

/// What an instruction does to LDS, whatever its address.
struct LdsAccess {
  bool reads = false, writes = false;
  bool isAtomic = false;
  bool isDma = false;                     ///< A copy from global memory; vmcnt.
  isa::RegisterRange address;             ///< M0 for copies.
  unsigned bytes = 0;                     ///< A lane and part.
  llvm::SmallVector<uint32_t, 2> offsets; ///< Of each part, from the address.
};

/// Nothing for instructions that do not touch LDS, or may do so by a pointer
/// that can point elsewhere (flat_*).
std::optional<LdsAccess> ldsAccessOf(const isa::Instruction &inst);

/// Stretches of bytes of each wave, ascending and not touching each other.
class LdsBytes {
public:
  using Stretch = std::pair<uint32_t, uint32_t>; ///< Begin, end.

  /// Of the lanes in `mask`.
  LdsBytes(const LdsAccess &access, ValueId address, ValueId mask,
           LaneValues &values);

  /// For each wave, a mask of the waves of `other` that touch a byte of its.
  llvm::SmallVector<uint32_t, 16> meetings(const LdsBytes &other) const;

private:
  bool isApart(const LdsBytes &other) const {
    return low >= other.high || other.low >= high;
  }
  std::vector<llvm::SmallVector<Stretch, 4>> waves;
  uint32_t low = ~0u, high = 0; ///< Around all stretches.
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LDSACCESS_H
