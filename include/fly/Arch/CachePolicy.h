//===- CachePolicy.h - Cache bits of memory instructions --------*- C++ -*-===//
//
// The auxiliary operand of buffer intrinsics, which becomes the bits sc0, sc1
// and nt of an instruction. [LLVM22] SIDefines.h, CPol; gfx940 and later.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_CACHEPOLICY_H
#define FLY_ARCH_CACHEPOLICY_H

#include <cstdint>

namespace fly::arch {

enum class CachePolicy : uint32_t {
  Default = 0,
  Sc0 = 1,
  NonTemporal = 2, ///< Streamed: evicted first.
  Sc1 = 16,
};

} // namespace fly::arch

#endif // FLY_ARCH_CACHEPOLICY_H
