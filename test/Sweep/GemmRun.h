//===- GemmRun.h - One kernel of the sweep, compiled ------------*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_GEMMRUN_H
#define FLY_TEST_SWEEP_GEMMRUN_H

#include "fly/Launch/Buffer.h"
#include "fly/Pipelines/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "Configurations.h"

namespace fly::launch {
struct Argument;
} // namespace fly::launch

namespace fly::sweep {

/// What A, B and the bias hold.
enum class Inputs {
  Integers, ///< The generator of the public test cases: small, exact.
  Normal,   ///< Numbers whose sums round.
};

/// The generator of the public test cases.
int64_t elementA(int64_t m, int64_t k);
int64_t elementB(int64_t n, int64_t k);
/// The bias, read as the first row of a matrix like B.
int64_t elementBias(int64_t n);

/// The kernel of a configuration. Its gaps between rows hold NaN, and what is
/// written there or into the guard bands is an error.
class GemmRun {
public:
  /// Generates and compiles; the error has all messages.
  static llvm::Expected<GemmRun> compile(const Configuration &configuration,
                                         mlir::MLIRContext &context);

  /// C, run on the simulator.
  llvm::Expected<launch::Buffer> simulate(Inputs inputs) const;
  /// C of the reference executor, with the bounds that it derives.
  llvm::Expected<launch::Buffer> refer(Inputs inputs) const;
  unsigned spills() const { return object.kernels.front().vgprSpills; }

private:
  llvm::Expected<std::vector<launch::Argument>>
  makeArguments(Inputs inputs) const;

  Configuration configuration;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  target::CodeObject object;
};

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_GEMMRUN_H
