//===- MathTable.h - Error bounds of the math functions ---------*- C++ -*-===//
//
// The one table of what our lowering of math functions costs and promises, by
// function, fastmath flag and type. docs/Guide/Math.md prints it, the reference
// executor derives its bounds from it, and fly-math-table measures it again on
// the simulator and fails where a bound is exceeded.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_MATHTABLE_H
#define FLY_SUPPORT_MATHTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fly {

/// One function on one type.
struct MathBound {
  /// As the op: "exp" of math.exp, "silu" of fly.activate, "divf" of arith.
  llvm::StringLiteral function;
  /// With `fastmath<afn>` ("arcp,afn" is the same).
  bool isApproximate;
  /// f32, f16 or bf16.
  llvm::StringLiteral type;
  /// Vector instructions for one element on its own, constants included, on
  /// gfx942 with LLVM 22.
  unsigned instructions;
  /// Largest error found, in units in the last place of the type at the exact
  /// value; 0 where `absolute` is the bound.
  double ulp;
  /// Of functions without a relative bound: largest error found, divided by
  /// the argument's magnitude where that is above 1.
  double absolute;
  /// The argument of the largest error; of two arguments the second one too.
  double worst, worstSecond;
};

llvm::ArrayRef<MathBound> getMathBounds();

/// The row of a function, null where Fly has none. `type` as MLIR spells it.
const MathBound *lookupMathBound(llvm::StringRef function, llvm::StringRef type,
                                 bool isApproximate);

/// Hardware promises 1 ulp for instructions of the transcendental unit, the
/// simulator, on which the table is measured, rounds them correctly: results
/// of f32 may be off by so many units more. [INF: SIM-TRANSCENDENTAL]
inline constexpr double kMathMarginUlps = 0.5;

} // namespace fly

#endif // FLY_SUPPORT_MATHTABLE_H
