//===- MatrixWork.h - What a matrix instruction counts ----------*- C++ -*-===//
//
// The performance counters of a chip tell matrix instructions apart by the type
// of their sources, and count their operations. Dense and sparse forms alike,
// from the mnemonic.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_MATRIXWORK_H
#define FLY_ARCH_MATRIXWORK_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace fly::arch {

/// Types that have a counter of their own.
enum class MatrixCounter : uint8_t { F16, Bf16, F8, F6F4, I8, F32, F64, Xf32 };
constexpr unsigned matrixCounterCount = unsigned(MatrixCounter::Xf32) + 1;
/// As the hardware's counters end: "F16" of SQ_INSTS_VALU_MFMA_F16.
const char *matrixCounterName(MatrixCounter counter);

/// What one execution counts.
struct MatrixWork {
  MatrixCounter counter = MatrixCounter::F16;
  /// Multiplications and additions of all lanes; of sparse forms those that the
  /// dense product has.
  unsigned operations = 0;
};

/// Nothing for what is no matrix instruction. \p isNarrow: both operands of a
/// f8f6f4 form have 6 or 4 bits; else it counts as a product of 8 bits [INF].
std::optional<MatrixWork> matrixWork(llvm::StringRef mnemonic, bool isNarrow);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXWORK_H
