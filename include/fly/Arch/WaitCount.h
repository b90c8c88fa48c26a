//===- WaitCount.h - The operand of s_waitcnt -------------------*- C++ -*-===//
//
// s_waitcnt packs three counters into 16 bits, vmcnt in two pieces. Encode and
// decode live here, so that no bare number stands for a wait elsewhere.
// [LLVM22] encoding of gfx9, which gfx942 and gfx950 share.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_WAITCOUNT_H
#define FLY_ARCH_WAITCOUNT_H

#include <cstdint>

namespace fly::arch {

/// Counters that a wait asks for: at most so many operations outstanding. The
/// largest value of a field does not wait.
struct WaitCount {
  static constexpr unsigned maxVm = 63;
  static constexpr unsigned maxExp = 7;
  static constexpr unsigned maxLgkm = 15;

  unsigned vm = maxVm;     ///< Vector memory, LDS DMA included.
  unsigned exp = maxExp;   ///< Exports; unused by compute kernels.
  unsigned lgkm = maxLgkm; ///< LDS, scalar memory, messages.

  bool waitsForNothing() const {
    return vm >= maxVm && exp >= maxExp && lgkm >= maxLgkm;
  }
  /// The immediate of s_waitcnt. Larger counts are clamped, which waits for
  /// no more than asked.
  uint16_t encode() const {
    unsigned v = vm < maxVm ? vm : maxVm, e = exp < maxExp ? exp : maxExp;
    unsigned l = lgkm < maxLgkm ? lgkm : maxLgkm;
    return static_cast<uint16_t>((v & 15) | e << 4 | l << 8 | (v >> 4) << 14);
  }
  static WaitCount decode(uint16_t immediate) {
    WaitCount wait;
    wait.vm = (immediate & 15) | (immediate >> 14) << 4;
    wait.exp = (immediate >> 4) & 7;
    wait.lgkm = (immediate >> 8) & 15;
    return wait;
  }
  bool operator==(const WaitCount &other) const {
    return vm == other.vm && exp == other.exp && lgkm == other.lgkm;
  }
};

} // namespace fly::arch

#endif // FLY_ARCH_WAITCOUNT_H
