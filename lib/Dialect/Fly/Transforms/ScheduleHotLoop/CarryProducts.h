//===- CarryProducts.h - Last products behind the barrier -------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CARRYPRODUCTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CARRYPRODUCTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace fly::hotloop {

/// What came of a loop.
struct CarriedProducts {
  /// The loop, a new one where products go round it.
  mlir::scf::ForOp loop;
  /// Matrix instructions that stand behind the barrier after their own.
  unsigned products = 0;
  /// 32-bit registers of factors that go round the loop.
  unsigned registers = 0;
};

/// Puts the last matrix instruction of each sum behind the barrier that ends
/// its stretch, where it covers the reads and copies of the next one; those of
/// the last stretch go round the loop. Failure, with nothing changed, where the
/// loop is not of that kind or factors would take more than \p mostRegisters:
/// \p why says it.
mlir::FailureOr<CarriedProducts>
carryProducts(mlir::scf::ForOp loop, unsigned mostRegisters, std::string &why);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_CARRYPRODUCTS_H
