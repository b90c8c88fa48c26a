//===- Assumptions.h - The ledger of assumptions ----------------*- C++ -*-===//
//
// Values that are inferred or recalled, not measured, are assumptions. Each has
// an id here, with what it says and the experiment that would settle it on
// hardware. Facts carry the id; reports print the ids that a figure rests on.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_ASSUMPTIONS_H
#define FLY_ARCH_ASSUMPTIONS_H

#include "fly/Arch/Fact.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::arch {

/// Chips of which every timing rests on an assumption, or that a test times.
enum class Timed : uint8_t { None, Gfx942, Gfx950, All };

struct Assumption {
  const char *id;        ///< "LDS-950-PORT"
  Basis basis;           ///< Inferred or Recalled.
  const char *statement; ///< What is assumed, with its numbers.
  const char *probe;     ///< What to measure on a GPU to settle it.
  /// Tests whose expectations rest on it, below test/, between spaces, which
  /// name the id. See testsOf().
  const char *tests;
  Timed timed = Timed::None;
};

/// The ledger, ascending by id.
llvm::ArrayRef<Assumption> assumptions();
/// The entry with this id, nullptr if there is none.
const Assumption *lookupAssumption(llvm::StringRef id);

/// Tests whose expectations rest on \p entry, ascending, between spaces: those
/// that name it, and those that time the chips it says.
std::string testsOf(const Assumption &entry);

} // namespace fly::arch

#endif // FLY_ARCH_ASSUMPTIONS_H
