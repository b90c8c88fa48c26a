//===- Debug.h - what a launch tells of its way -----------------*- C++ -*-===//
//
// What problem: that a value is wrong says little of where it became so.
// What idea: a launch is asked beforehand for the moments that matter: who
// touches these bytes, what a wave holds at this place, which instruction makes
// the first NaN, what LDS holds at the end. It tells of them and goes on; there
// is no prompt, so the same command tells the same again.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_DEBUG_H
#define FLY_SIM_DEBUG_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fly::sim {

/// One line, or some, that a launch tells.
struct DebugNote {
  uint64_t workgroup = 0; ///< In dispatch order.
  std::string text;
};

struct DebugOptions {
  /// Bytes of global memory, each access to which is told.
  struct Watch {
    /// Name of the allocation that `begin` counts from; empty: an address.
    std::string allocation;
    uint64_t begin = 0;
    uint64_t bytes = 4;
    std::string text; ///< How messages call it: "C[3, 5]".
  };
  std::vector<Watch> watches;
  /// Places at which the state of a wave is told: before the instruction.
  struct Break {
    /// Of the object, or:
    std::optional<uint64_t> pc;
    /// By the line tables: "gemm.mlir:12".
    std::string line;
  };
  std::vector<Break> breaks;
  /// The first instruction of each of the first workgroups that gives a NaN.
  bool firstNan = false;
  /// LDS of this workgroup, in dispatch order, when it ends.
  std::optional<uint64_t> dumpLds;
  /// Hears of it, as it happens. A launch that tells runs on one thread.
  std::function<void(const DebugNote &)> tell;

  bool empty() const {
    return watches.empty() && breaks.empty() && !firstNan && !dumpLds;
  }
};

} // namespace fly::sim

#endif // FLY_SIM_DEBUG_H
