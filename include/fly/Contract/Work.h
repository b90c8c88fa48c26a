//===- Work.h - What a kernel has to compute and to move --------*- C++ -*-===//
//
// What problem: a roofline needs a kernel's operations and bytes, and a code
// object has neither: its loops and grid only show how it was cut.
// What idea: the compiler, which sees the products of tiles in their loops,
// writes their operations as expressions over the arguments. Where a loop ends
// elsewhere for each tile (a causal mask), they are a sum over counters.
// What it leaves open: work that only memory tells, as rows of an expert: an
// upper bound, or nothing.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_CONTRACT_WORK_H
#define FLY_CONTRACT_WORK_H

#include "fly/Contract/Expr.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace fly::contract {

struct LaunchContract;

/// A number that takes the values `from`, `from + by`, ... below `to`.
struct Counter {
  std::string name;
  Expr from, to, by;
};

/// Operations of a kernel's matrix products of one pair of element types.
struct DotWork {
  std::string a, b; ///< Elements of the operands, as MLIR spells them.
  /// Two a multiply-add, inside of the problem: what tiles at its edge compute
  /// beyond counts not. The sum over all values of the counters. Absent where
  /// only memory tells how often the products are done.
  std::optional<Expr> flop;
  /// The outermost first; bounds may name those before.
  std::vector<Counter> over;
  /// Memory may tell the kernel to do less.
  bool isAtMost = false;
};

bool operator==(const Counter &a, const Counter &b);
bool operator==(const DotWork &a, const DotWork &b);

/// The operations of one entry. Errors: evaluation, steps that are not
/// positive, sums of more than 2^22 terms, results below 0, and entries whose
/// `flop` is absent.
llvm::Expected<double> evaluateWork(const DotWork &work, Bindings bindings);

/// The operations of all entries.
llvm::Expected<double> evaluateWork(llvm::ArrayRef<DotWork> work,
                                    Bindings bindings);

/// Bytes of the views of all pointers, each element once; gaps between rows do
/// not count. Errors: evaluation, and pointers whose view the host cannot
/// compute, which it names.
llvm::Expected<double> evaluateIdealBytes(const LaunchContract &contract,
                                          Bindings bindings);

} // namespace fly::contract

#endif // FLY_CONTRACT_WORK_H
