//===- LaneOperations.h - Integer instructions by mnemonic ------*- C++ -*-===//
//
// The integer arithmetic that compilers form LDS addresses with. Scalar and
// vector instructions of one meaning share a function.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_LANEOPERATIONS_H
#define FLY_LIB_VERIFY_LANEOPERATIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace fly::verify {

/// An instruction on 32-bit numbers.
struct Operation {
  llvm::StringLiteral name;
  unsigned sources;
  uint32_t (*function)(uint32_t, uint32_t, uint32_t);
};

/// Comparisons, for scalar and vector instructions alike.
struct Comparison {
  llvm::StringLiteral name; ///< "eq_u32"
  bool (*function)(uint32_t, uint32_t);
};

/// The instruction of that mnemonic, null for others.
const Operation *findOperation(llvm::StringRef name);
/// The comparison that an instruction of that mnemonic makes, null for others.
const Comparison *findComparison(llvm::StringRef name);

/// Logic on masks of lanes, by the name's root; unknown roots give nothing.
std::optional<bool> maskLogic(llvm::StringRef root, bool a, bool b);
/// "and" of "s_and_b64" and of "s_and_saveexec_b64", else nothing.
llvm::StringRef maskRoot(llvm::StringRef name);

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LANEOPERATIONS_H
