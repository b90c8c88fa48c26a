//===- Checks.h - what a launch is checked for ------------------*- C++ -*-===//
//
// What problem: a kernel that lacks a wait or a barrier gives the right values
// in most orders, and wrong ones on the day that counts.
// What idea: checks watch a launch and say what is not guaranteed by the
// kernel's own waits, barriers and cache operations, whatever order the
// simulator happens to execute. Each has a name and a switch.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_CHECKS_H
#define FLY_SIM_CHECKS_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fly::sim {

/// One kind of mistake, in the order of reports.
enum class Check : uint8_t {
  Bounds,     ///< LDS accesses outside of what the launch declares.
  Init,       ///< Undefined values that decide something or are stored.
  Races,      ///< LDS accesses of several waves that nothing orders.
  Delivery,   ///< Registers used before waits guarantee their values.
  Hazards,    ///< Dependent instructions nearer than hardware can bear.
  Visibility, ///< Stores of other workgroups without release and acquire.
  Barriers,   ///< Barriers that not every wave, or not every lane, reaches.
};
constexpr unsigned checkCount = 7;

/// The name in options and reports: "delivery".
llvm::StringRef checkName(Check check);
std::optional<Check> checkByName(llvm::StringRef name);

/// A set of checks.
class CheckSet {
public:
  constexpr CheckSet() = default;
  static constexpr CheckSet all() {
    CheckSet set;
    set.bits = (1u << checkCount) - 1;
    return set;
  }
  constexpr bool has(Check check) const {
    return (bits >> unsigned(check)) & 1;
  }
  constexpr CheckSet &add(Check check) {
    bits |= 1u << unsigned(check);
    return *this;
  }
  constexpr CheckSet &remove(Check check) {
    bits &= ~(1u << unsigned(check));
    return *this;
  }
  constexpr bool empty() const { return bits == 0; }
  /// Some check has to see every instruction, which costs time.
  constexpr bool watchExecution() const {
    return !CheckSet(*this)
                .remove(Check::Bounds)
                .remove(Check::Barriers)
                .empty();
  }
  constexpr CheckSet &operator|=(CheckSet other) {
    bits |= other.bits;
    return *this;
  }
  /// "bounds, init, races"
  std::string names() const;

private:
  uint32_t bits = 0;
};

/// What a check found, once for each pair of instructions. The launch goes on
/// behind it.
struct Finding {
  Check check = Check::Delivery;
  std::array<uint32_t, 3> workgroup = {0, 0, 0}; ///< The first one that has it.
  uint32_t wave = 0;
  int32_t lane = -1; ///< -1: not one lane's.
  uint64_t pc = 0;   ///< In the object.
  /// Assembly text at pc.
  std::string instruction;
  /// "gemm.mlir:12", where the object has line tables; else empty.
  std::string source;
  /// The other party, where there is one.
  std::optional<uint64_t> otherPc;
  std::string otherInstruction;
  /// How often it was seen in the launch.
  uint64_t count = 0;
  /// The whole message, one line.
  std::string message;
};

} // namespace fly::sim

#endif // FLY_SIM_CHECKS_H
