//===- FixedArguments.h - Arguments that a schedule fixes -------*- C++ -*-===//
//
// `consts = {K = 8320}` makes a kernel for one value of an argument. The
// argument stays, so that callers need no other code; inside the kernel it is
// the constant, and a requirement refuses launches with another value.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_FIXEDARGUMENTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_FIXEDARGUMENTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fly {

/// The arguments that the schedule of one kernel fixes.
class FixedArguments {
public:
  /// Reads `consts`; one error where it names no integer argument or gives a
  /// value that does not fit.
  static mlir::FailureOr<FixedArguments> get(mlir::gpu::GPUFuncOp kernel);

  bool empty() const { return values.empty(); }
  /// Puts the constants and requirements into the kernel and takes the entry
  /// out of its schedule.
  void bind(mlir::gpu::GPUFuncOp kernel) const;

private:
  struct Value {
    unsigned argument;
    std::string name;
    int64_t number;
  };
  llvm::SmallVector<Value> values;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_FIXEDARGUMENTS_H
